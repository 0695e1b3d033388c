//===- Search.c - Memory, reset, undo ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Invariants: of the `members` of each section the placed ones come first, in
// the order in which they were placed, hence from the lowest up. The trails
// hold every change of a minimum, base or stack since the reset; between
// decisions no section is dirty.
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/Search.h"

#include "Pack/Incumbent/ProofLog.h"
#include "Pack/Search/SearchBranch.h"
#include "Pack/Search/SearchObstacles.h"
#include "Pack/Search/SearchPropagate.h"
#include "Pack/Search/SearchRefuted.h"
#include "Support/Checked.h"
#include "Support/Random.h"

#include <string.h>

// A level of the recursion takes some hundred bytes of stack and a nogood.
enum { kMaxDepth = 1 << 14, kMaxMeetings = 1 << 22 };

// An upper bound of the sum of all cliques, which the tables grow with.
static uint64_t countMeetings(const BerthTask *task) {
  uint64_t meetings = 0;
  for (uint32_t i = 0; i < task->numItems; ++i)
    meetings += task->uppers[i] - task->lowers[i];
  return meetings;
}

bool berthSearchCanHandle(const BerthTask *task) {
  const uint32_t foreign = BERTH_CAN_GAPS | BERTH_CAN_POOLS |
                           BERTH_CAN_PRICED_EDGES | BERTH_CAN_DISTANCES;
  if (task->numItems > kBerthSearchMaxItems || task->features & foreign ||
      countMeetings(task) > kMaxMeetings)
    return false;
  for (uint32_t p = 0; p < task->pieceBegin[task->numItems]; ++p)
    if (task->pieces[p].low != 0)
      return false;
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      if (task->pieces[p].high != task->sizes[i])
        return false;
  return true;
}

//===---------------------------------------------------------------------===//
// Building
//===---------------------------------------------------------------------===//

// Offsets of stable plans are sums of sizes, from the floor, a pin or reserved
// bytes upwards, rounded up to alignments; hence multiples of this.
static int64_t unitOf(const BerthTask *task) {
  int64_t unit = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    unit = berthGcd(unit, task->sizes[i]);
    if (task->alignments[i] > 1)
      unit = berthGcd(unit, task->alignments[i]);
    if (task->fixedOffsets[i] > 0)
      unit = berthGcd(unit, task->fixedOffsets[i]);
  }
  for (size_t i = 0; i < task->pools[0].numReserved; ++i) {
    unit = berthGcd(unit, task->pools[0].reserved[i].lower);
    unit = berthGcd(unit, task->pools[0].reserved[i].upper);
  }
  return unit;
}

static uint32_t countEdges(const BerthTask *task) {
  return task->hardBegin[task->numItems] / 2;
}

static uint32_t countInCliques(const BerthCliqueList *cliques) {
  return cliques && cliques->count ? cliques->begin[cliques->count] : 0;
}

// Those come behind all others of an item.
static void addClique(BerthSearch *search, const BerthCliqueList *cliques,
                      uint32_t clique, uint32_t section, uint32_t *used) {
  for (uint32_t k = cliques->begin[clique]; k < cliques->begin[clique + 1];
       ++k) {
    uint32_t item = cliques->items[k];
    search->sections[search->sectionBegin[item + 1] - ++used[item]] = section;
  }
}

// A hard edge acts like a section of its own that holds its two items, and so
// does a clique.
static void fillSections(BerthSearch *search, const BerthTask *task,
                         const BerthCliqueList *cliques) {
  uint32_t *used = search->queue; // free until the search begins
  uint32_t at = 0, edge = task->numSections;
  memset(used, 0, task->numItems * sizeof *used);
  for (uint32_t k = 0; k < countInCliques(cliques); ++k)
    ++used[cliques->items[k]];
  for (uint32_t i = 0; i < task->numItems; ++i) {
    search->sectionBegin[i] = at;
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      for (uint32_t s = task->pieces[p].lower; s < task->pieces[p].upper; ++s)
        search->sections[at++] = s;
    at += task->hardBegin[i + 1] - task->hardBegin[i] + used[i];
  }
  search->sectionBegin[task->numItems] = at;
  memset(used, 0, task->numItems * sizeof *used);
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t e = task->hardBegin[i]; e < task->hardBegin[i + 1]; ++e) {
      uint32_t j = task->hardEdges[e];
      if (j < i)
        continue;
      search->sections[search->sectionBegin[i + 1] - ++used[i]] = edge;
      search->sections[search->sectionBegin[j + 1] - ++used[j]] = edge++;
    }
  for (uint32_t c = 0; cliques && c < cliques->count; ++c)
    addClique(search, cliques, c, edge++, used);
}

