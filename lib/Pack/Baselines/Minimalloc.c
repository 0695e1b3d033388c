//===- Minimalloc.c - The published search of minimalloc -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated
// Machine Learning" (ASPLOS 2023), as published: is there a plan of at most
// this capacity?
//
//   canonical       each item at its lowest possible offset; along a branch
//                   (offset, rank) never decreases
//   dominance       no offset at or above the lowest top that an unplaced item
//                   could have
//   inference       a section's floor plus what is unplaced in it must fit; its
//                   floor is at least the lowest minimum of what is unplaced
//                   there, and at least the offset placed last
//   decomposition   where no unplaced item spans two sections, both sides are
//                   solved by themselves, each ranked anew
//   round robin     the ranks WAT, TAW and TWA (width, area, total) in turn,
//                   with a limit of nodes that doubles
//
// Without a capacity, or when told to minimise, heights are bisected between
// the lower bound and the best plan, each with an eighth of the steps left of
// the default budget, or beyond that of those used.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"
#include "Pack/Task/Host.h"
#include "Support/Allocate.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

enum { kDefaultSteps = 1 << 26 };

typedef enum Outcome { FOUND, NONE, ABORTED } Outcome;

/// A value to restore: a minimum offset or a section's floor.
typedef struct Change {
  int64_t *where;
  int64_t before;
} Change;

typedef struct Search {
  const BerthTask *task;
  const BerthHost *host;
  BerthMemory *arena;
  int64_t capacity;
  const char *ranking; ///< three letters, most important first
  uint64_t nodesLeft;
  uint64_t stepsLeft; ///< of this height

  int64_t *offsets;  ///< of the branch; BERTH_NONE: unplaced
  int64_t *solution; ///< filled in on the way back from a leaf
  int64_t *minimums; ///< lowest possible offset
  int64_t *floors;   ///< by section
  int64_t *totals;   ///< by section: bytes not placed yet
  uint32_t *cuts;    ///< unplaced items that span sections s - 1 and s
  uint32_t *sectionBegin;
  uint32_t *sectionItems;
  uint32_t *near; ///< room for neighbours
  Change *trail;  ///< from malloc, as it grows while others come and go
  size_t numChanges;
  size_t room;
  bool failed; ///< memory ran out
} Search;

/// Items ranked for one range of sections.
typedef struct Part {
  uint32_t lower;
  uint32_t upper;
  const uint32_t *items; ///< by rank
} Part;

static Outcome solveParts(Search *s, const uint32_t *items, uint32_t count,
                          uint32_t lower, uint32_t upper);

//===---------------------------------------------------------------------===//
// Placing and taking back
//===---------------------------------------------------------------------===//

static void record(Search *s, int64_t *where, int64_t value) {
  if (!berthReserve(&s->trail, &s->room, s->numChanges + 1)) {
    s->failed = true; // the search ends at its next node
    return;
  }
  s->trail[s->numChanges++] = (Change){where, *where};
  *where = value;
}

static void addToSections(Search *s, uint32_t item, int64_t bytes,
                          uint32_t span) {
  const BerthTask *task = s->task;
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    for (uint32_t at = task->pieces[p].lower; at < task->pieces[p].upper; ++at)
      s->totals[at] += bytes;
  for (uint32_t at = task->lowers[item] + 1; at < task->uppers[item]; ++at)
    s->cuts[at] += span;
}

// No floor is below the lowest minimum of what is unplaced in its section.
static void liftFloor(Search *s, uint32_t section) {
  int64_t least = INT64_MAX;
  for (uint32_t k = s->sectionBegin[section]; k < s->sectionBegin[section + 1];
       ++k) {
    uint32_t item = s->sectionItems[k];
    if (s->offsets[item] == BERTH_NONE && s->minimums[item] < least)
      least = s->minimums[item];
  }
  if (least != INT64_MAX && least > s->floors[section])
    record(s, &s->floors[section], least);
}

static void place(Search *s, const Part *part, uint32_t item, int64_t offset) {
  const BerthTask *task = s->task;
  int64_t top = offset + task->sizes[item];
  uint32_t from = task->lowers[item], to = task->uppers[item];
  s->offsets[item] = offset;
  addToSections(s, item, -task->sizes[item], UINT32_MAX);
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    for (uint32_t at = task->pieces[p].lower; at < task->pieces[p].upper; ++at)
      record(s, &s->floors[at], top);
  size_t count =
      s->host->neighbours(s->host->context, item, s->near, task->numItems);
  for (size_t k = 0; k < count; ++k) {
    uint32_t other = s->near[k];
    int64_t least = berthRoundUp(top, task->alignments[other]);
    if (s->offsets[other] != BERTH_NONE || s->minimums[other] >= least)
      continue;
    record(s, &s->minimums[other], least);
    from = task->lowers[other] < from ? task->lowers[other] : from;
    to = task->uppers[other] > to ? task->uppers[other] : to;
  }
  from = from < part->lower ? part->lower : from;
  to = to > part->upper ? part->upper : to;
  for (uint32_t at = from; at < to; ++at)
    liftFloor(s, at);
}

