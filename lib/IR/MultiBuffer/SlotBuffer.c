//===- SlotBuffer.c - The allocation of a buffer's slots ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "mlir-c/BuiltinTypes.h"

void berthInferViews(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    if (!berthSubViewGet(op, &view))
      continue;
    MlirValue result = mlirOperationGetResult(op, 0);
    mlirValueSetType(result, berthSubViewInferType(op));
    berthInferViews(result);
  }
}

MlirValue berthBuildStack(MlirOperation alloc, int64_t count,
                          MlirOperation before) {
  MlirOperation copy = mlirOperationClone(alloc);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      copy);
  MlirValue stack = mlirOperationGetResult(copy, 0);
  MlirType type = mlirValueGetType(stack);
  int64_t shape[BERTH_SLICE_MAX_RANK] = {count};
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t d = 0; d < rank; ++d)
    shape[d + 1] = mlirShapedTypeGetDimSize(type, d);
  mlirValueSetType(stack, mlirMemRefTypeContiguousGet(
                              mlirShapedTypeGetElementType(type), rank + 1,
                              shape, mlirMemRefTypeGetMemorySpace(type)));
  return stack;
}

static MlirValue buildSlots(const BerthFilled *filled, int64_t numSlots) {
  MlirValue slots = berthBuildStack(filled->info->alloc, numSlots,
                                    filled->isMadeInBody ? filled->loop
                                                         : filled->info->alloc);
  MlirOperation alloc = mlirOpResultGetOwner(slots);
  MlirContext context = mlirOperationGetContext(alloc);
  berthSetAttribute(alloc, BERTH_SLOTS, berthI64(context, numSlots));
  if (filled->isMadeInBody)
    berthSetAttribute(alloc, BERTH_SLOTS_ANEW, mlirUnitAttrGet(context));
  return slots;
}

static void freeSlots(const BerthFilled *filled, MlirValue slots) {
  for (size_t i = 0; i < filled->info->numFrees; ++i) {
    MlirOperation op = filled->info->frees[i];
    mlirOperationSetOperand(op, 0, slots);
    if (filled->isMadeInBody)
      mlirOperationMoveAfter(op, filled->loop);
  }
}

MlirValue berthBuildSlotBuffer(const BerthFilled *filled, int64_t numSlots) {
  MlirValue slots = buildSlots(filled, numSlots);
  freeSlots(filled, slots);
  return slots;
}

void berthReplaceBySlot(BerthFilled *filled, MlirValue slots, MlirValue slot) {
  mlirValueReplaceAllUsesOfWith(filled->info->value, slot);
  berthInferViews(slot);
  mlirOperationDestroy(filled->info->alloc);
  filled->slots = mlirOpResultGetOwner(slots);
}
