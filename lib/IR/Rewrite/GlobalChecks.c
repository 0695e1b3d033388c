//===- GlobalChecks.c - May one arena serve all runs of a function? -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Pointers/Tokens.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/ScopeKind.h"

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool returnsToken(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthTypeIsToken(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/// True if the call has returned when what it calls has. One that returns no
/// value of its own may have started it only.
static bool isPlainCall(MlirOperation call) {
  return !berthOpIsAsync(call) &&
         (berthOpIs(call, BERTH_OP_CALL) || !berthReturnsHandle(call));
}

/// True if whatever stands around the op in its function runs it time after
/// time, and before it ends itself.
static bool isInOrder(MlirOperation op) {
  do {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op))
      return false;
    if (berthOpIsFunction(op))
      return true;
  } while (berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
           !berthOpIsAsync(op) && !berthOpIs(op, BERTH_OP_LAUNCH) &&
           !returnsToken(op));
  return false;
}

//===----------------------------------------------------------------------===//
// Functions that several threads are in, or that are left and come back to
//===----------------------------------------------------------------------===//

static MlirWalkResult addOthers(MlirOperation op, void *userData) {
  const BerthJob *job = userData;
  BerthWorklist *others = &job->reruns->others;
  MlirOperation callee;
  if (berthOpIsFunction(op)) {
    BerthScope scope = berthScopeOf(op, &job->options->collect);
    if (!berthFunctionIsUnseen(op) &&
        (scope.kind != BERTH_SCOPE_FUNCTION || berthFunctionIsCoroutine(op)))
      berthWorklistAdd(others, op.ptr);
  } else if (berthOpGetCallee(op, &callee) && !berthFunctionIsUnseen(callee) &&
             !(isPlainCall(op) && isInOrder(op))) {
    berthWorklistAdd(others, callee.ptr);
  }
  return MlirWalkResultAdvance;
}

static void findReruns(const BerthJob *job) {
  BerthReruns *reruns = job->reruns;
  reruns->isKnown = true;
  mlirOperationWalk(job->root, addOthers, (void *)job, MlirWalkPreOrder);
  berthFollowCalls(&reruns->others);
  berthAddNamedFunctions(job->root, isPlainCall, &reruns->named);
  berthFollowCalls(&reruns->named);
}

static MlirWalkResult findSharedMemory(MlirOperation op, void *userData) {
  bool *found = userData;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    *found |= mlirTypeIsAMemRef(type) &&
              berthSpaceMayBeShared(mlirMemRefTypeGetMemorySpace(type));
  }
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Who has memory that threads share is run by them.
static bool isOfThreads(const BerthJob *job) {
  bool hasShared = job->scope.kind != BERTH_SCOPE_FUNCTION;
  if (!hasShared && !job->options->collect.oneThread &&
      !berthHasConcurrentUnits())
    mlirOperationWalk(job->scope.op, findSharedMemory, &hasShared,
                      MlirWalkPreOrder);
  return hasShared;
}

const char *berthGlobalObstacle(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  const char *breakRule = job->options->alias.breakRule;
  bool followsNames = !berthIsBroken(breakRule, "no-callbacks");
  bool isShared = berthScopeIsShared(scope);
  if (isShared && followsNames
          ? berthFunctionMayCallItself(scope->op, job->root)
          : berthFunctionIsRecursive(scope->op))
    return "arena=global: the function may call itself, and all its instances "
           "would use the same bytes; use arena=alloc or arena=argument";
  if (isShared)
    return NULL;
  if (!job->reruns->isKnown)
    findReruns(job);
  bool followsOthers = !berthIsBroken(breakRule, "one-caller");
  if (followsOthers && isOfThreads(job))
    return "arena=global: all threads of the kernel would use the same bytes; "
           "use arena=alloca";
  if (followsOthers &&
      berthWorklistHasSeen(&job->reruns->others, scope->op.ptr))
    return "arena=global: parallel or asynchronous code runs the function, and "
           "all its runs would use the same bytes; use arena=alloc or "
           "arena=argument";
  if (followsNames && berthWorklistHasSeen(&job->reruns->named, scope->op.ptr))
    return "arena=global: an op that is no plain call names the function, or "
           "one that calls it, so that it may run again while it runs, and all "
           "its runs would use the same bytes; use arena=alloc";
  return NULL;
}

const char *berthPlaceObstacle(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  if (scope->isIteration)
    return "iterations that may be active at the same time would have the same "
           "addresses";
  MlirOperation function = scope->op;
  while (!berthOpIsFunction(function))
    function = mlirOperationGetParentOperation(function);
  if (berthFunctionMayCallItself(function, job->root))
    return "the function may call itself, and its instances, active at the "
           "same time, would have the same addresses";
  if (berthScopeIsShared(scope) || scope->kind != BERTH_SCOPE_FUNCTION)
    return NULL;
  if (!job->reruns->isKnown)
    findReruns(job);
  if (berthWorklistHasSeen(&job->reruns->others, scope->op.ptr) ||
      berthWorklistHasSeen(&job->reruns->named, scope->op.ptr))
    return "the function may run beside others, or again while it runs, and "
           "what is active at the same time would have the same addresses";
  return NULL;
}

void berthRerunsFree(BerthReruns *reruns) {
  berthWorklistFree(&reruns->others);
  berthWorklistFree(&reruns->named);
}
