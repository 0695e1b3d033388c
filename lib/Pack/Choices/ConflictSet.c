//===- ConflictSet.c - Which items cannot fit together --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where it is proven that nothing fits, a smaller set of items usually does not
// fit either, and says more to the user. Items are left out, first many at
// once, then one by one; what is still refuted without them was not needed. If
// every single item turned out to be needed, that is, the rest fits without it,
// the set is irreducible. (Deletion filter: Chinneck and Dravnieks 1991.)
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/ConflictSet.h"

#include "Pack/Choices/HardEdges.h"
#include "Pack/Choices/Pools.h"
#include "Pack/Incumbent/Inner.h"
#include "Pack/Search/Gaps.h"
#include "Pack/Search/Portfolio.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Distances.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Subtask.h"
#include "Pack/Task/Task.h"
#include "Support/Sort.h"

#include <string.h>

// What the load shows is an answer already, so less is spent on a better one.
enum { kRounds = 4, kNodes = 20000, kSteps = 1 << 26, kLoadSteps = 1 << 22 };

typedef enum Verdict { VERDICT_FITS, VERDICT_REFUTED, VERDICT_UNKNOWN } Verdict;

//===---------------------------------------------------------------------===//
// By the load
//===---------------------------------------------------------------------===//

static uint32_t fullestSection(const BerthTask *task) {
  uint32_t fullest = 0;
  for (uint32_t i = 1; i < task->numSections; ++i)
    if (task->sectionLoads[i] > task->sectionLoads[fullest])
      fullest = i;
  return fullest;
}

// An item that ends above all capacity wherever it is.
static uint32_t tallItem(const BerthTask *task, int64_t capacity) {
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t fixed = task->fixedOffsets[i];
    if (task->sizes[i] > capacity - (fixed == BERTH_NONE ? 0 : fixed))
      return i;
  }
  return UINT32_MAX;
}

bool berthLoadConflict(const BerthTask *task, BerthMemory *arena,
                       uint32_t *items, uint32_t *count) {
  uint32_t n = task->numItems, section = fullestSection(task), live = 0;
  int64_t sum = 0, capacity = berthTaskCapacity(task);
  uint32_t tall = tallItem(task, capacity);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (!keys || !scratch)
    return false;
  if (tall != UINT32_MAX) {
    items[0] = tall;
    *count = 1;
    return true;
  }
  for (uint32_t i = 0; i < n; ++i) {
    int64_t height = berthItemOwnBytes(task, i, section);
    keys[i] = berthKeyDescending(height);
    if (height)
      items[live++] = i;
  }
  berthSortByKey(items, scratch, live, keys);
  for (*count = 0; *count < live && sum <= capacity; ++*count)
    sum += berthItemOwnBytes(task, items[*count], section);
  return sum > capacity;
}

bool berthLoadConflictIsIrreducible(const BerthTask *task, uint32_t count) {
  const uint32_t plain = BERTH_CAN_CAPACITY | BERTH_CAN_HINTS |
                         BERTH_CAN_SEGMENTS | BERTH_CAN_HARD_EDGES |
                         BERTH_CAN_PRICED_EDGES;
  return count == 1 || !(task->features & ~plain);
}

//===---------------------------------------------------------------------===//
// By search
//===---------------------------------------------------------------------===//

typedef struct Explainer {
  const BerthTask *task; ///< nothing to buy
  BerthHostState *host;
  BerthSolve solve;
  uint32_t *items; ///< those that are left
  uint32_t count;
  uint32_t *trial; ///< those that might do
  bool allNeeded;  ///< the rest fits without any single one
} Explainer;

static bool canHandle(const BerthTask *task) {
  return berthSearchCanHandle(task) || berthGapsCanHandle(task) ||
         berthPoolsCanHandle(task);
}

// Looks for any plan that fits.
static void solve(const Explainer *explainer, BerthIncumbent *incumbent,
                  BerthMemory *arena) {
  const BerthTask *task = incumbent->task;
  if (berthIncumbentDone(incumbent))
    return;
  if (berthPoolsCanHandle(task)) {
    incumbent->goal = INT64_MAX;
    berthImproveByPools(incumbent, incumbent->host, explainer->solve);
  } else if (berthSearchCanHandle(task)) {
    berthImproveBySearch(incumbent, kRounds);
  } else if (berthGapsCanHandle(task)) {
    berthImproveByGaps(incumbent, arena, kNodes);
  }
}

// What the pools cost does not matter here.
static bool makeFree(BerthTask *task, BerthMemory *arena) {
  BerthPool *pools =
      berthMemoryCopy(arena, task->pools, task->numPools, sizeof *pools);
  for (uint32_t p = 0; pools && p < task->numPools; ++p)
    pools[p].cost = 0;
  task->pools = pools;
  return pools != NULL;
}

