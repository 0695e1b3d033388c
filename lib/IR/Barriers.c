//===- Barriers.c - Packing memory that threads share ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory that threads share, two buffers whose live ranges are disjoint may
// share bytes only if a barrier separates their accesses (Hazards.h). With
// barriers=existing every pair without one gets a hard edge. With
// barriers=insert
//
//   1. pairs that no barrier can separate get a hard edge;
//   2. the rest is packed as if barriers were free: the least bytes there are;
//   3. the cheapest barriers that make this plan right are found (Cuts.c);
//   4. of the plans that use only the first 0, 1, 2 ... of these barriers, the
//      one with the fewest that still fits the capacity (or, without one, still
//      reaches the least bytes) is taken: bytes against barriers.
//
//===----------------------------------------------------------------------===//

#include "IR/Async.h"
#include "IR/Build.h"
#include "IR/Hazards.h"

#include <stdlib.h>
#include <string.h>

static bool *newFlags(size_t count) {
  bool *flags = calloc(count + 1, sizeof *flags);
  if (!flags)
    abort();
  return flags;
}

static BerthBufferInfo *infoOf(const BerthJob *job, size_t buffer) {
  return &job->scope.buffers[job->bufferOf[buffer]];
}

static void addHardEdge(BerthJob *job, size_t first, size_t second) {
  BerthEdge edge = {(uint32_t)first, (uint32_t)second, 0, NULL};
  berthProblemAddEdge(job->problem, &edge);
}

//===----------------------------------------------------------------------===//
// The relation: which pairs need a barrier
//===----------------------------------------------------------------------===//

/// joined[x * n + y]: some path without barrier joins accesses of x and y.
static bool *joinedPairs(const BerthHazards *hazards, const bool *cuts) {
  size_t n = hazards->job->numPlaced;
  bool *joined = newFlags(n * n);
  for (size_t x = 0; x < n; ++x)
    berthHazardsFrom(hazards, (uint32_t)x, cuts, joined + x * n);
  for (size_t x = 0; x < n; ++x)
    for (size_t y = 0; y < x; ++y)
      joined[x * n + y] = joined[y * n + x] =
          joined[x * n + y] || joined[y * n + x];
  return joined;
}

/// Pairs that no barrier can make safe: a pointer that got away, or an access
/// that a barrier does not order.
static void joinUnordered(const BerthJob *job, bool *joined) {
  size_t n = job->numPlaced;
  for (size_t x = 0; x < n; ++x) {
    if (!infoOf(job, x)->leaks && !berthBufferHasOtherProxy(infoOf(job, x)))
      continue;
    for (size_t y = 0; y < n; ++y)
      joined[x * n + y] = joined[y * n + x] = true;
  }
}

static void addEdges(BerthJob *job, const bool *joined) {
  size_t n = job->numPlaced;
  for (size_t x = 0; x < n; ++x)
    for (size_t y = x + 1; y < n; ++y)
      if (joined[x * n + y])
        addHardEdge(job, x, y);
}

/// A fresh problem with these pairs kept apart, packed.
static void packApart(BerthJob *job, const bool *joined) {
  berthPlanFree(&job->plan);
  berthProblemDestroy(job->problem);
  berthExtractProblem(job);
  addEdges(job, joined);
  berthPackJob(job);
}

//===----------------------------------------------------------------------===//
// Allocations that run again
//===----------------------------------------------------------------------===//

/// In a loop without a barrier, fast threads write the next instance while slow
/// ones still read the last. `cuts` are the barriers that could be there.
static bool overlapsItself(const BerthHazards *hazards, size_t x,
                           const bool *cuts) {
  size_t length;
  uint32_t *path = malloc((2 * hazards->graph.numNodes + 1) * sizeof *path);
  if (!path)
    abort();
  bool found =
      berthHazardsFindSelfPath(hazards, (uint32_t)x, cuts, path, &length);
  free(path);
  return found;
}

