//===- FitTransfers.c - Moves that berth-fit makes transfers of -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitTransfers.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Fit/CopiedTiles.h"
#include "IR/Fit/Overlap.h"
#include "IR/MultiBuffer/FirstFills.h"
#include "IR/MultiBuffer/TileTurns.h"
#include "IR/MultiBuffer/TurnContents.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/Remarks.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

static const char category[] = BERTH_FIT_CATEGORY;

typedef struct OverlapRun {
  BerthFitRunning *run;
  const BerthFitLevel *given;
  BerthFitStarted *levels;
  size_t numLevels;
  BerthFitRoom *rooms;
  BerthJob *jobs;
  BerthArenaOptions *options; ///< with the rooms' bytes as capacities
} OverlapRun;

/// True if the scope as it is now has places for all, in each of its rooms.
static bool fitsRooms(const OverlapRun *overlap, MlirOperation op) {
  bool fits = true;
  for (size_t i = 0; fits && i < overlap->numLevels; ++i) {
    BerthJob job = {0};
    berthFitStartJob(&job, overlap->run, &overlap->options[i], op);
    fits = berthScopeFits(&job);
    berthJobFree(&job);
  }
  return fits;
}

/// What the scope takes with copies it may take with transfers, be it more than
/// the capacity.
static void measureRoom(const OverlapRun *overlap, size_t index,
                        MlirOperation op) {
  BerthFitLevel *level = &overlap->levels[index].own;
  BerthJob *job = &overlap->jobs[index];
  BerthArenaOptions *options = &overlap->options[index];
  *job = (BerthJob){0};
  *options = level->fast;
  berthFitStartJob(job, overlap->run, options, op);
  if (!berthScopeFits(job)) {
    berthJobFree(job);
    *job = (BerthJob){0};
    options->capacity = 0;
    berthFitStartJob(job, overlap->run, options, op);
    berthScopeFits(job);
    if (job->plan.peak > level->fast.capacity)
      options->capacity = job->plan.peak;
  }
  overlap->rooms[index] =
      (BerthFitRoom){.level = level, .job = job, .bytes = options->capacity};
}

