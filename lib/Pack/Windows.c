//===- Windows.c - Packing a window of time anew -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Large neighbourhood search (Shaw 1998). A plan of thousands of items is
// mostly fine: few moments are so full that only a good packing of them fits
// below the target. So the item that ends highest is taken out together with
// the items nearest to it in time, and exact search puts them back below the
// target, round the rest of the plan, which stays where it is:
//
//     bytes ^        +----+           taken out: what lies within the window
//     target| - - - -| xx |- - - -    stays: what reaches out of it (pinned)
//           | +---+--+-+--+---+---+
//           | |   |    |      |   |
//           +-+---[----+------]---+-> time
//
// While that succeeds, the next highest item is next; where it does not, the
// window grows, another configuration tries, and at last the target is lowered
// to what is less ambitious.
//
//===---------------------------------------------------------------------===//

#include "Pack/Host.h"
#include "Pack/Improve.h"
#include "Pack/Overlap.h"
#include "Pack/Search.h"
#include "Pack/Subtask.h"
#include "Support/Sort.h"

#include <string.h>

// Exact search either finds a plan after few failures or is lost for a long
// time, so many short runs are better than a long one (Gomes, Selman and Kautz
// 1998).
enum {
  kFirstWindow = 300,
  kWindowSizes = 3,
  kFailures = 100,
  kMaxMembers = 3000,
  kMaxPairs = 1 << 23
};

static const BerthSearchConfig kConfigs[] = {
    {BERTH_SECTION_TIGHT, BERTH_RANK_SPAN, true},
    {BERTH_SECTION_TIGHT, BERTH_RANK_SCARCE, true},
    {BERTH_SECTION_TIGHT, BERTH_RANK_HEIGHT, true},
    {BERTH_SECTION_TIGHT, BERTH_RANK_FAILED, false},
};
enum { kNumConfigs = sizeof kConfigs / sizeof *kConfigs };

typedef struct Windows {
  BerthIncumbent *incumbent;
  const BerthHost *host;
  const BerthTask *task;
  int64_t *offsets; ///< the plan that is worked on
  bool *free;       ///< item -> taken out
  uint32_t *order;  ///< room for sorting
  uint32_t *scratch;
  uint64_t *keys;
  uint32_t *members;       ///< what is taken out and what stays around it
  BerthOverlapIndex index; ///< all items by their sections
  uint32_t *high;          ///< what is above the target, ascending
  uint32_t numHigh;
  uint64_t failures; ///< limit of a search
  bool stopped;      ///< the host said stop, be it only this slice's
  uint64_t runs;
} Windows;

bool berthWindowsCanHandle(const BerthTask *task) {
  const uint32_t foreign = BERTH_CAN_GAPS | BERTH_CAN_RESERVED |
                           BERTH_CAN_POOLS | BERTH_CAN_PRICED_EDGES |
                           BERTH_CAN_HARD_EDGES;
  return !(task->features & foreign);
}

//===---------------------------------------------------------------------===//
// Choosing a window
//===---------------------------------------------------------------------===//

static bool isHigh(const Windows *windows, uint32_t item, int64_t target) {
  return windows->offsets[item] + windows->task->sizes[item] > target;
}

// Of millions of items few are high, so they are listed once a target.
static void listHigh(Windows *windows, int64_t target) {
  windows->numHigh = 0;
  for (uint32_t i = 0; i < windows->task->numItems; ++i)
    if (isHigh(windows, i, target))
      windows->high[windows->numHigh++] = i;
}

// Forgets what is no longer above the target; the highest of the rest, or
// UINT32_MAX.
static uint32_t highestItem(Windows *windows, int64_t target) {
  const BerthTask *task = windows->task;
  uint32_t highest = UINT32_MAX, kept = 0;
  for (uint32_t k = 0; k < windows->numHigh; ++k) {
    uint32_t i = windows->high[k];
    if (!isHigh(windows, i, target))
      continue;
    windows->high[kept++] = i;
    if (highest == UINT32_MAX ||
        windows->offsets[i] + task->sizes[i] >
            windows->offsets[highest] + task->sizes[highest])
      highest = i;
  }
  windows->numHigh = kept;
  return highest;
}