static void countMembers(BerthSearch *search) {
  uint32_t n = search->numItems, s = search->numSections;
  for (uint32_t k = 0; k < search->sectionBegin[n]; ++k)
    ++search->memberBegin[search->sections[k] + 1];
  for (uint32_t i = 0; i < s; ++i)
    search->memberBegin[i + 1] += search->memberBegin[i];
}

// In the order of the items, whatever the last run has made of it.
static void fillMembers(BerthSearch *search) {
  uint32_t n = search->numItems, s = search->numSections;
  uint32_t *filled = search->remaining; // set anew by the reset
  memset(filled, 0, s * sizeof *filled);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t k = search->sectionBegin[i]; k < search->sectionBegin[i + 1];
         ++k) {
      uint32_t section = search->sections[k];
      search->members[search->memberBegin[section] + filled[section]++] = i;
    }
}

/// Of each section the members that are not in the one before it.
typedef struct Entrants {
  uint32_t *begin; ///< of each section, one more
  uint32_t *items;
} Entrants;

// Was the item in the section before this one of its own, too?
static bool goesOn(const BerthSearch *search, uint32_t item, uint32_t k) {
  uint32_t s = search->sections[k];
  return k > search->sectionBegin[item] && s < search->numTimes &&
         search->sections[k - 1] + 1 == s;
}

static bool listEntrants(const BerthSearch *search, Entrants *entrants) {
  uint32_t n = search->numItems, s = search->numSections;
  entrants->begin = BERTH_MEMORY_NEW(search->arena, uint32_t, s + 2);
  if (!entrants->begin)
    return false;
  // Counted two places on, they are filled one place on.
  uint32_t *begin = entrants->begin + 2;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t k = search->sectionBegin[i]; k < search->sectionBegin[i + 1];
         ++k)
      begin[search->sections[k]] += !goesOn(search, i, k);
  for (uint32_t k = 1; k < s; ++k)
    begin[k] += begin[k - 1];
  entrants->items =
      BERTH_MEMORY_NEW(search->arena, uint32_t, s ? begin[s - 1] : 0);
  if (!entrants->items)
    return false;
  --begin;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t k = search->sectionBegin[i]; k < search->sectionBegin[i + 1];
         ++k)
      if (!goesOn(search, i, k))
        entrants->items[begin[search->sections[k]]++] = i;
  return true;
}

// Whom an item meets in one of its sections. Who was there in the section
// before has been met in that one, which is nearly everybody.
static void meetMembers(const BerthSearch *search, const Entrants *entrants,
                        uint32_t item, uint32_t k, uint64_t *set) {
  bool isLater = goesOn(search, item, k);
  const uint32_t *begin = isLater ? entrants->begin : search->memberBegin,
                 *items = isLater ? entrants->items : search->members;
  uint32_t s = search->sections[k];
  for (uint32_t m = begin[s]; m < begin[s + 1]; ++m)
    berthBitSet(set, items[m]);
}

// Neighbours are found by way of the sections they share, as sets first.
static bool fillNeighbours(BerthSearch *search) {
  uint32_t n = search->numItems;
  Entrants entrants;
  if (!listEntrants(search, &entrants))
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t *set = search->neighbourSets + i * search->words;
    for (uint32_t k = search->sectionBegin[i]; k < search->sectionBegin[i + 1];
         ++k)
      meetMembers(search, &entrants, i, k, set);
    berthBitClear(set, i);
    uint32_t count = 0;
    for (size_t w = 0; w < search->words; ++w)
      count += (uint32_t)__builtin_popcountll(set[w]);
    search->neighbourBegin[i + 1] = search->neighbourBegin[i] + count;
  }
  search->neighbours =
      BERTH_MEMORY_NEW(search->arena, uint32_t, search->neighbourBegin[n]);
  if (!search->neighbours)
    return false;
  for (uint32_t i = 0, at = 0; i < n; ++i)
    for (size_t w = 0; w < search->words; ++w)
      for (uint64_t set = search->neighbourSets[i * search->words + w]; set;
           set &= set - 1)
        search->neighbours[at++] =
            (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(set);
  return true;
}

