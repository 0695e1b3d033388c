//===- FitTransfers.c - Moves that berth-fit makes transfers of -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitTransfers.h"
#include "IR/Fit/Overlap.h"
#include "IR/Fit/TileSlots.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/MultiBufferPass.h"
#include "IR/Passes/Remarks.h"
#include "IR/Passes/ScopeFits.h"
#include "IR/Plan/Analyze.h"

static const char category[] = BERTH_FIT_CATEGORY;

typedef struct OverlapRun {
  BerthFitRunning *run;
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

static void overlapScope(MlirOperation op, void *userData) {
  enum { kParts = 8 };
  const OverlapRun *overlap = userData;
  BerthFitRunning *run = overlap->run;
  size_t numLevels = overlap->numLevels;
  for (size_t i = 0; i < numLevels; ++i)
    measureRoom(overlap, i, op);
  BerthFitOverlap planned = {0};
  if (!berthScopeWhyUnordered(&overlap->jobs[0].scope))
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
}

typedef struct SlotRun {
  BerthFitRunning *run;
  const BerthFitLevel *levels;
  size_t numLevels;
  size_t numOffered;
} SlotRun;

static void offerTiles(MlirOperation op, void *userData) {
  SlotRun *slots = userData;
  berthBackupTake(&slots->run->backup, slots->run->root);
  slots->numOffered +=
      berthFitOfferTiles(op, slots->levels, slots->numLevels,
                         slots->levels[slots->numLevels - 1].slow.space);
}

static void settleTiles(MlirOperation op, void *userData) {
  (void)userData;
  berthFitSettleTiles(op);
}

/// Transfers into tiles start a turn ahead where two tiles have room.
static void doubleTiles(BerthFitRunning *run, const BerthFitLevel *levels,
                        size_t numLevels, const BerthCollectOptions *collect) {
  SlotRun slots = {run, levels, numLevels, 0};
  bool isAsked = false;
  for (size_t i = 0; i < numLevels; ++i)
    isAsked |= levels[i].hasTransfers && levels[i].doubleBuffers;
  if (!isAsked)
    return;
  berthForEachScope(run->root, collect, offerTiles, &slots);
  if (slots.numOffered == 0)
    return;
  for (size_t i = 0; i < numLevels; ++i) {
    BerthMultiBufferOptions options = {.arena = levels[i].fast,
                                       .latency = 1,
                                       .movesAhead = true,
                                       .onlyTiles = true,
                                       .category = category};
    BerthMultiBufferFigures figures = {0};
    berthMultiBufferRun(run->root, &options, &figures);
    run->figures->slots += figures.buffers;
  }
  berthForEachScope(run->root, collect, settleTiles, NULL);
}

void berthFitMakeTransfers(BerthFitRunning *run, const BerthFitLevel *levels,
                           size_t numLevels) {
  BerthMemory memory = {0};
  OverlapRun overlap = {.run = run, .numLevels = numLevels};
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
    doubleTiles(run, levels, numLevels, collect);
    berthForEachScope(run->root, collect, overlapScope, &overlap);
  }
  for (size_t i = 0; i < numLevels; ++i)
    berthFitEndLevel(&overlap.levels[i]);
  berthMemoryFree(&memory);
}
