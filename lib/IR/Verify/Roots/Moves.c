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

/// The start that the wait is for; null if that is in doubt. They alone use the
/// tag.
static MlirOperation startOf(MlirOperation wait) {
  MlirOperation start = {NULL}, none = {NULL};
  BerthDma dma, other;
  berthOpGetDma(wait, &dma);
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

MlirAttribute berthMoveNumber(MlirOperation op) {
  BerthDma dma, other;
  if (!berthOpGetDma(op, &dma) || !dma.isStart)
    return berthMarkNumber(berthAttributeOf(op, BERTH_MOVE), 0);
  MlirValue tag = mlirOperationGetOperand(op, dma.tag);
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation wait = mlirOpOperandGetOwner(use);
    MlirAttribute mark = berthAttributeOf(wait, BERTH_MOVE);
    if (!mlirAttributeIsNull(mark) && berthOpGetDma(wait, &other) &&
        !other.isStart && mlirOperationEqual(startOf(wait), op))
      return berthMarkNumber(mark, 0);
  }
  return mlirAttributeGetNull();
}

BerthMoveKind berthGetMove(MlirOperation op, MlirValue *from, MlirValue *to) {
  BerthDma dma;
  BerthMoveKind kind = BERTH_MOVE_COPY;
  if (berthOpGetDma(op, &dma)) {
    kind = dma.isStart ? BERTH_MOVE_START : BERTH_MOVE_WAIT;
    if (!dma.isStart)
      op = startOf(op);
    if (mlirOperationIsNull(op) || !berthOpGetDma(op, &dma))
      return BERTH_MOVE_NONE;
  } else if (berthOpIsCopy(op) && mlirOperationGetNumOperands(op) == 2) {
    dma.source = 0;
    dma.target = 1;
  } else {
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

bool berthMoveIsWhole(MlirOperation op) {
  BerthDma dma;
  if (!berthOpGetDma(op, &dma) || !dma.isStart)
    return true;
  bool isWhole = berthDmaOverwrites(op, dma.target);
  for (intptr_t i = dma.source + 1; i < dma.target; ++i) {
    BerthIndex index = berthValueGetIndex(mlirOperationGetOperand(op, i));
    isWhole &= index.isKnown && mlirValueIsNull(index.base) && !index.offset;
  }
  return isWhole;
}
