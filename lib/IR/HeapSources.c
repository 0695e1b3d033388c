//===- HeapSources.c - Where a value that is deallocated comes from ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows a value backwards, through views, selects, region and block
// arguments, to all allocations that it may come from. The alias station looks
// forwards, from buffers to values, and so cannot tell that a value may also be
// something else altogether: a function's argument, say.
//
//===----------------------------------------------------------------------===//

#include "IR/HeapJob.h"

#include "IR/OpTable.h"
#include "Support/Grow.h"

#include <stdlib.h>

typedef struct Trace {
  const BerthHeapJob *job;
  BerthPointerMap seen;
  MlirValue *pending;
  size_t numPending;
  size_t capacity;
  MlirValue received; ///< the value whose incoming edges are looked for
  bool found;         ///< some edge brings it
  bool isUnknown;     ///< and some branch may bring anything
} Trace;

static BerthHeapBuffer *movedBuffer(const BerthHeapJob *job, MlirValue value) {
  size_t index = berthPointerMapFind(&job->bufferOf, value.ptr);
  if (index == BERTH_NOT_FOUND || !berthHeapIsMoved(&job->buffers[index]))
    return NULL;
  return &job->buffers[index];
}

static void push(Trace *trace, MlirValue value) {
  if (!berthPointerMapInsert(&trace->seen, value.ptr, 1))
    return;
  trace->pending = berthGrow(trace->pending, trace->numPending,
                             &trace->capacity, sizeof *trace->pending);
  trace->pending[trace->numPending++] = value;
}

static void pushForwarded(Trace *trace, MlirValue forwarded,
                          MlirValue received) {
  if (!mlirValueEqual(received, trace->received))
    return;
  trace->found = true;
  push(trace, forwarded);
}

static void overRegionEdge(const BerthRegionEdge *edge, void *userData) {
  for (intptr_t i = 0; i < edge->numValues; ++i)
    pushForwarded(userData, edge->forwarded[i], edge->received[i]);
}

static void overBranch(MlirValue forwarded, MlirValue received,
                       void *userData) {
  Trace *trace = userData;
  if (!mlirValueIsNull(forwarded))
    pushForwarded(trace, forwarded, received);
  else if (mlirValueEqual(received, trace->received))
    trace->isUnknown = true;
}

/// All terminators of the region that may branch to the argument's block.
static void pushBranches(Trace *trace, MlirBlock target) {
  MlirRegion region = mlirBlockGetParentRegion(target);
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation end = berthBlockGetLast(block);
    intptr_t count =
        mlirOperationIsNull(end) ? 0 : mlirOperationGetNumSuccessors(end);
    for (intptr_t i = 0; i < count; ++i)
      if (mlirBlockEqual(mlirOperationGetSuccessor(end, i), target) &&
          !berthBranchGetOperands(end, i, overBranch, trace))
        trace->isUnknown = true;
  }
}

/// The viewed operand; also of extract_strided_metadata, which is no view to
/// MLIR.
static MlirValue viewedBy(MlirOperation op, MlirValue result) {
  if (berthOpIsNamed(op, "memref.extract_strided_metadata") &&
      mlirValueEqual(mlirOperationGetResult(op, 0), result))
    return mlirOperationGetOperand(op, 0);
  return berthViewGetSource(op);
}

/// One step back. False if nothing explains the value.
static bool stepBack(Trace *trace, MlirValue value) {
  trace->received = value;
  trace->found = trace->isUnknown = false;
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirRegion region = mlirBlockGetParentRegion(block);
    if (mlirBlockEqual(block, mlirRegionGetFirstBlock(region)))
      berthOpGetRegionEdges(mlirBlockGetParentOperation(block), overRegionEdge,
                            trace);
    else
      pushBranches(trace, block);
    return trace->found && !trace->isUnknown;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue source = viewedBy(op, value);
  if (!mlirValueIsNull(source)) {
    push(trace, source);
    return true;
  }
  if (berthOpIsNamed(op, "arith.select")) {
    push(trace, mlirOperationGetOperand(op, 1));
    push(trace, mlirOperationGetOperand(op, 2));
    return true;
  }
  berthOpGetRegionEdges(op, overRegionEdge, trace);
  return trace->found;
}

bool berthHeapComesFromMoved(const BerthHeapJob *job, MlirValue value) {
  Trace trace = {.job = job};
  bool result = true;
  push(&trace, value);
  while (result && trace.numPending) {
    MlirValue next = trace.pending[--trace.numPending];
    result = movedBuffer(job, next) || stepBack(&trace, next);
  }
  berthPointerMapFree(&trace.seen);
  free(trace.pending);
  return result;
}

BerthHeapBuffer *berthHeapOnlySource(const BerthHeapJob *job, MlirValue value) {
  while (!movedBuffer(job, value)) {
    if (mlirValueIsABlockArgument(value))
      return NULL;
    value = viewedBy(mlirOpResultGetOwner(value), value);
    if (mlirValueIsNull(value))
      return NULL;
  }
  return movedBuffer(job, value);
}
