//===- RunsApart.c - May a function run again without a barrier? ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a function F, two sets of functions are grown through the callers above
// it: those that F's end may *leave* through, control coming from the one end
// to the other without barrier; and those through which F may be *entered*. F
// may follow itself where some function calls one of the first and then,
// without barrier, one of the second.
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/RunsApart.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>
#include <string.h>

/// A function's barriers and calls.
typedef struct Caller {
  bool isBusy;
  bool isBuilt;
  BerthHazards graph;
  uint32_t *nodeOf; ///< by call: its node, BERTH_NO_NODE if not looked into
} Caller;

typedef struct Finder {
  BerthJob *jobs;
  size_t numJobs;
  Caller *callers; ///< by job
  // of the function at hand, by job:
  bool *isAbove; ///< it calls the function, or one that does
  bool *isLeft;
  bool *isEntered;
} Finder;

static size_t indexOf(const Finder *finder, const BerthJob *job) {
  return (size_t)(job - finder->jobs);
}

//===----------------------------------------------------------------------===//
// One function's graph
//===----------------------------------------------------------------------===//

static uint32_t *nodesOfCalls(const BerthHazards *graph) {
  const BerthJob *job = graph->job;
  uint32_t *nodeOf = berthAllocateOrDie(job->numCalls, sizeof *nodeOf);
  BerthPointerMap nodeAt = {0};
  for (uint32_t n = 0; n < graph->graph.numNodes; ++n) {
    const BerthFlowNode *node = &graph->graph.nodes[n];
    if (node->numStops == 1 && graph->stops[node->firstStop].ends)
      berthPointerMapInsert(&nodeAt, graph->stops[node->firstStop].op.ptr, n);
  }
  for (size_t i = 0; i < job->numCalls; ++i) {
    size_t node = berthPointerMapFind(&nodeAt, job->calls[i].op.ptr);
    nodeOf[i] = node == BERTH_NOT_FOUND ? BERTH_NO_NODE : (uint32_t)node;
  }
  berthPointerMapFree(&nodeAt);
  return nodeOf;
}

/// Flags for the graph's nodes.
static bool *newFlags(const Caller *caller) {
  return berthAllocateOrDie(caller->graph.graph.numNodes, sizeof(bool));
}

/// Callees first, since they tell whether their calls are open. One that calls
/// back counts as open meanwhile.
static void buildCaller(Finder *finder, size_t index) {
  Caller *caller = &finder->callers[index];
  BerthJob *job = &finder->jobs[index];
  if (caller->isBusy || caller->isBuilt)
    return;
  caller->isBusy = job->given.isOpen = true;
  for (size_t i = 0; i < job->numCalls; ++i)
    buildCaller(finder, indexOf(finder, job->calls[i].callee));
  berthScopeFindUniformity(&job->scope, job->options->alias.breakRule);
  caller->graph = berthHazardsCreateGiven(job);
  caller->nodeOf = nodesOfCalls(&caller->graph);
  caller->isBuilt = true;
  bool *reached = newFlags(caller);
  reached[BERTH_SCOPE_ENTRY] = true;
  berthHazardsReach(&caller->graph, NULL, false, reached);
  job->given.isOpen = reached[BERTH_SCOPE_EXIT];
  free(reached);
}

//===----------------------------------------------------------------------===//
// One function's runs
//===----------------------------------------------------------------------===//

/// Marks all callers, and theirs. Calls go upwards only, so rounds end.
static void findAbove(Finder *finder, size_t function) {
  memset(finder->isAbove, 0, finder->numJobs);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t g = 0; g < finder->numJobs; ++g)
      for (size_t i = 0; i < finder->jobs[g].numCalls && !finder->isAbove[g];
           ++i) {
        size_t callee = indexOf(finder, finder->jobs[g].calls[i].callee);
        finder->isAbove[g] = callee == function || finder->isAbove[callee];
        isChanged |= finder->isAbove[g];
      }
  }
}

