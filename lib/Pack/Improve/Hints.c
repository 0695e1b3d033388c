//===- Hints.c - Moving items to where they would like to be -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The last level of the objective, at the peak that has been reached. Two ways:
// a plan built around the hints (who has one takes it if it is free, heavy ones
// first, the others fill up), which counts only if its peak is no higher; and
// moves in the best plan, each item to the free offset below the peak that is
// nearest to its hint, until nothing moves any more.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Hints.h"

#include "Pack/Place/Place.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

enum { kMostPasses = 8 };

/// Items with hints, heavy ones first, then all the others by their offsets.
static uint32_t *hintOrder(const BerthIncumbent *incumbent,
                           const BerthTask *task, uint32_t *hinted,
                           BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, task->numItems, arena))
    return NULL;
  *hinted = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    bool wants = task->hints[i] != BERTH_NONE;
    *hinted += wants;
    sorting.keys[i] = wants ? (uint64_t)(INT64_MAX - task->weights[i])
                            : berthKeyAscending(incumbent->answer->offsets[i]);
  }
  return berthSort(&sorting);
}

static int64_t distance(int64_t a, int64_t b) { return a > b ? a - b : b - a; }

// The aligned offset in [from, to] nearest to `hint`, or BERTH_NONE.
static int64_t nearestIn(int64_t from, int64_t to, int64_t hint,
                         int64_t alignment) {
  from = berthRoundUp(from, alignment);
  to = to < 0 ? -1 : berthRoundDown(to, alignment);
  if (from > to)
    return BERTH_NONE;
  if (hint <= from)
    return from;
  if (hint >= to)
    return to;
  int64_t below = berthRoundDown(hint, alignment);
  return hint - below <= alignment - (hint - below) ? below : below + alignment;
}

// The free offset nearest to the item's hint with which it ends at `limit` at
// the latest, or BERTH_NONE.
static int64_t nearestFree(BerthPlacement *placement, uint32_t item,
                           uint32_t pool, int64_t limit) {
  const BerthTask *task = placement->task;
  size_t count = berthPlacementGather(placement, item, pool);
  int64_t hint = task->hints[item], last = limit - task->sizes[item];
  int64_t best = BERTH_NONE, from = 0;
  for (size_t i = 0; i <= count; ++i) {
    int64_t to = i < count ? placement->ranges[i].lower - 1 : last;
    int64_t offset =
        nearestIn(from, to < last ? to : last, hint, task->alignments[item]);
    if (offset != BERTH_NONE &&
        (best == BERTH_NONE || distance(offset, hint) < distance(best, hint)))
      best = offset;
    if (i < count && placement->ranges[i].upper > from)
      from = placement->ranges[i].upper;
  }
  return best;
}

// The highest top in each pool may stay, none may rise.
static void measureTops(const BerthTask *task, const BerthAnswer *answer,
                        int64_t *tops) {
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t top = answer->offsets[i] + task->sizes[i];
    if (top > tops[answer->pools[i]])
      tops[answer->pools[i]] = top;
  }
}

// One pass over the hinted items of a complete placement. Did anything move?
static bool moveItems(BerthPlacement *placement, const uint32_t *order,
                      uint32_t hinted, const int64_t *tops) {
  const BerthTask *task = placement->task;
  bool moved = false;
  for (uint32_t k = 0; k < hinted; ++k) {
    uint32_t item = order[k], pool = placement->answer->pools[item];
    int64_t old = placement->answer->offsets[item], hint = task->hints[item];
    if (old == hint || task->fixedOffsets[item] != BERTH_NONE)
      continue;
    berthPlacementRemove(placement, item);
    int64_t offset = nearestFree(placement, item, pool, tops[pool]);
    if (offset == BERTH_NONE || distance(offset, hint) >= distance(old, hint))
      offset = old;
    moved |= offset != old;
    berthPlacementPut(placement, item, offset, pool);
  }
  return moved;
}

static void polish(BerthIncumbent *incumbent, const BerthTask *task,
                   BerthAnswer *candidate, const uint32_t *order,
                   uint32_t hinted, BerthMemory *arena) {
  const BerthAnswer *best = incumbent->answer;
  BerthPlacement placement;
  int64_t tops[64] = {0};
  for (uint32_t i = 0; i < task->numItems; ++i)
    candidate->offsets[i] = BERTH_NONE;
  measureTops(task, best, tops);
  if (!berthPlacementInit(&placement, task, incumbent->host, candidate, arena))
    return;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (!berthIsPlaced(&placement, i))
      berthPlacementPut(&placement, i, best->offsets[i], best->pools[i]);
  for (unsigned pass = 0; pass < kMostPasses; ++pass)
    if (!moveItems(&placement, order, hinted, tops))
      break;
  if (!placement.failed)
    berthIncumbentOffer(incumbent, candidate);
}

// Builds a plan around the hints.
static void build(BerthIncumbent *incumbent, const BerthTask *task,
                  BerthAnswer *candidate, const uint32_t *order,
                  uint32_t hinted, BerthMemory *arena) {
  BerthPlacement placement;
  int64_t tops[64] = {0};
  for (uint32_t i = 0; i < task->numItems; ++i)
    candidate->offsets[i] = BERTH_NONE;
  measureTops(task, incumbent->answer, tops);
  if (!berthPlacementInit(&placement, task, incumbent->host, candidate, arena))
    return;
  for (uint32_t k = 0; k < hinted; ++k) {
    uint32_t pool = incumbent->answer->pools[order[k]];
    if (berthIsPlaced(&placement, order[k]))
      continue;
    int64_t offset = nearestFree(&placement, order[k], pool, tops[pool]);
    if (offset != BERTH_NONE)
      berthPlacementPut(&placement, order[k], offset, pool);
  }
  berthPlacementAddAll(&placement, order, BERTH_FIT_FIRST);
  if (!placement.failed)
    berthIncumbentOffer(incumbent, candidate);
}

// The task with its fixed items kept to the pools of the best plan. False if
// out of memory.
static bool keepPools(const BerthIncumbent *incumbent, BerthMemory *arena,
                      BerthTask *inPlace) {
  const BerthTask *task = incumbent->task;
  uint64_t *masks = berthMemoryCopy(arena, task->poolMasks, task->numItems,
                                    sizeof *task->poolMasks);
  if (!masks)
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->fixedOffsets[i] != BERTH_NONE)
      masks[i] = UINT64_C(1) << incumbent->answer->pools[i];
  *inPlace = *task;
  inPlace->poolMasks = masks;
  return true;
}

void berthImproveHints(BerthIncumbent *incumbent) {
  BerthMemory arena = {0};
  BerthAnswer candidate;
  BerthTask task;
  uint32_t hinted = 0;
  if (!(incumbent->task->features & BERTH_CAN_HINTS) || !incumbent->complete ||
      incumbent->score.hintDistance == 0)
    return;
  uint32_t *order = keepPools(incumbent, &arena, &task)
                        ? hintOrder(incumbent, &task, &hinted, &arena)
                        : NULL;
  if (!order || !berthIncumbentCandidate(incumbent, &arena, &candidate)) {
    incumbent->failed = true;
  } else {
    build(incumbent, &task, &candidate, order, hinted, &arena);
    polish(incumbent, &task, &candidate, order, hinted, &arena);
  }
  berthMemoryFree(&arena);
}
