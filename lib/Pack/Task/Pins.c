//===- Pins.c - In which pools the fixed items live ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Pins.h"

#include "Pack/Task/Overlap.h"
#include "Support/Checked.h"

#include <string.h>

// Looks at a neighbour; some seconds. What people write takes a few thousand.
enum { kMostLooks = 1 << 28 };

// A choice that can be taken back.
typedef struct Decision {
  size_t trail;    // how long the trail was before it
  uint32_t cursor; // where the next open item was looked for
  uint32_t item;
  uint64_t pool; // its bit
} Decision;

typedef struct Trace {
  uint32_t item;
  uint64_t mask; // before the change
} Trace;

typedef struct PinSearch {
  const BerthTask *task;
  unsigned wishes;
  BerthMemory *arena;
  uint64_t *masks;

  // Who cannot share a pool with whom: the partners of item i are
  // partners[begin[i]] to partners[begin[i + 1] - 1].
  size_t *begin;
  uint32_t *partners;
  size_t numPartners;
  size_t room;

  uint32_t *part; // the items of one part of the graph
  uint32_t partSize;
  bool *seen;
  Trace *trail;
  size_t trailLength;
  Decision *decisions;
  uint32_t depth;
  uint32_t *queue; // items whose last pool their partners must hear of
  uint64_t looks;
} PinSearch;

static bool isPinned(const BerthTask *task, uint32_t item) {
  return task->fixedOffsets[item] != BERTH_NONE;
}

static bool isOpen(uint64_t mask) { return mask & (mask - 1); }

//===---------------------------------------------------------------------===//
// The graph
//===---------------------------------------------------------------------===//

static bool addPartner(PinSearch *search, uint32_t partner) {
  if (!berthMemoryReserve(search->arena, &search->partners, &search->room,
                          search->numPartners + 1))
    return false;
  search->partners[search->numPartners++] = partner;
  return true;
}

static bool shareBytes(const BerthTask *task, uint32_t i, uint32_t j) {
  int64_t a = task->fixedOffsets[i], b = task->fixedOffsets[j];
  return a < b + task->sizes[j] && b < a + task->sizes[i];
}

// Do their live ranges forbid the two a common pool?
static bool collide(PinSearch *search, uint32_t i, uint32_t j,
                    BerthRange **ranges, size_t *room) {
  const BerthTask *task = search->task;
  if (!shareBytes(task, i, j))
    return false;
  size_t count = berthItemConflicts(task, i, j, ranges, room, search->arena);
  int64_t difference = task->fixedOffsets[j] - task->fixedOffsets[i];
  for (size_t at = 0; count != SIZE_MAX && at < count; ++at)
    if ((*ranges)[at].lower < difference && difference < (*ranges)[at].upper)
      return true;
  return false;
}

static bool addPriced(PinSearch *search, uint32_t i) {
  const BerthTask *task = search->task;
  for (uint32_t e = 0; e < task->numPricedEdges; ++e) {
    uint32_t first = task->pricedEdges[e].first;
    uint32_t second = task->pricedEdges[e].second;
    uint32_t other = first == i ? second : first;
    if ((first == i || second == i) && first != second &&
        isPinned(task, other) && shareBytes(task, i, other) &&
        !addPartner(search, other))
      return false;
  }
  return true;
}

static bool addPartners(PinSearch *search, const BerthOverlapIndex *index,
                        uint32_t i, BerthRange **ranges, size_t *room) {
  const BerthTask *task = search->task;
  size_t found =
      berthOverlapQuery(index, task->lowers[i], task->uppers[i], search->queue);
  for (size_t at = 0; at < found; ++at) {
    uint32_t j = search->queue[at];
    if (j != i && collide(search, i, j, ranges, room) && !addPartner(search, j))
      return false;
  }
  for (uint32_t at = task->hardBegin[i]; at < task->hardBegin[i + 1]; ++at) {
    uint32_t j = task->hardEdges[at];
    if (isPinned(task, j) && shareBytes(task, i, j) && !addPartner(search, j))
      return false;
  }
  return !(search->wishes & BERTH_PINS_FREE) || addPriced(search, i);
}

static bool buildGraph(PinSearch *search) {
  const BerthTask *task = search->task;
  BerthOverlapIndex index;
  BerthRange *ranges = NULL;
  size_t room = 0;
  if (!berthOverlapInit(&index, task, false, search->arena))
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (isPinned(task, i))
      berthOverlapInsert(&index, task, i);
  for (uint32_t i = 0; i < task->numItems; ++i) {
    search->begin[i] = search->numPartners;
    if (isPinned(task, i) && !addPartners(search, &index, i, &ranges, &room))
      return false;
  }
  search->begin[task->numItems] = search->numPartners;
  return !search->arena->failed;
}

