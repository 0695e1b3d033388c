//===- Waits.c - Transfers that end in the turn that starts them ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Waits.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

bool berthOpIsPlainDma(MlirOperation op, BerthDma *dma) {
  return !berthOpIsAffine(op) && berthOpGetDma(op, dma);
}

static bool isPlainAllocation(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         berthOpIsPlainAllocation(mlirOpResultGetOwner(value));
}

/// True if the use is the tag of a start or a wait.
static bool isTagOf(MlirOpOperand use, BerthDma *dma) {
  return berthOpIsPlainDma(mlirOpOperandGetOwner(use), dma) &&
         mlirOpOperandGetOperandNumber(use) == dma->tag;
}

/// The element of a tag of one dimension; false if it is no constant.
static bool getElement(MlirOperation op, BerthIndex *element) {
  *element = berthDmaGetTagIndex(op, 0);
  return element->isKnown && mlirValueIsNull(element->base);
}

static BerthWait noWait(const char *reason, MlirOperation at) {
  return (BerthWait){{NULL}, reason, at};
}

BerthWait berthFindWait(MlirOperation start) {
  BerthDma dma;
  berthOpGetDma(start, &dma);
  MlirValue tag = mlirOperationGetOperand(start, dma.tag);
  BerthIndex own, other;
  if (!isPlainAllocation(tag) || dma.numTagIndices != 1 ||
      !mlirShapedTypeHasStaticShape(mlirValueGetType(tag)) ||
      !getElement(start, &own))
    return noWait("its tag is no constant element of an allocation", start);
  BerthWait wait = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, start) || berthOpIs(op, BERTH_OP_FREE))
      continue;
    if (!isTagOf(use, &dma) || !getElement(op, &other))
      return noWait("somebody else may use its tag", op);
    if (berthIndicesDiffer(own, other))
      continue;
    bool isInTurn = mlirBlockEqual(mlirOperationGetBlock(op),
                                   mlirOperationGetBlock(start)) &&
                    mlirOperationIsBeforeInBlock(start, op);
    if (dma.isStart || !isInTurn || !mlirOperationIsNull(wait.op))
      return noWait("somebody else may use its tag", op);
    wait.op = op;
  }
  if (mlirOperationIsNull(wait.op))
    return noWait("no wait in its turn ends the transfer", start);
  return wait;
}

bool berthWaitIsFor(MlirOperation wait, BerthStartTest passes,
                    const void *data) {
  BerthDma dma;
  if (!berthOpIsPlainDma(wait, &dma))
    return false;
  MlirValue tag = mlirOperationGetOperand(wait, dma.tag);
  if (!isPlainAllocation(tag))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthOpIs(op, BERTH_OP_FREE))
      continue;
    if (!isTagOf(use, &dma) || (dma.isStart && !passes(op, &dma, data)))
      return false;
  }
  return true;
}
