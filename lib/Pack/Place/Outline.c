//===- Outline.c - A plan built from below, layer by layer ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Outline.h"

#include "Support/Checked.h"
#include "Support/Random.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Building
//===---------------------------------------------------------------------===//

// Counting sort of n things by section: `begin` gets where each section's
// begin, `sorted` the things.
static void sortBySection(const uint32_t *sections, uint32_t n,
                          uint32_t numSections, uint32_t *begin, uint32_t *next,
                          uint32_t *sorted) {
  for (uint32_t i = 0; i < n; ++i)
    ++begin[sections[i] + 1];
  for (uint32_t s = 0; s <= numSections; ++s)
    begin[s + 1] += begin[s];
  memcpy(next, begin, (numSections + 1) * sizeof *next);
  for (uint32_t i = 0; i < n; ++i)
    sorted[next[sections[i]]++] = i;
}

static void fillItems(BerthOutlineItems *items, const BerthTask *task,
                      uint32_t *next) {
  uint32_t n = items->numItems, s = items->numSections;
  sortBySection(task->lowers, n, s, items->firstAt, next, items->items);
  for (uint32_t p = 0; p < n; ++p) {
    uint32_t item = items->items[p];
    items->lowers[p] = task->lowers[item];
    items->uppers[p] = task->uppers[item];
    items->sizes[p] = task->sizes[item];
    items->alignments[p] = task->alignments[item];
    items->hashes[p] = berthMix((p + 1) * BERTH_RANDOM_STEP);
    items->loads[items->lowers[p]] += items->sizes[p];
    items->loads[items->uppers[p]] -= items->sizes[p];
  }
  sortBySection(items->uppers, n, s, items->endsAt, next, items->byUpper);
  for (uint32_t k = 0; k < s; ++k) {
    if (k > 0)
      items->loads[k] += items->loads[k - 1];
    if (items->loads[k] > items->load)
      items->load = items->loads[k];
  }
}

bool berthOutlineItemsInit(BerthOutlineItems *items, const BerthTask *task,
                           BerthMemory *arena) {
  uint32_t n = task->numItems, s = task->numSections;
  *items = (BerthOutlineItems){.numItems = n, .numSections = s};
  items->items = BERTH_MEMORY_NEW(arena, uint32_t, n);
  items->lowers = BERTH_MEMORY_NEW(arena, uint32_t, n);
  items->uppers = BERTH_MEMORY_NEW(arena, uint32_t, n);
  items->sizes = BERTH_MEMORY_NEW(arena, int64_t, n);
  items->alignments = BERTH_MEMORY_NEW(arena, int64_t, n);
  items->hashes = BERTH_MEMORY_NEW(arena, uint64_t, n);
  items->loads = BERTH_MEMORY_NEW(arena, int64_t, s + 1);
  items->firstAt = BERTH_MEMORY_NEW(arena, uint32_t, s + 2);
  items->byUpper = BERTH_MEMORY_NEW(arena, uint32_t, n);
  items->endsAt = BERTH_MEMORY_NEW(arena, uint32_t, s + 2);
  uint32_t *next = BERTH_MEMORY_NEW(arena, uint32_t, s + 1);
  if (arena->failed)
    return false;
  fillItems(items, task, next);
  return berthItemTreeInit(&items->tree, items->lowers, items->uppers, n,
                           items->firstAt, arena);
}

size_t berthOutlineBytes(const BerthOutlineItems *items) {
  size_t n = items->numItems, s = (size_t)items->numSections + 1;
  return (2 * s + n) * sizeof(int64_t) + 2 * s * sizeof(uint32_t);
}

bool berthOutlineInit(BerthOutline *outline, const BerthOutlineItems *items,
                      BerthMemory *arena) {
  size_t n = items->numItems, s = (size_t)items->numSections + 1;
  int64_t *wide = berthMemoryAllocate(arena, 1, berthOutlineBytes(items));
  if (!wide)
    return false;
  *outline = (BerthOutline){.block = wide};
  outline->heights = wide;
  outline->critical = wide + s;
  outline->offsets = wide + 2 * s;
  outline->ends = (uint32_t *)(wide + 2 * s + n);
  outline->starts = outline->ends + s;
  return true;
}

static void setPlateau(BerthOutline *outline, uint32_t start, uint32_t end,
                       int64_t height) {
  outline->ends[start] = end;
  outline->heights[start] = height;
  outline->starts[end] = start;
}

void berthOutlineReset(BerthOutline *outline, const BerthOutlineItems *items) {
  for (uint32_t p = 0; p < items->numItems; ++p)
    outline->offsets[p] = BERTH_NONE;
  memcpy(outline->critical, items->loads,
         items->numSections * sizeof *outline->critical);
  outline->left = items->numItems;
  outline->peak = 0;
  outline->placed = 0;
  setPlateau(outline, 0, items->numSections, 0);
}

