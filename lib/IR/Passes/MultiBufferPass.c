//===- MultiBufferPass.c - The pass berth-multi-buffer, in C --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   analysis -> a buffer that is filled in each turn -> slots -> do they fit?
//
// One buffer after the other, each with an analysis of its own: slots change
// what is live, and the ops that the next one is judged by. Those that
// transfers fill in one loop go together.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/MultiBufferPass.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/MultiBuffer/CopyLoops.h"
#include "IR/MultiBuffer/CopySlots.h"
#include "IR/MultiBuffer/Filled.h"
#include "IR/MultiBuffer/LoadConditions.h"
#include "IR/MultiBuffer/LoadLoops.h"
#include "IR/MultiBuffer/LoadSlots.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"
#include "IR/Plan/Residency.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"

typedef struct Run {
  MlirOperation root;
  const BerthMultiBufferOptions *options;
  BerthReruns reruns;
  BerthMultiBufferFigures *figures;
} Run;

static const char category[] = "berth-multi-buffer";

static void remarkLeft(MlirOperation alloc, const char *reason,
                       MlirOperation at) {
  BerthText text = {0};
  berthTextAppend(&text, "gets no slots: %s", reason);
  berthTextAppendWhere(&text, at, alloc);
  berthEmitRemark(alloc, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

static void startJob(BerthJob *job, Run *run, MlirOperation op) {
  *job = (BerthJob){.options = &run->options->arena,
                    .root = run->root,
                    .reruns = &run->reruns};
  berthAnalyzeScope(job, op);
  if (berthScopeIsShared(&job->scope))
    berthScopeFindUniformity(&job->scope, run->options->arena.alias.breakRule);
}

/// Of one scope, in the order in which they are looked at.
typedef struct Candidates {
  BerthFilled *list;
  size_t count;
} Candidates;

/// Buffers that transfers fill come last: their loops lose the last turns, and
/// others would be used in two places then.
static Candidates findCandidates(const Run *run, BerthJob *job) {
  bool movesAhead = run->options->movesAhead;
  Candidates found = {
      BERTH_NEW(&job->memory, BerthFilled, job->scope.numBuffers), 0};
  for (int isTransfer = 0; isTransfer < 2; ++isTransfer)
    for (size_t i = 0; i < job->scope.numBuffers; ++i) {
      BerthFilled *next = &found.list[found.count];
      if (!berthFindFilled(job, &job->scope.buffers[i], movesAhead, next) ||
          berthFilledByTransfer(next) != isTransfer)
        continue;
      bool isShared = berthScopeIsShared(&job->scope) && !next->reason;
      if (isShared && berthFilledByThreads(next))
        berthMayHaveCopySlots(job, movesAhead, next);
      if (isShared && berthFilledByLoads(next))
        berthMayHaveLoadSlots(job, movesAhead, next);
      ++found.count;
    }
  berthLeaveMixedLoops(found.list, found.count);
  berthLeaveMixedLoads(found.list, found.count);
  return found;
}

/// By ops that go on behind their place, of one kind.
static bool areFilledAlike(const BerthFilled *a, const BerthFilled *b) {
  return berthFilledByThreads(a) == berthFilledByThreads(b) &&
         berthFilledByLoads(a) == berthFilledByLoads(b) &&
         berthFilledByTransfer(a) == berthFilledByTransfer(b);
}

/// Those that get their slots together with the first one: other transfers of
/// its loop, or what threads or TMA fill in it. They follow it.
static size_t countTogether(Candidates *found, size_t first) {
  size_t count = 1;
  BerthFilled *list = &found->list[first];
  bool isAlone = !berthFilledByTransfer(list) && !berthFilledByThreads(list) &&
                 !berthFilledByLoads(list);
  for (size_t i = 1; first + i < found->count; ++i)
    if (!isAlone && !list[i].reason && areFilledAlike(&list[i], list) &&
        mlirOperationEqual(list[i].loop, list->loop))
      list[count++] = list[i];
  return count;
}

/// Why the scope's buffers get no slots; NULL: they may.
static const char *whyNone(const BerthScope *scope, const BerthFilled *filled) {
  if (filled->reason && berthOpIsOtherProxy(filled->fill))
    return NULL; // that reason says more
  bool isOfThreads = berthFilledByThreads(filled) || berthFilledByLoads(filled);
  if (!isOfThreads || !berthScopeIsShared(scope))
    return berthFilledByLoads(filled) ? "TMA loads it, outside of a kernel"
                                      : berthScopeWhyUnordered(scope);
  bool comeTogether = scope->kind == BERTH_SCOPE_KERNEL ||
                      scope->kind == BERTH_SCOPE_LAUNCH ||
                      scope->arrival == BERTH_ARRIVAL_TOGETHER;
  if (!comeTogether)
    return "it is not seen that all threads of a workgroup come together";
  return scope->hasCores || berthHasConcurrentUnits()
             ? "units, cores, barriers or pending work are told of"
             : NULL;
}

/// Whether the scope fits now. Of a kernel whose chip and threads are known
/// `*resident` tells how many workgroups its arena leaves room for; else 0.
static bool fitsNow(Run *run, MlirOperation op, size_t *resident) {
  BerthJob job;
  startJob(&job, run, op);
  if (berthScopeIsShared(&job.scope)) {
    job.barriersMode = BERTH_BARRIERS_INSERT;
    berthFindResidency(&job);
  }
  bool fits = berthScopeFits(&job);
  *resident = 0;
  if (fits && berthCountsWorkgroups(&job)) {
    *resident = berthSizesReached(&job, job.plan.peak);
    fits = *resident > 0;
  }
  berthJobFree(&job);
  return fits;
}

static void remarkSlots(const BerthFilled *filled,
                        const BerthSlotOptions *options) {
  BerthText text = {0};
  berthTextAppend(&text, "%lld slots of %lld bytes for the turns of ",
                  (long long)options->numSlots, (long long)filled->info->size);
  berthTextAppendOp(&text, filled->loop);
  if (options->movesAhead) {
    berthTextAppend(&text, "; %lld ahead", (long long)options->numSlots - 1);
    if (!mlirOperationIsNull(filled->fill)) {
      berthTextAppend(&text, ": ");
      berthTextAppendOp(&text, filled->fill);
    }
  }
  berthEmitRemark(filled->slots, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

/// No more slots than there are turns.
static int64_t slotsFor(const Run *run, const BerthFilled *filled) {
  int64_t wanted =
      run->options->factor ? run->options->factor : run->options->latency + 1;
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  bool isKnown = berthLoopGetRanges(filled->loop, range) == 1;
  return isKnown && range[0].count < wanted ? range[0].count : wanted;
}

/// How many slots are tried for a candidate.
typedef struct Trial {
  int64_t numSlots; ///< 0: as many as are wanted
  bool isPutBack;   ///< whatever comes out
  size_t least;     ///< resident workgroups that have to be left
  size_t resident;  ///< that are
} Trial;

typedef enum Outcome { NONE, LEFT, TOO_LARGE, GIVEN } Outcome;

/// Gives the candidates their slots; they are put back if they do not fit.
static Outcome giveSlots(Run *run, const BerthJob *job, BerthFilled *list,
                         size_t count, Trial *trial) {
  const BerthArenaOptions *arena = &run->options->arena;
  BerthSlotOptions options = {trial->numSlots, run->options->movesAhead,
                              arena->alias.breakRule};
  MlirOperation scope = job->scope.op;
  BerthBackup backup = {{NULL}};
  bool mayFail = arena->capacity || berthScopeIsShared(&job->scope);
  bool isLast = run->options->factor || trial->numSlots == 2;
  if (mayFail)
    berthBackupTake(&backup, scope);
  if (berthFilledByThreads(list))
    berthBuildCopySlots(list, count, &options);
  else if (berthFilledByLoads(list))
    berthBuildLoadSlots(list, count, &options);
  else
    berthBuildSlots(list, count, &options);
  bool fits = !mayFail || fitsNow(run, scope, &trial->resident);
  if (trial->isPutBack || !fits || trial->resident < trial->least) {
    if (isLast && !trial->isPutBack)
      remarkLeft(list->slots,
                 "with them what is live would not fit the capacity",
                 (MlirOperation){NULL});
    berthBackupRestore(&backup, scope);
    return isLast ? LEFT : TOO_LARGE;
  }
  for (size_t i = 0; i < count; ++i) {
    remarkSlots(&list[i], &options);
    run->figures->buffers += 1;
    run->figures->slots += (uint64_t)options.numSlots;
    run->figures->bytesAdded +=
        (uint64_t)((options.numSlots - 1) * list[i].info->size);
  }
  berthBackupDrop(&backup);
  return GIVEN;
}

/// Looks at the candidate of that number.
static Outcome tryCandidate(Run *run, MlirOperation op, size_t number,
                            Trial *trial) {
  BerthJob job;
  startJob(&job, run, op);
  Candidates found = findCandidates(run, &job);
  Outcome outcome = NONE;
  if (number < found.count) {
    BerthFilled *filled = &found.list[number];
    const char *reason = whyNone(&job.scope, filled);
    trial->numSlots = trial->numSlots ? trial->numSlots : slotsFor(run, filled);
    if (!reason && !filled->reason) {
      outcome =
          giveSlots(run, &job, filled, countTogether(&found, number), trial);
    } else {
      outcome = LEFT;
      remarkLeft(filled->info->alloc, reason ? reason : filled->reason,
                 reason ? (MlirOperation){NULL} : filled->reasonAt);
    }
  }
  berthJobFree(&job);
  return outcome;
}

/// How many workgroups two slots leave room for; 0: unknown, or none.
static size_t residentWithTwo(Run *run, MlirOperation op, size_t number) {
  Trial two = {.numSlots = 2, .isPutBack = true};
  BerthJob job;
  startJob(&job, run, op);
  Candidates found = findCandidates(run, &job);
  BerthFilled *filled = number < found.count ? &found.list[number] : NULL;
  if (filled && !filled->reason && !whyNone(&job.scope, filled) &&
      berthScopeIsShared(&job.scope))
    giveSlots(run, &job, filled, countTogether(&found, number), &two);
  berthJobFree(&job);
  return two.resident;
}

/// The most slots that fit, and that leave as many workgroups resident as two
/// do.
static Outcome visitCandidate(Run *run, MlirOperation op, size_t number) {
  Trial trial = {0};
  if (!run->options->factor && run->options->latency > 1)
    trial.least = residentWithTwo(run, op, number);
  Outcome outcome = tryCandidate(run, op, number, &trial);
  while (outcome == TOO_LARGE) {
    --trial.numSlots;
    outcome = tryCandidate(run, op, number, &trial);
  }
  return outcome;
}

static void visitScope(MlirOperation op, void *userData) {
  const Run *run = userData;
  size_t number = 0;
  if (run->options->movesAhead)
    berthPredicateLoads(op);
  Outcome outcome;
  while ((outcome = visitCandidate(userData, op, number)) != NONE)
    number += outcome == LEFT;
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