// How far the item sticks out of the sections of `center`.
static uint32_t distance(const BerthTask *task, uint32_t item,
                         uint32_t center) {
  uint32_t before = 0, after = 0;
  if (task->lowers[item] < task->lowers[center])
    before = task->lowers[center] - task->lowers[item];
  if (task->uppers[item] > task->uppers[center])
    after = task->uppers[item] - task->uppers[center];
  return before > after ? before : after;
}

// Lists in `order` the items that stick out by at most the radius; their keys
// order them by how far they do.
static uint32_t listWithin(Windows *windows, uint32_t center, uint32_t radius) {
  const BerthTask *task = windows->task;
  uint32_t lower = task->lowers[center], upper = task->uppers[center],
           count = 0;
  lower -= radius < lower ? radius : lower;
  upper +=
      radius < task->numSections - upper ? radius : task->numSections - upper;
  size_t found =
      berthOverlapQuery(&windows->index, lower, upper, windows->members);
  for (size_t k = 0; k < found; ++k) {
    uint32_t i = windows->members[k], away = distance(task, i, center);
    windows->keys[i] = (uint64_t)away << 32 | i;
    if (away <= radius)
      windows->order[count++] = i;
  }
  return count;
}

static void takeOutItem(Windows *windows, uint32_t item, uint32_t *lower,
                        uint32_t *upper) {
  const BerthTask *task = windows->task;
  windows->free[item] = task->fixedOffsets[item] == BERTH_NONE;
  *lower = task->lowers[item] < *lower ? task->lowers[item] : *lower;
  *upper = task->uppers[item] > *upper ? task->uppers[item] : *upper;
}

// What is above the target cannot stay where it is, also where it only reaches
// into the window.
static void takeOutHigh(Windows *windows, int64_t target, uint32_t *lower,
                        uint32_t *upper) {
  const BerthTask *task = windows->task;
  uint32_t before, after;
  do {
    before = *lower;
    after = *upper;
    for (uint32_t k = 0; k < windows->numHigh; ++k) {
      uint32_t i = windows->high[k];
      if (isHigh(windows, i, target) && task->lowers[i] < *upper &&
          *lower < task->uppers[i])
        takeOutItem(windows, i, lower, upper);
    }
  } while (*lower < before || *upper > after);
}

// Takes out the `wanted` items that stick out least; [*lower, *upper) are the
// sections they cover.
static void takeOut(Windows *windows, uint32_t center, uint32_t wanted,
                    uint32_t *lower, uint32_t *upper) {
  const BerthTask *task = windows->task;
  uint32_t radius = 8, count;
  do {
    radius *= 4;
    count = listWithin(windows, center, radius);
  } while (count < wanted && radius < task->numSections);
  berthSortByKey(windows->order, windows->scratch, count, windows->keys);
  *lower = task->lowers[center];
  *upper = task->uppers[center];
  for (uint32_t k = 0; k < wanted && k < count; ++k)
    takeOutItem(windows, windows->order[k], lower, upper);
}

static bool hasPieceIn(const BerthTask *task, uint32_t item, uint32_t lower,
                       uint32_t upper) {
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower < upper && lower < task->pieces[p].upper)
      return true;
  return false;
}

// Everything with a piece in the window, ascending; returns how many.
static uint32_t collectMembers(Windows *windows, uint32_t lower,
                               uint32_t upper) {
  const BerthTask *task = windows->task;
  uint32_t count = 0;
  size_t found =
      berthOverlapQuery(&windows->index, lower, upper, windows->order);
  for (size_t k = 0; k < found; ++k) {
    uint32_t i = windows->order[k];
    windows->keys[i] = i;
    if (hasPieceIn(task, i, lower, upper))
      windows->members[count++] = i;
  }
  berthSortByKey(windows->members, windows->scratch, count, windows->keys);
  return count;
}