void berthOutlineCopy(BerthOutline *to, const BerthOutline *from,
                      const BerthOutlineItems *items) {
  memcpy(to->block, from->block, berthOutlineBytes(items));
  to->left = from->left;
  to->peak = from->peak;
  to->placed = from->placed;
}

//===---------------------------------------------------------------------===//
// Picking an item
//===---------------------------------------------------------------------===//

/// A plateau and the heights beside it; INT64_MAX where nothing is.
typedef struct Plateau {
  uint32_t lower;
  uint32_t upper;
  int64_t height;
  int64_t before;
  int64_t after;
} Plateau;

/// The best item for a plateau so far.
typedef struct Pick {
  const BerthOutlineItems *items;
  const BerthOutlineRule *rule;
  const Plateau *plateau;
  uint32_t section; ///< the most critical one
  uint32_t score;
  uint32_t rank; ///< UINT32_MAX: none yet
} Pick;

static int64_t offsetOn(const BerthOutlineItems *items, uint32_t position,
                        int64_t height) {
  int64_t alignment = items->alignments[position];
  return alignment > 1 ? berthRoundUp(height, alignment) : height;
}

// An item that lies within the plateau.
static void consider(Pick *pick, uint32_t position) {
  const BerthOutlineItems *items = pick->items;
  const BerthOutlineRule *rule = pick->rule;
  const Plateau *plateau = pick->plateau;
  uint32_t lower = items->lowers[position], upper = items->uppers[position];
  int64_t top =
      offsetOn(items, position, plateau->height) + items->sizes[position];
  uint32_t score = 0, rank = rule->ranks[position];
  if (lower == plateau->lower)
    score += top == plateau->before ? 2 * rule->flush : rule->flush;
  if (upper == plateau->upper)
    score += top == plateau->after ? 2 * rule->flush : rule->flush;
  if (lower <= pick->section && pick->section < upper)
    score += rule->critical;
  if (pick->rank == UINT32_MAX || score > pick->score ||
      (score == pick->score && rank < pick->rank)) {
    pick->score = score;
    pick->rank = rank;
  }
}

static void considerRanked(Pick *pick, uint32_t rank) {
  if (rank != UINT32_MAX)
    consider(pick, pick->rule->ranked[rank]);
}

// Those that have an end in common with the plateau.
static void considerFlush(const BerthOutline *outline, Pick *pick,
                          uint64_t *work) {
  const BerthOutlineItems *items = pick->items;
  uint32_t lower = pick->plateau->lower, upper = pick->plateau->upper;
  uint32_t end = items->firstAt[lower + 1];
  for (uint32_t p = items->firstAt[lower]; p < end; ++p, ++*work)
    if (items->uppers[p] <= upper && outline->offsets[p] == BERTH_NONE)
      consider(pick, p);
  end = items->endsAt[upper + 1];
  for (uint32_t k = items->endsAt[upper]; k < end; ++k, ++*work) {
    uint32_t p = items->byUpper[k];
    if (items->lowers[p] >= lower && outline->offsets[p] == BERTH_NONE)
      consider(pick, p);
  }
}

static uint32_t mostCritical(const BerthOutline *outline,
                             const Plateau *plateau) {
  uint32_t best = plateau->lower;
  for (uint32_t s = best + 1; s < plateau->upper; ++s)
    if (outline->critical[s] > outline->critical[best])
      best = s;
  return best;
}

// The item to lie on the plateau, or UINT32_MAX. An item that is the best of
// all is also the best of those that score for the same reasons.
static uint32_t pickItem(const BerthOutline *outline, BerthOutlineItems *items,
                         const BerthOutlineRule *rule, const Plateau *plateau,
                         uint64_t *work) {
  Pick pick = {.items = items,
               .rule = rule,
               .plateau = plateau,
               .section = plateau->lower,
               .rank = UINT32_MAX};
  if (rule->critical) {
    pick.section = mostCritical(outline, plateau);
    *work += (plateau->upper - plateau->lower) / 4;
    considerRanked(&pick, berthItemTreeFind(&items->tree, plateau->lower,
                                            pick.section + 1, pick.section,
                                            plateau->upper));
  }
  if (rule->flush)
    considerFlush(outline, &pick, work);
  considerRanked(&pick,
                 berthItemTreeFind(&items->tree, plateau->lower, plateau->upper,
                                   plateau->lower, plateau->upper));
  return pick.rank == UINT32_MAX ? UINT32_MAX : rule->ranked[pick.rank];
}

//===---------------------------------------------------------------------===//
// Filling
//===---------------------------------------------------------------------===//

