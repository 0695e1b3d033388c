//===- MultiBufferPass.c - The pass berth-multi-buffer, in C --------------===//
//----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   analysis -> a buffer that is filled in each turn -> slots -> do they fit?
//
// One buffer after the other, each with an analysis of its own: slots change
// what is live, and the ops that the next one is judged by.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/MultiBufferPass.h"
#include "IR/MultiBuffer/Filled.h"
#include "IR/MultiBuffer/Slots.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"
#include "IR/Rewrite/GlobalChecks.h"

static const char category[] = "berth-multi-buffer";

typedef struct Run {
  MlirOperation root;
  const BerthMultiBufferOptions *options;
  BerthReruns reruns;
  BerthMultiBufferFigures *figures;
} Run;

static void remarkLeft(MlirOperation alloc, const char *reason,
                       MlirOperation at) {
  BerthText text = {0};
  berthTextAppend(&text, "gets no slots: %s", reason);
  if (!mlirOperationIsNull(at)) {
    berthTextAppend(&text, " (");
    berthTextAppendOp(&text, at);
    berthTextAppend(&text, ")");
  }
  berthEmitRemark(alloc, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

static void startJob(BerthJob *job, Run *run, MlirOperation op) {
  *job = (BerthJob){.options = &run->options->arena,
                    .root = run->root,
                    .reruns = &run->reruns};
  berthAnalyzeScope(job, op);
}

/// Where many threads, cores or iterations run the code, the order of ops is
/// not that of time.
static const char *whyNot(const BerthScope *scope) {
  if (scope->isIteration)
    return "iterations run at the same time";
  if (scope->kind != BERTH_SCOPE_FUNCTION || scope->isAmongThreads ||
      berthScopeIsShared(scope))
    return "many threads run it";
  if (scope->hasCores || berthHasConcurrentUnits())
    return "units or cores run beside each other";
  return NULL;
}

/// The candidate of that number among those that are left; false: there are no
/// more.
static bool findCandidate(const BerthJob *job, bool movesAhead, size_t number,
                          BerthFilled *filled) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (berthFindFilled(job, &job->scope.buffers[i], movesAhead, filled) &&
        number-- == 0)
      return true;
  return false;
}

static bool fitsNow(Run *run, MlirOperation op) {
  BerthJob job;
  startJob(&job, run, op);
  bool fits = berthScopeFits(&job);
  berthJobFree(&job);
  return fits;
}

/// Gives the candidate its slots; false if it had to be put back, since they do
/// not fit.
static bool giveSlots(Run *run, const BerthJob *job, BerthFilled *filled) {
  const BerthMultiBufferOptions *options = run->options;
  int64_t numSlots = options->factor ? options->factor : 2;
  int64_t bytes = filled->info->size;
  BerthBackup backup = {{NULL}};
  if (options->arena.capacity)
    berthBackupTake(&backup, job->scope.op);
  BerthText text = {0};
  berthTextAppend(&text, "%lld slots of %lld bytes for the turns of ",
                  (long long)numSlots, (long long)bytes);
  berthTextAppendOp(&text, filled->loop);
  if (options->movesAhead) {
    berthTextAppend(&text, "; %lld ahead: ", (long long)numSlots - 1);
    berthTextAppendOp(&text, filled->fill);
  }
  MlirOperation slots = berthBuildSlots(filled, numSlots, options->movesAhead,
                                        options->arena.alias.breakRule);
  bool fits = !options->arena.capacity || fitsNow(run, job->scope.op);
  if (fits) {
    berthEmitRemark(slots, BERTH_REMARK_PASSED, category, text.data);
    run->figures->buffers += 1;
    run->figures->slots += (uint64_t)numSlots;
    run->figures->bytesAdded += (uint64_t)((numSlots - 1) * bytes);
    berthBackupDrop(&backup);
  } else {
    remarkLeft(slots, "with them what is live would not fit the capacity",
               (MlirOperation){NULL});
    berthBackupRestore(&backup, job->scope.op);
  }
  berthTextFree(&text);
  return fits;
}

/// Looks at the candidate of that number. `*isLeft`: it stays one. False: there
/// are no more.
static bool visitCandidate(Run *run, MlirOperation op, size_t number,
                           bool *isLeft) {
  BerthJob job;
  BerthFilled filled;
  startJob(&job, run, op);
  const char *reason = whyNot(&job.scope);
  bool isThere = findCandidate(&job, run->options->movesAhead, number, &filled);
  *isLeft = true;
  if (isThere && !reason && !filled.reason)
    *isLeft = !giveSlots(run, &job, &filled);
  else if (isThere)
    remarkLeft(filled.info->alloc, reason ? reason : filled.reason,
               reason ? (MlirOperation){NULL} : filled.reasonAt);
  berthJobFree(&job);
  return isThere;
}

static void visitScope(MlirOperation op, void *userData) {
  size_t number = 0;
  bool isLeft;
  while (visitCandidate(userData, op, number, &isLeft))
    number += isLeft;
}

void berthMultiBufferRun(MlirOperation root,
                         const BerthMultiBufferOptions *options,
                         BerthMultiBufferFigures *figures) {
  BerthMultiBufferOptions own = *options;
  BerthNamedFunctions named = {0};
  own.arena.alias.root = root;
  own.arena.alias.named = &named;
  own.arena.alias.followsTransfers = true;
  own.arena.keepsArenas = true;
  own.arena.collect.iterations = true;
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(root, &own.arena.collect);
  own.arena.collect.threadFunctions = &threadFunctions;
  Run run = {.root = root, .options = &own, .figures = figures};
  berthForEachScope(root, &own.arena.collect, visitScope, &run);
  berthRerunsFree(&run.reruns);
  berthPointerMapFree(&threadFunctions);
  berthNamedFunctionsFree(&named);
}
