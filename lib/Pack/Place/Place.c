//===- Place.c - Placing items one by one --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Place.h"

#include "Pack/Task/Distances.h"
#include "Pack/Task/Ranges.h"
#include "Support/Checked.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Forbidden offsets
//===---------------------------------------------------------------------===//

static bool makeRoom(BerthPlacement *placement, size_t count) {
  if (count <= placement->room)
    return true;
  size_t capacity = 2 * count;
  BerthRange *grown = BERTH_MEMORY_NEW(placement->arena, BerthRange, capacity);
  if (!grown) {
    placement->failed = true;
    return false;
  }
  if (placement->room)
    memcpy(grown, placement->ranges, placement->room * sizeof *grown);
  placement->ranges = grown;
  placement->room = capacity;
  return true;
}

// The offsets of `item` that `other`, placed, forbids; appended unsorted.
static size_t forbid(BerthPlacement *placement, uint32_t item, uint32_t other,
                     bool plain, size_t count) {
  const BerthTask *task = placement->task;
  int64_t at = placement->answer->offsets[other];
  if (plain && berthItemIsPlain(task, other) &&
      !berthFindDistance(task, item, other)) {
    if (!makeRoom(placement, count + 1))
      return count;
    placement->ranges[count] =
        (BerthRange){at - task->sizes[item] + 1, at + task->sizes[other]};
    return count + 1;
  }
  size_t pairs = berthItemConflicts(task, item, other, &placement->pair,
                                    &placement->pairRoom, placement->arena);
  if (pairs == SIZE_MAX || !makeRoom(placement, count + pairs)) {
    placement->failed = true;
    return count;
  }
  for (size_t i = 0; i < pairs; ++i) // at - offset in (lower, upper)
    placement->ranges[count++] = (BerthRange){at - placement->pair[i].upper + 1,
                                              at - placement->pair[i].lower};
  return count;
}

static size_t forbidEdges(BerthPlacement *placement, uint32_t item,
                          uint32_t pool, size_t count) {
  const BerthTask *task = placement->task;
  for (uint32_t at = task->hardBegin[item]; at < task->hardBegin[item + 1];
       ++at) {
    uint32_t other = task->hardEdges[at];
    if (!berthIsPlaced(placement, other) ||
        placement->answer->pools[other] != pool ||
        !makeRoom(placement, count + 1))
      continue;
    int64_t low = placement->answer->offsets[other];
    placement->ranges[count++] =
        (BerthRange){low - task->sizes[item] + 1, low + task->sizes[other]};
  }
  return count;
}

static size_t forbidReserved(BerthPlacement *placement, uint32_t item,
                             uint32_t pool, size_t count) {
  const BerthPool *memory = &placement->task->pools[pool];
  for (size_t i = 0; i < memory->numReserved; ++i) {
    if (!makeRoom(placement, count + 1))
      return count;
    BerthRange range = memory->reserved[i];
    placement->ranges[count++] = (BerthRange){
        range.lower - placement->task->sizes[item] + 1, range.upper};
  }
  return count;
}

// The same from the table, which knows of the edges, too. Most ranges overlap,
// so few are left, and a sort of all would take longer.
static size_t gatherFromTable(BerthPlacement *placement, uint32_t item,
                              uint32_t pool) {
  const BerthPairTable *pairs = placement->pairs;
  const BerthAnswer *answer = placement->answer;
  size_t begin = pairs->begin[item], end = pairs->begin[item + 1], count = 0;
  uint64_t placed = 0;
  if (!makeRoom(placement,
                end - begin + placement->task->pools[pool].numReserved))
    return 0;
  size_t reserved = forbidReserved(placement, item, pool, 0);
  count = berthRangesJoin(placement->ranges, reserved);
  for (size_t at = begin; at < end; ++at) {
    const BerthForbidden *entry = &pairs->entries[at];
    int64_t offset = answer->offsets[entry->other];
    if (offset == BERTH_NONE || answer->pools[entry->other] != pool)
      continue;
    ++placed;
    if (offset + entry->upper > 0)
      count = berthRangesAdd(
          placement->ranges, count,
          (BerthRange){offset + entry->lower, offset + entry->upper});
  }
  placement->host->step(placement->host->context, placed + 1);
  return count;
}