// Lays the item on the plateau; returns where to go on.
static uint32_t lay(BerthOutline *outline, BerthOutlineItems *items,
                    const Plateau *plateau, uint32_t position) {
  uint32_t lower = items->lowers[position], upper = items->uppers[position];
  int64_t offset = offsetOn(items, position, plateau->height);
  int64_t top = offset + items->sizes[position];
  for (uint32_t s = lower; offset > plateau->height && s < upper; ++s)
    outline->critical[s] += offset - plateau->height;
  outline->offsets[position] = offset;
  outline->peak = top > outline->peak ? top : outline->peak;
  outline->placed ^= items->hashes[position];
  --outline->left;
  berthItemTreeRemove(&items->tree, position);
  if (lower > plateau->lower)
    setPlateau(outline, plateau->lower, lower, plateau->height);
  setPlateau(outline, lower, upper, top);
  if (upper < plateau->upper)
    setPlateau(outline, upper, plateau->upper, plateau->height);
  return lower > plateau->lower   ? plateau->lower
         : upper < plateau->upper ? upper
                                  : lower;
}

// Raises the plateau to its lower neighbour. False: that is too much waste.
static bool raise(BerthOutline *outline, const Plateau *plateau,
                  int64_t limit) {
  int64_t height =
      plateau->before < plateau->after ? plateau->before : plateau->after;
  int64_t worst = 0;
  for (uint32_t s = plateau->lower; s < plateau->upper; ++s) {
    int64_t critical = outline->critical[s] += height - plateau->height;
    worst = critical > worst ? critical : worst;
  }
  outline->heights[plateau->lower] = height;
  return worst < limit;
}

// Joins the plateau with a neighbour of the same height, or goes on to one that
// is to be filled first. Returns where to go on, UINT32_MAX: fill this one.
static uint32_t step(BerthOutline *outline, const Plateau *plateau,
                     int64_t height) {
  uint32_t start = plateau->lower;
  if (plateau->before == plateau->height) {
    uint32_t joined = outline->starts[start];
    setPlateau(outline, joined, plateau->upper, plateau->height);
    return joined;
  }
  if (plateau->after == plateau->height) {
    setPlateau(outline, start, outline->ends[plateau->upper], plateau->height);
    return start;
  }
  if (plateau->before < plateau->height && plateau->before < height)
    return outline->starts[start];
  if (plateau->after < plateau->height || plateau->height >= height)
    return plateau->upper;
  return UINT32_MAX;
}

static void buildTree(const BerthOutline *outline, BerthOutlineItems *items,
                      const BerthOutlineRule *rule) {
  for (uint32_t p = 0; p < items->numItems; ++p)
    berthItemTreeSet(&items->tree, p,
                     outline->offsets[p] == BERTH_NONE ? rule->ranks[p]
                                                       : UINT32_MAX);
  berthItemTreeBuild(&items->tree);
  items->tree.work = items->numItems / 4;
}

bool berthOutlineFill(BerthOutline *outline, BerthOutlineItems *items,
                      const BerthOutlineRule *rule, int64_t height,
                      int64_t limit, uint64_t *work) {
  uint32_t end = items->numSections, start = 0;
  bool good = true;
  buildTree(outline, items, rule);
  while (good && outline->left > 0 && start < end) {
    uint32_t after = outline->ends[start];
    Plateau plateau = {.lower = start,
                       .upper = after,
                       .height = outline->heights[start],
                       .before = INT64_MAX,
                       .after = INT64_MAX};
    if (start > 0)
      plateau.before = outline->heights[outline->starts[start]];
    if (after < end)
      plateau.after = outline->heights[after];
    ++*work;
    uint32_t to = step(outline, &plateau, height);
    if (to != UINT32_MAX) {
      start = to;
      continue;
    }
    uint32_t position = pickItem(outline, items, rule, &plateau, work);
    if (position != UINT32_MAX)
      start = lay(outline, items, &plateau, position);
    else
      good = raise(outline, &plateau, limit);
    good &= outline->peak < limit;
  }
  *work += items->tree.work;
  return good;
}

//===---------------------------------------------------------------------===//
// Comparing
//===---------------------------------------------------------------------===//

uint64_t berthOutlineHash(const BerthOutline *outline,
                          const BerthOutlineItems *items) {
  uint64_t hash = outline->placed;
  for (uint32_t s = 0; s < items->numSections; s = outline->ends[s])
    hash = berthMix(hash + s) + (uint64_t)outline->heights[s];
  return berthMix(hash);
}

// x to the power of 256: the fullest sections count most by far.
static double highPower(double x) {
  for (unsigned k = 0; k < 8; ++k)
    x *= x;
  return x;
}

double berthOutlineGuide(const BerthOutline *outline,
                         const BerthOutlineItems *items) {
  double sum = 0;
  for (uint32_t s = 0; s < items->numSections; ++s)
    sum += highPower((double)outline->critical[s] / (double)items->load);
  return sum;
}