static void takeBack(Search *s, uint32_t item, size_t mark) {
  while (s->numChanges > mark) {
    Change change = s->trail[--s->numChanges];
    *change.where = change.before;
  }
  addToSections(s, item, s->task->sizes[item], 1);
  s->offsets[item] = BERTH_NONE;
}

static bool mayFit(const Search *s, const Part *part, int64_t offset) {
  for (uint32_t at = part->lower; at < part->upper; ++at) {
    int64_t floor = s->floors[at] > offset ? s->floors[at] : offset;
    if (floor + s->totals[at] > s->capacity)
      return false;
  }
  return true;
}

//===---------------------------------------------------------------------===//
// The search
//===---------------------------------------------------------------------===//

// Of the ranks in `before`, those not placed yet by (minimum, rank). Mostly in
// order already.
static uint32_t orderRanks(const Search *s, const Part *part,
                           const uint32_t *before, uint32_t count,
                           uint32_t *ranks) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t rank = before[k], item = part->items[rank], j = kept;
    int64_t minimum = s->minimums[item];
    if (s->offsets[item] != BERTH_NONE)
      continue;
    for (; j > 0; --j) {
      int64_t other = s->minimums[part->items[ranks[j - 1]]];
      if (other < minimum || (other == minimum && ranks[j - 1] < rank))
        break;
      ranks[j] = ranks[j - 1];
    }
    ranks[j] = rank;
    ++kept;
  }
  return kept;
}

static bool spendNode(Search *s, uint64_t work) {
  if (s->nodesLeft == 0 || s->stepsLeft < work || s->failed ||
      !s->host->step(s->host->context, work))
    return false;
  --s->nodesLeft;
  s->stepsLeft -= work;
  return true;
}

static Outcome descend(Search *s, const Part *part, const uint32_t *before,
                       uint32_t count, int64_t minOffset, uint32_t minRank);

// With `item` placed: does the part fall apart now? Then its pieces are solved
// by themselves.
static Outcome goOn(Search *s, const Part *part, const uint32_t *ranks,
                    uint32_t count, uint32_t item, uint32_t rank) {
  const BerthTask *task = s->task;
  bool apart = false;
  for (uint32_t at = task->lowers[item] + 1; at < task->uppers[item]; ++at)
    apart |= s->cuts[at] == 0;
  if (!apart)
    return descend(s, part, ranks, count, s->offsets[item], rank);
  BerthMemoryMark mark = berthMemoryGetMark(s->arena);
  uint32_t *items = BERTH_MEMORY_NEW(s->arena, uint32_t, count);
  uint32_t kept = 0;
  for (uint32_t k = 0; items && k < count; ++k)
    if (s->offsets[part->items[ranks[k]]] == BERTH_NONE)
      items[kept++] = part->items[ranks[k]];
  Outcome outcome =
      items ? solveParts(s, items, kept, part->lower, part->upper) : ABORTED;
  berthMemoryRelease(s->arena, mark);
  return outcome;
}

static Outcome tryItems(Search *s, const Part *part, const uint32_t *ranks,
                        uint32_t count, int64_t minOffset, uint32_t minRank) {
  int64_t lowestTop = INT64_MAX;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t item = part->items[ranks[k]];
    int64_t top = s->minimums[item] + s->task->sizes[item];
    lowestTop = top < lowestTop ? top : lowestTop;
  }
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t rank = ranks[k], item = part->items[rank];
    int64_t offset = s->minimums[item];
    if (offset < minOffset || (offset == minOffset && rank < minRank))
      continue; // not canonical
    if (offset >= lowestTop)
      break; // dominated, as are all that follow
    size_t mark = s->numChanges;
    place(s, part, item, offset);
    Outcome outcome = NONE;
    if (mayFit(s, part, offset))
      outcome = goOn(s, part, ranks, count, item, rank);
    takeBack(s, item, mark);
    if (outcome == FOUND)
      s->solution[item] = offset;
    if (outcome != NONE)
      return outcome;
  }
  return NONE;
}

