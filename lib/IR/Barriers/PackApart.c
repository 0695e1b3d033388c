//===- PackApart.c - Packing pairs that may not meet ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some pairs without a barrier may share bytes at some offsets only
// (Hazards/Slices.h). The packing problem has no such pairs, but it has times
// at which only a window of a buffer is occupied (BerthGap). So
//
//   1. such pairs are packed as if nothing kept them apart;
//   2. if some meet in that plan, all are packed apart;
//   3. if that takes more bytes than the first plan shows to be needed, those
//      that meet are packed with a time of their own for each two slices that
//      are joined: one at which each buffer has but the window that its slice
//      may touch; and so on, until none meets. The smaller plan is taken.
//
// What the first plan proves of the bytes needed holds for all of them.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/PackApart.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Problem.h"

#include <stdlib.h>
#include <string.h>

/// In the last of so many plans all pairs get windows.
enum { kMostRounds = 4 };

/// True if a pair meets in the plan. Those are added to `windowed`.
static bool addMeeting(const BerthHazards *hazards, const BerthJoins *joins,
                       const BerthPlan *plan, bool *windowed) {
  size_t n = hazards->job->numPlaced;
  bool added = false;
  for (size_t i = 0; i < joins->count; ++i) {
    size_t x = hazards->slices.items[joins->pairs[i].first].buffer;
    size_t y = hazards->slices.items[joins->pairs[i].second].buffer;
    if (!joins->mayMiss[x * n + y] ||
        !berthPairMeets(hazards, plan, joins->pairs[i]))
      continue;
    added = true;
    if (windowed)
      windowed[x * n + y] = windowed[y * n + x] = true;
  }
  return added;
}

