//===- Analyze.c - The analysis of a scope -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Analyze.h"
#include "IR/Cores/CoreHold.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Liveness/ClusterHold.h"
#include "IR/Liveness/Cover.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Liveness/ThreadCover.h"
#include "IR/Ops/ArenaViews.h"
#include "IR/Plan/CalleeBuffers.h"
#include "IR/Pointers/Aliases.h"
#include "IR/Pointers/DeallocChains.h"
#include "IR/Pointers/Frees.h"
#include "IR/Threads/Arrival.h"
#include "IR/Threads/Uniformity.h"

void berthJobCollect(BerthJob *job, MlirOperation op) {
  job->scope = berthScopeCollect(op, &job->options->collect, &job->memory);
  job->points = berthPointsCreate(job->scope.body, &job->memory);
  if (berthScopeIsShared(&job->scope))
    job->scope.arrival =
        berthScopeArrival(op, &job->options->collect, job->root);
}

/// Offsets are aligned, so addresses are if the memory's start is.
static void checkStart(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (job->options->collect.start % buffer->alignment)
      berthRejectBuffer(buffer,
                        "its memory starts at an address that is no multiple "
                        "of its alignment",
                        buffer->alloc);
  }
}

/// Only a rewrite into another arena makes an arena's buffers that one's.
static void checkArenas(BerthJob *job) {
  bool keepsAll =
      job->options->keepsArenas || job->options->form == BERTH_ARENA_ANNOTATE;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (mlirOperationIsNull(buffer->callee) && berthIsArena(buffer->value) &&
        (keepsAll || !berthArenaMayMove(buffer->value)))
      berthRejectBuffer(buffer,
                        "it is an arena of an earlier run of berth-arena",
                        buffer->alloc);
  }
}

void berthJobFindAliases(BerthJob *job) {
  berthScopeFindAliases(&job->scope, &job->points, &job->options->alias);
  checkStart(job);
  checkArenas(job);
  berthCheckFrees(&job->scope);
}

void berthJobComputeLiveness(BerthJob *job) {
  const char *breakRule = job->options->alias.breakRule;
  berthFindCovers(&job->scope, &job->points, &job->options->alias);
  // Without barriers each thread may have memory of its own.
  if (job->options->barriers != BERTH_BARRIERS_NONE)
    berthFindThreadCovers(&job->scope, &job->points, &job->options->alias,
                          job->calls, job->numCalls);
  berthScopeComputeLiveness(&job->scope, &job->points, breakRule);
  berthScopeHoldAsync(&job->scope, &job->points, breakRule);
  berthScopeHoldCores(&job->scope, &job->points, job->root, breakRule);
  berthScopeHoldClusters(&job->scope, &job->points,
                         job->options->barriers != BERTH_BARRIERS_NONE,
                         breakRule);
}

void berthAnalyzeScope(BerthJob *job, MlirOperation op) {
  berthJobCollect(job, op);
  berthJobFindAliases(job);
  berthJobComputeLiveness(job);
}

void berthJobCollectAnew(BerthJob *job) {
  berthScopeFreeUniformity(&job->scope);
  berthPointsFree(&job->points);
  berthJobCollect(job, job->scope.op);
}

void berthJobAnalyzeAnew(BerthJob *job) {
  berthJobCollectAnew(job);
  berthAddCalleeBuffers(job);
  berthJobFindAliases(job);
  berthSetTablesAside(job);
  berthJobComputeLiveness(job);
}

static void freePlan(BerthJob *job) {
  berthPlanFree(&job->plan);
  if (job->problem)
    berthProblemDestroy(job->problem);
}

void berthJobForgetPlan(BerthJob *job) {
  freePlan(job);
  job->plan = (BerthPlan){0};
  job->problem = NULL;
  job->numPlaced = 0;
  job->arenaSize = 0;
  job->numHomes = 0;
  job->homes = NULL;
  job->numDynamic = 0;
  job->numOverlaps = 0;
  job->savedByOverlaps = 0;
}

void berthJobFree(BerthJob *job) {
  berthScopeFreeUniformity(&job->scope);
  freePlan(job);
  berthPointsFree(&job->points);
  berthMemoryFree(&job->memory);
}
