//===- HostFrames.c - Frames of functions that the host runs --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame is one more argument, so all callers have to be known and plain
// calls, and a function on a circle of calls would need a frame in its own. A
// function that cannot get one keeps the arena that it would have without
// `frames`: that costs bytes, no more.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/HostFrames.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Plan/CalleeBuffers.h"
#include "IR/Threads/Arrival.h"

#include <stdlib.h>

/// A plain call from one job's function to another one's.
typedef struct Site {
  MlirOperation call;
  size_t holder; ///< the job that would hold the frame; BERTH_NOT_FOUND: none
  size_t caller; ///< the job of the function around it
  size_t callee;
} Site;

typedef struct Sites {
  BerthJob *jobs;
  const BerthPointerMap *jobOf;
  size_t count, capacity;
  Site *items;
} Sites;

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

/// A function that only the host runs, whose arena its frame would be.
static bool isOfHost(const BerthJob *job) {
  return berthOpIs(job->scope.op, BERTH_OP_FUNCTION) &&
         job->scope.kind == BERTH_SCOPE_FUNCTION && !job->scope.isDevice &&
         !berthScopeIsShared(&job->scope);
}

static bool isCall(MlirOperation op) { return berthOpIs(op, BERTH_OP_CALL); }

static MlirWalkResult addSite(MlirOperation op, void *userData) {
  Sites *sites = userData;
  MlirOperation callee;
  if (!isCall(op) || !berthOpGetCallee(op, &callee) ||
      mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  Site site = {.call = op,
               .holder = BERTH_NOT_FOUND,
               .caller = BERTH_NOT_FOUND,
               .callee = berthPointerMapFind(sites->jobOf, callee.ptr)};
  if (site.callee == BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  for (MlirOperation at = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(at) && site.caller == BERTH_NOT_FOUND;
       at = mlirOperationGetParentOperation(at)) {
    size_t job = berthPointerMapFind(sites->jobOf, at.ptr);
    if (site.holder == BERTH_NOT_FOUND)
      site.holder = job;
    if (berthOpIsFunction(at))
      site.caller = job;
  }
  if (berthIsBroken(sites->jobs->options->alias.breakRule, "shared-frames"))
    site.holder = site.caller;
  sites->items = berthGrow(sites->items, sites->count, &sites->capacity,
                           sizeof *sites->items);
  sites->items[sites->count++] = site;
  return MlirWalkResultAdvance;
}

/// Where the call stands in the holder it is made once at a time, and has
/// returned before what follows it begins.
static bool isInOrder(const BerthJob *holder, MlirOperation call) {
  if (berthIsBroken(holder->options->alias.breakRule, "shared-frames"))
    return true;
  return berthPointsLower(&holder->points, call) != BERTH_NONE &&
         mlirOperationEqual(berthPointsOutermostOpaque(&holder->points, call),
                            call) &&
         !berthIsInAsyncCode(holder, call);
}

static const char *siteObstacle(const Sites *sites, const Site *site) {
  const BerthJob *callee = &sites->jobs[site->callee];
  const BerthJob *holder =
      site->holder == BERTH_NOT_FOUND ? NULL : &sites->jobs[site->holder];
  // Upstream cannot lower a memref beside a call's argument attributes.
  if (!mlirAttributeIsNull(berthAttributeOf(site->call, "arg_attrs")))
    return "a call of it has attributes on its arguments";
  if (!holder || holder->scope.kind != BERTH_SCOPE_FUNCTION ||
      holder->scope.isDevice || berthScopeIsShared(&holder->scope) ||
      !mlirAttributeEqual(holder->scope.space, callee->scope.space))
    return "a caller of it has no arena in the same memory";
  if (!isInOrder(holder, site->call))
    return "a call of it stands in code that may run several times at once, "
           "later, or in an unknown order";
  if (berthFunctionIsCoroutine(holder->scope.op) ||
      berthCallsReturnTwice(holder->scope.op))
    return "a caller of it is a coroutine, or calls a function that may return "
           "a second time";
  return NULL;
}

//===----------------------------------------------------------------------===//
// Circles of calls
//===----------------------------------------------------------------------===//

/// Takes away, round by round, the functions that no call leads to any more,
/// or, `backwards`, that call nobody any more.
static void peel(const Sites *sites, size_t numJobs, bool backwards,
                 bool *isGone) {
  size_t *degree = berthAllocateOrDie(numJobs, sizeof *degree);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < numJobs; ++i)
      degree[i] = 0;
    for (size_t i = 0; i < sites->count; ++i) {
      const Site *site = &sites->items[i];
      if (site->caller == BERTH_NOT_FOUND || isGone[site->caller] ||
          isGone[site->callee])
        continue;
      ++degree[backwards ? site->caller : site->callee];
    }
    for (size_t i = 0; i < numJobs; ++i)
      if (!isGone[i] && degree[i] == 0)
        changed = isGone[i] = true;
  }
  free(degree);
}

//===----------------------------------------------------------------------===//
// Who gets a frame
//===----------------------------------------------------------------------===//

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

static void refuse(BerthJob *job, const char *why) {
  if (!job->frameObstacle)
    job->frameObstacle = why;
}

