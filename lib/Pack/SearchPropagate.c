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

#include "Pack/Search.h"
#include "Support/Checked.h"

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
  for (uint32_t m = search->memberBegin[section];
       m < search->memberBegin[section + 1]; ++m)
    if (!search->placed[search->members[m]])
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

void berthSearchTouch(BerthSearch *search, uint32_t item) {
  for (uint32_t k = search->sectionBegin[item];
       k < search->sectionBegin[item + 1]; ++k) {
    uint32_t s = search->sections[k];
    if (search->sectionDirty[s])
      continue;
    search->sectionDirty[s] = true;
    search->dirtySections[search->numDirty++] = s;
  }
}

static void enqueue(BerthSearch *search, uint32_t item) {
  if (search->itemQueued[item])
    return;
  search->itemQueued[item] = true;
  search->queue[search->numQueued++] = item;
}

// Growing the trail abandons the old one to the arena, at most as much again.
static bool reserveTrail(BerthSearch *search) {
  if (search->trailCount < search->trailRoom)
    return true;
  BerthTrailEntry *grown =
      BERTH_ARENA_NEW(search->arena, BerthTrailEntry, 2 * search->trailRoom);
  if (!grown) {
    search->result = BERTH_SEARCH_MEMORY;
    return false;
  }
  memcpy(grown, search->trail, search->trailCount * sizeof *grown);
  search->trail = grown;
  search->trailRoom *= 2;
  return true;
}

static bool raise(BerthSearch *search, uint32_t item, int64_t minimum,
                  int64_t base, BerthReason reason) {
  if (!reserveTrail(search))
    return failTooHigh(search, item);
  search->trail[search->trailCount++] = (BerthTrailEntry){
      item, reason, search->minimums[item], search->bases[item]};
  bool rises = minimum > search->minimums[item];
  search->minimums[item] = minimum;
  search->bases[item] = base;
  if (!rises)
    return true;
  berthSearchTouch(search, item);
  enqueue(search, item);
  return minimum + search->sizes[item] <= search->capacity ||
         failTooHigh(search, item);
}

// The lowest offset at which an unplaced neighbour can hold the item up.
static int64_t lowestSupport(BerthSearch *search, uint32_t item) {
  int64_t lowest = INT64_MAX;
  uint32_t end = search->neighbourBegin[item + 1];
  search->work += end - search->neighbourBegin[item];
  for (uint32_t k = search->neighbourBegin[item]; k < end; ++k) {
    uint32_t j = search->neighbours[k];
    int64_t top = search->minimums[j] + search->sizes[j];
    if (!search->placed[j] && top < lowest)
      lowest = top;
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

static bool isSkipped(const BerthSearch *search, uint32_t item) {
  return !search->placed[item] && search->minimums[item] > search->bases[item];
}

// Something about the item has changed: who rested on it may have to rise.
static bool propagateItem(BerthSearch *search, uint32_t item) {
  search->work +=
      search->neighbourBegin[item + 1] - search->neighbourBegin[item];
  for (uint32_t k = search->neighbourBegin[item];
       k < search->neighbourBegin[item + 1]; ++k)
    if (isSkipped(search, search->neighbours[k]) &&
        !raiseToSupport(search, search->neighbours[k], BERTH_REASON_SUPPORT))
      return false;
  return !isSkipped(search, item) ||
         raiseToSupport(search, item, BERTH_REASON_SUPPORT);
}

//===---------------------------------------------------------------------===//
// Stacks
//===---------------------------------------------------------------------===//

// Restores the order of a section's members; it is nearly there already.
static void sortMembers(const int64_t *minimums, uint32_t *members,
                        uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    uint32_t item = members[k], at = k;
    int64_t minimum = minimums[item];
    for (; at > 0 && minimums[members[at - 1]] > minimum; --at)
      members[at] = members[at - 1];
    members[at] = item;
  }
}

static void stackSection(BerthSearch *search, uint32_t section) {
  uint32_t *members = search->members + search->memberBegin[section];
  uint32_t count =
      search->memberBegin[section + 1] - search->memberBegin[section];
  int64_t height = 0;
  sortMembers(search->minimums, members, count);
  for (uint32_t k = 0; k < count; ++k) {
    int64_t minimum = search->minimums[members[k]];
    height = (minimum > height ? minimum : height) + search->sizes[members[k]];
  }
  search->stacks[section] = height;
  search->sectionDirty[section] = false;
  search->work += count;
  berthSearchScore(search, section);
}

void berthSearchSettle(BerthSearch *search) {
  while (search->numDirty)
    stackSection(search, search->dirtySections[--search->numDirty]);
}

static bool propagate(BerthSearch *search) {
  while (search->numQueued) {
    uint32_t item = search->queue[--search->numQueued];
    search->itemQueued[item] = false;
    if (!propagateItem(search, item))
      return false;
  }
  while (search->numDirty) {
    uint32_t section = search->dirtySections[--search->numDirty];
    stackSection(search, section);
    if (search->stacks[section] > search->capacity)
      return failOverflow(search, section);
  }
  return true;
}

// What a failure leaves in the queue is void; dirty sections stay dirty.
static bool finish(BerthSearch *search, bool succeeded) {
  while (search->numQueued)
    search->itemQueued[search->queue[--search->numQueued]] = false;
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

bool berthSearchPlace(BerthSearch *search, uint32_t item) {
  search->placed[item] = true;
  search->placedItems[search->numPlaced++] = item;
  berthSearchCount(search, item, UINT32_MAX);
  enqueue(search, item);
  return finish(search, raiseNeighbours(search, item) && propagate(search));
}

bool berthSearchSkip(BerthSearch *search, uint32_t item) {
  return finish(search, raiseToSupport(search, item, BERTH_REASON_SKIPPED) &&
                            propagate(search));
}