static Outcome descend(Search *s, const Part *part, const uint32_t *before,
                       uint32_t count, int64_t minOffset, uint32_t minRank) {
  BerthMemoryMark mark = berthMemoryGetMark(s->arena);
  uint32_t *ranks = BERTH_MEMORY_NEW(s->arena, uint32_t, count);
  Outcome outcome = ABORTED;
  if (ranks && spendNode(s, count + 1)) {
    uint32_t left = orderRanks(s, part, before, count, ranks);
    outcome = left ? tryItems(s, part, ranks, left, minOffset, minRank) : FOUND;
  }
  berthMemoryRelease(s->arena, mark);
  return outcome;
}

//===---------------------------------------------------------------------===//
// Parts
//===---------------------------------------------------------------------===//

static int64_t rankKey(const Search *s, char letter, uint32_t item) {
  const BerthTask *task = s->task;
  // In the caller's times, not in sections: the published search depends on it.
  uint64_t span = (uint64_t)task->ends[item] - (uint64_t)task->begins[item];
  int64_t length = span > INT64_MAX ? INT64_MAX : (int64_t)span, total = 0;
  switch (letter) {
  case 'W':
    return length;
  case 'A':
    return berthMultiplySaturating(task->sizes[item], length);
  default:
    for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1];
         ++p)
      for (uint32_t at = task->pieces[p].lower; at < task->pieces[p].upper;
           ++at)
        total = s->totals[at] > total ? s->totals[at] : total;
    return total;
  }
}

static Outcome solvePart(Search *s, const uint32_t *items, uint32_t count,
                         uint32_t lower, uint32_t upper) {
  uint32_t *ranked = berthMemoryCopy(s->arena, items, count, sizeof *items);
  uint32_t *ranks = BERTH_MEMORY_NEW(s->arena, uint32_t, count);
  uint32_t *scratch = BERTH_MEMORY_NEW(s->arena, uint32_t, count);
  uint64_t *keys = BERTH_MEMORY_NEW(s->arena, uint64_t, s->task->numItems);
  if (!ranked || !ranks || !scratch || !keys)
    return ABORTED;
  for (unsigned letter = 3; letter-- > 0;) {
    for (uint32_t k = 0; k < count; ++k)
      keys[items[k]] =
          berthKeyDescending(rankKey(s, s->ranking[letter], items[k]));
    berthSortByKey(ranked, scratch, count, keys);
  }
  for (uint32_t k = 0; k < count; ++k)
    ranks[k] = k;
  Part part = {lower, upper, ranked};
  return descend(s, &part, ranks, count, 0, 0);
}

// Splits [lower, upper) wherever no unplaced item crosses, and solves part by
// part. `items` are unplaced; they keep their order within a part.
static Outcome solveParts(Search *s, const uint32_t *items, uint32_t count,
                          uint32_t lower, uint32_t upper) {
  uint32_t *own = BERTH_MEMORY_NEW(s->arena, uint32_t, count);
  for (uint32_t end = lower + 1; own && end <= upper; ++end) {
    uint32_t kept = 0;
    if (end < upper && s->cuts[end] > 0)
      continue;
    for (uint32_t k = 0; k < count; ++k)
      if (lower <= s->task->lowers[items[k]] &&
          s->task->uppers[items[k]] <= end)
        own[kept++] = items[k];
    Outcome outcome = kept ? solvePart(s, own, kept, lower, end) : FOUND;
    if (outcome != FOUND)
      return outcome;
    lower = end;
  }
  return own ? FOUND : ABORTED;
}

//===---------------------------------------------------------------------===//
// Heights
//===---------------------------------------------------------------------===//

// Lists the items of each section.
static bool fillSections(Search *s) {
  const BerthTask *task = s->task;
  size_t members = 0;
  for (uint32_t p = 0; p < task->pieceBegin[task->numItems]; ++p)
    members += task->pieces[p].upper - task->pieces[p].lower;
  uint32_t *next = BERTH_MEMORY_NEW(s->arena, uint32_t, task->numSections + 1);
  s->sectionBegin = BERTH_MEMORY_NEW(s->arena, uint32_t, task->numSections + 1);
  s->sectionItems = BERTH_MEMORY_NEW(s->arena, uint32_t, members);
  if (s->arena->failed)
    return false;
  for (uint32_t p = 0; p < task->pieceBegin[task->numItems]; ++p)
    for (uint32_t at = task->pieces[p].lower; at < task->pieces[p].upper; ++at)
      ++s->sectionBegin[at + 1];
  for (uint32_t at = 0; at < task->numSections; ++at)
    next[at + 1] = s->sectionBegin[at + 1] += s->sectionBegin[at];
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      for (uint32_t at = task->pieces[p].lower; at < task->pieces[p].upper;
           ++at)
        s->sectionItems[next[at]++] = i;
  return true;
}

