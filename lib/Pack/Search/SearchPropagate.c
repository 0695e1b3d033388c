//===- SearchPropagate.c - Consequences and reasons ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A decision raises minimums. Each rise may raise more of them (an item that
// was skipped rests on a neighbour, so it rises with its lowest one) and makes
// the sections of the risen item dirty. When nothing rises any more, the dirty
// sections are stacked anew; one that overflows is a failure.
//
// A failure is explained by the items whose minimums it rests on. Blame traces
// that set back through the trail: an item that rose because of a placement is
// explained by the placed item, one that rose for want of support by all of its
// neighbours. The sets are larger than need be, never smaller.
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/SearchPropagate.h"

#include "Pack/Search/SearchObstacles.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Nogoods
//===---------------------------------------------------------------------===//

static const uint64_t *neighbourSet(const BerthSearch *search, uint32_t item) {
  return search->neighbourSets + item * search->words;
}

static void addNeighbours(BerthSearch *search, uint32_t item) {
  const uint64_t *set = neighbourSet(search, item);
  for (size_t w = 0; w < search->words; ++w)
    search->nogood[w] |= set[w];
}

static void clearNogood(BerthSearch *search) {
  memset(search->nogood, 0, search->words * sizeof *search->nogood);
}

// A larger capacity, by this much, could have prevented the failure.
static void noteExcess(BerthSearch *search, int64_t top) {
  int64_t excess = top - search->capacity;
  if (excess < search->leastExcess)
    search->leastExcess = excess;
}

// The item cannot be that high.
static bool failTooHigh(BerthSearch *search, uint32_t item) {
  noteExcess(search, search->minimums[item] + search->sizes[item]);
  clearNogood(search);
  berthBitSet(search->nogood, item);
  return false;
}

// It cannot be that high at any capacity, as it is pinned.
static bool failPinned(BerthSearch *search, uint32_t item) {
  clearNogood(search);
  berthBitSet(search->nogood, item);
  return false;
}

// Nothing is left that could hold the item up.
static bool failUnsupported(BerthSearch *search, uint32_t item) {
  clearNogood(search);
  addNeighbours(search, item);
  berthBitSet(search->nogood, item);
  return false;
}

// What is placed speaks through the minimums of what is not.
static bool failOverflow(BerthSearch *search, uint32_t section) {
  clearNogood(search);
  uint32_t end = search->memberBegin[section + 1];
  for (uint32_t m = end - search->remaining[section]; m < end; ++m)
    berthBitSet(search->nogood, search->members[m]);
  noteExcess(search, search->stacks[section]);
  search->weights[section] += 1;
  search->lastConflict = section;
  return false;
}

void berthSearchBlame(BerthSearch *search, BerthSearchMark mark,
                      uint32_t item) {
  for (size_t t = search->trailCount; t-- > mark.trail;) {
    const BerthTrailEntry *entry = &search->trail[t];
    if (!berthBitTest(search->nogood, entry->item))
      continue;
    if (entry->reason != BERTH_REASON_PLACED)
      addNeighbours(search, entry->item);
    if (entry->reason != BERTH_REASON_SUPPORT)
      berthBitSet(search->nogood, item);
  }
}

//===---------------------------------------------------------------------===//
// Raising minimums
//===---------------------------------------------------------------------===//

// Marks the sections of an item whose minimum has changed.
static void touch(BerthSearch *search, uint32_t item) {
  for (uint32_t k = search->sectionBegin[item];
       k < search->sectionBegin[item + 1]; ++k) {
    uint32_t s = search->sections[k];
    if (search->sectionDirty[s])
      continue;
    search->sectionDirty[s] = true;
    search->dirtySections[search->numDirty++] = s;
  }
}