/// Buffers whose instances no barrier can keep apart stay what they are.
static bool rejectOverlappingSelves(BerthHazards *hazards) {
  BerthJob *job = hazards->job;
  bool isInserting = job->barriersMode == BERTH_BARRIERS_INSERT;
  const bool *cuts = isInserting ? hazards->isCuttable : NULL;
  bool rejected = false;
  for (size_t x = 0; x < job->numPlaced; ++x) {
    if (!overlapsItself(hazards, x, cuts))
      continue;
    BerthBufferInfo *info = infoOf(job, x);
    berthRejectBuffer(info,
                      "other threads may still use its previous instance when "
                      "it is allocated again: hoist it out of the loop or end "
                      "the loop (or the device function) with a barrier",
                      info->alloc);
    rejected = true;
  }
  return rejected;
}

static BerthHazards createHazards(BerthJob *job) {
  BerthHazards hazards = berthHazardsCreate(job);
  while (rejectOverlappingSelves(&hazards)) {
    berthHazardsFree(&hazards);
    berthProblemDestroy(job->problem);
    berthExtractProblem(job);
    hazards = berthHazardsCreate(job);
  }
  return hazards;
}

//===----------------------------------------------------------------------===//
// Inserting barriers
//===----------------------------------------------------------------------===//

static bool planFits(const BerthJob *job) {
  return job->status == BERTH_SUCCESS &&
         (job->plan.status == BERTH_PLAN_OPTIMAL ||
          job->plan.status == BERTH_PLAN_FEASIBLE);
}

static bool shareBytes(const BerthJob *job, size_t x, size_t y) {
  int64_t a = job->plan.offsets[x], b = job->plan.offsets[y];
  return a < b + infoOf(job, y)->size && b < a + infoOf(job, x)->size;
}

/// The cheapest barriers that keep the instances of each buffer apart and, with
/// `joined`, make the job's plan right, as flags per node.
static bool *cheapestCuts(const BerthHazards *hazards, const bool *joined) {
  const BerthJob *job = hazards->job;
  size_t n = job->numPlaced, count = 0;
  BerthPair *pairs = malloc((n * n + n + 1) * sizeof *pairs);
  if (!pairs)
    abort();
  for (size_t x = 0; x < n; ++x) {
    if (overlapsItself(hazards, x, NULL))
      pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)x};
    for (size_t y = x + 1; joined && y < n; ++y)
      if (joined[x * n + y] && shareBytes(job, x, y))
        pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)y};
  }
  bool *cuts = newFlags(hazards->graph.numNodes);
  berthFindCuts(hazards, pairs, count, cuts);
  free(pairs);
  return cuts;
}

/// The chosen nodes in the order in which they are added: cheap ones first,
/// then as the code goes.
static size_t orderCuts(const BerthHazards *hazards, const bool *cuts,
                        uint32_t *order) {
  size_t count = 0;
  for (uint32_t n = 0; n < hazards->graph.numNodes; ++n) {
    if (!cuts[n])
      continue;
    int64_t price = berthCutPrice(hazards, n);
    size_t k = count++;
    for (; k > 0 && berthCutPrice(hazards, order[k - 1]) > price; --k)
      order[k] = order[k - 1];
    order[k] = n;
  }
  return count;
}

static size_t countFlags(const bool *flags, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += flags[i];
  return sum;
}

/// One point of the curve: the plan's bytes with so many new barriers.
static void addCurvePoint(BerthJob *job, size_t barriers) {
  BerthCurvePoint point = {barriers, job->plan.peak};
  job->curve[job->curveLength++] = point;
}

static void takeCuts(BerthJob *job, const BerthHazards *hazards,
                     const bool *cuts) {
  job->numBarriers = 0;
  job->barriers =
      BERTH_ARENA_NEW(&job->memory, MlirOperation, hazards->graph.numNodes + 1);
  for (uint32_t n = 0; n < hazards->graph.numNodes; ++n)
    if (cuts[n])
      job->barriers[job->numBarriers++] = hazards->graph.nodes[n].gapEnd;
}