static bool initSearch(Search *s) {
  const BerthTask *task = s->task;
  s->offsets = BERTH_MEMORY_NEW(s->arena, int64_t, task->numItems);
  s->solution = BERTH_MEMORY_NEW(s->arena, int64_t, task->numItems);
  s->minimums = BERTH_MEMORY_NEW(s->arena, int64_t, task->numItems);
  s->near = BERTH_MEMORY_NEW(s->arena, uint32_t, task->numItems);
  s->floors = BERTH_MEMORY_NEW(s->arena, int64_t, task->numSections + 1);
  s->totals = BERTH_MEMORY_NEW(s->arena, int64_t, task->numSections + 1);
  s->cuts = BERTH_MEMORY_NEW(s->arena, uint32_t, task->numSections + 1);
  if (s->arena->failed || !fillSections(s))
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    s->offsets[i] = BERTH_NONE;
    addToSections(s, i, task->sizes[i], 1);
  }
  return true;
}

// Is there a plan of at most this height? The rankings take turns.
static Outcome solveHeight(Search *s, int64_t height, uint64_t steps) {
  static const char *const kRankings[] = {"WAT", "TAW", "TWA"};
  const uint32_t n = s->task->numItems;
  uint32_t *items = BERTH_MEMORY_NEW(s->arena, uint32_t, n);
  for (uint32_t i = 0; items && i < n; ++i)
    items[i] = i;
  s->capacity = height;
  s->stepsLeft = steps;
  for (uint64_t limit = 2 * (uint64_t)n; items; limit *= 2) {
    for (unsigned k = 0; k < 3; ++k) {
      BerthMemoryMark mark = berthMemoryGetMark(s->arena);
      s->ranking = kRankings[k];
      s->nodesLeft = limit;
      Outcome outcome = solveParts(s, items, n, 0, s->task->numSections);
      berthMemoryRelease(s->arena, mark);
      if (outcome != ABORTED)
        return outcome;
      if (s->nodesLeft > 0)
        return ABORTED; // out of steps, not of nodes
    }
  }
  return ABORTED;
}

static bool improve(Search *s, int64_t height, uint64_t steps,
                    BerthAnswer *answer, Outcome *outcome) {
  *outcome = solveHeight(s, height, steps);
  if (*outcome != FOUND)
    return false;
  memcpy(answer->offsets, s->solution,
         s->task->numItems * sizeof *answer->offsets);
  s->host->report(s->host->context, answer);
  return true;
}

// What one height may spend. It must not depend on the whole budget, or else
// the steps of a run that was stopped would not lead to the same plan.
static uint64_t stepsOfHeight(const BerthHost *host) {
  uint64_t used = berthHostState(host)->steps;
  uint64_t left = used < kDefaultSteps ? kDefaultSteps - used : used;
  return left / 8;
}

static void minimise(Search *s, BerthAnswer *answer) {
  const BerthTask *task = s->task;
  int64_t low = task->lowerBound - 1, high = berthAnswerPeak(task, answer);
  Outcome outcome;
  while (low + 1 < high && s->host->step(s->host->context, 0)) {
    bool first = low < task->lowerBound; // the bound itself is worth a try
    int64_t height = first ? task->lowerBound : low + (high - low) / 2;
    if (improve(s, height, stepsOfHeight(s->host), answer, &outcome))
      high = berthAnswerPeak(task, answer);
    else
      low = height;
  }
}

static BerthStatus packMinimalloc(const BerthPacker *self,
                                  const BerthTask *task, const BerthHost *host,
                                  BerthAnswer *answer) {
  static const BerthGreedyRow kBySize = {.keys = {BERTH_KEY_SIZE_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  Search search = {.task = task, .host = host, .arena = &arena};
  const uint32_t *order = berthGreedyOrder(&kBySize, task, host, &arena);
  bool done = order && berthPlaceInOrder(order, BERTH_FIT_FIRST, task, host,
                                         answer, &arena);
  Outcome outcome;
  if (done)
    host->report(host->context, answer);
  done = done && initSearch(&search);
  if (done && task->capacity && !task->minimize) {
    if (berthAnswerPeak(task, answer) > task->capacity &&
        task->lowerBound <= task->capacity)
      improve(&search, task->capacity, UINT64_MAX, answer, &outcome);
  } else if (done) {
    minimise(&search, answer);
  }
  free(search.trail);
  berthMemoryFree(&arena);
  return done && !search.failed ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerMinimalloc = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "minimalloc",
    .summary = "branch and bound over canonical plans, as published (Moffitt "
               "2023)",
    .capabilities =
        BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_CAPACITY,
    .defaultSteps = kDefaultSteps,
    .pack = packMinimalloc};
