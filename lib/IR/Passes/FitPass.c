//===- FitPass.c - The pass berth-fit, in C -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   analysis -> plan: does it fit? -> what may move -> choose -> move
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitPass.h"
#include "IR/Fit/Choose.h"
#include "IR/Fit/Homes.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Move.h"
#include "IR/Fit/Recompute.h"
#include "IR/Fit/Tiles.h"
#include "IR/Fit/Traffic.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/FitTransfers.h"
#include "IR/Passes/FitWords.h"
#include "IR/Passes/Remarks.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"
#include "IR/Prepare/DropUnread.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Verify/Verify.h"
#include "IR/Verify/VerifyContents.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>

static const char category[] = BERTH_FIT_CATEGORY;

//===----------------------------------------------------------------------===//
// One scope
//===----------------------------------------------------------------------===//

static void addBuffers(BerthFitJob *fit, const BerthJob *job, bool isSlow) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *info = &job->scope.buffers[i];
    BerthFitBuffer *buffer = &fit->buffers[fit->numBuffers];
    *buffer = (BerthFitBuffer){.info = info, .isInSlow = isSlow};
    if (info->size == 0)
      continue;
    if (info->numAccesses == 0) // it stays: berth-arena gives it a place
      buffer->reason = "nothing uses it";
    else if (!info->reason || isSlow)
      berthFitFindBlock(job, buffer);
    // What berth-arena does not place takes no bytes of the arena either.
    if (info->reason ||
        (isSlow && (mlirBlockIsNull(buffer->block) || !buffer->mayBeSlow)))
      continue;
    berthFitFindTraffic(fit, job, buffer, &fit->memory);
    if (!mlirBlockIsNull(buffer->block)) {
      berthFitFindSource(fit, job, buffer);
      berthFitFindTiles(job, buffer, &fit->memory);
    }
    fit->numBuffers += buffer->numUses > 0;
  }
}

/// The next larger capacity to try, where the given one is too small.
static int64_t largerCapacity(const BerthFitJob *fit,
                              const BerthFitPlan *plan) {
  enum { kPart = 8, kLeast = 64 };
  int64_t more = fit->capacity + fit->capacity / kPart + kLeast;
  return plan->needed > fit->capacity ? plan->needed : more;
}

/// False, and the pass has failed, if there is no telling.
static bool planIn(BerthFitRunning *run, BerthFitJob *fit, int64_t capacity,
                   BerthFitPlan *plan) {
  BerthError error;
  fit->capacity = capacity;
  if (berthFitChoose(fit, plan, &error) == BERTH_SUCCESS)
    return true;
  berthEmitError(fit->fast->scope.op, error.message, (MlirOperation){NULL},
                 NULL);
  run->failed = true;
  return false;
}

/// Capacities on the way to one in which there is a plan.
typedef struct Tries {
  int64_t needed; ///< proven: it takes as many
  int64_t tooFew; ///< no plan was found in these
  int64_t enough; ///< a plan was; 0: not yet
} Tries;

static void noteTry(Tries *tries, int64_t capacity, const BerthFitPlan *plan) {
  if (plan->stays)
    tries->enough = capacity;
  else
    tries->tooFew = capacity;
  // With a plan it is told of the way that was taken, which may need more than
  // another.
  if (!plan->stays && plan->needed > tries->needed)
    tries->needed = plan->needed;
}

/// Ever larger ones, until there is a plan.
static bool findEnough(BerthFitRunning *run, BerthFitJob *fit,
                       BerthFitPlan *plan, Tries *tries) {
  enum { kMostTries = 15 };
  for (int i = 0; i < kMostTries && !tries->enough; ++i) {
    int64_t capacity = largerCapacity(fit, plan);
    berthFitPlanFree(plan);
    if (!planIn(run, fit, capacity, plan))
      return false;
    noteTry(tries, capacity, plan);
  }
  return true;
}

/// Smaller ones, down to a few percent above what was too small.
static bool findFewer(BerthFitRunning *run, BerthFitJob *fit,
                      BerthFitPlan *plan, Tries *tries) {
  enum { kMostTries = 8, kPart = 64 };
  int64_t least = tries->tooFew + 1;
  for (int i = 0; i < kMostTries; ++i) {
    least = least > tries->needed ? least : tries->needed;
    if (tries->enough - least <= tries->enough / kPart)
      break;
    int64_t middle = least + (tries->enough - least) / 2;
    bool usesPeak = plan->stays && plan->peak >= least && plan->peak < middle;
    int64_t capacity = i == 0 ? least : usesPeak ? plan->peak : middle;
    berthFitPlanFree(plan);
    if (!planIn(run, fit, capacity, plan))
      return false;
    noteTry(tries, capacity, plan);
    least = tries->tooFew + 1;
  }
  if (fit->capacity == tries->enough)
    return true;
  berthFitPlanFree(plan);
  return planIn(run, fit, tries->enough, plan);
}