/// Keeps the plan at hand and says with which barriers it is right.
static void settle(BerthJob *job, const BerthHazards *hazards,
                   const bool *joined) {
  bool *cuts = cheapestCuts(hazards, joined);
  takeCuts(job, hazards, cuts);
  free(cuts);
}

/// Tries plans with the barriers in `cuts` and 0, 1, 2 ... of those in `order`.
/// True if one of them (with fewer than all) is good enough; then it is the
/// job's plan.
static bool tryFewer(BerthJob *job, const BerthHazards *hazards, bool *cuts,
                     const uint32_t *order, size_t count, int64_t goal) {
  size_t barriers = countFlags(cuts, hazards->graph.numNodes);
  bool found = false;
  for (size_t k = 0; k < count && !found; ++k) {
    if (k && cuts[order[k - 1]])
      continue;
    if (k) {
      cuts[order[k - 1]] = true;
      ++barriers;
    }
    if (barriers >= count)
      break;
    bool *joined = joinedPairs(hazards, cuts);
    joinUnordered(job, joined);
    packApart(job, joined);
    free(joined);
    if (job->status != BERTH_SUCCESS)
      break;
    addCurvePoint(job, barriers);
    found = job->options->capacity ? planFits(job) : job->plan.peak <= goal;
  }
  return found;
}

/// From the plan with the least bytes, which stands, to the one that is taken.
static void chooseCuts(BerthJob *job, const BerthHazards *hazards,
                       const bool *joined, const bool *apart) {
  int64_t goal = job->plan.peak;
  bool *all = cheapestCuts(hazards, joined);
  bool *needed = cheapestCuts(hazards, NULL);
  uint32_t *order =
      BERTH_ARENA_NEW(&job->memory, uint32_t, hazards->graph.numNodes + 1);
  size_t count = orderCuts(hazards, all, order);
  job->curve = BERTH_ARENA_NEW(&job->memory, BerthCurvePoint, count + 1);
  if (!tryFewer(job, hazards, needed, order, count, goal) &&
      job->status == BERTH_SUCCESS) {
    if (job->curveLength)
      packApart(job, apart);
    addCurvePoint(job, count);
  }
  free(needed);
  free(all);
}

static void packInserting(BerthJob *job, const BerthHazards *hazards) {
  bool *joined = joinedPairs(hazards, NULL);
  bool *apart = joinedPairs(hazards, hazards->isCuttable);
  joinUnordered(job, apart);
  packApart(job, apart);
  if (job->status == BERTH_SUCCESS)
    chooseCuts(job, hazards, joined, apart);
  if (job->status == BERTH_SUCCESS)
    settle(job, hazards, joined);
  free(joined);
  free(apart);
}

static void packExisting(BerthJob *job, const BerthHazards *hazards) {
  bool *joined = joinedPairs(hazards, NULL);
  joinUnordered(job, joined);
  packApart(job, joined);
  free(joined);
}

bool *berthJoinedPairs(BerthJob *job) {
  BerthHazards hazards = createHazards(job);
  bool *joined = joinedPairs(&hazards, NULL);
  joinUnordered(job, joined);
  berthHazardsFree(&hazards);
  return joined;
}

void berthPackShared(BerthJob *job) {
  BerthHazards hazards = createHazards(job);
  if (job->numPlaced && job->barriersMode == BERTH_BARRIERS_INSERT)
    packInserting(job, &hazards);
  else if (job->numPlaced)
    packExisting(job, &hazards);
  berthHazardsFree(&hazards);
}

void berthInsertBarriers(BerthJob *job) {
  for (size_t i = 0; i < job->numBarriers; ++i)
    berthBuild(berthInsertBefore(job->barriers[i]), "gpu.barrier", 0, NULL, 0,
               NULL, 0, NULL);
}
