//===- GlobalSharing.c - Functions with arenas in one global --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/GlobalSharing.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/Collect.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isPublic(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         !mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                             mlirStringRefCreateFromCString("private"));
}

static MlirWalkResult addPublic(MlirOperation op, void *userData) {
  if (berthOpIsFunction(op) && isPublic(op) && !berthFunctionIsUnseen(op))
    berthWorklistAdd(userData, op.ptr);
  return MlirWalkResultAdvance;
}

void berthAddPublicFunctions(MlirOperation root, BerthWorklist *functions) {
  mlirOperationWalk(root, addPublic, functions, MlirWalkPreOrder);
}

//===----------------------------------------------------------------------===//
// Who shares
//===----------------------------------------------------------------------===//

/// Each workgroup has its memory for itself, and what else threads run may run
/// beside itself.
static bool mayShare(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  return job->options->form == BERTH_ARENA_GLOBAL &&
         job->options->globalSharing != BERTH_GLOBAL_SHARING_NONE &&
         scope->kind == BERTH_SCOPE_FUNCTION && !scope->isIteration &&
         !berthScopeIsShared(scope) && berthOpIsFunction(scope->op);
}

static void shareWithAll(BerthJob *job) {
  job->sharer = mlirOperationGetParentOperation(job->scope.op);
}

/// Whom `function` reaches. Who is reached by two is left to itself.
static void shareBelow(BerthJob *jobs, size_t numJobs, MlirOperation function,
                       bool *isReached) {
  BerthWorklist reached = {0};
  MlirOperation module = mlirOperationGetParentOperation(function);
  berthWorklistAdd(&reached, function.ptr);
  berthFollowCalls(&reached);
  for (size_t i = 0; i < numJobs; ++i) {
    MlirOperation own = jobs[i].scope.op;
    if (!mayShare(&jobs[i]) || !berthWorklistHasSeen(&reached, own.ptr))
      continue;
    bool isFirst =
        !isReached[i] &&
        mlirOperationEqual(mlirOperationGetParentOperation(own), module);
    jobs[i].sharer = isFirst ? function : (MlirOperation){NULL};
    isReached[i] = true;
  }
  berthWorklistFree(&reached);
}

void berthFindSharers(BerthJob *jobs, size_t numJobs) {
  BerthWorklist entries = {0};
  bool *isReached = berthAllocateOrDie(numJobs + 1, sizeof *isReached);
  bool isForAll =
      numJobs && jobs->options->globalSharing == BERTH_GLOBAL_SHARING_ALL;
  for (size_t i = 0; i < numJobs; ++i)
    if (isForAll && mayShare(&jobs[i]))
      shareWithAll(&jobs[i]);
  if (numJobs && jobs->options->globalSharing == BERTH_GLOBAL_SHARING_ENTRY)
    berthAddPublicFunctions(jobs->root, &entries);
  while (entries.numPending > 0)
    shareBelow(jobs, numJobs,
               (MlirOperation){(void *)berthWorklistTake(&entries)}, isReached);
  berthWorklistFree(&entries);
  free(isReached);
}

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

static bool isIn(const BerthJob *job, MlirOperation sharer) {
  return job->status == BERTH_SUCCESS && job->numPlaced &&
         mlirOperationEqual(job->sharer, sharer);
}

/// Two of them that nobody in the module calls one after the other.
static void remarkAssumption(const BerthJob *jobs, size_t numJobs,
                             MlirOperation sharer) {
  const BerthJob *first = NULL;
  for (size_t i = 0; i < numJobs; ++i) {
    if (!isIn(&jobs[i], sharer) || !isPublic(jobs[i].scope.op))
      continue;
    if (!first) {
      first = &jobs[i];
      continue;
    }
    berthEmitRemark(first->scope.op, BERTH_REMARK_ANALYSIS, "berth-arena",
                    "global-sharing=all: the public functions of the module "
                    "have their arenas in one global, as if no two threads "
                    "ran them at a time; with global-sharing=entry only those "
                    "share that one public function reaches");
    return;
  }
}

void berthShareGlobals(BerthJob *jobs, size_t numJobs) {
  for (size_t i = 0; i < numJobs; ++i) {
    MlirOperation sharer = jobs[i].sharer;
    if (mlirOperationIsNull(sharer) || jobs[i].shared ||
        !isIn(&jobs[i], sharer))
      continue;
    BerthSharedGlobal *shared =
        BERTH_NEW(&jobs[i].memory, BerthSharedGlobal, 1);
    *shared = (BerthSharedGlobal){.alignment = 1};
    for (size_t k = i; k < numJobs; ++k) {
      if (!isIn(&jobs[k], sharer) ||
          !mlirAttributeEqual(jobs[k].scope.space, jobs[i].scope.space))
        continue;
      const BerthPart *part = &jobs[k].parts[0];
      jobs[k].shared = shared;
      shared->bytes = part->bytes > shared->bytes ? part->bytes : shared->bytes;
      if (part->alignment > shared->alignment)
        shared->alignment = part->alignment;
    }
    remarkAssumption(jobs, numJobs, sharer);
  }
  for (size_t i = 0; i < numJobs; ++i)
    if (jobs[i].shared) {
      jobs[i].parts[0].bytes = jobs[i].shared->bytes;
      jobs[i].parts[0].alignment = jobs[i].shared->alignment;
    }
}
