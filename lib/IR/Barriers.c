//===- Barriers.c - Pairs that only a barrier may let share ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory that threads share, program order holds for each thread only. Two
// buffers may share bytes if all accesses of the one stand before a barrier and
// all accesses of the other behind it, in the scope's straight-line entry
// block, which every thread runs once from top to bottom.
//
//===----------------------------------------------------------------------===//

#include "IR/Job.h"
#include "IR/OpTable.h"

#include <stdlib.h>

/// The points of the barriers that stand in the entry block itself.
typedef struct BarrierList {
  int64_t *points;
  size_t count;
} BarrierList;

static BarrierList findBarriers(BerthJob *job) {
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  BarrierList list = {
      BERTH_ARENA_NEW(&job->memory, int64_t, (size_t)job->points.count), 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(entry);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthOpIsBarrier(op))
      list.points[list.count++] = berthPointsLower(&job->points, op);
  return list;
}

/// The span of a buffer's accesses, widened to their ancestors in the scope's
/// body: a loop around an access may run it again until the loop ends.
static BerthSegment accessSpan(const BerthJob *job,
                               const BerthBufferInfo *buffer) {
  BerthSegment span = {INT64_MAX, 0};
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation top =
        berthAncestorInRegion(buffer->accesses[i].op, job->scope.body);
    int64_t lower = berthPointsLower(&job->points, top);
    int64_t upper = berthPointsUpper(&job->points, top);
    span.lower = lower < span.lower ? lower : span.lower;
    span.upper = upper > span.upper ? upper : span.upper;
  }
  return span;
}

static bool barrierWithin(const BarrierList *list, int64_t lower,
                          int64_t upper) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->points[i] >= lower && list->points[i] < upper)
      return true;
  return false;
}

static bool areSeparated(const BerthJob *job, const BarrierList *list,
                         const BerthBufferInfo *a, const BerthBufferInfo *b) {
  if (!a->numAccesses || !b->numAccesses)
    return true;
  if (a->leaks || b->leaks)
    return false;
  BerthSegment first = accessSpan(job, a), second = accessSpan(job, b);
  return barrierWithin(list, first.upper, second.lower) ||
         barrierWithin(list, second.upper, first.lower);
}

static bool isStraightLine(const BerthJob *job) {
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  return mlirBlockIsNull(mlirBlockGetNextInRegion(entry));
}

void berthAddBarrierEdges(BerthJob *job) {
  if (job->options->barriers == BERTH_BARRIERS_NONE ||
      !berthScopeIsShared(&job->scope))
    return;
  BarrierList list = findBarriers(job);
  if (!isStraightLine(job))
    list.count = 0;
  for (size_t i = 0; i < job->numPlaced; ++i)
    for (size_t j = i + 1; j < job->numPlaced; ++j) {
      const BerthBufferInfo *a = &job->scope.buffers[job->bufferOf[i]];
      const BerthBufferInfo *b = &job->scope.buffers[job->bufferOf[j]];
      if (areSeparated(job, &list, a, b))
        continue;
      BerthEdge edge = {(uint32_t)i, (uint32_t)j, 0, NULL};
      berthProblemAddEdge(job->problem, &edge);
    }
}