static void remarkTransfers(MlirOperation op, const BerthFitOverlap *overlap) {
  size_t numAwaited = berthFitCountAwaited(overlap);
  if (overlap->numUntold) {
    BerthText untold = {0};
    berthTextAppend(&untold,
                    "%zu moves are copies: of them no entry of the op that the "
                    "description names tells, or their memory has a layout",
                    overlap->numUntold);
    berthEmitRemark(op, BERTH_REMARK_MISSED, category, untold.data);
    berthTextFree(&untold);
  }
  if (overlap->count == 0)
    return;
  BerthText text = {0};
  if (numAwaited)
    berthTextAppend(
        &text, "%zu moves are transfers, of which %zu go on beside other ops",
        numAwaited, berthFitCountBeside(overlap));
  if (overlap->count > numAwaited)
    berthTextAppend(&text,
                    "%s%zu moves are made by the op that the description names",
                    numAwaited ? "; " : "", overlap->count - numAwaited);
  berthEmitRemark(op, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

/// What the first turns of loops read starts ahead of other work, where there
/// is room. Channels may all be taken there.
static void startFirstFills(const OverlapRun *overlap, MlirOperation op) {
  enum { kMostTried = 16 };
  BerthJob job = {0};
  bool hasChannels = false;
  for (size_t i = 0; i < overlap->numLevels; ++i)
    hasChannels |= overlap->given[i].channels != 0;
  if (hasChannels)
    return;
  BerthFirstFills fills = berthFindFirstFills(op);
  size_t numAhead = 0;
  if (fills.count)
    berthFitStartJob(&job, overlap->run, &overlap->levels[0].own.fast, op);
  for (size_t i = 0; i < fills.count; ++i)
    numAhead += berthStartFirstFill(&job, &fills.items[i]);
  // If not all of them fit, as many as do, of the first ones.
  if (numAhead && !fitsRooms(overlap, op)) {
    numAhead = 0;
    for (size_t i = fills.count; i-- > 0;)
      berthResetFirstFill(&fills.items[i]);
    for (size_t i = 0; i < fills.count && i < kMostTried; ++i) {
      if (!berthStartFirstFill(&job, &fills.items[i]))
        continue;
      bool fits = fitsRooms(overlap, op);
      if (!fits)
        berthResetFirstFill(&fills.items[i]);
      numAhead += fits;
    }
  }
  if (numAhead) {
    BerthText text = {0};
    berthTextAppend(&text,
                    "%zu moves for the first turns of loops go on beside what "
                    "stands in front of them",
                    numAhead);
    berthEmitRemark(op, BERTH_REMARK_PASSED, category, text.data);
    berthTextFree(&text);
  }
  if (fills.count)
    berthJobFree(&job);
  berthFirstFillsFree(&fills);
}

static void overlapScope(MlirOperation op, void *userData) {
  enum { kParts = 8 };
  const OverlapRun *overlap = userData;
  BerthFitRunning *run = overlap->run;
  size_t numLevels = overlap->numLevels;
  for (size_t i = 0; i < numLevels; ++i)
    measureRoom(overlap, i, op);
  BerthFitOverlap planned = {0};
  bool isOrdered = !berthScopeWhyUnordered(&overlap->jobs[0].scope);
  if (isOrdered && !berthWorklistHasSeen(&run->inTurn, berthFitNameOf(op))) {
    berthBackupTake(&run->backup, run->root);
    run->tilesCopies |=
        berthFitMakeCopiedTiles(&overlap->jobs[0], overlap->given, numLevels);
  }
  if (isOrdered)
    planned = berthFitPlanOverlap(overlap->rooms, numLevels);
  for (size_t i = 0; i < numLevels; ++i)
    berthJobFree(&overlap->jobs[i]);
  MlirAttribute tagSpace = overlap->levels[numLevels - 1].own.slow.space;
  if (planned.count) {
    berthBackupTake(&run->backup, run->root);
    for (int part = kParts;; part /= 2) {
      berthFitPlaceTransfers(&planned, part, kParts, tagSpace);
      if (part == 0 || fitsRooms(overlap, op))
        break;
    }
    run->figures->transfers += berthFitCountAwaited(&planned);
    run->figures->beside += berthFitCountBeside(&planned);
  }
  remarkTransfers(op, &planned);
  berthFitOverlapFree(&planned);
  if (isOrdered)
    startFirstFills(overlap, op);
}

//===----------------------------------------------------------------------===//
// Beside other turns
//===----------------------------------------------------------------------===//

/// On loops whose slices have been looked at; and on the one at hand, which is
/// found by it where the program has been put back.
static const char visited[] = "berth-fit.visited";
static const char atHand[] = "berth-fit.at-hand";

static bool hasMark(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(berthAttributeOf(op, name));
}

static void removeMark(MlirOperation op, const char *name) {
  mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static void setMark(MlirOperation op, const char *name) {
  berthSetAttribute(op, name, mlirUnitAttrGet(mlirOperationGetContext(op)));
}

static MlirWalkResult removeMarks(MlirOperation op, void *userData) {
  (void)userData;
  removeMark(op, visited);
  return MlirWalkResultAdvance;
}

/// Looks for an op, in order.
typedef struct LoopSearch {
  MlirOperation scope, found;
} LoopSearch;

static MlirWalkResult findNext(MlirOperation op, void *userData) {
  LoopSearch *search = userData;
  if (!berthOpIs(op, BERTH_OP_LOOP) || berthOpIsAffine(op) ||
      hasMark(op, visited) ||
      !mlirOperationEqual(berthEnclosingScope(op), search->scope))
    return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

static MlirWalkResult findAtHand(MlirOperation op, void *userData) {
  LoopSearch *search = userData;
  if (!hasMark(op, atHand))
    return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

/// The loop, once more, in a program that was put back.
static MlirOperation loopAtHand(MlirOperation scope) {
  LoopSearch search = {scope, {NULL}};
  mlirOperationWalk(scope, findAtHand, &search, MlirWalkPreOrder);
  removeMark(search.found, atHand);
  return search.found;
}

static void remarkLeft(const BerthTileMove *move) {
  BerthText text = {0};
  berthTextAppend(&text, "gets no slots: %s", move->reason);
  berthTextAppendWhere(&text, move->reasonAt, move->alloc);
  berthEmitRemark(move->alloc, BERTH_REMARK_MISSED, category, text.data);
  berthTextFree(&text);
}

/// `what`: the text of the loop.
static void remarkTurned(MlirOperation alloc, const BerthTileMove *move,
                         const char *what) {
  BerthText text = {0};
  bool brings = berthTileMoveBrings(move), returns = berthTileMoveReturns(move);
  berthTextAppend(&text, "%lld slots of %lld bytes for the turns of %s; %s%s%s",
                  (long long)berthTileMoveSlots(move), (long long)move->bytes,
                  what, brings ? "1 ahead" : "", brings && returns ? ", " : "",
                  returns ? "taken out 1 behind" : "");
  berthEmitRemark(alloc, BERTH_REMARK_PASSED, category, text.data);
  berthTextFree(&text);
}

static MlirWalkResult countMove(MlirOperation op, void *userData) {
  int64_t *count = userData;
  *count += mlirOperationGetNumResults(op) == 0 &&
            (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE)) ||
             !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE)));
  return MlirWalkResultAdvance;
}

/// Those that may move first, as many as the channels and the turns of the loop
/// allow. Returns how many. What stays in its turn takes a channel, too, while
/// the others go on.
static size_t takeMovable(BerthTileMoves *moves, MlirOperation loop) {
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  bool isKnown = berthLoopGetRanges(loop, range) == 1;
  int64_t inTurn = 0;
  size_t count = 0;
  mlirOperationWalk(loop, countMove, &inTurn, MlirWalkPreOrder);
  for (size_t i = 0; i < moves->count; ++i) {
    BerthTileMove move = moves->items[i];
    int64_t channels = move.level->channels;
    int64_t own = berthTileMoveSlots(&move) - 1; // each move but one tile
    if (move.reason)
      continue;
    int64_t busy = own + (inTurn > own);
    for (size_t k = 0; k < count; ++k)
      if (moves->items[k].level == move.level)
        busy += berthTileMoveSlots(&moves->items[k]) - 1;
    moves->items[i] = moves->items[count];
    moves->items[count] = move;
    if (channels && busy > channels)
      moves->items[count].reason = "all channels are taken";
    else if (isKnown &&
             berthTileTurnsNeeded(moves->items, count + 1) > range[0].count)
      moves->items[count].reason = "the loop takes too few turns";
    if (moves->items[count].reason)
      continue;
    inTurn -= own;
    ++count;
  }
  return count;
}

/// False where content that turns make is known elsewhere, too.
static bool mayCopyTurns(MlirOperation scope, MlirOperation loop) {
  int64_t last = 0;
  BerthTurnContents contents = berthTurnContentsOf(scope, loop, &last);
  bool areShared = contents.areShared;
  berthTurnContentsFree(&contents);
  return !areShared;
}

static BerthTileMoves findMoves(const OverlapRun *overlap, MlirOperation scope,
                                MlirOperation loop) {
  BerthJob job = {0};
  berthFitStartJob(&job, overlap->run, &overlap->levels[0].own.fast, scope);
  BerthTileMoves moves =
      berthFindTileMoves(&job, loop, overlap->given, overlap->numLevels);
  berthJobFree(&job);
  return moves;
}

/// As many of the loop's moves as fit, with two tiles each.
static void turnLoop(const OverlapRun *overlap, MlirOperation scope,
                     MlirOperation loop) {
  MlirAttribute tagSpace =
      overlap->levels[overlap->numLevels - 1].own.slow.space;
  const char *breakRule = overlap->levels[0].own.fast.alias.breakRule;
  BerthTileMoves moves = findMoves(overlap, scope, loop);
  size_t count = takeMovable(&moves, loop);
  for (size_t i = 0; i < moves.count; ++i)
    if (moves.items[i].reason)
      remarkLeft(&moves.items[i]);
  for (; count > 0; --count) {
    BerthBackup backup = {{NULL}};
    BerthText what = {0};
    berthTextAppendOp(&what, loop);
    setMark(loop, atHand);
    berthBackupTake(&backup, scope);
    removeMark(loop, atHand);
    MlirOperation *allocs = berthAllocateOrDie(count, sizeof *allocs);
    berthBuildTileTurns(loop, scope, moves.items, count, tagSpace,
                        &overlap->run->nextContent, breakRule, allocs);
    bool fits = fitsRooms(overlap, scope);
    for (size_t i = 0; fits && i < count; ++i)
      remarkTurned(allocs[i], &moves.items[i], what.data);
    overlap->run->figures->slots += fits ? count : 0;
    free(allocs);
    berthTextFree(&what);
    if (fits) {
      berthBackupDrop(&backup);
      break;
    }
    berthBackupRestore(&backup, scope);
    loop = loopAtHand(scope);
    free(moves.items);
    moves = findMoves(overlap, scope, loop);
    takeMovable(&moves, loop);
    moves.items[count - 1].reason =
        "with them what is live would not fit the capacity";
    remarkLeft(&moves.items[count - 1]);
  }
  free(moves.items);
}

static void turnScope(MlirOperation scope, void *userData) {
  OverlapRun *overlap = userData;
  LoopSearch search = {scope, {NULL}};
  bool isMeasured = false;
  bool isOrdered =
      !berthWorklistHasSeen(&overlap->run->inTurn, berthFitNameOf(scope));
  // From the outside in: what stands around a loop is made twice, and then
  // looked at, and each transfer that is made has a tag of its own.
  while (isOrdered) {
    search.found = (MlirOperation){NULL};
    mlirOperationWalk(scope, findNext, &search, MlirWalkPreOrder);
    if (mlirOperationIsNull(search.found))
      break;
    setMark(search.found, visited);
    if (!berthHoldsTileMoves(search.found) ||
        !mayCopyTurns(scope, search.found))
      continue;
    if (!isMeasured) {
      berthBackupTake(&overlap->run->backup, overlap->run->root);
      for (size_t i = 0; i < overlap->numLevels; ++i)
        measureRoom(overlap, i, scope);
      isOrdered = !berthScopeWhyUnordered(&overlap->jobs[0].scope);
      for (size_t i = 0; i < overlap->numLevels; ++i)
        berthJobFree(&overlap->jobs[i]);
      isMeasured = true;
    }
    if (isOrdered)
      turnLoop(overlap, scope, search.found);
  }
  mlirOperationWalk(scope, removeMarks, NULL, MlirWalkPreOrder);
}

static bool isDoubled(const BerthFitLevel *levels, size_t numLevels) {
  bool isAsked = false;
  for (size_t i = 0; i < numLevels; ++i)
    isAsked |= levels[i].hasTransfers && levels[i].doubleBuffers;
  return isAsked;
}

void berthFitMakeTransfers(BerthFitRunning *run, const BerthFitLevel *levels,
                           size_t numLevels) {
  BerthMemory memory = {0};
  OverlapRun overlap = {.run = run, .given = levels, .numLevels = numLevels};
  overlap.levels = BERTH_NEW(&memory, BerthFitStarted, numLevels);
  overlap.rooms = BERTH_NEW(&memory, BerthFitRoom, numLevels);
  overlap.jobs = BERTH_NEW(&memory, BerthJob, numLevels);
  overlap.options = BERTH_NEW(&memory, BerthArenaOptions, numLevels);
  bool hasTransfers = false;
  for (size_t i = 0; i < numLevels; ++i) {
    hasTransfers |= levels[i].hasTransfers;
    berthFitStartLevel(run, &levels[i], &overlap.levels[i]);
  }
  if (hasTransfers) {
    const BerthCollectOptions *collect = &overlap.levels[0].own.fast.collect;
    if (isDoubled(levels, numLevels))
      berthForEachScope(run->root, collect, turnScope, &overlap);
    berthForEachScope(run->root, collect, overlapScope, &overlap);
  }
  for (size_t i = 0; i < numLevels; ++i)
    berthFitEndLevel(&overlap.levels[i]);
  berthMemoryFree(&memory);
}
