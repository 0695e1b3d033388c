//===- Excess.c - Is the arena worth it? ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/Excess.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Analyze.h"
#include "IR/Rewrite/ActiveScopes.h"
#include "IR/Rewrite/ArenaEnd.h"
#include "Support/Checked.h"

#include <stdlib.h>

/// A buffer where another aligned one may follow.
static int64_t roundedSize(const BerthBufferInfo *buffer) {
  if (buffer->isDynamic)
    return 0;
  int64_t bytes = berthAddSaturating(buffer->size, buffer->alignment - 1);
  return bytes - bytes % buffer->alignment;
}

/// Of all buffers, so that no sum of some of them overflows.
static int64_t sumOfSizes(const BerthJob *job, bool placedOnly) {
  int64_t sum = 0;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!placedOnly || !buffer->reason)
      sum = berthAddSaturating(sum, roundedSize(buffer));
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// When there is memory
//===----------------------------------------------------------------------===//

/// Where an allocation that stays would end: at the last of its deallocations;
/// without any at the end of its block, where the deallocation pipeline puts
/// one, or where it is last used.
static int64_t endOfPlaced(const BerthJob *job, const BerthBufferInfo *buffer) {
  const BerthPoints *points = &job->points;
  int64_t end = 0;
  for (size_t i = 0; i < buffer->numFrees; ++i) {
    int64_t lower = berthPointsLower(points, buffer->frees[i]);
    int64_t upper = lower == BERTH_NONE ? points->count : lower + 1;
    end = upper > end ? upper : end;
  }
  if (buffer->numFrees)
    return end;
  MlirBlock block = mlirOperationGetBlock(buffer->alloc);
  end = berthPointsBlockSpan(points, block).upper;
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].upper > end)
      end = buffer->segments[i].upper;
  return end;
}

/// When the allocation is there, whatever happens to the others. What is not
/// freed for all the planner knows is taken to be there to the end: with an
/// arena as without.
static BerthSegment lifeOf(const BerthJob *job, const BerthBufferInfo *buffer) {
  BerthSegment life = {.lower = berthPointsLower(&job->points, buffer->alloc),
                       .upper = job->points.count};
  bool isOnStack = berthOpIs(buffer->alloc, BERTH_OP_ALLOCA);
  if (!isOnStack && (!buffer->reason || buffer->numFrees))
    life.upper = endOfPlaced(job, buffer);
  // Blocks need not stand in the order in which they run.
  if (life.upper <= life.lower)
    life = (BerthSegment){0, job->points.count};
  return life;
}

/// Where the arena is freed: see ArenaEnd.h.
static int64_t endOfArena(const BerthJob *job) {
  if (!berthMayEndArenaEarly(job))
    return job->points.count;
  int64_t end = 0;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numAccesses; ++k) {
      MlirOperation top =
          berthAncestorInRegion(buffer->accesses[k].op, job->scope.body);
      int64_t upper = berthPointsUpper(&job->points, top);
      end = upper > end ? upper : end;
    }
  }
  return end;
}

//===----------------------------------------------------------------------===//
// How much there is at once
//===----------------------------------------------------------------------===//

static void add(int64_t *changes, BerthSegment life, int64_t bytes) {
  changes[life.lower] += bytes;
  changes[life.upper] -= bytes;
}

static int64_t peakOf(const int64_t *changes, int64_t count) {
  int64_t bytes = 0, peak = 0;
  for (int64_t point = 0; point < count; ++point) {
    bytes += changes[point];
    peak = bytes > peak ? bytes : peak;
  }
  return peak;
}

/// Of the whole scope's memory: what is not placed stands beside the arena.
static void findPeaks(BerthJob *job) {
  size_t count = (size_t)job->points.count + 1;
  int64_t *apart = berthAllocateOrDie(count, sizeof *apart);
  int64_t *together = berthAllocateOrDie(count, sizeof *together);
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    // All lives of one buffer are in the first one's allocation.
    if (buffer->isLaterLife && !buffer->reason)
      continue;
    BerthSegment life = lifeOf(job, buffer);
    add(apart, life, roundedSize(buffer));
    if (buffer->reason)
      add(together, life, roundedSize(buffer));
  }
  int64_t below = berthBytesBelow(job);
  add(together, (BerthSegment){0, endOfArena(job)},
      job->arenaSize > below ? job->arenaSize - below : 0);
  job->peakApart = peakOf(apart, job->points.count);
  job->peakTogether = peakOf(together, job->points.count);
  free(together);
  free(apart);
}

/// True if allocations may stay as they are, and mean the same.
static bool mayLeaveAlone(const BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  // A rule that a test breaks has to show in an arena.
  if (!options->neverWorse || options->alias.breakRule ||
      job->form != BERTH_ARENA_ALLOC || job->kept || options->planOut ||
      options->memory || options->capacity || options->numReserved ||
      options->numBanks)
    return false;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    // What is split off has no deallocation of its own.
    if (buffer->constraints || buffer->isLaterLife)
      return false;
  }
  return true;
}

static void leaveAlone(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason)
      berthRejectBuffer(&job->scope.buffers[i],
                        "with an arena there would be more bytes at once than "
                        "without",
                        job->scope.buffers[i].alloc);
  berthJobForgetPlan(job);
  job->arenaAlignment = 1;
}

void berthAvoidExcess(BerthJob *job) {
  // Frames are there whether they are parts of an arena or not.
  if (!job->numPlaced || job->numDynamic || job->isEmbedded ||
      job->numCallees || sumOfSizes(job, false) > INT64_MAX - job->arenaSize)
    return;
  if (berthScopeIsShared(&job->scope)) {
    // It is there as long as the workgroup, by whichever declaration.
    job->peakApart = sumOfSizes(job, true);
    job->peakTogether = job->arenaSize;
  } else {
    findPeaks(job);
  }
  if (job->peakTogether > job->peakApart && mayLeaveAlone(job))
    leaveAlone(job);
}
