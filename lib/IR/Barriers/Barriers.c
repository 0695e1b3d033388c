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
// barriers=insert only pairs that no barrier can separate get one, and barriers
// are bought for the rest (BarrierCurve.c).
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierCurve.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "IR/Threads/Uniformity.h"
#include "Support/Grow.h"

#include <stdlib.h>
#include <string.h>

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

bool *berthHazardsJoined(const BerthHazards *hazards, const bool *cuts) {
  size_t n = hazards->job->numPlaced;
  bool *joined = berthAllocateOrDie(n * n, sizeof *joined);
  for (size_t x = 0; x < n; ++x)
    berthHazardsFrom(hazards, (uint32_t)x, cuts, joined + x * n);
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

static void addEdges(BerthJob *job, const bool *joined) {
  size_t n = job->numPlaced;
  for (size_t x = 0; x < n; ++x)
    for (size_t y = x + 1; y < n; ++y)
      if (joined[x * n + y])
        addHardEdge(job, x, y);
}

void berthKeepApart(BerthJob *job, const bool *joined, int64_t capacity) {
  // The names of its buffers stay: finding them takes longer than packing.
  const BerthProblemData *data = berthProblemGetData(job->problem);
  BerthProblem *problem = berthProblemCreate();
  for (size_t i = 0; i < data->numBuffers; ++i)
    berthProblemAddBuffer(problem, &data->buffers[i]);
  berthProblemDestroy(job->problem);
  job->problem = problem;
  berthProblemSetCapacity(problem, capacity);
  addEdges(job, joined);
}

void berthPackApart(BerthJob *job, const bool *joined, int64_t capacity) {
  berthPlanFree(&job->plan);
  berthKeepApart(job, joined, capacity);
  berthPackJob(job);
}

//===----------------------------------------------------------------------===//
// Allocations that run again
//===----------------------------------------------------------------------===//

bool berthHazardsOverlapItself(const BerthHazards *hazards, size_t x,
                               const bool *cuts) {
  size_t length;
  uint32_t *path =
      berthAllocateOrDie(2 * hazards->graph.numNodes, sizeof *path);
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
    if (!berthHazardsOverlapItself(hazards, x, cuts))
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
  berthScopeFindUniformity(&job->scope, job->options->alias.breakRule);
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
// The ways to pack
//===----------------------------------------------------------------------===//

static void packExisting(BerthJob *job, const BerthHazards *hazards) {
  bool *joined = berthHazardsJoined(hazards, NULL);
  berthJoinUnordered(job, joined);
  berthPackApart(job, joined, job->options->capacity);
  free(joined);
}

bool *berthJoinedPairs(BerthJob *job) {
  BerthHazards hazards = createHazards(job);
  bool *joined = berthHazardsJoined(&hazards, NULL);
  berthJoinUnordered(job, joined);
  berthHazardsFree(&hazards);
  return joined;
}

void berthPackShared(BerthJob *job) {
  BerthHazards hazards = createHazards(job);
  if (job->numPlaced && job->barriersMode == BERTH_BARRIERS_INSERT)
    berthPackInserting(&hazards);
  else if (job->numPlaced)
    packExisting(job, &hazards);
  berthHazardsFree(&hazards);
}

void berthInsertBarriers(BerthJob *job) {
  for (size_t i = 0; i < job->numBarriers; ++i)
    berthBuild(berthInsertBefore(job->barriers[i]), BERTH_NAME_BARRIER, 0, NULL,
               0, NULL, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Barriers that count for nothing
//===----------------------------------------------------------------------===//

static MlirWalkResult remarkBarrier(MlirOperation op, void *userData) {
  const BerthJob *job = userData;
  MlirOperation because = job->scope.op;
  bool isOurs = berthOpIsBarrier(op) &&
                mlirOperationEqual(berthEnclosingScope(op), job->scope.op);
  if (!isOurs || (job->scope.arrival != BERTH_ARRIVAL_DIVERGENT &&
                  berthControlIsUniform(&job->scope, op, &because)))
    return MlirWalkResultAdvance;
  BerthText text = {0};
  berthTextAppend(&text, "counts for nothing: not all threads of the workgroup "
                         "provably reach this barrier together");
  if (!mlirOperationEqual(because, job->scope.op)) {
    berthTextAppend(&text, " (");
    berthTextAppendOp(&text, because);
    berthTextAppend(&text, ")");
  }
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
  return MlirWalkResultAdvance;
}

void berthRemarkBarriers(const BerthJob *job) {
  if (job->numPlaced && job->scope.uniformity)
    mlirOperationWalk(job->scope.op, remarkBarrier, (void *)job,
                      MlirWalkPreOrder);
}