/// What has been fitted stays so in a copy of it.
static void retypeCalls(BerthFitRunning *run, MlirOperation scope) {
  const BerthFitCopies *copies = &run->copies;
  size_t i = copies->count;
  berthFitRetypeCalls(scope, &run->copies);
  for (; i < copies->count; ++i)
    if (berthWorklistHasSeen(&run->fitted, copies->items[i].original.ptr))
      berthWorklistAdd(&run->fitted, copies->items[i].copy.ptr);
}

/// Puts what cannot move into the slow memory for all of its life, where there
/// is such and ops may work on it there. The scope has to be looked at anew
/// then.
static bool sendHome(BerthFitRunning *run, BerthFitJob *fit) {
  BerthFitHome home;
  if (!fit->level->access || !berthFitFindHome(fit, &home))
    return false;
  BerthText text = {0};
  berthTextAppend(
      &text,
      "%lld bytes, of %zu buffer%s that control flow hands on: in "
      "the slow memory for all of their lives, where %.0f bytes "
      "are touched%s",
      (long long)home.bytes, home.numBuffers, home.numBuffers == 1 ? "" : "s",
      home.touched,
      home.isKnown ? "" : ", loops of unknown length and branches guessed");
  berthEmitRemark(home.alloc, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
  berthBackupTake(&run->backup, run->root);
  berthFitTakeHome(fit, &home);
  retypeCalls(run, fit->fast->scope.op);
  run->figures->moved += home.numBuffers;
  run->figures->bytesTouched += (uint64_t)home.touched;
  return true;
}

/// In how many bytes berth-arena places the program as it is: it may put
/// results where what they are made of is. `*needed`: in no fewer; `*enough` 0:
/// it does not.
static void measureAsItIs(BerthFitRunning *run, const BerthFitJob *fit,
                          int64_t *needed, int64_t *enough) {
  BerthJob job = {0};
  BerthArenaOptions options = fit->level->fast;
  options.capacity = 0;
  berthFitStartJob(&job, run, &options, fit->fast->scope.op);
  bool isPlaced = berthScopeFits(&job);
  *enough = isPlaced ? job.plan.peak : 0;
  *needed = isPlaced ? job.plan.lowerBound : INT64_MAX;
  berthJobFree(&job);
}

/// Tells what is too large, and in how many bytes it would fit. True if the
/// last plan is to be made.
static bool reportTries(BerthFitRunning *run, BerthFitJob *fit,
                        const BerthFitPlan *first, const Tries *tries) {
  int64_t needed, enough;
  measureAsItIs(run, fit, &needed, &enough);
  bool isBest = tries->enough && (!enough || tries->enough <= enough);
  enough = isBest ? tries->enough : enough;
  needed = needed < tries->needed ? needed : tries->needed;
  fit->capacity = fit->level->fast.capacity;
  berthReportTight(fit, first, enough, !isBest, enough == needed);
  run->failed |= fit->level->mustFit;
  fit->capacity = tries->enough;
  return isBest && !run->failed;
}

/// Finds the plan, in the given capacity or a larger one that has any; false if
/// there is none. The pass has failed then, and where it must not be a larger
/// one.
static bool choose(BerthFitRunning *run, BerthFitJob *fit, BerthFitPlan *plan,
                   bool *again) {
  int64_t given = fit->level->fast.capacity;
  Tries tries = {0};
  if (!planIn(run, fit, given, plan))
    return false;
  if (plan->stays)
    return true;
  *again = sendHome(run, fit);
  if (*again) {
    berthFitPlanFree(plan);
    return false;
  }
  BerthFitPlan first = *plan; // its figures are asked for, no more
  noteTry(&tries, given, plan);
  if (!findEnough(run, fit, plan, &tries) ||
      (tries.enough && !findFewer(run, fit, plan, &tries)))
    return false;
  bool isMade = reportTries(run, fit, &first, &tries);
  if (!isMade)
    berthFitPlanFree(plan);
  return isMade;
}

/// `fits`: it need not change. True if it has to be looked at anew.
static bool fitJob(BerthFitRunning *run, BerthFitJob *fit, bool fits) {
  size_t most = fit->fast->scope.numBuffers +
                (fit->slow ? fit->slow->scope.numBuffers : 0);
  fit->buffers = BERTH_NEW(&fit->memory, BerthFitBuffer, most);
  addBuffers(fit, fit->fast, false);
  if (fit->slow)
    addBuffers(fit, fit->slow, true);
  bool again = false;
  if (fit->numBuffers == 0)
    return false;
  if (fit->level->recompute)
    berthFitFindProducers(fit);
  BerthFitPlan plan;
  if (!choose(run, fit, &plan, &again))
    return again;
  BerthFitMoves moves = berthFitCount(fit, &plan);
  // A copy that is made later is a move, too, if the content does not leave.
  if (moves.numMoved || (!fits && moves.bytesIn > 0)) {
    berthRemarkFit(fit, &plan, &moves);
    berthBackupTake(&run->backup, run->root);
    berthFitMove(fit, &plan, &run->nextContent);
    retypeCalls(run, fit->fast->scope.op);
    run->figures->moved += moves.numMoved;
    run->figures->bytesIn += (uint64_t)moves.bytesIn;
    run->figures->bytesOut += (uint64_t)moves.bytesOut;
    run->figures->bytesTouched += (uint64_t)moves.bytesTouched;
    run->figures->bytesComputed += (uint64_t)moves.bytesComputed;
  }
  berthFitPlanFree(&plan);
  return false;
}

/// What nobody reads goes, as berth-arena would let it go: it must not send
/// anything out, nor be in the way of what cannot. True if something went.
static bool dropUnread(BerthFitRunning *run, MlirOperation op) {
  BerthJob job = {0};
  berthFitStartJob(&job, run, &run->level->fast, op);
  bool drops = berthDropUnread(&job);
  berthJobFree(&job);
  return drops;
}

/// True if it has to be looked at anew.
static bool fitScopeAsItIs(BerthFitRunning *run, MlirOperation op) {
  BerthJob fast = {0}, slow = {0};
  bool again = false;
  BerthArenaOptions slowOptions = run->level->fast;
  slowOptions.collect = run->level->slow;
  berthFitStartJob(&fast, run, &run->level->fast, op);
  run->hasBuffers |= fast.scope.numBuffers > 0;
  const char *reason = berthScopeWhyUnordered(&fast.scope);
  if (reason) {
    BerthText text = {0};
    berthTextAppend(&text, "not fitted: %s", reason);
    if (fast.scope.numBuffers)
      berthEmitRemark(op, BERTH_REMARK_MISSED, category, text.data);
    berthTextFree(&text);
  } else {
    // On a machine that may work on the slow memory, what lies there may be
    // worth bringing in, be there an overflow or not.
    bool promotes = run->level->access > 0;
    BerthFitLevel level = *run->level;
    level.keepsPieces =
        berthWorklistHasSeen(&run->keepsPieces, berthFitNameOf(op));
    BerthFitJob fit = {.level = &level, .fast = &fast};
    if (promotes) {
      berthFitStartJob(&slow, run, &slowOptions, op);
      fit.slow = &slow;
    }
    bool fits = berthScopeFits(&fast);
    if (!fits && dropUnread(run, op))
      again = true;
    else if (!fits || (fit.slow && slow.scope.numBuffers))
      again = fitJob(run, &fit, fits);
    berthPointerMapFree(&fit.bufferOf);
    berthMemoryFree(&fit.memory);
  }
  berthJobFree(&fast);
  if (slow.options)
    berthJobFree(&slow);
  return again;
}

static void fitScope(MlirOperation op, void *userData) {
  BerthFitRunning *run = userData;
  while (!run->failed && !berthWorklistHasSeen(&run->fitted, op.ptr) &&
         fitScopeAsItIs(run, op))
    ;
  berthWorklistAdd(&run->fitted, op.ptr);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static MlirWalkResult findContent(MlirOperation op, void *userData) {
  static const char *const names[] = {BERTH_CONTENT, BERTH_CONTENT_COPIED};
  int64_t *most = userData;
  for (size_t i = 0; i < 2; ++i) {
    MlirAttribute number = berthAttributeOf(op, names[i]);
    bool isArray =
        !mlirAttributeIsNull(number) && mlirAttributeIsAArray(number);
    intptr_t count = isArray ? mlirArrayAttrGetNumElements(number) : 1;
    for (intptr_t k = 0; k < count; ++k) {
      MlirAttribute one = isArray ? mlirArrayAttrGetElement(number, k) : number;
      if (!mlirAttributeIsNull(one) && mlirAttributeIsAInteger(one) &&
          mlirIntegerAttrGetValueInt(one) > *most)
        *most = mlirIntegerAttrGetValueInt(one);
    }
  }
  return MlirWalkResultAdvance;
}

static void fitLevel(BerthFitRunning *run, const BerthFitLevel *level) {
  BerthFitStarted started;
  berthFitStartLevel(run, level, &started);
  run->level = &started.own;
  run->hasBuffers = false;
  berthWorklistFree(&run->fitted);
  run->fitted = (BerthWorklist){0};
  berthForEachScope(run->root, &started.own.fast.collect, fitScope, run);
  if (!run->hasBuffers) {
    BerthText text = {0};
    berthTextAppend(&text,
                    "nothing to fit: no function allocates anything in %s",
                    level->name);
    berthEmitRemark(run->root, BERTH_REMARK_MISSED, category, text.data);
    berthTextFree(&text);
  }
  berthFitEndLevel(&started);
}

/// Set while this thread only asks whether the program is right.
static _Thread_local bool isSilent;

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *userData) {
  (void)diagnostic;
  (void)userData;
  return isSilent ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static void noteWrong(MlirOperation function, void *userData) {
  berthWorklistAdd(userData, berthFitNameOf(function));
}

/// Adds the functions in which content is not where it is used, by code that
/// knows nothing of the plan. True if there are such.
static bool findWrong(const BerthFitRunning *run, BerthWorklist *names) {
  MlirContext context = mlirOperationGetContext(run->root);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  size_t count = names->numPending;
  isSilent = true;
  berthVerifyContentsEach(run->root, noteWrong, names);
  isSilent = false;
  mlirContextDetachDiagnosticHandler(context, handler);
  return names->numPending > count;
}

static bool isRight(const BerthFitRunning *run) {
  BerthWorklist wrong = {0};
  berthVerifyContentsEach(run->root, noteWrong, &wrong);
  bool isRight = wrong.numPending == 0;
  berthWorklistFree(&wrong);
  if (isRight)
    return true;
  berthEmitError(run->root,
                 "content that berth-fit has moved is not where it is used; "
                 "nothing has been changed",
                 (MlirOperation){NULL}, NULL);
  return false;
}

static void fitAll(BerthFitRunning *run, const BerthFitLevel *levels,
                   size_t numLevels) {
  mlirOperationWalk(run->root, findContent, &run->nextContent,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < numLevels && !run->failed; ++i)
    fitLevel(run, &levels[i]);
  if (!run->failed)
    berthFitMakeTransfers(run, levels, numLevels);
  if (!run->failed)
    berthFitDropOriginals(run->root, &run->copies);
  berthFitCopiesFree(&run->copies);
  berthWorklistFree(&run->fitted);
  berthRerunsFree(&run->reruns);
}

static bool isChanged(const BerthFitRunning *run) {
  return !run->failed && !mlirOperationIsNull(run->backup.copy);
}

/// Once more, with other ways of some functions; what was made is not kept.
static void fitAnew(BerthFitRunning *run, const BerthFitLevel *levels,
                    size_t numLevels, const char *why) {
  berthEmitRemark(run->root, BERTH_REMARK_ANALYSIS, category, why);
  berthBackupRestore(&run->backup, run->root);
  *run->figures = (BerthFitFigures){0};
  *run = (BerthFitRunning){.root = run->root,
                           .inTurn = run->inTurn,
                           .keepsPieces = run->keepsPieces,
                           .figures = run->figures};
  fitAll(run, levels, numLevels);
}

/// Of a loop of which turns stand around it, nobody may see that it overwrites
/// all of some content. And what loops overwrite piece by piece is new content
/// to liveness as soon as the first piece may be written, and to who checks it
/// once all of them are: if it was to move in between, it is what it was before
/// all of them, too.
static void mend(BerthFitRunning *run, const BerthFitLevel *levels,
                 size_t numLevels) {
  if ((run->figures->slots || run->tilesCopies) && findWrong(run, &run->inTurn))
    fitAnew(run, levels, numLevels,
            "planned anew: of content that moves beside other turns it is not "
            "seen that it is where it is used; what is told above is not made");
  if (isChanged(run) && findWrong(run, &run->keepsPieces))
    fitAnew(run, levels, numLevels,
            "planned anew: content that is overwritten piece by piece would "
            "move meanwhile; what is told above is not made");
}

BerthStatus berthFitRun(MlirOperation root, const BerthFitLevel *levels,
                        size_t numLevels, bool verifies,
                        BerthFitFigures *figures) {
  BerthFitRunning run = {.root = root, .figures = figures};
  fitAll(&run, levels, numLevels);
  bool isTest = numLevels && levels[0].fast.alias.breakRule;
  if (verifies && !isTest && isChanged(&run))
    mend(&run, levels, numLevels);
  run.failed |= verifies && isChanged(&run) && !isRight(&run);
  if (run.failed)
    berthBackupRestore(&run.backup, root);
  berthBackupDrop(&run.backup);
  berthWorklistFree(&run.inTurn);
  berthWorklistFree(&run.keepsPieces);
  return run.failed ? BERTH_INVALID : BERTH_SUCCESS;
}