//===---------------------------------------------------------------------===//
// Packing it
//===---------------------------------------------------------------------===//

// The window as a task in which all that stays is pinned.
static bool buildWindow(const Windows *windows, uint32_t count, uint32_t lower,
                        uint32_t upper, BerthArena *arena, BerthTask *task) {
  int64_t *pins = BERTH_ARENA_NEW(arena, int64_t, count);
  if (!pins || !berthSubtask(windows->task, windows->members, count, lower,
                             upper, arena, task))
    return false;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t item = windows->members[k];
    pins[k] = windows->free[item] ? BERTH_NONE : windows->offsets[item];
  }
  task->fixedOffsets = pins;
  task->features |= BERTH_CAN_FIXED;
  return true;
}

// Runs every configuration once. True: `search` holds a plan.
static bool runConfigs(Windows *windows, BerthSearch *search, int64_t target) {
  for (unsigned c = 0; c < kNumConfigs; ++c)
    switch (berthSearchRun(search, target, kConfigs[c], windows->runs++,
                           windows->failures)) {
    case BERTH_SEARCH_FOUND:
      return true;
    case BERTH_SEARCH_LIMIT:
      break;
    case BERTH_SEARCH_REFUTED:
      return false;
    case BERTH_SEARCH_STOPPED:
      windows->stopped = true;
      return false;
    case BERTH_SEARCH_MEMORY:
      windows->incumbent->failed = true;
      return false;
    }
  return false;
}

// What preparing a search takes: each pair in each section it shares.
static uint64_t countPairs(const BerthTask *task, BerthArena *arena) {
  uint64_t *live = BERTH_ARENA_NEW(arena, uint64_t, task->numSections + 1);
  uint64_t now = 0, pairs = 0;
  if (!live)
    return UINT64_MAX;
  for (uint32_t p = 0; p < task->pieceBegin[task->numItems]; ++p) {
    ++live[task->pieces[p].lower];
    --live[task->pieces[p].upper];
  }
  for (uint32_t s = 0; s < task->numSections; ++s) {
    now += live[s];
    pairs += now * now;
  }
  return pairs;
}

// Small enough to be worth it? Spends the steps of preparing it.
static bool isWorthwhile(Windows *windows, const BerthTask *task,
                         BerthArena *arena) {
  uint64_t pairs = countPairs(task, arena);
  if (pairs > kMaxPairs)
    return false;
  windows->stopped |= !windows->host->step(windows->host->context, pairs);
  return !windows->stopped;
}

static bool searchWindow(Windows *windows, const BerthTask *task,
                         BerthArena *arena, int64_t target) {
  BerthSearch *search = berthSearchCreate(task, windows->host, arena);
  double *weights =
      search ? BERTH_ARENA_NEW(arena, double, search->numSections) : NULL;
  int64_t *offsets = BERTH_ARENA_NEW(arena, int64_t, task->numItems);
  if (!weights || !offsets) {
    windows->incumbent->failed = true;
    return false;
  }
  search->weights = weights;
  berthSearchForget(search);
  if (!runConfigs(windows, search, target))
    return false;
  berthSearchOffsets(search, offsets);
  for (uint32_t k = 0; k < task->numItems; ++k)
    windows->offsets[windows->members[k]] = offsets[k];
  return true;
}