/// What control comes to behind the calls of functions that are left, or, with
/// `isBackward`, from where it comes to the calls of those that are entered.
static bool *reachFromCalls(const Finder *finder, size_t index,
                            bool isBackward) {
  const Caller *caller = &finder->callers[index];
  const BerthJob *job = &finder->jobs[index];
  bool *reached = newFlags(caller);
  for (size_t i = 0; i < job->numCalls; ++i) {
    size_t callee = indexOf(finder, job->calls[i].callee);
    uint32_t node = caller->nodeOf[i];
    if (node == BERTH_NO_NODE)
      continue;
    if (isBackward && finder->isEntered[callee])
      reached[node] = true;
    if (!isBackward && finder->isLeft[callee])
      reached[node + BERTH_CALL_LEAVE] = true;
  }
  berthHazardsReach(&caller->graph, NULL, isBackward, reached);
  return reached;
}

/// Grows both sets by a caller; true if that changed one of them.
static bool growThrough(Finder *finder, size_t index) {
  bool *behind = reachFromCalls(finder, index, false);
  bool *before = reachFromCalls(finder, index, true);
  bool isLeft = finder->isLeft[index] || behind[BERTH_SCOPE_EXIT];
  bool isEntered = finder->isEntered[index] || before[BERTH_SCOPE_ENTRY];
  bool isChanged =
      isLeft != finder->isLeft[index] || isEntered != finder->isEntered[index];
  finder->isLeft[index] = isLeft;
  finder->isEntered[index] = isEntered;
  free(behind);
  free(before);
  return isChanged;
}

/// True if in this caller a function that is left may be followed by one that
/// is entered, or if one of them is called where that cannot be seen.
static bool mayFollowIn(const Finder *finder, size_t index) {
  const BerthJob *job = &finder->jobs[index];
  bool *behind = reachFromCalls(finder, index, false);
  bool found = false;
  for (size_t i = 0; i < job->numCalls && !found; ++i) {
    size_t callee = indexOf(finder, job->calls[i].callee);
    uint32_t node = finder->callers[index].nodeOf[i];
    if (node == BERTH_NO_NODE)
      found = finder->isEntered[callee] || finder->isLeft[callee];
    else
      found = finder->isEntered[callee] && behind[node];
  }
  free(behind);
  return found;
}

static bool mayFollowItself(Finder *finder, size_t function) {
  findAbove(finder, function);
  memset(finder->isLeft, 0, finder->numJobs);
  memset(finder->isEntered, 0, finder->numJobs);
  finder->isLeft[function] = finder->isEntered[function] = true;
  for (size_t g = 0; g < finder->numJobs; ++g)
    if (finder->isAbove[g])
      buildCaller(finder, g);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t g = 0; g < finder->numJobs; ++g)
      isChanged |= finder->isAbove[g] && growThrough(finder, g);
  }
  for (size_t g = 0; g < finder->numJobs; ++g)
    if (finder->isAbove[g] && mayFollowIn(finder, g))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

/// Only of these are all calls known, and none of them is part of a recursion
/// (Arrival.h). Where nothing is placed it does not matter.
static bool isCalledTogether(const BerthJob *job) {
  return (job->scope.numBuffers || job->numCalls) &&
         berthScopeIsShared(&job->scope) &&
         job->scope.kind != BERTH_SCOPE_KERNEL &&
         job->scope.kind != BERTH_SCOPE_LAUNCH &&
         job->scope.arrival == BERTH_ARRIVAL_TOGETHER;
}

static void freeFinder(Finder *finder) {
  for (size_t i = 0; i < finder->numJobs; ++i)
    if (finder->callers[i].isBuilt) {
      berthHazardsFree(&finder->callers[i].graph);
      free(finder->callers[i].nodeOf);
    }
  free(finder->callers);
  free(finder->isAbove);
  free(finder->isLeft);
  free(finder->isEntered);
}

void berthFindReentries(BerthJob *jobs, size_t numJobs) {
  Finder finder = {.jobs = jobs,
                   .numJobs = numJobs,
                   .callers = berthAllocateOrDie(numJobs, sizeof(Caller)),
                   .isAbove = berthAllocateOrDie(numJobs, sizeof(bool)),
                   .isLeft = berthAllocateOrDie(numJobs, sizeof(bool)),
                   .isEntered = berthAllocateOrDie(numJobs, sizeof(bool))};
  for (size_t i = 0; i < numJobs; ++i) {
    BerthScope *scope = &jobs[i].scope;
    if (isCalledTogether(&jobs[i]))
      scope->runsAreApart = !mayFollowItself(&finder, i);
    if (berthIsBroken(jobs[i].options->alias.breakRule, "no-re-entry"))
      scope->runsAreApart = true;
  }
  freeFinder(&finder);
}
