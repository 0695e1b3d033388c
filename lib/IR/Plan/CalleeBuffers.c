//===- CalleeBuffers.c - Called functions' arenas as buffers --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One buffer stands for all calls of a function in a scope: its arena lies at
// one offset there. What one call leaves behind and the next one finds at the
// same bytes is the function's own matter (it is entered again, FlowGraph.h);
// what else lies at these bytes is the caller's: to it, a call reads and writes
// the whole arena. Nothing in it survives the call.
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/CalleeBuffers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"

bool berthIsInAsyncCode(const BerthJob *job, MlirOperation op) {
  for (; !mlirOperationEqual(op, job->scope.op);
       op = mlirOperationGetParentOperation(op))
    if (berthOpIsAsync(op))
      return true;
  return false;
}

static void addCall(BerthJob *job, BerthBufferInfo *buffer,
                    MlirOperation call) {
  buffer->calls[buffer->numCalls++] = call;
  MlirOperation op = berthPointsOutermostOpaque(&job->points, call);
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (mlirOperationEqual(buffer->accesses[i].op, op))
      return;
  BerthAccess access = {.op = op,
                        .lower = berthPointsLower(&job->points, op),
                        .upper = berthPointsUpper(&job->points, op),
                        .reads = true,
                        .writes = true};
  BerthSegment segment = {access.lower, access.upper};
  buffer->segments[buffer->numAccesses] = segment;
  buffer->accesses[buffer->numAccesses++] = access;
  if (!berthIsInAsyncCode(job, call))
    return;
  buffer->leaks = true;
  buffer->segments[buffer->numAccesses - 1] =
      (BerthSegment){0, job->points.count};
}

static BerthBufferInfo describeCallee(BerthJob *job, const BerthJob *callee) {
  bool once = berthIsBroken(job->options->alias.breakRule, "short-frames");
  size_t count = job->numCalls;
  BerthBufferInfo buffer = {.callee = callee->scope.op,
                            .size = callee->arenaSize,
                            .alignment = callee->arenaAlignment,
                            .offset = BERTH_NONE,
                            .group = BERTH_NONE};
  buffer.calls = BERTH_NEW(&job->memory, MlirOperation, count);
  buffer.accesses = BERTH_NEW(&job->memory, BerthAccess, count);
  buffer.segments = BERTH_NEW(&job->memory, BerthSegment, count);
  for (size_t i = 0; i < count; ++i)
    if (job->calls[i].callee == callee)
      addCall(job, &buffer, job->calls[i].op);
  buffer.alloc = buffer.reasonAt = buffer.calls[0];
  buffer.numSegments =
      berthJoinSegments(buffer.segments, once ? 1 : buffer.numAccesses);
  return buffer;
}

/// What one call brings is another number of bytes than what another one does
/// (FrameSizes.h).
static BerthBufferInfo describeFrame(BerthJob *job, const BerthCall *call) {
  BerthBufferInfo buffer = {.callee = call->callee->scope.op,
                            .isDynamic = true,
                            .unitBytes = 1,
                            .alloc = call->frame,
                            .reasonAt = call->frame,
                            .alignment = call->callee->arenaAlignment,
                            .offset = BERTH_NONE,
                            .group = BERTH_NONE};
  buffer.calls = BERTH_NEW(&job->memory, MlirOperation, 1);
  buffer.accesses = BERTH_NEW(&job->memory, BerthAccess, 1);
  buffer.segments = BERTH_NEW(&job->memory, BerthSegment, 1);
  addCall(job, &buffer, call->op);
  buffer.numSegments = 1;
  return buffer;
}

void berthAddCalleeBuffers(BerthJob *job) {
  BerthScope *scope = &job->scope;
  BerthBufferInfo *buffers =
      BERTH_NEW(&job->memory, BerthBufferInfo,
                scope->numBuffers + job->numCallees + job->numCalls);
  size_t count = 0;
  for (; count < scope->numBuffers; ++count)
    buffers[count] = scope->buffers[count];
  for (size_t i = 0; i < job->numCallees; ++i)
    if (job->callees[i]->isEmbedded && job->callees[i]->arenaSize &&
        !berthHasEntryHome(job->callees[i]))
      buffers[count++] = describeCallee(job, job->callees[i]);
  for (size_t i = 0; i < job->numCalls; ++i)
    if (!mlirOperationIsNull(job->calls[i].frame))
      buffers[count++] = describeFrame(job, &job->calls[i]);
  scope->buffers = buffers;
  scope->numBuffers = count;
}