//===---------------------------------------------------------------------===//
// Pools by themselves
//===---------------------------------------------------------------------===//

static int64_t excessIn(const BerthTask *task, uint32_t item, uint32_t pool) {
  int64_t top = task->fixedOffsets[item] + task->sizes[item];
  int64_t capacity = task->pools[pool].capacity;
  return capacity && top > capacity ? top - capacity : 0;
}

static bool isReserved(const BerthTask *task, uint32_t item, uint32_t pool) {
  const BerthPool *memory = &task->pools[pool];
  int64_t low = task->fixedOffsets[item], high = low + task->sizes[item];
  for (size_t i = 0; i < memory->numReserved; ++i)
    if (low < memory->reserved[i].upper && memory->reserved[i].lower < high)
      return true;
  return false;
}

static uint64_t usablePools(const PinSearch *search, uint32_t item) {
  uint64_t usable = 0;
  for (uint64_t left = search->masks[item]; left; left &= left - 1) {
    uint32_t pool = (uint32_t)__builtin_ctzll(left);
    if (!isReserved(search->task, item, pool) &&
        !(search->wishes & BERTH_PINS_FIT &&
          excessIn(search->task, item, pool)))
      usable |= UINT64_C(1) << pool;
  }
  return usable;
}

// Least excess, then least cost, then the first.
static uint64_t bestPool(const BerthTask *task, uint32_t item, uint64_t mask) {
  uint32_t best = (uint32_t)__builtin_ctzll(mask);
  for (uint64_t left = mask & (mask - 1); left; left &= left - 1) {
    uint32_t pool = (uint32_t)__builtin_ctzll(left);
    int64_t more = excessIn(task, item, pool) - excessIn(task, item, best);
    if (more < 0 ||
        (more == 0 && task->pools[pool].cost < task->pools[best].cost))
      best = pool;
  }
  return UINT64_C(1) << best;
}

//===---------------------------------------------------------------------===//
// Search in one part
//===---------------------------------------------------------------------===//

static void setMask(PinSearch *search, uint32_t item, uint64_t mask) {
  search->trail[search->trailLength++] = (Trace){item, search->masks[item]};
  search->masks[item] = mask;
}

// Takes the last pool of each queued item from its partners, and so on. False
// where one of them has none left.
static bool propagate(PinSearch *search, uint32_t queued) {
  for (uint32_t at = 0; at < queued; ++at) {
    uint32_t item = search->queue[at];
    for (size_t p = search->begin[item]; p < search->begin[item + 1]; ++p) {
      uint32_t other = search->partners[p];
      uint64_t left = search->masks[other] & ~search->masks[item];
      ++search->looks;
      if (left == search->masks[other])
        continue;
      if (!left)
        return false;
      setMask(search, other, left);
      if (!isOpen(left))
        search->queue[queued++] = other;
    }
  }
  return true;
}

static bool settle(PinSearch *search, uint32_t item, uint64_t mask) {
  setMask(search, item, mask);
  search->queue[0] = item;
  return isOpen(mask) || propagate(search, 1);
}

// Takes choices back until another pool is left that leads on. False where none
// is: the part is contradictory.
static bool turnBack(PinSearch *search, uint32_t *cursor) {
  while (search->depth > 0) {
    Decision last = search->decisions[--search->depth];
    while (search->trailLength > last.trail) {
      Trace trace = search->trail[--search->trailLength];
      search->masks[trace.item] = trace.mask;
    }
    *cursor = last.cursor;
    // What remains holds for all that was decided before.
    if (settle(search, last.item, search->masks[last.item] & ~last.pool))
      return true;
  }
  return false;
}

static BerthPinVerdict solvePart(PinSearch *search) {
  uint32_t cursor = 0, queued = 0;
  search->trailLength = search->depth = 0;
  for (uint32_t k = 0; k < search->partSize; ++k)
    if (!isOpen(search->masks[search->part[k]]))
      search->queue[queued++] = search->part[k];
  if (!propagate(search, queued))
    return BERTH_PINS_CONTRADICT;
  while (search->looks < kMostLooks) {
    while (cursor < search->partSize &&
           !isOpen(search->masks[search->part[cursor]]))
      ++cursor;
    if (cursor == search->partSize)
      return BERTH_PINS_SETTLED;
    uint32_t item = search->part[cursor];
    uint64_t pool = bestPool(search->task, item, search->masks[item]);
    search->decisions[search->depth++] =
        (Decision){search->trailLength, cursor, item, pool};
    if (!settle(search, item, pool) && !turnBack(search, &cursor))
      return BERTH_PINS_CONTRADICT;
  }
  return BERTH_PINS_UNDECIDED;
}

