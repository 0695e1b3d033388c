//===- Cores.c - Packing the fullest moments first -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Exact search packs some hundred items at the load with hardly a failure as
// long as all of them are free. What makes a window hard is what stays around
// it: the ends of items that reach in leave holes between them, and the holes
// are where memory is full. So a window is packed in two steps:
//
//     load  ^        _                core   from one valley to the next, all
//           |   _   / \_              that is live in it, free; it ends below
//           |__/ \_/    \       __    the target
//           |            \_____/      sides  the valleys: what lies there goes
//           |  |    core    |         between the ends of the core and those of
//           +-[side)--------[side)->  what stays
//
// A valley is a stretch of time, rather longer than items live, in which so
// much memory is free that the holes do not matter. Where a side fails, nothing
// is changed.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Cores.h"

enum {
  kValley = 120,    ///< sections
  kNearest = 15,    ///< from the fullest section to the end of the core
  kFull = 6,        ///< what is free in a valley is a sixth of the target
  kSideItems = 150, ///< to take out; more if the first attempt fails
  kMoreSideItems = 220,
  kSideSearches = 1,
  // A core is prepared for longer than searched, so failures are cheap.
  kCoreFailures = 5
};

/// How far the core may reach, and how often it is searched.
static const struct {
  uint32_t reach;
  unsigned searches;
} kAttempts[] = {{300, 2}, {500, 3}};

typedef struct Core {
  BerthWindows *windows;
  BerthMemory arena;
  int64_t target;
  BerthSpan span;
  BerthSpan hull;  ///< of its items
  uint32_t *items; ///< all that is live in it
  uint32_t numItems;
} Core;

//===---------------------------------------------------------------------===//
// Where it begins and ends
//===---------------------------------------------------------------------===//

static uint32_t fullestSection(const BerthTask *task, uint32_t item) {
  uint32_t best = task->lowers[item];
  for (uint32_t s = best; s < task->uppers[item]; ++s)
    if (task->sectionLoads[s] > task->sectionLoads[best])
      best = s;
  return best;
}

static int64_t largestLoad(const BerthTask *task, BerthSpan span) {
  int64_t largest = 0;
  for (uint32_t s = span.lower; s < span.upper; ++s)
    largest = task->sectionLoads[s] > largest ? task->sectionLoads[s] : largest;
  return largest;
}

static uint32_t before(uint32_t section, uint32_t distance) {
  return section > distance ? section - distance : 0;
}

static uint32_t behind(const BerthTask *task, uint32_t section,
                       uint32_t distance) {
  return task->numSections - section > distance ? section + distance
                                                : task->numSections;
}

// The end of the core on one side: where the nearest valley begins, or the
// deepest one within reach.
static uint32_t findEnd(const Core *core, uint32_t fullest, uint32_t reach,
                        bool left) {
  const BerthTask *task = core->windows->task;
  int64_t shallow = core->target - core->target / kFull, least = INT64_MAX;
  uint32_t end = fullest;
  for (uint32_t d = kNearest; d < reach && least > shallow; ++d) {
    uint32_t at = left ? before(fullest, d) : behind(task, fullest, d);
    BerthSpan valley = left ? (BerthSpan){before(at, kValley), at}
                            : (BerthSpan){at, behind(task, at, kValley)};
    int64_t largest = largestLoad(task, valley);
    if (largest < least) {
      least = largest;
      end = at;
    }
  }
  return end;
}

//===---------------------------------------------------------------------===//
// The core
//===---------------------------------------------------------------------===//

// All that is live in it is free.
static bool packCore(Core *core, unsigned searches) {
  BerthWindows *windows = core->windows;
  BerthEffort effort = {searches, windows->failures * kCoreFailures};
  core->numItems = berthWindowsCollect(windows, core->span);
  core->items = berthMemoryCopy(&core->arena, windows->members, core->numItems,
                                sizeof *core->items);
  if (!core->items) {
    windows->incumbent->failed = true;
    return false;
  }
  core->hull = core->span;
  for (uint32_t k = 0; k < core->numItems; ++k)
    berthWindowsTakeOut(windows, core->items[k], &core->hull);
  bool found = berthWindowsPutBack(windows, core->numItems, core->span,
                                   core->target, effort);
  for (uint32_t k = 0; k < core->numItems; ++k)
    windows->free[core->items[k]] = false;
  return found;
}

//===---------------------------------------------------------------------===//
// The sides
//===---------------------------------------------------------------------===//

