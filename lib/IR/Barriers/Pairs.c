//===- Pairs.c - Which pairs of buffers need a barrier -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory that threads share, two buffers whose live ranges are disjoint may
// share bytes only if a barrier separates their accesses. Hazards.h tells where
// threads may be at the same time, HazardPaths.h which accesses a path without
// barrier joins; here that becomes one flag for each pair of buffers, and a
// hard edge of the packing problem for each pair that is kept apart. Pairs that
// only have to miss each other are packed by PackApart.c.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/Pairs.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Hazards/WaitGaps.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Liveness/ClusterHold.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Plan/Problem.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>
#include <string.h>

static BerthBufferInfo *infoOf(const BerthJob *job, size_t buffer) {
  return &job->scope.buffers[job->bufferOf[buffer]];
}

//===----------------------------------------------------------------------===//
// What is joined
//===----------------------------------------------------------------------===//

static int comparePairs(const void *left, const void *right) {
  const BerthSlicePair *a = left, *b = right;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return a->second < b->second ? -1 : a->second > b->second;
}

/// Each pair once, however many ways join it.
static void sortPairs(BerthJoins *joins) {
  size_t kept = 0;
  if (joins->count)
    qsort(joins->pairs, joins->count, sizeof *joins->pairs, comparePairs);
  for (size_t i = 0; i < joins->count; ++i)
    if (!kept || comparePairs(&joins->pairs[kept - 1], &joins->pairs[i]))
      joins->pairs[kept++] = joins->pairs[i];
  joins->count = kept;
}

/// Two members of a group have one offset, whatever the plan.
static bool areGrouped(const BerthJob *job, size_t a, size_t b) {
  int64_t group = infoOf(job, a)->group;
  return group != BERTH_NONE && group == infoOf(job, b)->group;
}

/// True for slices that cannot meet: they are of one group, and each byte
/// belongs to one thread in both.
static bool neverMeet(const BerthHazards *hazards, const BerthSlice *a,
                      const BerthSlice *b) {
  return areGrouped(hazards->job, a->buffer, b->buffer) &&
         !berthSlicesMeet(a, 0, b, 0);
}

/// Adds the slices that are joined to slice s.
static void addJoined(BerthJoins *joins, const BerthHazards *hazards,
                      uint32_t s, const bool *joined) {
  const BerthSlices *slices = &hazards->slices;
  for (uint32_t t = 0; t < slices->count; ++t) {
    if (!joined[t] || slices->items[t].buffer == slices->items[s].buffer ||
        neverMeet(hazards, &slices->items[s], &slices->items[t]))
      continue;
    joins->pairs = berthGrow(joins->pairs, joins->count, &joins->capacity,
                             sizeof *joins->pairs);
    joins->pairs[joins->count++] =
        s < t ? (BerthSlicePair){s, t} : (BerthSlicePair){t, s};
  }
}

/// True if offsets may keep the slices from meeting.
static bool mayMiss(const BerthHazards *hazards, BerthSlicePair pair) {
  const BerthSlices *slices = &hazards->slices;
  return !areGrouped(hazards->job, slices->items[pair.first].buffer,
                     slices->items[pair.second].buffer) &&
         berthSlicesMayMiss(slices, pair.first, pair.second);
}

/// One pair of slices that meet wherever they lie keeps the buffers apart.
static void judgePairs(const BerthHazards *hazards, BerthJoins *joins) {
  const BerthSlices *slices = &hazards->slices;
  size_t n = hazards->job->numPlaced;
  for (size_t i = 0; i < joins->count; ++i) {
    BerthSlicePair pair = joins->pairs[i];
    size_t x = slices->items[pair.first].buffer;
    size_t y = slices->items[pair.second].buffer;
    bool *flags = mayMiss(hazards, pair) ? joins->mayMiss : joins->areApart;
    flags[x * n + y] = flags[y * n + x] = true;
  }
  for (size_t i = 0; i < n * n; ++i)
    joins->mayMiss[i] &= !joins->areApart[i];
}