// The items that can be reached from `first`, in that order.
static void gatherPart(PinSearch *search, uint32_t first) {
  search->partSize = 0;
  search->part[search->partSize++] = first;
  search->seen[first] = true;
  for (uint32_t k = 0; k < search->partSize; ++k) {
    uint32_t item = search->part[k];
    for (size_t p = search->begin[item]; p < search->begin[item + 1]; ++p) {
      uint32_t other = search->partners[p];
      if (!search->seen[other])
        search->part[search->partSize++] = other;
      search->seen[other] = true;
    }
  }
}

//===---------------------------------------------------------------------===//
// All parts
//===---------------------------------------------------------------------===//

static bool initSearch(PinSearch *search) {
  BerthMemory *arena = search->arena;
  uint32_t n = search->task->numItems;
  size_t choices = 0;
  for (uint32_t i = 0; i < n; ++i)
    choices += (size_t)__builtin_popcountll(search->masks[i]);
  search->begin = BERTH_MEMORY_NEW(arena, size_t, n + 1);
  search->part = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->seen = BERTH_MEMORY_NEW(arena, bool, n);
  search->queue = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  search->decisions = BERTH_MEMORY_NEW(arena, Decision, n + 1);
  // Each entry takes at least one pool away from an item.
  search->trail = BERTH_MEMORY_NEW(arena, Trace, choices + 1);
  return !arena->failed && buildGraph(search);
}

BerthPinVerdict berthSettlePins(const BerthTask *task, unsigned wishes,
                                BerthMemory *arena, uint64_t *masks,
                                BerthPinConflict *conflict) {
  PinSearch search = {
      .task = task, .wishes = wishes, .arena = arena, .masks = masks};
  *conflict = (BerthPinConflict){0};
  if (!initSearch(&search))
    return BERTH_PINS_NO_MEMORY;
  BerthPinVerdict verdict = BERTH_PINS_SETTLED;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    if (!isPinned(task, i) || search.seen[i])
      continue;
    gatherPart(&search, i);
    bool usable = true;
    for (uint32_t k = 0; k < search.partSize; ++k) {
      uint32_t item = search.part[k];
      masks[item] = usablePools(&search, item);
      usable &= masks[item] != 0;
    }
    verdict = usable ? solvePart(&search) : BERTH_PINS_CONTRADICT;
    if (verdict != BERTH_PINS_SETTLED)
      break;
  }
  if (verdict == BERTH_PINS_CONTRADICT)
    *conflict = (BerthPinConflict){search.partSize, search.part};
  return verdict;
}

static bool needsPins(const BerthReduction *reduction) {
  return reduction->task.numPools > 1 &&
         reduction->task.features & BERTH_CAN_FIXED;
}

// The task with all that its packer may not see: what is coarser there forbids
// the pins what the problem allows. Its items are the same.
static bool reduceExactly(const BerthProblemData *problem, BerthMemory *arena,
                          BerthTask *exact) {
  BerthReduction reduction;
  if (berthNormalize(problem, ~0u, arena, &reduction))
    return false;
  *exact = reduction.task;
  return true;
}

BerthPinVerdict berthReducePins(const BerthProblemData *problem,
                                BerthReduction *reduction, BerthMemory *arena) {
  static const unsigned kWishes[] = {BERTH_PINS_FIT | BERTH_PINS_FREE,
                                     BERTH_PINS_FIT, BERTH_PINS_FREE, 0};
  BerthTask exact;
  BerthPinVerdict verdict = BERTH_PINS_SETTLED;
  if (!needsPins(reduction))
    return verdict;
  if (!reduceExactly(problem, arena, &exact))
    return BERTH_PINS_NO_MEMORY;
  for (size_t i = 0; i < sizeof kWishes / sizeof *kWishes; ++i) {
    BerthPinConflict conflict;
    uint64_t *masks = berthMemoryCopy(arena, exact.poolMasks, exact.numItems,
                                      sizeof *exact.poolMasks);
    verdict = masks
                  ? berthSettlePins(&exact, kWishes[i], arena, masks, &conflict)
                  : BERTH_PINS_NO_MEMORY;
    if (verdict == BERTH_PINS_CONTRADICT && kWishes[i] == BERTH_PINS_FIT) {
      reduction->numMisfits = conflict.count;
      reduction->misfits = conflict.items;
    }
    if (verdict == BERTH_PINS_SETTLED)
      reduction->task.poolMasks = masks;
    if (verdict == BERTH_PINS_SETTLED || verdict == BERTH_PINS_NO_MEMORY)
      break;
  }
  return verdict;
}
