//===- BoundWindows.c - What no plan can be below, by search -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Round each of the fullest sections a window, twice as wide as the last as
// long as its items fit: where they do not, no plan is as low.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/BoundWindows.h"

#include "Pack/Incumbent/Bounds.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Subtask.h"

#include <string.h>

enum { kCenters = 4, kFailures = 400, kMaxWindowItems = 400 };

static uint32_t fullestSection(const BerthTask *task, const bool *done) {
  uint32_t fullest = UINT32_MAX;
  for (uint32_t s = 0; s < task->numSections; ++s)
    if (!done[s] && (fullest == UINT32_MAX ||
                     task->sectionLoads[s] > task->sectionLoads[fullest]))
      fullest = s;
  return fullest;
}

static uint32_t listItems(const BerthTask *task, uint32_t lower, uint32_t upper,
                          uint32_t *items) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    bool in = false;
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      in |= task->pieces[p].lower < upper && lower < task->pieces[p].upper;
    if (in)
      items[count++] = i;
  }
  return count;
}

// Refutes one height after another for the task, which is part of the whole, as
// `why` says. True: the items fit at the height that is left.
static bool refuteHeights(BerthIncumbent *incumbent, const BerthTask *task,
                          const BerthBound *why, const BerthHost *host,
                          BerthMemory *arena) {
  const BerthSearchConfig config = {.rank = BERTH_RANK_SPAN,
                                    .lastConflict = true};
  BerthSearch *search = berthSearchCreate(task, host, NULL, arena);
  double *weights =
      search ? BERTH_MEMORY_NEW(arena, double, search->numSections) : NULL;
  if (!weights) {
    incumbent->failed = true;
    return false;
  }
  search->weights = weights;
  berthSearchForget(search);
  while (!berthIncumbentDone(incumbent))
    switch (
        berthSearchRun(search, incumbent->lowerBound, config, 0, kFailures)) {
    case BERTH_SEARCH_FOUND:
      return true;
    case BERTH_SEARCH_REFUTED:
      berthIncumbentRaise(incumbent, berthSearchBound(search), why);
      break;
    case BERTH_SEARCH_MEMORY:
      incumbent->failed = true;
      return false;
    case BERTH_SEARCH_LIMIT:
    case BERTH_SEARCH_STOPPED:
      return false;
    }
  return false;
}

// One window. False: a larger one is of no use.
static bool tryWindow(BerthIncumbent *incumbent, const BerthHost *host,
                      uint32_t lower, uint32_t upper, uint32_t *items) {
  BerthMemory arena = {0};
  BerthTask part;
  const BerthBound why = {
      .reason = BERTH_BOUND_WINDOW, .lower = lower, .upper = upper};
  uint32_t count = listItems(incumbent->task, lower, upper, items);
  bool fits = false;
  if (count <= kMaxWindowItems) {
    if (!berthSubtask(incumbent->task, items, count, lower, upper, &arena,
                      &part))
      incumbent->failed = true;
    else if (berthSearchCanHandle(&part))
      fits = refuteHeights(incumbent, &part, &why, host, &arena);
  }
  berthMemoryFree(&arena);
  return fits;
}

// Windows round one section, each twice as wide as the last.
static void growWindow(BerthIncumbent *incumbent, const BerthHost *host,
                       uint32_t center, uint32_t *items, bool *done) {
  uint32_t numSections = incumbent->task->numSections, lower, upper;
  uint32_t margin = 1;
  do {
    lower = center > margin ? center - margin : 0;
    upper = margin < numSections - center ? center + margin : numSections;
    margin *= 2;
    if (!host->step(host->context, incumbent->task->numItems))
      break;
  } while (!berthIncumbentDone(incumbent) &&
           tryWindow(incumbent, host, lower, upper, items) &&
           upper - lower < numSections);
  memset(done + lower, true, upper - lower);
}

void berthRaiseByWindows(BerthIncumbent *incumbent, const BerthHost *host) {
  const BerthTask *task = incumbent->task;
  if (task->proofFile || task->numPools > 1)
    return;
  BerthMemory arena = {0};
  uint32_t *items = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  bool *done = BERTH_MEMORY_NEW(&arena, bool, task->numSections);
  incumbent->failed |= arena.failed;
  for (unsigned c = 0; c < kCenters && !berthIncumbentDone(incumbent); ++c) {
    uint32_t center = fullestSection(task, done);
    if (center == UINT32_MAX)
      break;
    growWindow(incumbent, host, center, items, done);
  }
  berthIncumbentRaise(incumbent,
                      berthBoundSums(task, &arena, incumbent->lowerBound),
                      &(BerthBound){.reason = BERTH_BOUND_SUMS});
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}
