//===- Window.c - Part of a plan, taken out and put back -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Window.h"

#include "Pack/Improve/LocalSearch.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Subtask.h"
#include "Support/Sort.h"

#include <string.h>

// A failure of exact search takes about as long as so many steps of the other.
enum { kOrderSteps = 1 << 11 };

static const BerthSearchConfig kConfigs[] = {
    {.rank = BERTH_RANK_SPAN, .lastConflict = true},
    {.rank = BERTH_RANK_SCARCE, .lastConflict = true},
    {.rank = BERTH_RANK_HEIGHT, .lastConflict = true},
    {.rank = BERTH_RANK_FAILED, .lastConflict = false},
};
_Static_assert(sizeof kConfigs / sizeof *kConfigs == kBerthMostSearches,
               "a configuration for each");

//===---------------------------------------------------------------------===//
// Taking out
//===---------------------------------------------------------------------===//

// How far the item sticks out of these sections.
static uint32_t distance(const BerthTask *task, uint32_t item,
                         BerthSpan around) {
  uint32_t before = 0, after = 0;
  if (task->lowers[item] < around.lower)
    before = around.lower - task->lowers[item];
  if (task->uppers[item] > around.upper)
    after = task->uppers[item] - around.upper;
  return before > after ? before : after;
}

// Lists in `order` the items within the bounds that stick out by at most the
// radius; their keys order them by how far they do.
static uint32_t listNear(BerthWindows *windows, BerthSpan around,
                         BerthSpan bounds, uint32_t radius) {
  const BerthTask *task = windows->task;
  uint32_t lower = around.lower, upper = around.upper, count = 0;
  lower -= radius < lower - bounds.lower ? radius : lower - bounds.lower;
  upper += radius < bounds.upper - upper ? radius : bounds.upper - upper;
  size_t found =
      berthOverlapQuery(&windows->index, lower, upper, windows->members);
  for (size_t k = 0; k < found; ++k) {
    uint32_t i = windows->members[k], away = distance(task, i, around);
    windows->keys[i] = (uint64_t)away << 32 | i;
    if (away <= radius && bounds.lower <= task->lowers[i] &&
        task->uppers[i] <= bounds.upper)
      windows->order[count++] = i;
  }
  return count;
}

void berthWindowsTakeOut(BerthWindows *windows, uint32_t item,
                         BerthSpan *span) {
  uint32_t lower = windows->task->lowers[item];
  uint32_t upper = windows->task->uppers[item];
  windows->free[item] = windows->task->fixedOffsets[item] == BERTH_NONE;
  span->lower = lower < span->lower ? lower : span->lower;
  span->upper = upper > span->upper ? upper : span->upper;
}

// Those cannot stay where they are, also where they only reach into the window.
void berthWindowsTakeOutHigh(BerthWindows *windows, int64_t target,
                             BerthSpan *span) {
  const BerthTask *task = windows->task;
  BerthSpan before;
  do {
    before = *span;
    for (uint32_t k = 0; k < windows->numHigh; ++k) {
      uint32_t i = windows->high[k];
      if (berthWindowsIsHigh(windows, i, target) &&
          task->lowers[i] < span->upper && span->lower < task->uppers[i])
        berthWindowsTakeOut(windows, i, span);
    }
  } while (span->lower < before.lower || span->upper > before.upper);
}

void berthWindowsTakeOutNear(BerthWindows *windows, BerthSpan around,
                             BerthSpan bounds, uint32_t wanted,
                             BerthSpan *span) {
  uint32_t radius = 8, count;
  do {
    radius *= 4;
    count = listNear(windows, around, bounds, radius);
  } while (count < wanted && radius < windows->task->numSections);
  berthSortByKey(windows->order, windows->scratch, count, windows->keys);
  for (uint32_t k = 0; k < wanted && k < count; ++k)
    berthWindowsTakeOut(windows, windows->order[k], span);
}

static bool hasPieceIn(const BerthTask *task, uint32_t item, uint32_t lower,
                       uint32_t upper) {
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower < upper && lower < task->pieces[p].upper)
      return true;
  return false;
}

uint32_t berthWindowsCollect(BerthWindows *windows, BerthSpan span) {
  const BerthTask *task = windows->task;
  uint32_t count = 0;
  size_t found = berthOverlapQuery(&windows->index, span.lower, span.upper,
                                   windows->order);
  for (size_t k = 0; k < found; ++k) {
    uint32_t i = windows->order[k];
    windows->keys[i] = i;
    if (hasPieceIn(task, i, span.lower, span.upper))
      windows->members[count++] = i;
  }
  berthSortByKey(windows->members, windows->scratch, count, windows->keys);
  return count;
}

//===---------------------------------------------------------------------===//
// Putting back
//===---------------------------------------------------------------------===//

