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

bool berthWindowBuild(const BerthWindows *windows, uint32_t count,
                      BerthSpan span, BerthWindow *window) {
  BerthMemory *arena = &window->arena;
  BerthTask *task = &window->task;
  int64_t *pins = BERTH_MEMORY_NEW(arena, int64_t, count);
  window->offsets = BERTH_MEMORY_NEW(arena, int64_t, count);
  window->members =
      berthMemoryCopy(arena, windows->members, count, sizeof *windows->members);
  window->built = pins && window->offsets && window->members &&
                  berthSubtask(windows->task, window->members, count,
                               span.lower, span.upper, arena, task);
  window->failed = !window->built;
  if (!window->built)
    return false;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t item = window->members[k];
    pins[k] = windows->free[item] ? BERTH_NONE : windows->offsets[item];
  }
  task->fixedOffsets = pins;
  task->features |= BERTH_CAN_FIXED;
  return true;
}

// Runs one configuration after another. True: `search` holds a plan.
static bool runConfigs(BerthWindow *window, BerthSearch *search,
                       int64_t target) {
  for (unsigned c = 0; c < window->effort.searches; ++c)
    switch (berthSearchRun(search, target, kConfigs[c], window->seed++,
                           window->effort.failures)) {
    case BERTH_SEARCH_FOUND:
      return true;
    case BERTH_SEARCH_LIMIT:
      break;
    case BERTH_SEARCH_REFUTED:
    case BERTH_SEARCH_STOPPED:
      return false;
    case BERTH_SEARCH_MEMORY:
      window->failed = true;
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
static bool isWorthwhile(BerthWindow *window, const BerthHost *host) {
  uint64_t pairs = countPairs(&window->task, &window->arena);
  return pairs <= kBerthMaxPairs && host->step(host->context, pairs);
}

// Puts the items where exact search has found room for them.
static bool searchWindow(BerthWindow *window, int64_t target,
                         const BerthHost *host) {
  BerthMemory *arena = &window->arena;
  BerthSearch *search = berthSearchCreate(&window->task, host, NULL, arena);
  double *weights =
      search ? BERTH_MEMORY_NEW(arena, double, search->numSections) : NULL;
  if (!weights) {
    window->failed = true;
    return false;
  }
  search->weights = weights;
  berthSearchForget(search);
  if (!runConfigs(window, search, target))
    return false;
  berthSearchOffsets(search, window->offsets);
  return true;
}

// The same by order search, which is content with anything below the target.
static bool orderWindow(BerthWindow *window, int64_t target,
                        const BerthHost *host) {
  BerthTask fitting = window->task;
  BerthPool pool = fitting.pools[0];
  BerthHostState slice;
  BerthIncumbent inner;
  BerthAnswer answer;
  pool.capacity = fitting.capacity = target;
  fitting.pools = &pool;
  fitting.features |= BERTH_CAN_CAPACITY;
  fitting.seed = window->seed++;
  if (!berthAnswerInit(&answer, &fitting, &window->arena)) {
    window->failed = true;
    return false;
  }
  berthHostSlice(&slice, berthHostState(host), &fitting, &window->arena,
                 window->effort.searches * window->effort.failures *
                     kOrderSteps);
  berthIncumbentInit(&inner, &fitting, &slice.host, &answer);
  berthImproveByOrder(&inner, &slice.host, 0);
  window->failed |= inner.failed || slice.failed;
  memcpy(window->offsets, answer.offsets,
         fitting.numItems * sizeof *window->offsets);
  return inner.complete && inner.peak <= target;
}

// Alignments leave holes that exact search has no bounds for.
bool berthWindowSolve(const BerthWindows *windows, BerthWindow *window,
                      int64_t target, const BerthHost *host) {
  if (!host->step(host->context, window->task.numItems) ||
      window->task.numItems > kBerthMaxMembers)
    return false;
  if (windows->byOrder)
    return orderWindow(window, target, host);
  return isWorthwhile(window, host) && searchWindow(window, target, host);
}

void berthWindowUse(BerthWindows *windows, const BerthWindow *window) {
  for (uint32_t k = 0; k < window->task.numItems; ++k) {
    uint32_t item = window->members[k];
    if (window->task.fixedOffsets[k] == BERTH_NONE)
      windows->moves[windows->numMoves++] =
          (BerthMove){item, windows->offsets[item]};
    windows->offsets[item] = window->offsets[k];
  }
}

bool berthWindowsPutBack(BerthWindows *windows, uint32_t count, BerthSpan span,
                         int64_t target, BerthEffort effort) {
  BerthWindow window = {.effort = effort, .seed = windows->runs};
  bool found = count <= kBerthMaxMembers &&
               berthWindowBuild(windows, count, span, &window) &&
               berthWindowSolve(windows, &window, target, windows->host);
  if (found)
    berthWindowUse(windows, &window);
  windows->runs = window.seed;
  windows->incumbent->failed |= window.failed;
  windows->stopped |= berthHostState(windows->host)->stopped;
  berthMemoryFree(&window.arena);
  return found;
}

void berthWindowsTakeBack(BerthWindows *windows) {
  while (windows->numMoves) {
    BerthMove move = windows->moves[--windows->numMoves];
    windows->offsets[move.item] = move.offset;
  }
}
