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
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Rewrite/ArenaEnd.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Rewrite/GlobalSharing.h"
#include "IR/Scope/Collect.h"

#include <stdlib.h>

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

/// In a global that is shared: whoever is called there and is not seen may call
/// a public function.
static void findSharers(BerthJob *jobs, size_t numJobs) {
  bool isBroken =
      numJobs && berthIsBroken(jobs->options->alias.breakRule, "lone-scopes");
  berthFindSharers(jobs, numJobs);
  for (size_t i = 0; i < numJobs && !isBroken; ++i) {
    if (mlirOperationIsNull(jobs[i].sharer))
      continue;
    BerthWorklist active = {0};
    berthWorklistAdd(&active, jobs[i].scope.op.ptr);
    if (berthFollowHiddenCalls(&active)) {
      berthAddPublicFunctions(jobs[i].root, &active);
      berthFollowCalls(&active);
    }
    for (size_t k = 0; k < numJobs; ++k)
      if (k != i && mlirOperationEqual(jobs[k].sharer, jobs[i].sharer) &&
          isActiveIn(&active, jobs[k].scope.op))
        addBelow(&jobs[k], &jobs[i], numJobs);
    berthWorklistFree(&active);
  }
}

void berthFindActiveScopes(BerthJob *jobs, size_t numJobs) {
  findSharers(jobs, numJobs);
  bool isOfChip = numJobs && jobs->options->isChipMemory &&
                  jobs->options->form == BERTH_ARENA_ANNOTATE &&
                  !berthIsBroken(jobs->options->alias.breakRule, "lone-scopes");
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

int64_t berthBytesBelow(const BerthJob *job) {
  int64_t end = 0;
  for (size_t i = 0; i < job->numBelow; ++i)
    if (job->below[i]->numPlaced && job->below[i]->arenaSize > end)
      end = job->below[i]->arenaSize;
  return end;
}

void berthReserveBelow(BerthJob *job) {
  int64_t end = berthBytesBelow(job);
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

//===----------------------------------------------------------------------===//
// Arenas without addresses
//===----------------------------------------------------------------------===//

/// What is live with one arena: its own bytes, and those of callers.
typedef struct Live {
  int64_t bytes;
  size_t below; ///< the caller that adds most, or SIZE_MAX
  bool isSure;  ///< no caller may have freed its arena before the call
  bool isKnown; ///< this struct has been filled
} Live;

static bool hasOwnArena(const BerthJob *job) {
  bool isOwn = job->form == BERTH_ARENA_ALLOC ||
               job->form == BERTH_ARENA_ALLOCA ||
               job->form == BERTH_ARENA_GLOBAL;
  return isOwn && job->status == BERTH_SUCCESS && job->numPlaced &&
         !berthScopeIsShared(&job->scope);
}

typedef struct Sums {
  BerthJob *jobs;
  size_t numJobs;
  Live *live;
  const BerthWorklist *active; ///< by job
  int64_t always;              ///< bytes of globals
} Sums;

/// Functions that call each other in a circle have been told of before.
static void sumUp(Sums *sums, size_t index) {
  Live *own = &sums->live[index];
  if (own->isKnown)
    return;
  const BerthJob *job = &sums->jobs[index];
  bool isGlobal = job->form == BERTH_ARENA_GLOBAL;
  *own = (Live){.bytes = sums->always, .below = SIZE_MAX, .isKnown = true};
  own->isSure = true;
  for (size_t i = 0; i < sums->numJobs; ++i) {
    if (i == index || !hasOwnArena(&sums->jobs[i]) ||
        !isActiveIn(&sums->active[i], job->scope.op))
      continue;
    sumUp(sums, i);
    if (sums->live[i].bytes <= own->bytes)
      continue;
    own->bytes = sums->live[i].bytes;
    own->below = i;
    own->isSure =
        sums->live[i].isSure && !berthMayEndArenaEarly(&sums->jobs[i]);
  }
  own->bytes += isGlobal ? 0 : job->arenaSize;
}

static void reportSum(Sums *sums, size_t index) {
  BerthJob *job = &sums->jobs[index];
  const Live *own = &sums->live[index];
  BerthText text = {0}, note = {0};
  berthTextAppend(&text,
                  "the arenas that %s live here at once take %lld bytes, the "
                  "capacity is %lld bytes",
                  own->isSure ? "are" : "may be", (long long)own->bytes,
                  (long long)job->options->capacity);
  berthTextAppend(&note, "%lld bytes of its own", (long long)job->arenaSize);
  for (size_t i = own->below; i != SIZE_MAX; i = sums->live[i].below)
    berthTextAppend(&note, ", %lld of a caller",
                    (long long)sums->jobs[i].arenaSize);
  if (sums->always)
    berthTextAppend(&note, ", %lld of globals", (long long)sums->always);
  if (own->isSure) {
    berthEmitError(job->scope.op, text.data, job->scope.op, note.data);
    job->isReported = true;
    job->status = BERTH_INVALID;
  } else {
    berthEmitWarning(job->scope.op, text.data, note.data);
  }
  berthTextFree(&text);
  berthTextFree(&note);
}

void berthCheckActiveCapacity(BerthJob *jobs, size_t numJobs) {
  bool isOfChip = numJobs && jobs->options->isChipMemory &&
                  jobs->options->capacity &&
                  !berthIsBroken(jobs->options->alias.breakRule, "lone-scopes");
  if (!isOfChip)
    return;
  BerthWorklist *active = berthAllocateOrDie(numJobs, sizeof *active);
  Sums sums = {jobs, numJobs, berthAllocateOrDie(numJobs, sizeof(Live)), active,
               0};
  for (size_t i = 0; i < numJobs; ++i) {
    if (!hasOwnArena(&jobs[i]))
      continue;
    active[i] = functionsActiveIn(&jobs[i]);
    if (jobs[i].form == BERTH_ARENA_GLOBAL)
      sums.always += jobs[i].arenaSize;
    else if (berthPlaceObstacle(&jobs[i]))
      berthEmitRemark(jobs[i].scope.op, BERTH_REMARK_ANALYSIS, "berth-arena",
                      "it is not known how many of its arenas are live at "
                      "once, nor whether they fit the memory's capacity");
  }
  for (size_t i = 0; i < numJobs; ++i) {
    if (!hasOwnArena(&jobs[i]))
      continue;
    sumUp(&sums, i);
    if (sums.live[i].bytes <= jobs[i].options->capacity)
      continue;
    reportSum(&sums, i);
    if (sums.always > jobs[i].options->capacity)
      break; // the others have nothing to do with it
  }
  for (size_t i = 0; i < numJobs; ++i)
    berthWorklistFree(&active[i]);
  free(active);
  free(sums.live);
}
