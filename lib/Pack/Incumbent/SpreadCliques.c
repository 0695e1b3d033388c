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
  kMaxParts = 1 << 12, ///< the table grows with the square
  kListWork = 1 << 21,
  kPatience = 8, ///< rounds without a heavier clique
  kTabu = 7      ///< rounds for which an item stays out
};

/// What a clique is made of: bytes of an item, mostly all.
typedef struct Part {
  uint32_t item;
  BerthRange bytes; ///< from its start
} Part;

typedef struct Finder {
  const BerthTask *task;
  uint32_t numParts;
  Part *parts;     ///< by item, then byte
  uint32_t *begin; ///< item -> its parts
  int64_t *sizes;
  size_t words;
  uint64_t *apart; ///< a row a part: which others it keeps apart from
  uint64_t *live;  ///< in one section
  uint64_t *clique;
  int64_t sum;      ///< of its sizes
  int64_t *missing; ///< part -> sizes of those in it that it may share with
  uint32_t *outUntil;
  uint32_t round;
  int64_t most; ///< of those grown from this section
  uint64_t *heaviest;
  uint64_t work, maxWork;
} Finder;

static uint64_t *rowOf(const Finder *finder, uint32_t part) {
  return finder->apart + part * finder->words;
}

//===---------------------------------------------------------------------===//
// Parts
//===---------------------------------------------------------------------===//

static uint32_t addPart(Finder *finder, uint32_t at, uint32_t item,
                        BerthRange bytes) {
  if (finder->parts) {
    finder->parts[at] = (Part){item, bytes};
    finder->sizes[at] = bytes.upper - bytes.lower;
  }
  return at + 1;
}

// The next byte after `from` at which one of the item's pieces begins or ends.
static int64_t nextCut(const BerthTask *task, uint32_t item, int64_t from) {
  int64_t next = task->sizes[item];
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1];
       ++p) {
    const BerthPiece *piece = &task->pieces[p];
    if (piece->low > from && piece->low < next)
      next = piece->low;
    if (piece->high > from && piece->high < next)
      next = piece->high;
  }
  return next;
}

// Their number; they are stored once there is room for them.
static uint32_t cutUp(Finder *finder, bool cut) {
  const BerthTask *task = finder->task;
  uint32_t count = 0;
  for (uint32_t i = 0; i < task->numItems && count <= kMaxParts; ++i) {
    for (int64_t at = 0, next; at < task->sizes[i] && count <= kMaxParts;
         at = next) {
      next = cut ? nextCut(task, i, at) : task->sizes[i];
      count = addPart(finder, count, i, (BerthRange){at, next});
    }
    if (finder->begin)
      finder->begin[i + 1] = count;
  }
  return count;
}

static bool initParts(Finder *finder, bool cut, BerthMemory *arena) {
  finder->numParts = cutUp(finder, cut);
  if (finder->numParts > kMaxParts)
    return false;
  finder->sizes = BERTH_MEMORY_NEW(arena, int64_t, finder->numParts);
  finder->parts = BERTH_MEMORY_NEW(arena, Part, finder->numParts);
  finder->begin = BERTH_MEMORY_NEW(arena, uint32_t, finder->task->numItems + 1);
  if (arena->failed)
    return false;
  cutUp(finder, cut);
  return true;
}

//===---------------------------------------------------------------------===//
// Who keeps apart from whom
//===---------------------------------------------------------------------===//

static bool isLiveIn(const BerthTask *task, const Part *part,
                     uint32_t section) {
  uint32_t item = part->item;
  if (section < task->lowers[item] || section >= task->uppers[item])
    return false;
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1];
       ++p) {
    const BerthPiece *piece = &task->pieces[p];
    if (piece->lower <= section && section < piece->upper &&
        piece->low <= part->bytes.lower && part->bytes.upper <= piece->high)
      return !berthItemIsSpared(task, item, section);
  }
  return false;
}

// What is live there with all its bytes.
static void fillLive(Finder *finder, uint32_t section) {
  memset(finder->live, 0, finder->words * sizeof *finder->live);
  for (uint32_t k = 0; k < finder->numParts; ++k)
    if (isLiveIn(finder->task, &finder->parts[k], section))
      berthBitSet(finder->live, k);
  finder->work += finder->numParts / 4;
}

// All parts of one item and all of another keep apart, or may share.
static void joinItems(Finder *finder, uint32_t i, uint32_t j, bool apart) {
  for (uint32_t a = finder->begin[i]; a < finder->begin[i + 1]; ++a)
    for (uint32_t b = finder->begin[j]; b < finder->begin[j + 1]; ++b)
      if (apart)
        berthBitSet(rowOf(finder, a), b);
      else
        berthBitClear(rowOf(finder, a), b);
}

// What edges and distances say of it, and that its parts never overlap.
static void joinItem(Finder *finder, uint32_t item) {
  const BerthTask *task = finder->task;
  for (uint32_t d = task->distanceBegin ? task->distanceBegin[item] : 0;
       task->distanceBegin && d < task->distanceBegin[item + 1]; ++d)
    joinItems(finder, item, task->distances[d].other, false);
  for (uint32_t e = task->hardBegin[item]; e < task->hardBegin[item + 1]; ++e)
    joinItems(finder, item, task->hardEdges[e], true);
  joinItems(finder, item, item, true);
}