size_t berthPlacementGather(BerthPlacement *placement, uint32_t item,
                            uint32_t pool) {
  const BerthTask *task = placement->task;
  if (placement->pairs)
    return gatherFromTable(placement, item, pool);
  size_t found = berthOverlapQuery(&placement->index, task->lowers[item],
                                   task->uppers[item], placement->found);
  bool plain = berthItemIsPlain(task, item);
  size_t count = 0;
  for (size_t i = 0; i < found; ++i) {
    uint32_t other = placement->found[i];
    if (other != item && placement->answer->pools[other] == pool)
      count = forbid(placement, item, other, plain, count);
  }
  count = forbidEdges(placement, item, pool, count);
  count = forbidReserved(placement, item, pool, count);
  placement->host->step(placement->host->context, found + 1);
  return berthRangesJoin(placement->ranges, count);
}

//===---------------------------------------------------------------------===//
// Choosing
//===---------------------------------------------------------------------===//

// Gap i ends before range i (its last allowed offset is ranges[i].lower - 1)
// and starts after range i - 1; the last gap has no end.
int64_t berthPlacementFind(BerthPlacement *placement, uint32_t item,
                           uint32_t pool, BerthFit fit) {
  size_t count = berthPlacementGather(placement, item, pool);
  int64_t alignment = placement->task->alignments[item];
  int64_t best = BERTH_NONE, bestSlack = INT64_MAX, from = 0;
  if (fit == BERTH_FIT_TOP && count) {
    from = placement->ranges[count - 1].upper;
    return berthRoundUp(from > 0 ? from : 0, alignment);
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t offset = berthRoundUp(from, alignment);
    int64_t slack = placement->ranges[i].lower - 1 - from;
    if (offset < placement->ranges[i].lower && slack < bestSlack) {
      best = offset;
      bestSlack = slack;
      if (fit == BERTH_FIT_FIRST)
        return best;
    }
    if (placement->ranges[i].upper > from)
      from = placement->ranges[i].upper;
  }
  return best == BERTH_NONE ? berthRoundUp(from, alignment) : best;
}

static int64_t topOf(const BerthPlacement *placement, uint32_t item) {
  return placement->answer->offsets[item] + placement->task->sizes[item];
}

static void raiseHeights(BerthPlacement *placement, uint32_t item) {
  const BerthTask *task = placement->task;
  berthHeightsRaise(placement->heights[placement->answer->pools[item]],
                    task->lowers[item], task->uppers[item],
                    topOf(placement, item));
}

void berthPlacementPut(BerthPlacement *placement, uint32_t item, int64_t offset,
                       uint32_t pool) {
  placement->answer->offsets[item] = offset;
  placement->answer->pools[item] = pool;
  if (!placement->pairs)
    berthOverlapInsert(&placement->index, placement->task, item);
  if (placement->heights[pool])
    raiseHeights(placement, item);
}

void berthPlacementRemove(BerthPlacement *placement, uint32_t item) {
  placement->answer->offsets[item] = BERTH_NONE;
  if (!placement->pairs)
    berthOverlapErase(&placement->index, item);
}

// A pool with its figures, for comparing.
typedef struct Choice {
  uint32_t pool;
  int64_t offset;
  int64_t excess; // bytes above the pool's capacity
  int64_t cost;
} Choice;

static bool isBetter(const Choice *a, const Choice *b) {
  if (a->excess != b->excess)
    return a->excess < b->excess;
  if (a->cost != b->cost)
    return a->cost < b->cost;
  return a->pool < b->pool;
}

// With one pool its capacity must not matter here: what ends above it is still
// the best there is.
static Choice tryPool(BerthPlacement *placement, uint32_t item, uint32_t pool,
                      BerthFit fit) {
  const BerthTask *task = placement->task;
  Choice choice = {.pool = pool, .cost = task->pools[pool].cost};
  int64_t fixed = task->fixedOffsets[item];
  choice.offset = fixed != BERTH_NONE
                      ? fixed
                      : berthPlacementFind(placement, item, pool, fit);
  int64_t top = choice.offset + task->sizes[item];
  int64_t capacity = task->pools[pool].capacity;
  choice.excess = capacity && top > capacity ? top - capacity : 0;
  return choice;
}