// The item has risen or is placed: those of its neighbours that were skipped
// may have to rise with it, and so may the item itself.
static void wake(BerthSearch *search, uint32_t item) {
  const uint64_t *neighbours = neighbourSet(search, item);
  uint64_t own = UINT64_C(1) << item % 64;
  if (!search->numSkipped)
    return;
  for (size_t w = 0; w < search->words; ++w) {
    uint64_t reach = neighbours[w] | (w == item / 64 ? own : 0);
    uint64_t woken = reach & search->skipped[w] & ~search->queued[w];
    search->queued[w] |= woken;
    for (; woken; woken &= woken - 1)
      search->queue[search->numQueued++] =
          (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(woken);
  }
  search->work += search->words / 4;
}

static bool reserveTrail(BerthSearch *search) {
  bool reserved =
      berthMemoryReserve(search->arena, &search->trail, &search->trailRoom,
                         search->trailCount + 1);
  if (!reserved)
    search->result = BERTH_SEARCH_MEMORY;
  return reserved;
}

static bool raise(BerthSearch *search, uint32_t item, int64_t minimum,
                  int64_t base, BerthReason reason) {
  if (!reserveTrail(search))
    return failTooHigh(search, item);
  search->trail[search->trailCount++] = (BerthTrailEntry){
      item, reason, search->minimums[item], search->bases[item]};
  bool pinned = berthSearchIsPinned(search, item);
  if (search->obstacles && !pinned)
    minimum = berthSearchAvoid(search, item, minimum, &base);
  bool rises = minimum > search->minimums[item];
  search->minimums[item] = minimum;
  search->bases[item] = base;
  berthSearchNoteSkipped(search, item);
  if (!rises)
    return true;
  touch(search, item);
  wake(search, item);
  if (pinned)
    return failPinned(search, item);
  return minimum + search->sizes[item] <= search->capacity ||
         failTooHigh(search, item);
}

// Where `other` can hold the item up at the lowest; INT64_MAX if it is placed.
static int64_t supportBy(const BerthSearch *search, uint32_t item,
                         uint32_t other) {
  if (search->placed[other])
    return INT64_MAX;
  return berthRoundUp(search->minimums[other] + search->sizes[other],
                      search->alignments[item]);
}

// The lowest offset at which an unplaced neighbour, or reserved bytes above the
// minimum, can hold the item up.
static int64_t lowestSupport(BerthSearch *search, uint32_t item) {
  int64_t lowest = INT64_MAX;
  uint32_t end = search->neighbourBegin[item + 1];
  search->work += end - search->neighbourBegin[item];
  for (uint32_t k = search->neighbourBegin[item]; k < end; ++k) {
    uint32_t j = search->neighbours[k];
    int64_t top = search->minimums[j] + search->sizes[j];
    if (!search->placed[j] && top < lowest) {
      lowest = top;
      search->supporters[item] = j;
    }
  }
  int64_t reserved = berthSearchReservedSupport(search, item);
  if (reserved < lowest) {
    lowest = reserved;
    search->supporters[item] = item; // none of its neighbours
  }
  return lowest == INT64_MAX ? lowest
                             : berthRoundUp(lowest, search->alignments[item]);
}

static bool raiseToSupport(BerthSearch *search, uint32_t item,
                           BerthReason reason) {
  int64_t support = lowestSupport(search, item);
  if (support == INT64_MAX)
    return failUnsupported(search, item);
  return support <= search->minimums[item] ||
         raise(search, item, support, search->bases[item], reason);
}

// Is the neighbour that held the item up last still low enough? This is only a
// short cut: after an undo it may be another that is.
static bool isStillSupported(const BerthSearch *search, uint32_t item) {
  uint32_t last = search->supporters[item];
  return berthBitTest(neighbourSet(search, item), last) &&
         supportBy(search, item, last) <= search->minimums[item];
}

// An item rarely rises more than a few times. But two that were skipped and
// wait for each other climb by their own sizes, be that a byte at a time up to
// the capacity, and all that is one step for the host. What is left in the
// queue then is no worse than a minimum that could be higher.
enum { kMostRises = 8 }; ///< an item, in the mean

// Lets every queued item rise to its lowest support.
static bool raiseQueued(BerthSearch *search) {
  uint64_t left = (uint64_t)search->numItems * kMostRises;
  while (search->numQueued && left-- > 0) {
    uint32_t item = search->queue[--search->numQueued];
    berthBitClear(search->queued, item);
    if (berthBitTest(search->skipped, item) &&
        !isStillSupported(search, item) &&
        !raiseToSupport(search, item, BERTH_REASON_SUPPORT))
      return false;
  }
  return true;
}

//===---------------------------------------------------------------------===//
// Stacks
//===---------------------------------------------------------------------===//

// The unplaced members stacked up. What is placed lies below all of their
// minimums, so it need not be looked at.
static int64_t stackOf(BerthSearch *search, uint32_t section) {
  uint32_t count = search->remaining[section];
  uint32_t *members =
      search->members + search->memberBegin[section + 1] - count;
  int64_t height = 0;
  size_t nextReserved = 0;
  // They are nearly in order already; no minimum is negative.
  berthInsertionSort(members, count, (const uint64_t *)search->minimums);
  for (uint32_t k = 0; k < count; ++k) {
    int64_t minimum = search->minimums[members[k]];
    height = berthSearchStack(search, minimum > height ? minimum : height,
                              search->sizes[members[k]], &nextReserved);
  }
  search->work += count + 1 + nextReserved;
  return height;
}

void berthSearchSettle(BerthSearch *search) {
  while (search->numDirty) {
    uint32_t section = search->dirtySections[--search->numDirty];
    search->sectionDirty[section] = false;
    search->stacks[section] = stackOf(search, section);
    berthSearchScore(search, section);
  }
}

static bool reserveStackTrail(BerthSearch *search) {
  bool reserved =
      berthMemoryReserve(search->arena, &search->stackTrail, &search->stackRoom,
                         search->stackCount + 1);
  if (!reserved)
    search->result = BERTH_SEARCH_MEMORY;
  return reserved;
}

static bool restack(BerthSearch *search, uint32_t section) {
  int64_t before = search->stacks[section], now = stackOf(search, section);
  search->sectionDirty[section] = false;
  if (now == before)
    return true;
  if (!reserveStackTrail(search))
    return failOverflow(search, section);
  search->stackTrail[search->stackCount++] = (BerthStackEntry){section, before};
  search->stacks[section] = now;
  if (now > search->capacity)
    return failOverflow(search, section);
  berthSearchScore(search, section);
  return true;
}

static bool propagate(BerthSearch *search) {
  if (!raiseQueued(search))
    return false;
  while (search->numDirty)
    if (!restack(search, search->dirtySections[--search->numDirty]))
      return false;
  return true;
}

// What a failure leaves in the queue is void; dirty sections are undone.
static bool finish(BerthSearch *search, bool succeeded) {
  while (search->numQueued)
    berthBitClear(search->queued, search->queue[--search->numQueued]);
  return succeeded;
}

//===---------------------------------------------------------------------===//
// Decisions
//===---------------------------------------------------------------------===//

static bool raiseNeighbours(BerthSearch *search, uint32_t item) {
  int64_t top = search->minimums[item] + search->sizes[item];
  for (uint32_t k = search->neighbourBegin[item];
       k < search->neighbourBegin[item + 1]; ++k) {
    uint32_t j = search->neighbours[k];
    if (search->placed[j])
      continue;
    int64_t base = berthRoundUp(top, search->alignments[j]);
    int64_t minimum = search->minimums[j];
    if (base > search->bases[j] &&
        !raise(search, j, base > minimum ? base : minimum, base,
               BERTH_REASON_PLACED))
      return false;
  }
  return true;
}

// Moves the item to the end of what is placed in each of its sections. It is
// among the lowest there, so it is soon found.
static void moveToPlaced(BerthSearch *search, uint32_t item) {
  for (uint32_t k = search->sectionBegin[item];
       k < search->sectionBegin[item + 1]; ++k) {
    uint32_t s = search->sections[k];
    uint32_t *unplaced =
        search->members + search->memberBegin[s + 1] - search->remaining[s];
    uint32_t at = 0;
    while (unplaced[at] != item)
      ++at;
    memmove(unplaced + 1, unplaced, at * sizeof *unplaced);
    unplaced[0] = item;
  }
}

bool berthSearchPlace(BerthSearch *search, uint32_t item) {
  moveToPlaced(search, item);
  search->placed[item] = true;
  berthSearchNoteSkipped(search, item);
  search->placedItems[search->numPlaced++] = item;
  berthSearchCount(search, item, UINT32_MAX);
  wake(search, item);
  return finish(search, raiseNeighbours(search, item) && propagate(search));
}

bool berthSearchSkip(BerthSearch *search, uint32_t item) {
  return finish(search, raiseToSupport(search, item, BERTH_REASON_SKIPPED) &&
                            propagate(search));
}
