//===- Problem.c - A scope as a packing problem ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Liveness.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/Segments.h"

#include <stdlib.h>

/// "%alloc_3 (line 12)": SSA names repeat in sibling regions, lines need not.
static void appendBufferName(BerthText *text, const BerthBufferInfo *buffer,
                             size_t index, MlirAsmState state) {
  if (mlirOperationIsNull(buffer->callee))
    berthTextAppendValue(text, buffer->value, state);
  else
    berthTextAppendCallee(text, buffer->callee);
  int line, column;
  berthOpGetPosition(buffer->alloc, &line, &column);
  if (line)
    berthTextAppend(text, " (line %d, buffer %zu)", line, index);
  else
    berthTextAppend(text, " (buffer %zu)", index);
}

static void addBuffer(BerthJob *job, size_t index, MlirAsmState state) {
  const BerthBufferInfo *info = &job->scope.buffers[index];
  BerthText name = {0};
  appendBufferName(&name, info, index, state);
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = name.data;
  buffer.size = info->size;
  buffer.alignment = info->alignment;
  buffer.numSegments = info->numSegments;
  buffer.segments = info->segments;
  buffer.group = info->group;
  berthProblemAddBuffer(job->problem, &buffer);
  berthTextFree(&name);
  job->bufferOf[job->numPlaced++] = index;
  if (info->alignment > job->arenaAlignment)
    job->arenaAlignment = info->alignment;
}

/// A buffer without bytes may lie anywhere in an arena that others need; alone
/// it is not worth one.
static void placeEmptyBuffers(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (buffer->reason || buffer->size > 0 || buffer->isDynamic)
      continue;
    buffer->offset = 0;
    if (job->numPlaced == 0)
      berthRejectBuffer(buffer, "it has no bytes", buffer->alloc);
  }
}

void berthExtractProblem(BerthJob *job) {
  job->problem = berthProblemCreate();
  job->numPlaced = 0;
  job->bufferOf = BERTH_MEMORY_NEW(&job->memory, size_t, job->scope.numBuffers);
  job->arenaAlignment = berthScopeIsShared(&job->scope) ? 16 : 1;
  berthProblemSetCapacity(job->problem, job->options->capacity);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  MlirAsmState state = mlirAsmStateCreateForOperation(job->scope.op, flags);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason && job->scope.buffers[i].size > 0)
      addBuffer(job, i, state);
  mlirAsmStateDestroy(state);
  mlirOpPrintingFlagsDestroy(flags);
  placeEmptyBuffers(job);
}

//===----------------------------------------------------------------------===//
// What to say when it does not fit
//===----------------------------------------------------------------------===//

static bool isLiveAt(const BerthBuffer *buffer, int64_t time) {
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower <= time && time < buffer->segments[i].upper)
      return true;
  return false;
}

/// The largest buffer live at `time` that is smaller than the last one told, or
/// equal to it and later; SIZE_MAX if there is none.
static size_t nextLargest(const BerthProblemData *problem, int64_t time,
                          size_t last) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    bool comesAfter = last == SIZE_MAX ||
                      buffer->size < problem->buffers[last].size ||
                      (buffer->size == problem->buffers[last].size && i > last);
    if (comesAfter && isLiveAt(buffer, time) &&
        (best == SIZE_MAX || buffer->size > problem->buffers[best].size))
      best = i;
  }
  return best;
}

/// Pairs of which never both are live, and that may not share all the same.
static size_t pairsKeptApart(const BerthJob *job) {
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  const BerthBufferInfo *buffers = job->scope.buffers;
  size_t count = 0;
  for (size_t i = 0; i < problem->numEdges; ++i) {
    const BerthEdge *edge = &problem->edges[i];
    count += !berthBuffersMeet(&buffers[job->bufferOf[edge->first]],
                               &buffers[job->bufferOf[edge->second]]);
  }
  return count;
}

void berthReportOverflow(BerthJob *job) {
  enum { kBuffersToName = 5 };
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  int64_t time = 0;
  int64_t load = berthProblemLoad(problem, &time);
  BerthText text = {0}, note = {0};
  berthTextAppend(&text,
                  "the buffers do not fit: they need %lld bytes%s, the "
                  "capacity is %lld bytes",
                  (long long)job->plan.peak,
                  job->plan.status == BERTH_PLAN_INFEASIBLE
                      ? " (no plan fits)"
                      : " in the best plan found",
                  (long long)problem->capacity);
  berthTextAppend(&note, "%lld bytes are live here; the largest of them: ",
                  (long long)load);
  size_t last = SIZE_MAX;
  for (int i = 0; i < kBuffersToName; ++i) {
    last = nextLargest(problem, time, last);
    if (last == SIZE_MAX)
      break;
    berthTextAppend(&note, "%s%s with %lld bytes", i ? ", " : "",
                    problem->buffers[last].id,
                    (long long)problem->buffers[last].size);
  }
  size_t apart = pairsKeptApart(job);
  if (apart && load < job->plan.peak)
    berthTextAppend(&note,
                    "; and %zu pairs that no barrier separates are kept apart",
                    apart);
  berthEmitError(job->scope.op, text.data, job->points.opAt[time], note.data);
  job->isReported = true;
  berthTextFree(&text);
  berthTextFree(&note);
}