static void findObstacles(Sites *sites, size_t numJobs, bool *isCalled) {
  BerthWorklist named = {0};
  berthAddNamedFunctions(sites->jobs->root, isCall, &named);
  bool *isGone = berthAllocateOrDie(numJobs, sizeof *isGone);
  peel(sites, numJobs, false, isGone);
  peel(sites, numJobs, true, isGone);
  for (size_t i = 0; i < sites->count; ++i) {
    BerthJob *callee = &sites->jobs[sites->items[i].callee];
    isCalled[sites->items[i].callee] = true;
    const char *why = siteObstacle(sites, &sites->items[i]);
    if (why)
      refuse(callee, why);
  }
  for (size_t i = 0; i < numJobs; ++i) {
    BerthJob *job = &sites->jobs[i];
    if (!isPrivate(job->scope.op))
      refuse(job, "it is public: who calls it from outside hands it nothing");
    else if (berthWorklistHasSeen(&named, job->scope.op.ptr))
      refuse(job, "its name is used by an op that is no plain call");
    if (!isGone[i])
      refuse(job, "it is part of a recursion");
  }
  berthWorklistFree(&named);
  free(isGone);
}

/// The holders' lists, in the order of the program.
static void listCalls(Sites *sites, size_t numJobs) {
  size_t *count = berthAllocateOrDie(numJobs, sizeof *count);
  for (size_t i = 0; i < sites->count; ++i)
    if (sites->jobs[sites->items[i].callee].isEmbedded)
      ++count[sites->items[i].holder];
  for (size_t i = 0; i < numJobs; ++i) {
    BerthJob *job = &sites->jobs[i];
    if (!count[i])
      continue;
    BerthCall *calls =
        BERTH_NEW(&job->memory, BerthCall, job->numCalls + count[i]);
    for (size_t k = 0; k < job->numCalls; ++k)
      calls[k] = job->calls[k];
    job->calls = calls;
  }
  for (size_t i = 0; i < sites->count; ++i) {
    const Site *site = &sites->items[i];
    BerthJob *holder = &sites->jobs[site->holder];
    if (sites->jobs[site->callee].isEmbedded)
      holder->calls[holder->numCalls++] =
          (BerthCall){.op = site->call, .callee = &sites->jobs[site->callee]};
  }
  free(count);
}

void berthFindHostFrames(BerthJob *jobs, size_t numJobs,
                         const BerthPointerMap *jobOf) {
  // Where cores or units share the memory, what is in order is not plain.
  if (numJobs == 0 || !jobs->options->frames || berthNumCores() > 0 ||
      berthHasConcurrentUnits())
    return;
  Sites sites = {.jobs = jobs, .jobOf = jobOf};
  mlirOperationWalk(jobs->root, addSite, &sites, MlirWalkPreOrder);
  bool *isCalled = berthAllocateOrDie(numJobs, sizeof *isCalled);
  findObstacles(&sites, numJobs, isCalled);
  for (size_t i = 0; i < numJobs; ++i) {
    bool isMeant = isCalled[i] && isOfHost(&jobs[i]);
    if (!isMeant)
      jobs[i].frameObstacle = NULL;
    else if (!jobs[i].frameObstacle)
      jobs[i].isEmbedded = true;
  }
  listCalls(&sites, numJobs);
  free(isCalled);
  free(sites.items);
}

//===----------------------------------------------------------------------===//
// Once there is a plan
//===----------------------------------------------------------------------===//

static void takeBack(BerthJob *job, const char *why) {
  job->isEmbedded = false;
  bool isOnStack = job->options->form == BERTH_ARENA_ALLOCA;
  job->form = isOnStack ? BERTH_ARENA_ALLOCA : BERTH_ARENA_ALLOC;
  refuse(job, why);
}

/// What it allocates once it knows the sizes, and nothing else.
static bool hasRunTimeArenasOnly(const BerthJob *job) {
  return job->numDynamic && !job->numPlaced && !berthHasEntryHome(job);
}

bool berthCheckHostFrame(BerthJob *job) {
  if (!berthIsHostFrame(job))
    return job->isEmbedded;
  bool leaks = false;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    leaks |= !job->scope.buffers[i].reason && job->scope.buffers[i].leaks;
  if (leaks)
    takeBack(job, "somebody may still use a buffer of it when it has returned");
  else if (hasRunTimeArenasOnly(job))
    takeBack(job, "the sizes of its buffers are known only while it runs");
  return job->isEmbedded;
}

/// The called function whose arena the holder's buffer is, if the host runs it;
/// else NULL.
static BerthJob *hostCallee(const BerthJob *holder,
                            const BerthBufferInfo *buffer) {
  if (mlirOperationIsNull(buffer->callee) || !isOfHost(holder->callees[0]))
    return NULL;
  size_t i = 0;
  while (!mlirOperationEqual(holder->callees[i]->scope.op, buffer->callee))
    ++i;
  return holder->callees[i];
}

void berthSettleHostFrames(BerthJob *jobs, size_t numJobs) {
  for (int round = 0; round < 2; ++round)
    for (size_t i = 0; i < numJobs; ++i)
      for (size_t k = 0; k < jobs[i].scope.numBuffers; ++k) {
        BerthBufferInfo *buffer = &jobs[i].scope.buffers[k];
        BerthJob *callee = hostCallee(&jobs[i], buffer);
        // Each call brings its own, be it in the caller's arena or not.
        if (!callee || buffer->isDynamic)
          continue;
        if (round == 0 && buffer->reason && callee->isEmbedded)
          takeBack(callee, "a caller of it cannot hold its arena");
        if (round == 1 && !callee->isEmbedded)
          berthRejectBuffer(buffer, "its arena is its own after all",
                            buffer->alloc);
      }
}
