//===- RunTimeFrames.c - Frames of sizes known at run time ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/RunTimeFrames.h"
#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/FrameSizes.h"
#include "IR/Ops/Allocations.h"
#include "IR/Plan/ArenaParts.h"
#include "IR/Rewrite/Callers.h"

static BerthCall *callWithFrame(const BerthJob *job, MlirOperation frame) {
  size_t i = 0;
  while (!mlirOperationEqual(job->calls[i].frame, frame))
    ++i;
  return &job->calls[i];
}

void berthHandOverFrame(BerthJob *job, BerthBufferInfo *buffer, size_t number) {
  BerthCall *call = callWithFrame(job, buffer->alloc);
  MlirContext context = mlirOperationGetContext(call->op);
  berthBuildSizeCheck(job, buffer);
  int64_t lower;
  MlirValue arena = berthArenaOf(job, buffer, &lower);
  // The same number as at the home, where less stands between it and what it
  // is made of.
  MlirValue operands[] = {arena, buffer->shift, buffer->count};
  MlirValue view = berthBuildValue(
      berthInsertBefore(buffer->alloc), BERTH_NAME_VIEW, 3, operands,
      berthByteMemRef(context, -1, job->scope.space), 0, NULL);
  berthSetAttribute(mlirOpResultGetOwner(view), BERTH_BUFFER_NUMBER,
                    berthI64(context, (int64_t)number));
  MlirValue bytes = mlirOperationGetOperand(buffer->alloc, 0);
  mlirOperationDestroy(buffer->alloc);
  berthEraseUnused(bytes);
  berthAddOperand(call->op, view);
  call->frame = (MlirOperation){NULL};
}

void berthHandOverOthers(BerthJob *job) {
  for (size_t i = 0; i < job->numCalls; ++i) {
    BerthCall *call = &job->calls[i];
    if (mlirOperationIsNull(call->frame))
      continue;
    BerthInsertPoint behind = berthInsertBefore(call->op);
    behind.before = mlirOperationGetNextInBlock(call->op);
    MlirValue frame = mlirOperationGetResult(call->frame, 0);
    mlirOperationRemoveAttributeByName(
        call->frame, mlirStringRefCreateFromCString(BERTH_FRAME));
    berthAddOperand(call->op, frame);
    berthBuildDealloc(behind, frame);
    call->frame = (MlirOperation){NULL};
  }
}
