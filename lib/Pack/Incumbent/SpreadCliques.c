//===- SpreadCliques.c - Cliques that no one moment holds ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Local search with a tabu list (Glover 1989): where nothing outweighs what it
// replaces, what comes nearest is taken in, and what had to go stays out for a
// few rounds.
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/SpreadCliques.h"

#include "Pack/Task/Distances.h"
#include "Pack/Task/Overlap.h"
#include "Pack/Task/Task.h"
#include "Support/Bitset.h"

#include <string.h>

enum {
  kMaxItems = 1 << 12, ///< the table grows with the square
  kListWork = 1 << 21,
  kPatience = 8, ///< rounds without a heavier clique
  kTabu = 7      ///< rounds for which an item stays out
};

typedef struct Finder {
  const BerthTask *task;
  size_t words;
  uint64_t *apart; ///< a row an item: which others it keeps apart from
  uint64_t *live;  ///< in one section
  uint64_t *clique;
  int64_t sum;      ///< of its sizes
  int64_t *missing; ///< item -> sizes of those in it that it may share with
  uint32_t *outUntil;
  uint32_t round;
  int64_t most; ///< of those grown from this section
  uint64_t *heaviest;
  uint64_t work, maxWork;
} Finder;

static const uint64_t *rowOf(const Finder *finder, uint32_t item) {
  return finder->apart + item * finder->words;
}

//===---------------------------------------------------------------------===//
// Who keeps apart from whom
//===---------------------------------------------------------------------===//

static bool isWholeIn(const BerthTask *task, uint32_t item, uint32_t section) {
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower <= section && section < task->pieces[p].upper)
      return berthPieceIsWhole(task, item, p) &&
             !berthItemIsSpared(task, item, section);
  return false;
}

// What is live there with all its bytes.
static void fillLive(Finder *finder, uint32_t section) {
  const BerthTask *task = finder->task;
  memset(finder->live, 0, finder->words * sizeof *finder->live);
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->lowers[i] <= section && section < task->uppers[i] &&
        isWholeIn(task, i, section))
      berthBitSet(finder->live, i);
  finder->work += task->numItems / 4;
}

static void fillApart(Finder *finder) {
  const BerthTask *task = finder->task;
  size_t words = finder->words;
  for (uint32_t s = 0; s < task->numSections; ++s) {
    fillLive(finder, s);
    for (uint32_t i = 0; i < task->numItems; ++i)
      for (size_t w = 0; berthBitTest(finder->live, i) && w < words; ++w)
        finder->apart[i * words + w] |= finder->live[w];
  }
  for (uint32_t i = 0; task->distanceBegin && i < task->numItems; ++i)
    for (uint32_t d = task->distanceBegin[i]; d < task->distanceBegin[i + 1];
         ++d) {
      berthBitClear(finder->apart + i * words, task->distances[d].other);
      berthBitClear(finder->apart + task->distances[d].other * words, i);
    }
  for (uint32_t i = 0; i < task->numItems; ++i) {
    for (uint32_t e = task->hardBegin[i]; e < task->hardBegin[i + 1]; ++e)
      berthBitSet(finder->apart + i * words, task->hardEdges[e]);
    berthBitSet(finder->apart + i * words, i);
  }
}

//===---------------------------------------------------------------------===//
// Growing
//===---------------------------------------------------------------------===//

static void put(Finder *finder, uint32_t item, bool in) {
  const BerthTask *task = finder->task;
  const uint64_t *row = rowOf(finder, item);
  int64_t size = in ? task->sizes[item] : -task->sizes[item];
  if (in)
    berthBitSet(finder->clique, item);
  else
    berthBitClear(finder->clique, item);
  finder->sum += size;
  for (uint32_t i = 0; i < task->numItems; ++i)
    finder->missing[i] += berthBitTest(row, i) ? 0 : size;
  finder->work += task->numItems;
}

// What outweighs most what it replaces, the first of equals; UINT32_MAX: none
// has anything to do with the clique.
static uint32_t chooseNext(Finder *finder) {
  const BerthTask *task = finder->task;
  uint32_t best = UINT32_MAX;
  int64_t most = INT64_MIN;
  finder->work += task->numItems;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t gain = task->sizes[i] - finder->missing[i];
    if (gain <= most || finder->missing[i] >= finder->sum ||
        finder->outUntil[i] > finder->round || berthBitTest(finder->clique, i))
      continue;
    most = gain;
    best = i;
  }
  return best;
}

static void takeIn(Finder *finder, uint32_t item) {
  const uint64_t *row = rowOf(finder, item);
  for (size_t w = 0; w < finder->words; ++w)
    for (uint64_t set = finder->clique[w] & ~row[w]; set; set &= set - 1) {
      uint32_t other = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(set);
      put(finder, other, false);
      finder->outUntil[other] = finder->round + kTabu;
    }
  put(finder, item, true);
}