// Puts what is taken out of [lower, upper) back below the target.
static bool putBack(Windows *windows, uint32_t count, uint32_t lower,
                    uint32_t upper, int64_t target) {
  if (!windows->host->step(windows->host->context, count)) {
    windows->stopped = true;
    return false;
  }
  if (count > kMaxMembers)
    return false;
  BerthArena arena = {0};
  BerthTask task;
  bool found = false;
  if (!buildWindow(windows, count, lower, upper, &arena, &task))
    windows->incumbent->failed = true;
  else if (isWorthwhile(windows, &task, &arena))
    found = searchWindow(windows, &task, &arena, target);
  berthArenaFree(&arena);
  return found;
}

// Takes `wanted` items round the highest one out and puts them back below the
// target. False if that failed; then nothing has changed.
static bool repack(Windows *windows, uint32_t center, uint32_t wanted,
                   int64_t target) {
  uint32_t lower, upper;
  takeOut(windows, center, wanted, &lower, &upper);
  takeOutHigh(windows, target, &lower, &upper);
  uint32_t count = collectMembers(windows, lower, upper);
  bool found = putBack(windows, count, lower, upper, target);
  for (uint32_t k = 0; k < count; ++k)
    windows->free[windows->members[k]] = false;
  return found;
}

//===---------------------------------------------------------------------===//
// Targets
//===---------------------------------------------------------------------===//

static bool isBroken(const Windows *windows) {
  return windows->stopped || windows->incumbent->failed;
}

// How many items to take out.
static uint32_t sizeOf(unsigned round, unsigned attempt) {
  return kFirstWindow * (2 + attempt) * (2 + round) / 4;
}

// Repairs what is above the target, the highest first. False: something stays
// above.
static bool reach(Windows *windows, int64_t target, unsigned round) {
  listHigh(windows, target);
  while (!isBroken(windows)) {
    uint32_t highest = highestItem(windows, target);
    if (highest == UINT32_MAX)
      return true;
    bool found = false;
    for (unsigned k = 0; k < kWindowSizes && !found && !isBroken(windows); ++k)
      found = repack(windows, highest, sizeOf(round, k), target);
    if (!found)
      break;
  }
  return false;
}

enum { kNumTargets = 3 };

// From the goal to what is only a little better.
static int64_t targetOf(const BerthIncumbent *incumbent, unsigned index) {
  int64_t room = incumbent->peak - 1 - incumbent->goal;
  return incumbent->goal + (index == 0 ? 0 : index == 1 ? room / 4 : room / 2);
}

static bool initWindows(Windows *windows, BerthArena *arena) {
  uint32_t n = windows->task->numItems;
  windows->offsets = berthArenaCopy(arena, windows->incumbent->answer->offsets,
                                    n, sizeof *windows->offsets);
  windows->free = BERTH_ARENA_NEW(arena, bool, n);
  windows->order = BERTH_ARENA_NEW(arena, uint32_t, n);
  windows->scratch = BERTH_ARENA_NEW(arena, uint32_t, n);
  windows->keys = BERTH_ARENA_NEW(arena, uint64_t, n);
  windows->members = BERTH_ARENA_NEW(arena, uint32_t, n);
  windows->high = BERTH_ARENA_NEW(arena, uint32_t, n);
  return berthOverlapInit(&windows->index, windows->task, true, arena) &&
         !arena->failed;
}

void berthImproveByWindows(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned rounds) {
  BerthArena arena = {0};
  Windows windows = {.incumbent = incumbent,
                     .host = host,
                     .task = incumbent->task,
                     .failures = kFailures};
  if (berthIncumbentDone(incumbent))
    return;
  if (!initWindows(&windows, &arena))
    incumbent->failed = true;
  for (unsigned r = 0; r < rounds; ++r) {
    bool reached = false;
    for (unsigned t = 0; t < kNumTargets && !reached; ++t) {
      if (berthIncumbentDone(incumbent) || isBroken(&windows))
        break;
      reached = reach(&windows, targetOf(incumbent, t), r);
      berthIncumbentOfferOffsets(incumbent, windows.offsets);
    }
    windows.failures += windows.failures / 2;
  }
  berthArenaFree(&arena);
}