BerthJoins berthHazardsJoined(const BerthHazards *hazards, const bool *cuts) {
  size_t n = hazards->job->numPlaced, numSlices = hazards->slices.count;
  BerthJoins joins = {.areApart = berthAllocateOrDie(n * n, sizeof(bool)),
                      .mayMiss = berthAllocateOrDie(n * n, sizeof(bool))};
  bool *joined = berthAllocateOrDie(numSlices, sizeof *joined);
  BerthHazardSearch search = berthHazardSearchCreate(hazards, cuts);
  for (uint32_t s = 0; s < numSlices; ++s) {
    memset(joined, 0, numSlices);
    berthHazardsFrom(&search, s, joined);
    addJoined(&joins, hazards, s, joined);
  }
  berthHazardSearchFree(&search);
  free(joined);
  sortPairs(&joins);
  judgePairs(hazards, &joins);
  return joins;
}

void berthJoinsFree(BerthJoins *joins) {
  free(joins->areApart);
  free(joins->mayMiss);
  free(joins->pairs);
}

bool berthJoinsEqual(const BerthJoins *a, const BerthJoins *b,
                     size_t numBuffers) {
  size_t n = numBuffers * numBuffers;
  return a->count == b->count && !memcmp(a->areApart, b->areApart, n) &&
         !memcmp(a->mayMiss, b->mayMiss, n) &&
         (!a->count ||
          !memcmp(a->pairs, b->pairs, a->count * sizeof *a->pairs));
}

/// True if barriers of the cluster order the two where their live ranges are
/// disjoint.
static bool isOrderedByCluster(const BerthBufferInfo *reached,
                               const BerthBufferInfo *other) {
  return reached->isOfCluster && berthBufferEndsWithOps(other);
}

void berthJoinUnordered(const BerthJob *job, BerthJoins *joins) {
  size_t n = job->numPlaced;
  bool areOwn = berthIsBroken(job->options->alias.breakRule, "own-proxies");
  for (size_t x = 0; x < n; ++x) {
    if (!infoOf(job, x)->leaks &&
        (areOwn || !berthBufferHasOtherProxy(infoOf(job, x))))
      continue;
    for (size_t y = 0; y < n; ++y) {
      if (isOrderedByCluster(infoOf(job, x), infoOf(job, y)))
        continue;
      joins->areApart[x * n + y] = joins->areApart[y * n + x] = true;
      joins->mayMiss[x * n + y] = joins->mayMiss[y * n + x] = false;
    }
  }
}

bool berthPairMeets(const BerthHazards *hazards, const BerthPlan *plan,
                    BerthSlicePair pair) {
  const BerthSlice *a = &hazards->slices.items[pair.first];
  const BerthSlice *b = &hazards->slices.items[pair.second];
  return plan->pools[a->buffer] == plan->pools[b->buffer] &&
         berthSlicesMeet(a, plan->offsets[a->buffer], b,
                         plan->offsets[b->buffer]);
}

/// A group is as large as its largest member.
static int64_t extentOf(const BerthProblemData *problem, uint32_t index) {
  int64_t size = problem->buffers[index].size;
  int64_t group = problem->buffers[index].group;
  for (size_t i = 0; group != BERTH_NONE && i < problem->numBuffers; ++i)
    if (problem->buffers[i].group == group && problem->buffers[i].size > size)
      size = problem->buffers[i].size;
  return size;
}

bool berthPairNeedsBarrier(const BerthHazards *hazards, const BerthPlan *plan,
                           BerthSlicePair pair) {
  if (berthPairMeets(hazards, plan, pair))
    return true;
  if (mayMiss(hazards, pair))
    return false;
  const BerthProblemData *problem = berthProblemGetData(hazards->job->problem);
  uint32_t a = hazards->slices.items[pair.first].buffer;
  uint32_t b = hazards->slices.items[pair.second].buffer;
  return plan->pools[a] == plan->pools[b] &&
         plan->offsets[a] < plan->offsets[b] + extentOf(problem, b) &&
         plan->offsets[b] < plan->offsets[a] + extentOf(problem, a);
}

//===----------------------------------------------------------------------===//
// Problems and instances
//===----------------------------------------------------------------------===//

