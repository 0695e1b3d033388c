//===- MoveViews.c - An earlier arena's buffers in the new one ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/MoveViews.h"
#include "IR/Ops/ArenaViews.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"

void berthNumberView(MlirOperation view, size_t number, MlirOperation alloc) {
  MlirContext context = mlirOperationGetContext(view);
  berthSetAttribute(view, BERTH_BUFFER_NUMBER,
                    berthI64(context, (int64_t)number));
  MlirAttribute existing = berthAttributeOf(alloc, BERTH_EXISTING);
  if (!mlirAttributeIsNull(existing))
    berthSetAttribute(view, BERTH_EXISTING, existing);
  if (!berthOpIsPlainAllocation(alloc) && !berthOpIsDescribed(alloc))
    berthSetAttribute(
        view, "berth.allocator",
        mlirStringAttrGet(context,
                          mlirIdentifierStr(mlirOperationGetName(alloc))));
}

static void moveView(MlirOperation view, MlirValue arena, int64_t offset) {
  int64_t shift = 0;
  berthValueIsConstant(mlirOperationGetOperand(view, 1), &shift);
  mlirOperationSetOperand(view, 0, arena);
  if (offset)
    mlirOperationSetOperand(
        view, 1, berthBuildIndex(berthInsertBefore(view), offset + shift));
}

bool berthMoveViews(const BerthBufferInfo *buffer, MlirValue arena,
                    int64_t offset, BerthNewNumbers *numbers,
                    BerthLoopNames *names) {
  berthPointerMapClear(&numbers->of);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer->value), next;
       !mlirOpOperandIsNull(use); use = next) {
    // It leaves this list.
    next = mlirOpOperandGetNextUse(use);
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!berthIsNumberedView(view))
      continue;
    const void *old = berthAttributeOf(view, BERTH_BUFFER_NUMBER).ptr;
    numbers->next += berthPointerMapInsert(&numbers->of, old, numbers->next);
    size_t number = berthPointerMapFind(&numbers->of, old);
    moveView(view, arena, offset);
    berthNumberView(view, number, buffer->alloc);
    berthNameLoopOf(names, view);
  }
  return mlirOpOperandIsNull(mlirValueGetFirstUse(buffer->value));
}
