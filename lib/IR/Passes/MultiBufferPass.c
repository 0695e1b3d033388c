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

/// Of one scope, in the order in which they are looked at.
typedef struct Candidates {
  BerthFilled *list;
  size_t count;
} Candidates;

/// Buffers that transfers fill come last: their loops lose the last turns, and
/// others would be used in two places then.
static Candidates findCandidates(BerthJob *job, bool movesAhead) {
  Candidates found = {
      BERTH_NEW(&job->memory, BerthFilled, job->scope.numBuffers), 0};
  for (int isTransfer = 0; isTransfer < 2; ++isTransfer)
    for (size_t i = 0; i < job->scope.numBuffers; ++i) {
      BerthFilled *next = &found.list[found.count];
      found.count +=
          berthFindFilled(job, &job->scope.buffers[i], movesAhead, next) &&
          berthFilledByTransfer(next) == isTransfer;
    }
  return found;
}

/// Those that get their slots together with the first one: other transfers of
/// its loop. They follow it.
static size_t countTogether(Candidates *found, size_t first) {
  size_t count = 1;
  BerthFilled *list = &found->list[first];
  for (size_t i = 1; first + i < found->count; ++i)
    if (berthFilledByTransfer(list) && !list[i].reason &&
        mlirOperationEqual(list[i].loop, list->loop))
      list[count++] = list[i];
  return count;
}

static bool fitsNow(Run *run, MlirOperation op) {
  BerthJob job;
  startJob(&job, run, op);
  bool fits = berthScopeFits(&job);
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
    berthTextAppend(&text, "; %lld ahead: ", (long long)options->numSlots - 1);
    berthTextAppendOp(&text, filled->fill);
  }
  berthEmitRemark(filled->slots, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

/// No more slots than there are turns.
static int64_t slotsFor(const Run *run, const BerthFilled *filled) {
  int64_t wanted = run->options->factor ? run->options->factor : 2;
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  bool isKnown = berthLoopGetRanges(filled->loop, range) == 1;
  return isKnown && range[0].count < wanted ? range[0].count : wanted;
}

/// Gives the candidates their slots; false if they had to be put back, since
/// they do not fit.
static bool giveSlots(Run *run, const BerthJob *job, BerthFilled *list,
                      size_t count) {
  const BerthArenaOptions *arena = &run->options->arena;
  BerthSlotOptions options = {slotsFor(run, list), run->options->movesAhead,
                              arena->alias.breakRule};
  MlirOperation scope = job->scope.op;
  BerthBackup backup = {{NULL}};
  if (arena->capacity)
    berthBackupTake(&backup, scope);
  berthBuildSlots(list, count, &options);
  if (arena->capacity && !fitsNow(run, scope)) {
    remarkLeft(list->slots, "with them what is live would not fit the capacity",
               (MlirOperation){NULL});
    berthBackupRestore(&backup, scope);
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    remarkSlots(&list[i], &options);
    run->figures->buffers += 1;
    run->figures->slots += (uint64_t)options.numSlots;
    run->figures->bytesAdded +=
        (uint64_t)((options.numSlots - 1) * list[i].info->size);
  }
  berthBackupDrop(&backup);
  return true;
}

/// Looks at the candidate of that number. `*isLeft`: it stays one. False: there
/// is none.
static bool visitCandidate(Run *run, MlirOperation op, size_t number,
                           bool *isLeft) {
  BerthJob job;
  startJob(&job, run, op);
  const char *reason = berthScopeWhyUnordered(&job.scope);
  Candidates found = findCandidates(&job, run->options->movesAhead);
  bool isThere = number < found.count;
  *isLeft = true;
  if (isThere) {
    BerthFilled *filled = &found.list[number];
    if (!reason && !filled->reason)
      *isLeft = !giveSlots(run, &job, filled, countTogether(&found, number));
    else
      remarkLeft(filled->info->alloc, reason ? reason : filled->reason,
                 reason ? (MlirOperation){NULL} : filled->reasonAt);
  }
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
