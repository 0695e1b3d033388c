//===- SearchObstacles.c - Pins and reserved bytes -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What does not move. A pinned item is in the way of those that meet it,
// reserved bytes of all. Both may hold items up; a pin does so once its turn
// has come, reserved bytes from the start.
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/SearchObstacles.h"

#include "Support/Checked.h"
#include "Support/Sort.h"

//===---------------------------------------------------------------------===//
// Building
//===---------------------------------------------------------------------===//

// The pinned items, from the lowest up; returns how many.
static uint32_t sortPins(BerthSearch *search, const BerthTask *task,
                         uint32_t *byOffset) {
  uint32_t n = search->numItems, count = 0;
  uint32_t *scratch = BERTH_MEMORY_NEW(search->arena, uint32_t, n);
  uint64_t *keys = BERTH_MEMORY_NEW(search->arena, uint64_t, n);
  search->pins = BERTH_MEMORY_NEW(search->arena, int64_t, n);
  if (search->arena->failed)
    return 0;
  for (uint32_t i = 0; i < n; ++i) {
    int64_t fixed = task->fixedOffsets[i];
    search->pins[i] = fixed == BERTH_NONE ? -1 : fixed / search->unit;
    keys[i] = (uint64_t)search->pins[i];
    if (fixed != BERTH_NONE)
      byOffset[count++] = i;
  }
  berthSortByKey(byOffset, scratch, count, keys);
  return count;
}

// Lists for each item the pinned ones that it meets.
static bool fillPins(BerthSearch *search, const BerthTask *task) {
  uint32_t n = search->numItems, total = 0;
  uint32_t *byOffset = BERTH_MEMORY_NEW(search->arena, uint32_t, n);
  search->pinnedBegin = BERTH_MEMORY_NEW(search->arena, uint32_t, n + 1);
  uint32_t count = byOffset ? sortPins(search, task, byOffset) : 0;
  if (search->arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < count; ++k)
      total +=
          berthBitTest(search->neighbourSets + i * search->words, byOffset[k]);
    search->pinnedBegin[i + 1] = total;
  }
  search->pinned = BERTH_MEMORY_NEW(search->arena, uint32_t, total);
  for (uint32_t i = 0, at = 0; search->pinned && i < n; ++i)
    for (uint32_t k = 0; k < count; ++k)
      if (berthBitTest(search->neighbourSets + i * search->words, byOffset[k]))
        search->pinned[at++] = byOffset[k];
  return search->pinned != NULL;
}

// Holes that not even the smallest item fits into are as good as reserved.
static bool fillReserved(BerthSearch *search, const BerthPool *pool) {
  int64_t smallest = INT64_MAX, top = 0;
  for (uint32_t i = 0; i < search->numItems; ++i)
    smallest = search->sizes[i] < smallest ? search->sizes[i] : smallest;
  search->reserved =
      BERTH_MEMORY_NEW(search->arena, BerthRange, pool->numReserved);
  for (size_t i = 0; search->reserved && i < pool->numReserved; ++i) {
    BerthRange range = {pool->reserved[i].lower / search->unit,
                        pool->reserved[i].upper / search->unit};
    if (range.lower - top >= smallest)
      search->reserved[search->numReserved++] = range;
    else if (search->numReserved)
      search->reserved[search->numReserved - 1].upper = range.upper;
    else
      search->reserved[search->numReserved++] = (BerthRange){0, range.upper};
    top = range.upper;
  }
  return search->reserved != NULL;
}

bool berthSearchFillObstacles(BerthSearch *search, const BerthTask *task) {
  bool pins = task->features & BERTH_CAN_FIXED;
  bool reserved = task->pools[0].numReserved > 0;
  search->obstacles = pins || reserved;
  return (!pins || fillPins(search, task)) &&
         (!reserved || fillReserved(search, &task->pools[0]));
}

//===---------------------------------------------------------------------===//
// Getting past them
//===---------------------------------------------------------------------===//

static int64_t avoidPins(const BerthSearch *search, uint32_t item,
                         int64_t offset) {
  for (uint32_t k = search->pinnedBegin[item];
       k < search->pinnedBegin[item + 1]; ++k) {
    uint32_t other = search->pinned[k];
    int64_t low = search->pins[other], high = low + search->sizes[other];
    if (low < offset + search->sizes[item] && offset < high)
      offset = berthRoundUp(high, search->alignments[item]);
  }
  return offset;
}

static int64_t avoidReserved(const BerthSearch *search, uint32_t item,
                             int64_t offset) {
  for (size_t i = 0; i < search->numReserved; ++i) {
    const BerthRange *range = &search->reserved[i];
    if (range->lower < offset + search->sizes[item] && offset < range->upper)
      offset = berthRoundUp(range->upper, search->alignments[item]);
  }
  return offset;
}

// Is this where the item comes to rest on reserved bytes?
static bool restsOnReserved(const BerthSearch *search, uint32_t item,
                            int64_t offset) {
  for (size_t i = 0; i < search->numReserved; ++i)
    if (berthRoundUp(search->reserved[i].upper, search->alignments[item]) ==
        offset)
      return true;
  return false;
}

int64_t berthSearchAvoid(const BerthSearch *search, uint32_t item,
                         int64_t offset, int64_t *base) {
  for (int64_t before = -1; before != offset;) {
    before = offset;
    offset = search->pins ? avoidPins(search, item, offset) : offset;
    offset = avoidReserved(search, item, offset);
  }
  if (offset > *base && restsOnReserved(search, item, offset))
    *base = offset;
  return offset;
}

void berthSearchStart(BerthSearch *search, uint32_t item) {
  search->minimums[item] =
      berthSearchIsPinned(search, item)
          ? search->pins[item]
          : berthSearchAvoid(search, item, 0, &search->bases[item]);
}

int64_t berthSearchReservedSupport(const BerthSearch *search, uint32_t item) {
  for (size_t i = 0; i < search->numReserved; ++i)
    if (berthRoundUp(search->reserved[i].upper, search->alignments[item]) >
        search->minimums[item])
      return search->reserved[i].upper;
  return INT64_MAX;
}

int64_t berthSearchSkipReserved(const BerthSearch *search, int64_t height,
                                int64_t size, size_t *next) {
  for (; *next < search->numReserved; ++*next) {
    const BerthRange *range = &search->reserved[*next];
    if (height + size <= range->lower)
      break;
    if (height >= range->upper)
      continue;
    size -= range->lower > height ? range->lower - height : 0;
    height = range->upper;
  }
  return height + size;
}
