//===- EraseFrees.c - Deallocations that go ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/EraseFrees.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/DropMemRef.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Pointers/DeallocChains.h"
#include "IR/Pointers/Frees.h"

#include <stdlib.h>

void berthKeepWaits(MlirOperation op, intptr_t numTokens, intptr_t result) {
  bool returnsToken = mlirOperationGetNumResults(op) > result;
  if (numTokens == 0 && !returnsToken)
    return;
  MlirValue *tokens = berthAllocateOrDie((size_t)numTokens, sizeof *tokens);
  for (intptr_t i = 0; i < numTokens; ++i)
    tokens[i] = mlirOperationGetOperand(op, i);
  MlirValue token = berthBuildDeviceWait(berthInsertBefore(op), numTokens,
                                         tokens, returnsToken);
  if (returnsToken)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, result), token);
  free(tokens);
}

/// Removes a deallocation, or from a bufferization.dealloc what is placed. The
/// allocations still stand.
static void eraseFree(const BerthScope *scope, MlirOperation op) {
  intptr_t numFreed = berthDeallocNumMemRefs(op);
  if (berthOpIs(op, BERTH_OP_DEVICE_FREE))
    berthKeepWaits(op, mlirOperationGetNumOperands(op) - 1, 0);
  if (numFreed < 0) {
    mlirOperationDestroy(op);
    return;
  }
  for (intptr_t i = numFreed; i-- > 0;)
    if (berthPointsToPlacedOnly(scope, mlirOperationGetOperand(op, i)))
      berthDeallocDropMemRef(op, i);
}

/// A dealloc of a select is listed by both buffers but must go once only.
static void eraseDeallocations(BerthJob *job) {
  BerthPointerMap erased = {0};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    for (size_t k = 0; !buffer->reason && k < buffer->numFrees; ++k)
      if (berthPointerMapInsert(&erased, buffer->frees[k].ptr, 1))
        eraseFree(&job->scope, buffer->frees[k]);
  }
  berthPointerMapFree(&erased);
}

void berthEraseFrees(BerthJob *job) {
  BerthDecisions decisions = berthFindDecisions(job);
  eraseDeallocations(job);
  berthEraseDecisions(&decisions);
  berthDecisionsFree(&decisions);
}