BerthProblem *berthProblemApart(const BerthJob *job, const bool *areApart,
                                int64_t capacity) {
  BerthProblem *problem = berthRepeatProblem(job, false, capacity);
  uint32_t n = (uint32_t)job->numPlaced;
  for (uint32_t x = 0; x < n; ++x)
    for (uint32_t y = x + 1; y < n; ++y)
      if (areApart[x * n + y])
        berthProblemAddEdge(problem, &(BerthEdge){x, y, 0, NULL});
  berthProblemOrDie(problem);
  return problem;
}

bool berthJoinsSplitGroup(const BerthJob *job, const BerthJoins *joins) {
  size_t n = job->numPlaced;
  for (size_t x = 0; x < n; ++x)
    for (size_t y = x + 1; y < n; ++y)
      if (joins->areApart[x * n + y] && areGrouped(job, x, y))
        return true;
  return false;
}

bool berthPairIsGrouped(const BerthHazards *hazards, BerthSlicePair pair) {
  return areGrouped(hazards->job, hazards->slices.items[pair.first].buffer,
                    hazards->slices.items[pair.second].buffer);
}

bool *berthHazardsJoinedSelves(const BerthHazards *hazards, const bool *cuts) {
  size_t n = hazards->job->numPlaced, length;
  bool *joined = berthAllocateOrDie(n, sizeof *joined);
  BerthHazardSearch search = berthHazardSearchCreate(hazards, cuts);
  uint32_t *path =
      berthAllocateOrDie(2 * hazards->graph.numNodes, sizeof *path);
  for (size_t x = 0; x < n; ++x)
    joined[x] = berthHazardsFindSelfPath(&search, (uint32_t)x, path, &length);
  berthHazardSearchFree(&search);
  free(path);
  return joined;
}

/// Buffers whose instances no barrier can keep apart stay what they are.
static bool rejectOverlappingSelves(BerthHazards *hazards) {
  BerthJob *job = hazards->job;
  bool isInserting = job->barriersMode == BERTH_BARRIERS_INSERT;
  const bool *cuts = isInserting ? hazards->isCuttable : NULL;
  bool *joined = berthHazardsJoinedSelves(hazards, cuts);
  bool rejected = false;
  for (size_t x = 0; x < job->numPlaced; ++x) {
    if (!joined[x])
      continue;
    BerthBufferInfo *info = infoOf(job, x);
    berthRejectBuffer(info,
                      job->scope.arrival == BERTH_ARRIVAL_UNKNOWN
                          ? "other threads may still use its previous instance "
                            "when it is allocated again, in the next turn of a "
                            "loop or the next call of the function: end the "
                            "loop or the function with a barrier, or name the "
                            "function (kernels=) if it is a kernel"
                          : "other threads may still use its previous instance "
                            "when it is allocated again: hoist it out of the "
                            "loop or end the loop (or the device function) "
                            "with a barrier",
                      info->alloc);
    rejected = true;
  }
  free(joined);
  return rejected;
}

BerthHazards berthFindHazards(BerthJob *job) {
  berthScopeFindUniformity(&job->scope, job->options->alias.breakRule);
  BerthHazards hazards = berthHazardsCreate(job);
  berthHazardsSpareWaits(&hazards);
  while (rejectOverlappingSelves(&hazards)) {
    berthHazardsFree(&hazards);
    berthProblemDestroy(job->problem);
    berthExtractProblem(job);
    hazards = berthHazardsCreate(job);
    berthHazardsSpareWaits(&hazards);
  }
  return hazards;
}

bool *berthJoinedPairs(BerthJob *job) {
  BerthHazards hazards = berthFindHazards(job);
  BerthJoins joins = berthHazardsJoined(&hazards, NULL);
  berthJoinUnordered(job, &joins);
  berthHazardsFree(&hazards);
  size_t n = job->numPlaced;
  for (size_t i = 0; i < n * n; ++i)
    joins.areApart[i] |= joins.mayMiss[i];
  bool *areApart = joins.areApart;
  joins.areApart = NULL;
  berthJoinsFree(&joins);
  return areApart;
}