// Do the first `count` items of the trial fit by themselves?
static Verdict decide(const Explainer *explainer, uint32_t count) {
  const BerthTask *whole = explainer->task;
  BerthInner part = {0};
  const BerthIncumbent *inner = &part.incumbent;
  const BerthHost *host = &part.slice.host;
  Verdict verdict = VERDICT_UNKNOWN;
  if (berthSubtask(whole, explainer->trial, count, 0, whole->numSections,
                   &part.arena, &part.task) &&
      makeFree(&part.task, &part.arena) &&
      berthInnerBegin(&part, explainer->host, 0)) {
    host->step(host->context, whole->numItems); // to make the part
    solve(explainer, &part.incumbent, &part.arena);
    bool refuted =
        inner->infeasible || inner->lowerBound > berthTaskCapacity(&part.task);
    verdict = refuted                                       ? VERDICT_REFUTED
              : inner->complete && inner->score.excess == 0 ? VERDICT_FITS
                                                            : VERDICT_UNKNOWN;
  }
  berthInnerEnd(&part);
  return verdict;
}

// Tries to do without `chunk` items at a time.
static void filter(Explainer *explainer, uint32_t chunk) {
  uint32_t *items = explainer->items, *trial = explainer->trial;
  explainer->allNeeded = true;
  for (uint32_t at = 0; at < explainer->count && !explainer->host->stopped;) {
    uint32_t count = explainer->count;
    uint32_t out = chunk < count - at ? chunk : count - at;
    memcpy(trial, items, at * sizeof *trial);
    memcpy(trial + at, items + at + out, (count - at - out) * sizeof *trial);
    Verdict verdict =
        count == out ? VERDICT_FITS : decide(explainer, count - out);
    if (verdict == VERDICT_REFUTED) {
      explainer->count -= out;
      memcpy(items, trial, explainer->count * sizeof *items);
    } else {
      explainer->allNeeded &= verdict == VERDICT_FITS;
      at += out;
    }
  }
  explainer->allNeeded &= !explainer->host->stopped;
}

// The set to begin with: what the load already shows, else all there is.
static bool beginWithLoad(Explainer *explainer, BerthMemory *arena) {
  const BerthTask *task = explainer->task;
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, task->numItems);
  for (uint32_t i = 0; keys && i < task->numItems; ++i)
    keys[i] = i;
  if (keys &&
      berthLoadConflict(task, arena, explainer->items, &explainer->count)) {
    berthSortByKey(explainer->items, explainer->trial, explainer->count, keys);
    return true;
  }
  explainer->count = task->numItems;
  for (uint32_t i = 0; i < task->numItems; ++i)
    explainer->items[i] = i;
  return false;
}

static void explain(BerthIncumbent *incumbent, const BerthTask *task,
                    BerthSolve solveOne, BerthMemory *arena) {
  BerthAnswer *answer = incumbent->answer;
  BerthHostState slice;
  Explainer explainer = {.task = task, .host = &slice, .solve = solveOne};
  explainer.trial = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  explainer.items = incumbent->host->allocate(
      incumbent->host->context, task->numItems * sizeof(uint32_t));
  if (!explainer.trial || !explainer.items) {
    incumbent->failed = true;
    return;
  }
  bool byLoad = beginWithLoad(&explainer, arena);
  berthHostSlice(&slice, berthHostState(incumbent->host), task, arena,
                 byLoad ? kLoadSteps : kSteps);
  // Without a part of what the load shows there is too little for the load.
  uint32_t first = byLoad ? 1 : (explainer.count + 1) / 2;
  for (uint32_t chunk = first; !slice.stopped; chunk /= 2) {
    filter(&explainer, chunk);
    if (chunk == 1)
      break;
  }
  answer->conflict = explainer.items;
  answer->numConflict = explainer.count;
  answer->conflictIrreducible = explainer.allNeeded;
}

void berthExplainInfeasible(BerthIncumbent *incumbent, BerthSolve solveOne) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  BerthTask rest;
  BerthClash clash;
  bool tooMuch = task->lowerBound > berthTaskCapacity(task);
  incumbent->infeasible |= tooMuch;
  // With all cuts bought most is possible.
  uint8_t *bought = BERTH_MEMORY_NEW(&arena, uint8_t, task->numCuts + 1);
  if (!incumbent->infeasible ||
      berthHostState(incumbent->host)->options->unexplained ||
      (tooMuch && berthLoadConflictIsIrreducible(task, task->numItems)))
    return berthMemoryFree(&arena);
  if (bought)
    memset(bought, 1, task->numCuts);
  if (!bought || !berthHardenEdges(task, bought, &arena, &rest, &clash))
    incumbent->failed |= arena.failed;
  else if (canHandle(&rest) ||
           (tooMuch && rest.numItems <= kBerthSearchMaxItems))
    explain(incumbent, &rest, solveOne, &arena);
  berthMemoryFree(&arena);
}
