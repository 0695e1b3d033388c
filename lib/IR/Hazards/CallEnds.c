//===- CallEnds.c - What a function does around its barriers --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/CallEnds.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Pointers/CallSummary.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Who calls whom
//===----------------------------------------------------------------------===//

/// A kernel that is called like any function is looked into by nobody: its
/// arguments are taken for uniform.
static bool mayBeCalled(const BerthJob *job) {
  return berthScopeIsShared(&job->scope) &&
         job->scope.kind != BERTH_SCOPE_KERNEL &&
         job->scope.kind != BERTH_SCOPE_LAUNCH;
}

/// The job that the op of the caller calls, or BERTH_NOT_FOUND.
static size_t jobCalledBy(const BerthPointerMap *jobOf, const BerthJob *caller,
                          MlirOperation op) {
  MlirOperation callee;
  bool isCall = berthOpIs(op, BERTH_OP_CALL) && berthOpGetCallee(op, &callee) &&
                !mlirOperationIsNull(callee) &&
                mlirOperationEqual(berthEnclosingScope(op), caller->scope.op);
  return isCall ? berthPointerMapFind(jobOf, callee.ptr) : BERTH_NOT_FOUND;
}

static void listCallsOf(BerthJob *job, BerthJob *jobs,
                        const BerthPointerMap *jobOf) {
  size_t capacity = 0;
  BerthCall *calls = NULL;
  for (int64_t point = 0; point < job->points.count; ++point) {
    MlirOperation op = job->points.opAt[point];
    size_t index = jobCalledBy(jobOf, job, op);
    if (index == BERTH_NOT_FOUND)
      continue;
    calls = berthGrow(calls, job->numCalls, &capacity, sizeof *calls);
    calls[job->numCalls++] = (BerthCall){.op = op, .callee = &jobs[index]};
  }
  job->calls = berthNewCopy(&job->memory, calls, job->numCalls, sizeof *calls);
  free(calls);
}

void berthListCalls(BerthJob *jobs, size_t numJobs) {
  BerthPointerMap jobOf = {0};
  bool any = false;
  for (size_t i = 0; i < numJobs; ++i)
    if (mayBeCalled(&jobs[i])) {
      berthPointerMapInsert(&jobOf, jobs[i].scope.op.ptr, i);
      any = true;
    }
  for (size_t i = 0; any && i < numJobs; ++i)
    listCallsOf(&jobs[i], jobs, &jobOf);
  berthPointerMapFree(&jobOf);
}

//===----------------------------------------------------------------------===//
// What is done to arguments
//===----------------------------------------------------------------------===//

typedef struct ArgumentWalk {
  const BerthPoints *points;
  size_t count;
  BerthAccess *accesses;
  size_t accessCapacity;
  MlirValue *values; ///< that are accessed
  size_t valueCapacity;
} ArgumentWalk;

static void addUse(MlirOpOperand use, bool writes, void *userData) {
  ArgumentWalk *walk = userData;
  MlirOperation op =
      berthPointsOutermostOpaque(walk->points, mlirOpOperandGetOwner(use));
  walk->accesses = berthGrow(walk->accesses, walk->count, &walk->accessCapacity,
                             sizeof *walk->accesses);
  walk->values = berthGrow(walk->values, walk->count, &walk->valueCapacity,
                           sizeof *walk->values);
  walk->values[walk->count] = mlirOpOperandGetValue(use);
  walk->accesses[walk->count++] =
      (BerthAccess){.op = op,
                    .lower = berthPointsLower(walk->points, op),
                    .upper = berthPointsUpper(walk->points, op),
                    .reads = true,
                    .writes = writes};
}

/// Of a pointer that gets away nothing more is known.
static bool isHidden(const BerthArgumentSummary *summary) {
  return !summary->known || summary->leaks;
}

/// The accesses through each argument of the job's function. free() takes back
/// the arrays of each.
static BerthTouched *listArgumentUses(BerthJob *job, MlirBlock entry,
                                      bool *areHidden) {
  size_t count = (size_t)mlirBlockGetNumArguments(entry);
  BerthTouched *touched = berthAllocateOrDie(count, sizeof *touched);
  BerthAliasOptions alias = job->options->alias;
  alias.root = job->root;
  alias.breakRule = NULL;
  BerthCallSummaries summaries = berthCallSummariesCreate(&alias);
  for (size_t i = 0; i < count; ++i) {
    ArgumentWalk walk = {.points = &job->points};
    BerthArgumentSummary summary = berthForEachArgumentUse(
        &summaries, job->scope.op, (intptr_t)i, addUse, &walk);
    areHidden[i] = isHidden(&summary);
    touched[i] = (BerthTouched){.numAccesses = walk.count,
                                .accesses = walk.accesses,
                                .numValues = walk.count,
                                .values = walk.values};
  }
  berthCallSummariesFree(&summaries);
  return touched;
}