static Choice choose(BerthPlacement *placement, uint32_t item, BerthFit fit) {
  uint64_t mask = placement->task->poolMasks[item];
  Choice best = tryPool(placement, item, (uint32_t)__builtin_ctzll(mask), fit);
  for (mask &= mask - 1; mask; mask &= mask - 1) {
    Choice next =
        tryPool(placement, item, (uint32_t)__builtin_ctzll(mask), fit);
    if (isBetter(&next, &best))
      best = next;
  }
  return best;
}

// The heights of a pool, with all that is placed there.
static const BerthHeights *heightsOf(BerthPlacement *placement, uint32_t pool) {
  const BerthTask *task = placement->task;
  if (placement->heights[pool])
    return placement->heights[pool];
  BerthHeights *heights = BERTH_MEMORY_NEW(placement->arena, BerthHeights, 1);
  if (!heights ||
      !berthHeightsInit(heights, task->numSections, placement->arena)) {
    placement->failed = true;
    return NULL;
  }
  placement->heights[pool] = heights;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (berthIsPlaced(placement, i) && placement->answer->pools[i] == pool)
      raiseHeights(placement, i);
  return heights;
}

// An offset above everything in the pool that lies in the item's sections or
// that an edge keeps it apart from, and off what is reserved.
static int64_t offsetAbove(BerthPlacement *placement, uint32_t item,
                           uint32_t pool) {
  const BerthTask *task = placement->task;
  const BerthPool *memory = &task->pools[pool];
  int64_t alignment = task->alignments[item];
  const BerthHeights *heights = heightsOf(placement, pool);
  int64_t from = heights ? berthHeightsMost(heights, task->lowers[item],
                                            task->uppers[item])
                         : 0;
  for (uint32_t e = task->hardBegin[item]; e < task->hardBegin[item + 1]; ++e) {
    uint32_t other = task->hardEdges[e];
    if (berthIsPlaced(placement, other) &&
        placement->answer->pools[other] == pool &&
        topOf(placement, other) > from)
      from = topOf(placement, other);
  }
  from = berthRoundUp(from, alignment);
  for (size_t i = 0; i < memory->numReserved; ++i)
    if (from < memory->reserved[i].upper &&
        from + task->sizes[item] > memory->reserved[i].lower)
      from = berthRoundUp(memory->reserved[i].upper, alignment);
  return from;
}

// In its last pool: that one may be unbounded.
static void stack(BerthPlacement *placement, uint32_t item) {
  uint32_t pool =
      63 - (uint32_t)__builtin_clzll(placement->task->poolMasks[item]);
  berthPlacementPut(placement, item, offsetAbove(placement, item, pool), pool);
}

void berthPlacementAdd(BerthPlacement *placement, uint32_t item, BerthFit fit) {
  if (berthIsPlaced(placement, item))
    return;
  if (!placement->host->step(placement->host->context, 0)) {
    stack(placement, item);
    return;
  }
  Choice choice = choose(placement, item, fit);
  berthPlacementPut(placement, item, choice.offset, choice.pool);
}

void berthPlacementAddAll(BerthPlacement *placement, const uint32_t *order,
                          BerthFit fit) {
  for (uint32_t i = 0; i < placement->task->numItems; ++i)
    berthPlacementAdd(placement, order[i], fit);
}

//===---------------------------------------------------------------------===//
// Start
//===---------------------------------------------------------------------===//

static void putFixed(BerthPlacement *placement) {
  const BerthTask *task = placement->task;
  if (!(task->features & BERTH_CAN_FIXED))
    return;
  for (uint32_t i = 0; i < task->numItems; ++i) // their pools are settled
    if (task->fixedOffsets[i] != BERTH_NONE)
      berthPlacementPut(placement, i, task->fixedOffsets[i],
                        (uint32_t)__builtin_ctzll(task->poolMasks[i]));
}

bool berthPlacementInit(BerthPlacement *placement, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer,
                        BerthMemory *arena) {
  *placement = (BerthPlacement){
      .task = task, .host = host, .answer = answer, .arena = arena};
  placement->found = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  if (!placement->found ||
      !berthOverlapInit(&placement->index, task, false, arena))
    return false;
  putFixed(placement);
  return true;
}

void berthPlacementGoOn(BerthPlacement *placement, const BerthTask *task,
                        const BerthHost *host, const BerthPairTable *pairs,
                        BerthAnswer *answer, BerthMemory *arena) {
  *placement = (BerthPlacement){.task = task,
                                .host = host,
                                .pairs = pairs,
                                .answer = answer,
                                .arena = arena};
  putFixed(placement);
}