static void fillApart(Finder *finder) {
  size_t words = finder->words;
  for (uint32_t s = 0; s < finder->task->numSections; ++s) {
    fillLive(finder, s);
    for (uint32_t k = 0; k < finder->numParts; ++k)
      for (size_t w = 0; berthBitTest(finder->live, k) && w < words; ++w)
        finder->apart[k * words + w] |= finder->live[w];
  }
  for (uint32_t i = 0; i < finder->task->numItems; ++i)
    joinItem(finder, i);
}

//===---------------------------------------------------------------------===//
// Growing
//===---------------------------------------------------------------------===//

static void put(Finder *finder, uint32_t part, bool in) {
  const uint64_t *row = rowOf(finder, part);
  int64_t size = in ? finder->sizes[part] : -finder->sizes[part];
  if (in)
    berthBitSet(finder->clique, part);
  else
    berthBitClear(finder->clique, part);
  finder->sum += size;
  for (uint32_t k = 0; k < finder->numParts; ++k)
    finder->missing[k] += berthBitTest(row, k) ? 0 : size;
  finder->work += finder->numParts;
}

// What outweighs most what it replaces, the first of equals; UINT32_MAX: none
// has anything to do with the clique.
static uint32_t chooseNext(Finder *finder) {
  uint32_t best = UINT32_MAX;
  int64_t most = INT64_MIN;
  finder->work += finder->numParts;
  for (uint32_t i = 0; i < finder->numParts; ++i) {
    int64_t gain = finder->sizes[i] - finder->missing[i];
    if (gain <= most || finder->missing[i] >= finder->sum ||
        finder->outUntil[i] > finder->round || berthBitTest(finder->clique, i))
      continue;
    most = gain;
    best = i;
  }
  return best;
}

static void takeIn(Finder *finder, uint32_t part) {
  const uint64_t *row = rowOf(finder, part);
  for (size_t w = 0; w < finder->words; ++w)
    for (uint64_t set = finder->clique[w] & ~row[w]; set; set &= set - 1) {
      uint32_t other = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(set);
      put(finder, other, false);
      finder->outUntil[other] = finder->round + kTabu;
    }
  put(finder, part, true);
}

// Leaves the heaviest clique that came of it.
static void grow(Finder *finder, uint32_t section) {
  uint32_t n = finder->numParts, next;
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
  uint32_t n = finder->numParts;
  size_t words = finder->words = berthBitWords(n);
  finder->apart = BERTH_MEMORY_NEW(arena, uint64_t, n * words);
  finder->live = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->clique = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->heaviest = BERTH_MEMORY_NEW(arena, uint64_t, words);
  finder->missing = BERTH_MEMORY_NEW(arena, int64_t, n);
  finder->outUntil = BERTH_MEMORY_NEW(arena, uint32_t, n);
  return !arena->failed;
}

static bool prepare(Finder *finder, bool parts, BerthMemory *arena) {
  const uint32_t holes = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS;
  uint32_t features = finder->task->features;
  if (!(features & (parts ? BERTH_CAN_GAPS : holes)) ||
      !initParts(finder, parts, arena) || !initFinder(finder, arena))
    return false;
  fillApart(finder);
  finder->work = 0; // what preparing takes depends on the size alone
  return true;
}

// The items of the heaviest clique and, if asked for, the bytes of each.
static uint32_t listItems(const Finder *finder, uint32_t *items,
                          BerthRange *bytes) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < finder->numParts; ++k) {
    if (!berthBitTest(finder->heaviest, k))
      continue;
    items[count] = finder->parts[k].item;
    if (bytes)
      bytes[count] = finder->parts[k].bytes;
    ++count;
  }
  return count;
}

int64_t berthFindSpreadClique(const BerthTask *task, bool parts,
                              uint64_t maxWork, BerthMemory *arena,
                              BerthClique *best) {
  Finder finder = {.task = task, .maxWork = maxWork};
  int64_t most = 0;
  *best = (BerthClique){0};
  if (!prepare(&finder, parts, arena))
    return 0;
  best->items = BERTH_MEMORY_NEW(arena, uint32_t, finder.numParts);
  if (parts)
    best->parts = BERTH_MEMORY_NEW(arena, BerthRange, finder.numParts);
  const uint32_t *order = berthTaskSectionsByLoad(task, arena);
  if (arena->failed || !order)
    return 0;
  for (uint32_t k = 0; k < task->numSections && finder.work < finder.maxWork;
       ++k) {
    grow(&finder, order[k]);
    if (finder.most <= most)
      continue;
    most = finder.most;
    best->count = listItems(&finder, best->items, best->parts);
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
  if (!begin || !prepare(&finder, false, arena))
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
        begin[list.count] + listItems(&finder, items + begin[list.count], NULL);
    ++list.count;
  }
  list.begin = begin;
  list.items = items;
  return list;
}
