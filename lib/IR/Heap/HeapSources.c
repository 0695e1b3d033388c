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

#include "IR/Heap/HeapSources.h"
#include "IR/Ops/BranchOperands.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Trace {
  const BerthHeapJob *job;
  BerthWorklist list;
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

static void pushForwarded(Trace *trace, MlirValue forwarded,
                          MlirValue received) {
  if (!mlirValueEqual(received, trace->received))
    return;
  trace->found = true;
  berthWorklistPush(&trace->list, forwarded);
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

/// The viewed operand; also of extract_strided_metadata, which is no view to
/// MLIR.
static MlirValue viewedBy(MlirOperation op, MlirValue result) {
  if (berthOpIs(op, BERTH_OP_DESCRIPTION) &&
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
    else if (!berthBlockGetIncoming(block, overBranch, trace))
      trace->isUnknown = true;
    return trace->found && !trace->isUnknown;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue source = viewedBy(op, value);
  if (!mlirValueIsNull(source)) {
    berthWorklistPush(&trace->list, source);
    return true;
  }
  if (berthWorklistPushChosen(&trace->list, op))
    return true;
  berthOpGetRegionEdges(op, overRegionEdge, trace);
  return trace->found;
}

bool berthHeapIsSlotLoad(const BerthHeapJob *job, MlirValue value) {
  return job->isDevice && !mlirValueIsABlockArgument(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_LOAD) &&
         mlirTypeIsAMemRef(mlirValueGetType(value));
}

bool berthHeapIsSlotStore(const BerthHeapJob *job, MlirOpOperand use) {
  return job->isDevice &&
         berthOpIs(mlirOpOperandGetOwner(use), BERTH_OP_STORE) &&
         mlirOpOperandGetOperandNumber(use) == 0;
}

bool berthHeapComesFromMoved(const BerthHeapJob *job, MlirValue value) {
  Trace trace = {.job = job};
  bool result = true;
  berthWorklistPush(&trace.list, value);
  while (result && trace.list.numPending) {
    MlirValue next = berthWorklistPop(&trace.list);
    result = movedBuffer(job, next) || berthHeapIsSlotLoad(job, next) ||
             stepBack(&trace, next);
  }
  berthWorklistFree(&trace.list);
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