bool berthPlanMisses(const BerthHazards *hazards, const BerthJoins *joins,
                     const BerthPlan *plan) {
  return !addMeeting(hazards, joins, plan, NULL);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The buffers of the problem with more times, of windows.
typedef struct Windows {
  BerthProblem *problem;
  size_t numBuffers;
  BerthBuffer *buffers;
  BerthSegment **segments; ///< per buffer: with room for more
  BerthGap **gaps;
  int64_t time; ///< a free one
} Windows;

static void addWindow(Windows *windows, const BerthSlice *slice) {
  BerthBuffer *buffer = &windows->buffers[slice->buffer];
  windows->segments[slice->buffer][buffer->numSegments++] =
      (BerthSegment){windows->time, windows->time + 1};
  windows->gaps[slice->buffer][buffer->numGaps++] =
      (BerthGap){windows->time, windows->time + 1, slice->lower, slice->upper};
}

/// Copies what each buffer has, with room for `more[i]` times more.
static void readBuffers(Windows *windows, const BerthProblemData *data,
                        const size_t *more) {
  for (size_t i = 0; i < windows->numBuffers; ++i) {
    BerthBuffer *buffer = &windows->buffers[i];
    *buffer = data->buffers[i];
    windows->segments[i] =
        berthAllocateOrDie(buffer->numSegments + more[i], sizeof(BerthSegment));
    windows->gaps[i] =
        berthAllocateOrDie(buffer->numGaps + more[i], sizeof(BerthGap));
    memcpy(windows->segments[i], buffer->segments,
           buffer->numSegments * sizeof(BerthSegment));
    if (buffer->numGaps)
      memcpy(windows->gaps[i], buffer->gaps,
             buffer->numGaps * sizeof(BerthGap));
    buffer->segments = windows->segments[i];
    buffer->gaps = windows->gaps[i];
    // One time between two windows, so that they are segments of their own.
    int64_t end = buffer->segments[buffer->numSegments - 1].upper + 1;
    windows->time = end > windows->time ? end : windows->time;
  }
}

/// The problem with all that `apart` has, and a time for each joined pair of
/// slices of two buffers in `windowed`.
static BerthProblem *problemWithWindows(const BerthHazards *hazards,
                                        const BerthJoins *joins,
                                        const bool *windowed,
                                        int64_t capacity) {
  const BerthJob *job = hazards->job;
  const BerthSlice *slices = hazards->slices.items;
  size_t n = job->numPlaced;
  BerthProblem *plain = berthRepeatProblem(job, false, capacity);
  const BerthProblemData *data = berthProblemGetData(plain);
  Windows windows = {.problem = berthOrDie(berthProblemCreate()),
                     .numBuffers = n,
                     .buffers = berthAllocateOrDie(n, sizeof(BerthBuffer)),
                     .segments = berthAllocateOrDie(n, sizeof(BerthSegment *)),
                     .gaps = berthAllocateOrDie(n, sizeof(BerthGap *))};
  size_t *more = berthAllocateOrDie(n, sizeof *more);
  for (size_t i = 0; i < joins->count; ++i) {
    ++more[slices[joins->pairs[i].first].buffer];
    ++more[slices[joins->pairs[i].second].buffer];
  }
  readBuffers(&windows, data, more);
  for (size_t i = 0; i < joins->count; ++i) {
    const BerthSlice *a = &slices[joins->pairs[i].first];
    const BerthSlice *b = &slices[joins->pairs[i].second];
    if (!windowed[a->buffer * n + b->buffer])
      continue;
    addWindow(&windows, a);
    addWindow(&windows, b);
    windows.time += 2;
  }
  for (size_t i = 0; i < n; ++i)
    berthProblemAddBuffer(windows.problem, &windows.buffers[i]);
  for (size_t i = 0; i < data->numReserved; ++i)
    berthProblemAddReserved(windows.problem, data->reserved[i]);
  for (size_t i = 0; i < data->numPools; ++i)
    berthProblemAddPool(windows.problem, &data->pools[i]);
  berthProblemSetCapacity(windows.problem, data->capacity);
  for (uint32_t x = 0; x < n; ++x)
    for (uint32_t y = x + 1; y < n; ++y)
      if (joins->areApart[x * n + y])
        berthProblemAddEdge(windows.problem, &(BerthEdge){x, y, 0, NULL});
  berthProblemOrDie(windows.problem);
  for (size_t i = 0; i < n; ++i) {
    free(windows.segments[i]);
    free(windows.gaps[i]);
  }
  free(windows.segments);
  free(windows.gaps);
  free(windows.buffers);
  free(more);
  berthProblemDestroy(plain);
  return windows.problem;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// The plan of a problem with windows is one of the problem without; that it is
/// the best of these only the bound of the first plan can tell.
static void settle(BerthPlan *plan, const BerthPlan *first) {
  plan->load = first->load;
  plan->lowerBound = first->lowerBound;
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    plan->status = BERTH_PLAN_BUDGET;
  if (plan->status != BERTH_PLAN_BUDGET)
    plan->status = plan->peak == first->lowerBound ? BERTH_PLAN_OPTIMAL
                                                   : BERTH_PLAN_FEASIBLE;
}

/// As if such pairs had to be apart: what is asked for at the least.
static BerthPacked packStrictly(const BerthJob *job, const BerthJoins *joins,
                                int64_t capacity, BerthPackOnce pack,
                                const BerthPlan *first) {
  size_t n = job->numPlaced;
  bool *areApart = berthAllocateOrDie(n * n, sizeof *areApart);
  for (size_t i = 0; i < n * n; ++i)
    areApart[i] = joins->areApart[i] || joins->mayMiss[i];
  BerthProblem *problem = berthProblemApart(job, areApart, capacity);
  BerthPacked packed = pack(job, problem);
  berthProblemDestroy(problem);
  free(areApart);
  if (packed.status == BERTH_SUCCESS)
    settle(&packed.plan, first);
  return packed;
}

/// With windows for the pairs that meet, until none does; takes the plan that
/// it begins with.
static BerthPacked packWindows(const BerthHazards *hazards,
                               const BerthJoins *joins, int64_t capacity,
                               BerthPackOnce pack, BerthPacked packed) {
  size_t n = hazards->job->numPlaced;
  BerthPlan bounds = {.load = packed.plan.load,
                      .lowerBound = packed.plan.lowerBound};
  bool *windowed = berthAllocateOrDie(n * n, sizeof *windowed);
  for (int round = 1; round <= kMostRounds && berthPackedFits(&packed) &&
                      addMeeting(hazards, joins, &packed.plan, windowed);
       ++round) {
    if (round == kMostRounds)
      memcpy(windowed, joins->mayMiss, n * n);
    BerthProblem *problem =
        problemWithWindows(hazards, joins, windowed, capacity);
    berthPlanFree(&packed.plan);
    packed = pack(hazards->job, problem);
    berthProblemDestroy(problem);
    if (packed.status == BERTH_SUCCESS)
      settle(&packed.plan, &bounds);
  }
  free(windowed);
  return packed;
}

/// Problems with windows are harder, so what comes out need not be smaller.
static bool isBetter(const BerthHazards *hazards, const BerthJoins *joins,
                     const BerthPacked *packed, const BerthPacked *strict) {
  return berthPackedFits(packed) &&
         berthPlanMisses(hazards, joins, &packed->plan) &&
         (!berthPackedFits(strict) || packed->plan.peak < strict->plan.peak);
}

BerthPacked berthPackApart(const BerthHazards *hazards, const BerthJoins *joins,
                           int64_t capacity, BerthPackOnce pack) {
  const BerthJob *job = hazards->job;
  BerthProblem *problem = berthProblemApart(job, joins->areApart, capacity);
  BerthPacked packed = pack(job, problem);
  berthProblemDestroy(problem);
  if (!berthPackedFits(&packed) ||
      berthPlanMisses(hazards, joins, &packed.plan))
    return packed;
  BerthPacked strict = packStrictly(job, joins, capacity, pack, &packed.plan);
  bool isLeast =
      berthPackedFits(&strict) && strict.plan.peak == packed.plan.lowerBound;
  if (!isLeast)
    packed = packWindows(hazards, joins, capacity, pack, packed);
  if (!isLeast && isBetter(hazards, joins, &packed, &strict)) {
    berthPlanFree(&strict.plan);
    return packed;
  }
  berthPlanFree(&packed.plan);
  return strict;
}
