//===- ActiveScopes.c - Scopes that have places at a time -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/ActiveScopes.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Scope/Collect.h"

/// Has it buffers that may get a place?
static bool mayPlace(const BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason)
      return true;
  return false;
}

static void rejectAll(BerthJob *job, const char *reason) {
  for (size_t i = 0; reason && i < job->scope.numBuffers; ++i)
    berthRejectBuffer(&job->scope.buffers[i], reason, job->scope.op);
}

/// The functions that may run before the scope ends; the list begins with the
/// scope itself.
static BerthWorklist functionsActiveIn(const BerthJob *job) {
  BerthWorklist active = {0};
  berthWorklistAdd(&active, job->scope.op.ptr);
  if (berthFollowCalls(&active)) {
    berthAddNamedFunctions(job->root, NULL, &active);
    berthFollowCalls(&active);
  }
  return active;
}

/// True if one of these is the scope's function, or what stands around it.
static bool isActiveIn(const BerthWorklist *active, MlirOperation scope) {
  for (; !mlirOperationIsNull(scope);
       scope = mlirOperationGetParentOperation(scope))
    if (berthWorklistHasSeen(active, scope.ptr))
      return true;
  return false;
}

static void addBelow(BerthJob *job, BerthJob *below, size_t numJobs) {
  // Callees come first there: their barriers count.
  if (berthScopeIsShared(&job->scope)) {
    rejectAll(job, "a caller of it, active at the same time, would have the "
                   "same addresses");
    return;
  }
  if (!job->below)
    job->below = BERTH_NEW(&job->memory, BerthJob *, numJobs);
  job->below[job->numBelow++] = below;
}

void berthFindActiveScopes(BerthJob *jobs, size_t numJobs) {
  bool isOfChip = numJobs && jobs->options->isChipMemory &&
                  jobs->options->form == BERTH_ARENA_ANNOTATE;
  for (size_t i = 0; isOfChip && i < numJobs; ++i)
    if (mayPlace(&jobs[i]))
      rejectAll(&jobs[i], berthPlaceObstacle(&jobs[i]));
  for (size_t i = 0; isOfChip && i < numJobs; ++i) {
    if (!mayPlace(&jobs[i]))
      continue;
    BerthWorklist active = functionsActiveIn(&jobs[i]);
    for (size_t k = 0; k < numJobs; ++k)
      if (k != i && mayPlace(&jobs[k]) && isActiveIn(&active, jobs[k].scope.op))
        addBelow(&jobs[k], &jobs[i], numJobs);
    berthWorklistFree(&active);
  }
}

void berthReserveBelow(BerthJob *job) {
  int64_t end = 0;
  for (size_t i = 0; i < job->numBelow; ++i)
    if (job->below[i]->numPlaced && job->below[i]->arenaSize > end)
      end = job->below[i]->arenaSize;
  if (end == 0)
    return;
  size_t count = job->options->numReserved;
  BerthRange *reserved = BERTH_NEW(&job->memory, BerthRange, count + 1);
  for (size_t i = 0; i < count; ++i)
    reserved[i] = job->options->reserved[i];
  reserved[count] = (BerthRange){0, end};
  BerthArenaOptions *options = BERTH_NEW(&job->memory, BerthArenaOptions, 1);
  *options = *job->options;
  options->reserved = reserved;
  options->numReserved = count + 1;
  job->options = options;
}