//===----------------------------------------------------------------------===//
// What control reaches without barrier
//===----------------------------------------------------------------------===//

/// The gaps into which the job's plan inserts barriers.
static bool *plannedCuts(const BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  const BerthFlowGraph *graph = &hazards->graph;
  BerthPointerMap isBehind = {0};
  for (size_t i = 0; i < job->numBarriers; ++i)
    berthPointerMapInsert(&isBehind, job->barriers[i].ptr, 1);
  bool *cuts = berthAllocateOrDie(graph->numNodes, sizeof *cuts);
  for (size_t n = 0; n < graph->numNodes; ++n)
    cuts[n] = !mlirOperationIsNull(graph->nodes[n].gapEnd) &&
              berthPointerMapFind(&isBehind, graph->nodes[n].gapEnd.ptr) !=
                  BERTH_NOT_FOUND;
  berthPointerMapFree(&isBehind);
  return cuts;
}

/// The most that is done at the reached nodes: to buffers of the plan, entry 0,
/// and to each argument.
static BerthDoing *doingsAt(const BerthHazards *hazards, const bool *reached) {
  size_t numPlaced = hazards->job->numPlaced;
  BerthDoing *doings =
      berthAllocateOrDie(hazards->numTouched + 1, sizeof *doings);
  for (size_t n = 0; n < hazards->graph.numNodes; ++n)
    for (uint32_t k = hazards->touchBegin[n];
         reached[n] && k < hazards->touchBegin[n + 1]; ++k) {
      BerthTouch touch = hazards->touches[k];
      size_t i = touch.buffer < numPlaced ? 0 : 1 + touch.buffer - numPlaced;
      BerthDoing doing = touch.writes ? BERTH_WRITES : BERTH_READS;
      doings[i] = doing > doings[i] ? doing : doings[i];
    }
  return doings;
}

static bool *reachFrom(const BerthHazards *hazards, const bool *cuts,
                       uint32_t node) {
  bool *reached = berthAllocateOrDie(hazards->graph.numNodes, sizeof *reached);
  reached[node] = true;
  berthHazardsReach(hazards, cuts, node == BERTH_SCOPE_EXIT, reached);
  return reached;
}

/// In tests only (Rules.h).
static void breakRules(const BerthJob *job, BerthCallEnds *ends,
                       size_t numArguments) {
  const char *rule = job->options->alias.breakRule;
  if (berthIsBroken(rule, "closed-calls"))
    ends->isOpen = false;
  if (!berthIsBroken(rule, "no-call-ends"))
    return;
  ends->arena = (BerthEnds){BERTH_NOTHING, BERTH_NOTHING};
  for (size_t i = 0; i < numArguments; ++i)
    ends->arguments[i] = ends->arena;
}

static void fillEnds(BerthCallEnds *ends, const BerthHazards *hazards,
                     const bool *areHidden) {
  bool *cuts = plannedCuts(hazards);
  bool *fromEntry = reachFrom(hazards, cuts, BERTH_SCOPE_ENTRY);
  bool *toExit = reachFrom(hazards, cuts, BERTH_SCOPE_EXIT);
  BerthDoing *first = doingsAt(hazards, fromEntry);
  BerthDoing *last = doingsAt(hazards, toExit);
  ends->isOpen = fromEntry[BERTH_SCOPE_EXIT];
  ends->arena = (BerthEnds){first[0], last[0]};
  size_t numArguments = hazards->numTouched - hazards->job->numPlaced;
  for (size_t i = 0; i < numArguments; ++i)
    ends->arguments[i] = areHidden[i] ? (BerthEnds){BERTH_WRITES, BERTH_WRITES}
                                      : (BerthEnds){first[i + 1], last[i + 1]};
  breakRules(hazards->job, ends, numArguments);
  free(cuts);
  free(fromEntry);
  free(toExit);
  free(first);
  free(last);
}

void berthFindEnds(BerthJob *job) {
  if (!mayBeCalled(job) || berthFunctionIsRecursive(job->scope.op))
    return;
  berthScopeFindUniformity(&job->scope, job->options->alias.breakRule);
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  size_t count = (size_t)mlirBlockGetNumArguments(entry);
  bool *areHidden = berthAllocateOrDie(count, sizeof *areHidden);
  BerthTouched *arguments = listArgumentUses(job, entry, areHidden);
  BerthHazards hazards = berthHazardsCreateWith(job, arguments, count);
  job->ends = BERTH_NEW(&job->memory, BerthCallEnds, 1);
  job->ends->arguments = BERTH_NEW(&job->memory, BerthEnds, count);
  fillEnds(job->ends, &hazards, areHidden);
  berthHazardsFree(&hazards);
  for (size_t i = 0; i < count; ++i) {
    free((void *)arguments[i].accesses);
    free((void *)arguments[i].values);
  }
  free(arguments);
  free(areHidden);
}