// Leaves the heaviest clique that came of it.
static void grow(Finder *finder, uint32_t section) {
  uint32_t n = finder->task->numItems, next;
  size_t bytes = finder->words * sizeof *finder->clique;
  memset(finder->clique, 0, bytes);
  memset(finder->missing, 0, n * sizeof *finder->missing);
  memset(finder->outUntil, 0, n * sizeof *finder->outUntil);
  finder->sum = finder->most = 0;
  finder->round = 1;
  fillLive(finder, section);
  for (uint32_t i = 0; i < n; ++i)
    if (berthBitTest(finder->live, i))
      put(finder, i, true);
  for (unsigned idle = 0; idle < kPatience && finder->work < finder->maxWork;
       ++idle) {
    if (finder->sum > finder->most) {
      finder->most = finder->sum;
      memcpy(finder->heaviest, finder->clique, bytes);
      idle = 0;
    }
    ++finder->round;
    next = chooseNext(finder);
    if (next == UINT32_MAX)
      return;
    takeIn(finder, next);
  }
}

static bool initFinder(Finder *finder, BerthMemory *arena) {
  uint32_t n = finder->task->numItems;
  size_t words = finder->words = berthBitWords(n);
  finder->apart = BERTH_MEMORY_NEW(arena, uint64_t, n * words);
  finder->live = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->clique = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->heaviest = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->missing = BERTH_MEMORY_NEW(arena, int64_t, n);
  finder->outUntil = BERTH_MEMORY_NEW(arena, uint32_t, n);
  return !arena->failed;
}

static bool prepare(Finder *finder, BerthMemory *arena) {
  const uint32_t holes = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS;
  const BerthTask *task = finder->task;
  if (!(task->features & holes) || task->numItems > kMaxItems ||
      !initFinder(finder, arena))
    return false;
  fillApart(finder);
  finder->work = 0; // what preparing takes depends on the size alone
  return true;
}

static uint32_t listItems(const Finder *finder, uint32_t *items) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < finder->task->numItems; ++i)
    if (berthBitTest(finder->heaviest, i))
      items[count++] = i;
  return count;
}

int64_t berthFindSpreadClique(const BerthTask *task, uint64_t maxWork,
                              BerthMemory *arena, BerthClique *best) {
  Finder finder = {.task = task, .maxWork = maxWork};
  int64_t most = 0;
  *best = (BerthClique){0};
  if (!prepare(&finder, arena))
    return 0;
  best->items = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  const uint32_t *order = berthTaskSectionsByLoad(task, arena);
  if (!best->items || !order)
    return 0;
  for (uint32_t k = 0; k < task->numSections && finder.work < finder.maxWork;
       ++k) {
    grow(&finder, order[k]);
    if (finder.most <= most)
      continue;
    most = finder.most;
    best->count = listItems(&finder, best->items);
  }
  return most;
}

//===---------------------------------------------------------------------===//
// Many of them
//===---------------------------------------------------------------------===//

// Is the heaviest one all live in this section, or listed already?
static bool isKnown(Finder *finder, const uint64_t *seen, uint32_t numSeen) {
  size_t words = finder->words, missing = 0;
  for (uint32_t k = 0; k < numSeen; ++k)
    if (memcmp(seen + k * words, finder->heaviest, words * sizeof *seen) == 0)
      return true;
  for (size_t w = 0; w < words; ++w)
    missing += (finder->heaviest[w] & ~finder->live[w]) != 0;
  return missing == 0;
}

BerthCliqueList berthListSpreadCliques(const BerthTask *task, uint32_t most,
                                       BerthMemory *arena) {
  Finder finder = {.task = task, .maxWork = kListWork};
  BerthCliqueList list = {0};
  size_t room = 0;
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, most + 1), *items = NULL;
  if (!begin || !prepare(&finder, arena))
    return list;
  const uint32_t *order = berthTaskSectionsByLoad(task, arena);
  uint64_t *seen = BERTH_MEMORY_NEW(arena, uint64_t, most * finder.words);
  for (uint32_t k = 0; order && seen && k < task->numSections &&
                       list.count < most && finder.work < finder.maxWork;
       ++k) {
    grow(&finder, order[k]);
    if (isKnown(&finder, seen, list.count))
      continue;
    if (!berthMemoryReserve(arena, &items, &room,
                            begin[list.count] + task->numItems))
      return (BerthCliqueList){0};
    memcpy(seen + list.count * finder.words, finder.heaviest,
           finder.words * sizeof *seen);
    begin[list.count + 1] =
        begin[list.count] + listItems(&finder, items + begin[list.count]);
    ++list.count;
  }
  list.begin = begin;
  list.items = items;
  return list;
}
