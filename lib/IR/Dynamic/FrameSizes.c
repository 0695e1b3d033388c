//===- FrameSizes.c - Frames of sizes known at run time -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/FrameSizes.h"
#include "IR/Dynamic/Emit.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

/// Ops behind those that they use.
typedef struct Makers {
  BerthPointerMap seen;
  MlirOperation *items;
  size_t count, capacity;
} Makers;

static void listMakers(Makers *makers, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!berthOpIsSpeculatable(op) ||
      !berthPointerMapInsert(&makers->seen, op.ptr, 1))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    listMakers(makers, mlirOperationGetOperand(op, i));
  makers->items = berthGrow(makers->items, makers->count, &makers->capacity,
                            sizeof *makers->items);
  makers->items[makers->count++] = op;
}

static bool isUsed(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

void berthEraseUnused(MlirValue value) {
  Makers makers = {0};
  listMakers(&makers, value);
  while (makers.count)
    if (!isUsed(makers.items[--makers.count]))
      mlirOperationDestroy(makers.items[makers.count]);
  free(makers.items);
  berthPointerMapFree(&makers.seen);
}

bool berthBuildFrames(BerthJob *job) {
  bool areAny = false;
  for (size_t i = 0; i < job->numCalls; ++i) {
    BerthCall *call = &job->calls[i];
    if (!berthIsHostFrame(call->callee) || !berthHasEntryHome(call->callee))
      continue;
    areAny = true;
    berthBackupTake(job->backup, job->root);
    MlirContext context = mlirOperationGetContext(call->op);
    MlirValue bytes = berthBuildBytesAtCall(call->callee, call->op);
    MlirValue frame = berthBuildAllocation(
        berthInsertBefore(call->op), /*isOnHeap=*/true,
        berthByteMemRef(context, -1, job->scope.space), bytes,
        call->callee->arenaAlignment, /*isFreed=*/true);
    call->frame = mlirOpResultGetOwner(frame);
    berthSetAttribute(call->frame, BERTH_FRAME, mlirUnitAttrGet(context));
  }
  return areAny;
}
