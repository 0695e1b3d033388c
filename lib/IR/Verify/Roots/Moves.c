//===- Moves.c - Copies and transfers of contents -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Moves.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Roots/Marks.h"
#include "mlir-c/BuiltinTypes.h"

/// True for a tag of one element, which is allocated here.
static bool isOwnTag(MlirValue tag) {
  MlirType type = mlirValueGetType(tag);
  int64_t rank = mlirTypeIsAMemRef(type) ? mlirShapedTypeGetRank(type) : -1;
  bool isOne = rank >= 0;
  for (int64_t i = 0; i < rank; ++i)
    isOne &= !mlirShapedTypeIsDynamicDim(type, i) &&
             mlirShapedTypeGetDimSize(type, i) == 1;
  return isOne && berthIsFreshMemory(tag);
}

/// True if the one stands before the other in one block.
static bool standsBefore(MlirOperation first, MlirOperation then) {
  while (!mlirOperationIsNull(first) && !mlirOperationEqual(first, then))
    first = mlirOperationGetNextInBlock(first);
  return !mlirOperationIsNull(first);
}

/// The described copy whose token is the op's only operand, and nobody else's;
/// null: there is none.
static MlirOperation toldStartOf(MlirOperation wait) {
  const MlirOperation none = {NULL};
  intptr_t source, target;
  if (mlirOperationGetNumOperands(wait) != 1 || !berthOpAwaits(wait, 0))
    return none;
  MlirValue token = mlirOperationGetOperand(wait, 0);
  if (!berthValueIsToldToken(token))
    return none;
  MlirOperation start = mlirOpResultGetOwner(token);
  MlirOpOperand use = mlirValueGetFirstUse(token);
  return berthOpIsToldCopy(start, &source, &target) &&
                 mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
                 standsBefore(start, wait)
             ? start
             : none;
}

/// The start that the wait is for; null if that is in doubt. They alone use the
/// tag.
static MlirOperation startOf(MlirOperation wait) {
  MlirOperation start = {NULL}, none = {NULL};
  BerthDma dma, other;
  if (!berthOpGetDma(wait, &dma))
    return toldStartOf(wait);
  if (dma.isStart)
    return none;
  MlirValue tag = mlirOperationGetOperand(wait, dma.tag);
  if (!isOwnTag(tag))
    return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, wait) || berthOpIsFree(op))
      continue;
    if (!berthOpGetDma(op, &other) || !other.isStart ||
        mlirOpOperandGetOperandNumber(use) != other.tag ||
        !mlirOperationIsNull(start))
      return none;
    start = op;
  }
  return !mlirOperationIsNull(start) && standsBefore(start, wait) ? start
                                                                  : none;
}

/// What tells the end of a start: its tag, or its token. Null: it is no start.
static MlirValue endOf(MlirOperation op) {
  BerthDma dma;
  intptr_t source, target;
  if (berthOpGetDma(op, &dma))
    return dma.isStart ? mlirOperationGetOperand(op, dma.tag)
                       : (MlirValue){NULL};
  bool isTold = berthOpIsToldCopy(op, &source, &target);
  for (intptr_t i = 0; isTold && i < mlirOperationGetNumResults(op); ++i)
    if (berthOpIsTokenResult(op, i))
      return mlirOperationGetResult(op, i);
  return (MlirValue){NULL};
}

/// The number in the op's mark of that name, or in that of its wait.
static MlirAttribute numberIn(MlirOperation op, const char *name) {
  MlirValue end = endOf(op);
  if (mlirValueIsNull(end))
    return berthMarkNumber(berthAttributeOf(op, name), 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(end); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation wait = mlirOpOperandGetOwner(use);
    MlirAttribute mark = berthAttributeOf(wait, name);
    if (!mlirAttributeIsNull(mark) && mlirOperationEqual(startOf(wait), op))
      return berthMarkNumber(mark, 0);
  }
  return mlirAttributeGetNull();
}

MlirAttribute berthMoveNumber(MlirOperation op) {
  return numberIn(op, BERTH_MOVE);
}

MlirAttribute berthTileMoveNumber(MlirOperation op) {
  return berthOpIsPlainAllocation(op) ? mlirAttributeGetNull()
                                      : numberIn(op, BERTH_TILE);
}

bool berthIsStart(MlirOperation op) { return !mlirValueIsNull(endOf(op)); }

BerthMoveKind berthGetMove(MlirOperation op, MlirValue *from, MlirValue *to) {
  BerthDma dma = {0};
  BerthMoveKind kind = BERTH_MOVE_COPY;
  MlirOperation start = startOf(op);
  if (!mlirOperationIsNull(start)) {
    kind = BERTH_MOVE_WAIT;
    op = start;
  } else if (!mlirValueIsNull(endOf(op))) {
    kind = BERTH_MOVE_START;
  }
  if (berthOpIsCopy(op) && mlirOperationGetNumOperands(op) == 2) {
    dma.source = 0;
    dma.target = 1;
  } else if (!berthOpIsToldCopy(op, &dma.source, &dma.target) &&
             !(berthOpGetDma(op, &dma) && dma.isStart)) {
    return BERTH_MOVE_NONE;
  }
  *from = mlirOperationGetOperand(op, dma.source);
  *to = mlirOperationGetOperand(op, dma.target);
  return kind;
}

bool berthIsMove(MlirOperation op) {
  MlirValue from, to;
  MlirAttribute number = berthMoveNumber(op);
  return !mlirAttributeIsNull(number) &&
         berthGetMove(op, &from, &to) != BERTH_MOVE_NONE &&
         berthPlaceOf(to, number) >= 0;
}

bool berthWaitIsInDoubt(MlirOperation op) {
  BerthDma dma;
  return berthOpGetDma(op, &dma) && !dma.isStart &&
         berthIsFreshMemory(mlirOperationGetOperand(op, dma.tag)) &&
         mlirOperationIsNull(startOf(op));
}

/// A described copy has no sizes but those of its memory.
static bool haveOneShape(MlirType a, MlirType b) {
  bool isOne = mlirTypeIsAMemRef(a) && mlirTypeIsAMemRef(b) &&
               mlirShapedTypeGetRank(a) == mlirShapedTypeGetRank(b);
  for (int64_t i = 0; isOne && i < mlirShapedTypeGetRank(a); ++i)
    isOne = !mlirShapedTypeIsDynamicDim(a, i) &&
            mlirShapedTypeGetDimSize(a, i) == mlirShapedTypeGetDimSize(b, i);
  return isOne;
}

bool berthMoveIsWhole(MlirOperation op) {
  BerthDma dma;
  if (berthOpIsToldCopy(op, &dma.source, &dma.target))
    return haveOneShape(
        mlirValueGetType(mlirOperationGetOperand(op, dma.source)),
        mlirValueGetType(mlirOperationGetOperand(op, dma.target)));
  if (!berthOpGetDma(op, &dma) || !dma.isStart)
    return true;
  bool isWhole = berthDmaOverwrites(op, dma.target);
  for (intptr_t i = dma.source + 1; i < dma.target; ++i) {
    BerthIndex index = berthValueGetIndex(mlirOperationGetOperand(op, i));
    isWhole &= index.isKnown && mlirValueIsNull(index.base) && !index.offset;
  }
  return isWhole;
}