static bool allocateProblem(BerthSearch *search, const BerthTask *task,
                            const BerthCliqueList *cliques) {
  BerthMemory *arena = search->arena;
  uint32_t n = task->numItems, edges = countEdges(task);
  uint32_t s = task->numSections + edges + (cliques ? cliques->count : 0);
  size_t incidences = 2 * (size_t)edges + countInCliques(cliques);
  for (uint32_t p = 0; p < task->pieceBegin[n]; ++p)
    incidences += task->pieces[p].upper - task->pieces[p].lower;
  search->numItems = n;
  search->numSections = s;
  search->numTimes = task->numSections;
  search->words = berthBitWords(n);
  search->maxDepth = 8 * n < kMaxDepth ? 8 * n + 64 : kMaxDepth;
  search->sizes = BERTH_MEMORY_NEW(arena, int64_t, n);
  search->alignments = BERTH_MEMORY_NEW(arena, int64_t, n);
  search->sectionBegin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  search->sections = BERTH_MEMORY_NEW(arena, uint32_t, incidences);
  search->memberBegin = BERTH_MEMORY_NEW(arena, uint32_t, s + 1);
  search->members = BERTH_MEMORY_NEW(arena, uint32_t, incidences);
  search->neighbourBegin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  search->neighbourSets = BERTH_MEMORY_NEW(arena, uint64_t, n * search->words);
  search->trailRoom = 4 * n + 64;
  search->trail = BERTH_MEMORY_NEW(arena, BerthTrailEntry, search->trailRoom);
  search->stackRoom = 4 * s + 64;
  search->stackTrail =
      BERTH_MEMORY_NEW(arena, BerthStackEntry, search->stackRoom);
  return !arena->failed;
}

static bool allocateState(BerthSearch *search) {
  BerthMemory *arena = search->arena;
  uint32_t n = search->numItems, s = search->numSections;
  search->minimums = BERTH_MEMORY_NEW(arena, int64_t, n);
  search->bases = BERTH_MEMORY_NEW(arena, int64_t, n);
  search->placed = BERTH_MEMORY_NEW(arena, bool, n);
  search->stacks = BERTH_MEMORY_NEW(arena, int64_t, s);
  search->remaining = BERTH_MEMORY_NEW(arena, uint32_t, s);
  search->crossing = BERTH_MEMORY_NEW(arena, uint32_t, s + 1);
  search->scoreLeaves = 1;
  while (search->scoreLeaves < s)
    search->scoreLeaves *= 2;
  search->scores = BERTH_MEMORY_NEW(arena, double, 2 * search->scoreLeaves);
  if (!berthOrderedSetInit(&search->live, arena, s) ||
      !berthOrderedSetInit(&search->borders, arena, s))
    return false;
  search->placedItems = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->sectionDirty = BERTH_MEMORY_NEW(arena, bool, s);
  search->dirtySections = BERTH_MEMORY_NEW(arena, uint32_t, s);
  search->skipped = BERTH_MEMORY_NEW(arena, uint64_t, search->words);
  search->queued = BERTH_MEMORY_NEW(arena, uint64_t, search->words);
  search->queue = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->supporters = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->nogood = BERTH_MEMORY_NEW(arena, uint64_t, search->words);
  search->weights = BERTH_MEMORY_NEW(arena, double, s);
  search->noise = BERTH_MEMORY_NEW(arena, double, n);
  search->spans = BERTH_MEMORY_NEW(arena, double, n);
  search->loads = BERTH_MEMORY_NEW(arena, double, n);
  return !arena->failed;
}

// The largest load that each item is part of, in units.
static void fillLoads(BerthSearch *search) {
  for (uint32_t s = 0; s < search->numSections; ++s) {
    double load = 0;
    for (uint32_t m = search->memberBegin[s]; m < search->memberBegin[s + 1];
         ++m)
      load += (double)search->sizes[search->members[m]];
    for (uint32_t m = search->memberBegin[s]; m < search->memberBegin[s + 1];
         ++m)
      if (load > search->loads[search->members[m]])
        search->loads[search->members[m]] = load;
  }
}

BerthSearch *berthSearchCreate(const BerthTask *task, const BerthHost *host,
                               const BerthCliqueList *cliques,
                               BerthMemory *arena) {
  BerthSearch *search = BERTH_MEMORY_NEW(arena, BerthSearch, 1);
  if (!search)
    return NULL;
  search->host = host;
  search->arena = arena;
  search->unit = unitOf(task);
  search->lowers = task->lowers;
  search->uppers = task->uppers;
  search->splits = countEdges(task) == 0;
  if (!allocateProblem(search, task, cliques) || !allocateState(search))
    return NULL;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    search->sizes[i] = task->sizes[i] / search->unit;
    search->alignments[i] =
        task->alignments[i] > 1 ? task->alignments[i] / search->unit : 1;
  }
  fillSections(search, task, cliques);
  countMembers(search);
  fillMembers(search);
  fillLoads(search);
  berthSearchForget(search);
  if (!fillNeighbours(search) || !berthSearchFillObstacles(search, task))
    return NULL;
  return berthSearchFindTwins(search) ? search : NULL;
}