// The window as a task in which all that stays is pinned.
static bool buildWindow(const BerthWindows *windows, uint32_t count,
                        BerthSpan span, BerthMemory *arena, BerthTask *task) {
  int64_t *pins = BERTH_MEMORY_NEW(arena, int64_t, count);
  if (!pins || !berthSubtask(windows->task, windows->members, count, span.lower,
                             span.upper, arena, task))
    return false;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t item = windows->members[k];
    pins[k] = windows->free[item] ? BERTH_NONE : windows->offsets[item];
  }
  task->fixedOffsets = pins;
  task->features |= BERTH_CAN_FIXED;
  return true;
}

// Runs one configuration after another. True: `search` holds a plan.
static bool runConfigs(BerthWindows *windows, BerthSearch *search,
                       int64_t target, BerthEffort effort) {
  for (unsigned c = 0; c < effort.searches; ++c)
    switch (berthSearchRun(search, target, kConfigs[c], windows->runs++,
                           effort.failures)) {
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
static uint64_t countPairs(const BerthTask *task, BerthMemory *arena) {
  uint64_t *live = BERTH_MEMORY_NEW(arena, uint64_t, task->numSections + 1);
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
static bool isWorthwhile(BerthWindows *windows, const BerthTask *task,
                         BerthMemory *arena) {
  uint64_t pairs = countPairs(task, arena);
  if (pairs > kBerthMaxPairs)
    return false;
  windows->stopped |= !windows->host->step(windows->host->context, pairs);
  return !windows->stopped;
}

// Puts the items where exact search has found room for them.
static bool searchWindow(BerthWindows *windows, const BerthTask *task,
                         BerthMemory *arena, int64_t target, BerthEffort effort,
                         int64_t *offsets) {
  BerthSearch *search = berthSearchCreate(task, windows->host, arena);
  double *weights =
      search ? BERTH_MEMORY_NEW(arena, double, search->numSections) : NULL;
  if (!weights) {
    windows->incumbent->failed = true;
    return false;
  }
  search->weights = weights;
  berthSearchForget(search);
  if (!runConfigs(windows, search, target, effort))
    return false;
  berthSearchOffsets(search, offsets);
  return true;
}

// The same by order search, which is content with anything below the target.
static bool orderWindow(BerthWindows *windows, const BerthTask *task,
                        BerthMemory *arena, int64_t target, BerthEffort effort,
                        int64_t *offsets) {
  BerthTask fitting = *task;
  BerthPool pool = task->pools[0];
  BerthHostState slice;
  BerthIncumbent inner;
  BerthAnswer answer;
  pool.capacity = fitting.capacity = target;
  fitting.pools = &pool;
  fitting.features |= BERTH_CAN_CAPACITY;
  fitting.seed = windows->runs++;
  if (!berthAnswerInit(&answer, &fitting, arena)) {
    windows->incumbent->failed = true;
    return false;
  }
  berthHostSlice(&slice, berthHostState(windows->host), &fitting, arena,
                 effort.searches * effort.failures * kOrderSteps);
  berthIncumbentInit(&inner, &fitting, &slice.host, &answer);
  berthImproveByOrder(&inner, &slice.host, 0);
  windows->stopped |= berthHostState(windows->host)->stopped;
  windows->incumbent->failed |= inner.failed || slice.failed;
  memcpy(offsets, answer.offsets, task->numItems * sizeof *offsets);
  return inner.complete && inner.peak <= target;
}

static void takeOffsets(BerthWindows *windows, uint32_t count,
                        const int64_t *offsets) {
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t item = windows->members[k];
    if (windows->free[item])
      windows->moves[windows->numMoves++] =
          (BerthMove){item, windows->offsets[item]};
    windows->offsets[item] = offsets[k];
  }
}

// Alignments leave holes that exact search has no bounds for.
static bool fillWindow(BerthWindows *windows, const BerthTask *task,
                       BerthMemory *arena, int64_t target, BerthEffort effort) {
  int64_t *offsets = BERTH_MEMORY_NEW(arena, int64_t, task->numItems);
  if (!offsets) {
    windows->incumbent->failed = true;
    return false;
  }
  bool found =
      windows->byOrder
          ? orderWindow(windows, task, arena, target, effort, offsets)
          : isWorthwhile(windows, task, arena) &&
                searchWindow(windows, task, arena, target, effort, offsets);
  if (found)
    takeOffsets(windows, task->numItems, offsets);
  return found;
}

bool berthWindowsPutBack(BerthWindows *windows, uint32_t count, BerthSpan span,
                         int64_t target, BerthEffort effort) {
  if (!windows->host->step(windows->host->context, count)) {
    windows->stopped = true;
    return false;
  }
  if (count > kBerthMaxMembers)
    return false;
  BerthMemory arena = {0};
  BerthTask task;
  bool found = false;
  if (!buildWindow(windows, count, span, &arena, &task))
    windows->incumbent->failed = true;
  else
    found = fillWindow(windows, &task, &arena, target, effort);
  berthMemoryFree(&arena);
  return found;
}

void berthWindowsTakeBack(BerthWindows *windows) {
  while (windows->numMoves) {
    BerthMove move = windows->moves[--windows->numMoves];
    windows->offsets[move.item] = move.offset;
  }
}
