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
// hard edge of the packing problem for each pair that is kept apart.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/Pairs.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Hazards/WaitGaps.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Problem.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>

static BerthBufferInfo *infoOf(const BerthJob *job, size_t buffer) {
  return &job->scope.buffers[job->bufferOf[buffer]];
}

bool *berthHazardsJoined(const BerthHazards *hazards, const bool *cuts) {
  size_t n = hazards->job->numPlaced;
  bool *joined = berthAllocateOrDie(n * n, sizeof *joined);
  BerthHazardSearch search = berthHazardSearchCreate(hazards, cuts);
  for (size_t x = 0; x < n; ++x)
    berthHazardsFrom(&search, (uint32_t)x, joined + x * n);
  berthHazardSearchFree(&search);
  for (size_t x = 0; x < n; ++x)
    for (size_t y = 0; y < x; ++y)
      joined[x * n + y] = joined[y * n + x] =
          joined[x * n + y] || joined[y * n + x];
  return joined;
}

void berthJoinUnordered(const BerthJob *job, bool *joined) {
  size_t n = job->numPlaced;
  for (size_t x = 0; x < n; ++x) {
    if (!infoOf(job, x)->leaks && !berthBufferHasOtherProxy(infoOf(job, x)))
      continue;
    for (size_t y = 0; y < n; ++y)
      joined[x * n + y] = joined[y * n + x] = true;
  }
}

BerthProblem *berthProblemApart(const BerthJob *job, const bool *joined,
                                int64_t capacity) {
  BerthProblem *problem = berthRepeatProblem(job, true, capacity);
  uint32_t n = (uint32_t)job->numPlaced;
  for (uint32_t x = 0; x < n; ++x)
    for (uint32_t y = x + 1; y < n; ++y)
      if (joined[x * n + y])
        berthProblemAddEdge(problem, &(BerthEdge){x, y, 0, NULL});
  berthProblemOrDie(problem);
  return problem;
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
  bool *joined = berthHazardsJoined(&hazards, NULL);
  berthJoinUnordered(job, joined);
  berthHazardsFree(&hazards);
  return joined;
}