void berthSearchForget(BerthSearch *search) {
  for (uint32_t s = 0; s < search->numSections; ++s)
    search->weights[s] = 1;
}

//===---------------------------------------------------------------------===//
// Reset
//===---------------------------------------------------------------------===//

// Puts every item back to the floor.
static void reset(BerthSearch *search) {
  uint32_t n = search->numItems, s = search->numSections;
  fillMembers(search);
  search->work = 0;
  memset(search->minimums, 0, n * sizeof *search->minimums);
  memset(search->bases, 0, n * sizeof *search->bases);
  memset(search->placed, 0, n * sizeof *search->placed);
  memset(search->remaining, 0, s * sizeof *search->remaining);
  memset(search->crossing, 0, (s + 1) * sizeof *search->crossing);
  for (uint32_t i = 0; i < s; ++i) {
    berthOrderedSetErase(&search->live, i);
    berthOrderedSetInsert(&search->borders, i);
  }
  for (uint32_t i = 0; search->obstacles && i < n; ++i)
    berthSearchStart(search, i);
  search->trailCount = search->stackCount = 0;
  search->numPlaced = search->numQueued = search->depth = 0;
  search->lastConflict = UINT32_MAX;
  memset(search->skipped, 0, search->words * sizeof *search->skipped);
  search->numSkipped = 0;
  memset(search->queued, 0, search->words * sizeof *search->queued);
  memset(search->supporters, 0, n * sizeof *search->supporters);
  for (uint32_t i = 0; search->obstacles && i < n; ++i)
    berthSearchNoteSkipped(search, i);
  for (uint32_t i = 0; i < n; ++i)
    berthSearchCount(search, i, 1);
  search->numDirty = s;
  for (uint32_t i = 0; i < s; ++i) {
    search->sectionDirty[i] = true;
    search->dirtySections[i] = i;
  }
}

//===---------------------------------------------------------------------===//
// A run
//===---------------------------------------------------------------------===//

// Factors within 10 % of 1, from the seed and the item.
static void fillNoise(BerthSearch *search, uint64_t seed) {
  for (uint32_t i = 0; i < search->numItems; ++i) {
    uint64_t z = berthMix(seed * BERTH_RANDOM_STEP + i);
    search->noise[i] = seed ? 0.9 + 0.2 * (double)(z % 1024) / 1024 : 1;
    uint32_t span = search->sectionBegin[i + 1] - search->sectionBegin[i];
    search->spans[i] = span * search->noise[i];
  }
}

static BerthSearchResult refuteAtOnce(BerthSearch *search, int64_t stack) {
  search->leastExcess = stack - search->capacity;
  berthProofFail(search->proof);
  return BERTH_SEARCH_REFUTED;
}

BerthSearchResult berthSearchRun(BerthSearch *search, int64_t capacity,
                                 BerthSearchConfig config, uint64_t seed,
                                 uint64_t failureLimit) {
  if (!search->savedNogoods)
    search->savedNogoods = BERTH_MEMORY_NEW(
        search->arena, uint64_t, (search->maxDepth + 1) * search->words);
  if (!search->savedNogoods)
    return BERTH_SEARCH_MEMORY;
  search->capacity = capacity / search->unit;
  search->config = config;
  search->nodes = search->failures = 0;
  search->failureLimit = failureLimit;
  search->result = BERTH_SEARCH_FOUND;
  search->leastExcess = INT64_MAX;
  fillNoise(search, seed);
  reset(search);
  berthSearchSettle(search);
  for (uint32_t s = 0; s < search->numSections; ++s)
    if (search->stacks[s] > search->capacity)
      return refuteAtOnce(search, search->stacks[s]);
  uint32_t end = search->splits ? search->numTimes : search->numSections;
  BerthSearchResult result = berthSearchSolve(search, 0, end);
  return search->result == BERTH_SEARCH_FOUND ? result : search->result;
}

int64_t berthSearchOffsets(const BerthSearch *search, int64_t *offsets) {
  int64_t peak = 0;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    int64_t top = search->minimums[i] + search->sizes[i];
    offsets[i] = search->minimums[i] * search->unit;
    peak = top > peak ? top : peak;
  }
  return peak * search->unit;
}

int64_t berthSearchBound(const BerthSearch *search) {
  if (search->leastExcess >= INT64_MAX / search->unit - search->capacity)
    return INT64_MAX;
  return (search->capacity + search->leastExcess) * search->unit;
}