static bool isWithin(const BerthTask *task, uint32_t item, BerthSpan span) {
  return span.lower <= task->lowers[item] && task->uppers[item] <= span.upper;
}

static bool overlap(const BerthWindows *windows, uint32_t i, uint32_t j) {
  const BerthTask *task = windows->task;
  const int64_t *offsets = windows->offsets;
  return task->lowers[i] < task->uppers[j] &&
         task->lowers[j] < task->uppers[i] &&
         offsets[i] < offsets[j] + task->sizes[j] &&
         offsets[j] < offsets[i] + task->sizes[i];
}

static bool isInTheWay(const Core *core, uint32_t item) {
  for (uint32_t k = 0; k < core->numItems; ++k)
    if (overlap(core->windows, item, core->items[k]))
      return true;
  return false;
}

// What overlaps the core where it now lies has to go. `reach` is where the
// core's items on this side are live, without the core itself.
static void takeOutOverlapping(Core *core, BerthSpan reach, BerthSpan bounds,
                               BerthSpan *span) {
  BerthWindows *windows = core->windows;
  size_t found = berthOverlapQuery(&windows->index, reach.lower, reach.upper,
                                   windows->order);
  for (size_t q = 0; q < found; ++q) {
    uint32_t item = windows->order[q];
    if (isWithin(windows->task, item, bounds) && isInTheWay(core, item))
      berthWindowsTakeOut(windows, item, span);
  }
}

// Packs `wanted` items on one side round the core and what stays.
static bool packSide(Core *core, bool left, uint32_t wanted) {
  BerthWindows *windows = core->windows;
  uint32_t edge = left ? core->span.lower : core->span.upper;
  BerthSpan all = {0, windows->task->numSections}, around = {edge, edge};
  BerthSpan bounds =
      left ? (BerthSpan){all.lower, edge} : (BerthSpan){edge, all.upper};
  BerthSpan span = left ? (BerthSpan){core->hull.lower, edge}
                        : (BerthSpan){edge, core->hull.upper};
  if (span.lower < span.upper)
    takeOutOverlapping(core, span, bounds, &span);
  berthWindowsTakeOutNear(windows, around, bounds, wanted, &span);
  berthWindowsTakeOutHigh(windows, core->target, &span);
  if (span.lower == span.upper)
    return true;
  uint32_t count = berthWindowsCollect(windows, span);
  bool found =
      berthWindowsPutBack(windows, count, span, core->target,
                          (BerthEffort){kSideSearches, windows->failures});
  for (uint32_t k = 0; k < count; ++k)
    windows->free[windows->members[k]] = false;
  return found;
}

static bool packSides(Core *core) {
  for (unsigned side = 0; side < 2; ++side)
    if (!packSide(core, side == 0, kSideItems) &&
        (berthWindowsAreBroken(core->windows) ||
         !packSide(core, side == 0, kMoreSideItems)))
      return false;
  return true;
}

//===---------------------------------------------------------------------===//
// Both
//===---------------------------------------------------------------------===//

static Core chooseCore(BerthWindows *windows, uint32_t center, int64_t target,
                       uint32_t reach) {
  Core core = {.windows = windows, .target = target};
  uint32_t fullest = fullestSection(windows->task, center);
  core.span.lower = findEnd(&core, fullest, reach, true);
  core.span.upper = findEnd(&core, fullest, reach, false);
  return core;
}

bool berthCoreIsSmall(BerthWindows *windows, uint32_t center, int64_t target) {
  const BerthTask *task = windows->task;
  BerthSpan span = chooseCore(windows, center, target, kAttempts[0].reach).span;
  uint32_t count = berthWindowsCollect(windows, span);
  uint64_t meetings = 0, sections = span.upper - span.lower;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t i = windows->members[k];
    uint32_t lower = task->lowers[i], upper = task->uppers[i];
    meetings += (upper < span.upper ? upper : span.upper) -
                (lower > span.lower ? lower : span.lower);
  }
  // There are fewest pairs where all sections have as many items.
  return count <= kBerthMaxMembers &&
         meetings / sections * meetings <= kBerthMaxPairs;
}

bool berthRepackCore(BerthWindows *windows, uint32_t center, int64_t target,
                     unsigned attempt) {
  Core core = chooseCore(windows, center, target, kAttempts[attempt].reach);
  windows->numMoves = 0;
  bool found = packCore(&core, kAttempts[attempt].searches) && packSides(&core);
  if (!found)
    berthWindowsTakeBack(windows);
  berthMemoryFree(&core.arena);
  return found;
}
