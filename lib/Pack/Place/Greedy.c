//===- Greedy.c - One order, one fit: the greedy packers -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Most published heuristics sort the buffers once and place each by first or
// best fit. They differ in the sort key and the fit rule only, so they are rows
// of a table. Ties end in the index.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"

#include "Support/Sort.h"

// Looking for them takes long where much is live at a time. Once the host says
// stop, nobody conflicts with anybody.
static uint64_t countConflicts(const BerthHost *host, uint32_t item) {
  if (!host->step(host->context, 0))
    return 0;
  size_t count = host->neighbours(host->context, item, NULL, 0);
  host->step(host->context, count);
  return count;
}

// Lifetimes may be as long as all of int64_t, so their length is unsigned.
static uint64_t keyOf(const BerthTask *task, const BerthHost *host,
                      BerthSortKey key, uint32_t item) {
  switch (key) {
  case BERTH_KEY_NONE:
    break;
  case BERTH_KEY_SIZE_DOWN:
    return berthKeyDescending(task->sizes[item]);
  case BERTH_KEY_LIFETIME_DOWN:
    return ~((uint64_t)task->ends[item] - (uint64_t)task->begins[item]);
  case BERTH_KEY_CONFLICTS_DOWN:
    return ~countConflicts(host, item);
  case BERTH_KEY_START_UP:
    return berthKeyAscending(task->begins[item]);
  case BERTH_KEY_SECTION_UP:
    return task->lowers[item];
  }
  return 0;
}

// Sorts by the least important key first; the sort is stable.
uint32_t *berthGreedyOrder(const BerthGreedyRow *row, const BerthTask *task,
                           const BerthHost *host, BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, task->numItems, arena))
    return NULL;
  for (unsigned k = 3; k-- > 0;) {
    if (row->keys[k] == BERTH_KEY_NONE)
      continue;
    for (uint32_t i = 0; i < task->numItems; ++i)
      sorting.keys[i] = keyOf(task, host, row->keys[k], i);
    berthSort(&sorting);
  }
  return sorting.order;
}

bool berthPlaceInOrder(const uint32_t *order, BerthFit fit,
                       const BerthTask *task, const BerthHost *host,
                       BerthAnswer *answer, BerthMemory *arena) {
  BerthPlacement placement;
  if (!berthPlacementInit(&placement, task, host, answer, arena))
    return false;
  berthPlacementAddAll(&placement, order, fit);
  return !placement.failed;
}

static BerthStatus packGreedy(const BerthPacker *self, const BerthTask *task,
                              const BerthHost *host, BerthAnswer *answer) {
  const BerthGreedyRow *row = self->userData;
  BerthMemory arena = {0};
  const uint32_t *order = berthGreedyOrder(row, task, host, &arena);
  bool done =
      order && berthPlaceInOrder(order, row->fit, task, host, answer, &arena);
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

#define BERTH_GREEDY(variable, packerName, packerSummary, packerFit, ...)      \
  const BerthPacker variable = {                                               \
      .version = BERTH_PACKER_ABI,                                             \
      .size = sizeof(BerthPacker),                                             \
      .name = packerName,                                                      \
      .summary = packerSummary,                                                \
      .capabilities = BERTH_PLACEMENT_CAPABILITIES,                            \
      .userData =                                                              \
          &(const BerthGreedyRow){.keys = {__VA_ARGS__}, .fit = packerFit},    \
      .pack = packGreedy,                                                      \
      .traits = BERTH_PACKER_ONE_SHOT}

BERTH_GREEDY(berthPackerFirstFit, "first-fit",
             "decreasing size, each at the lowest free offset (Wave's offset "
             "jumping)",
             BERTH_FIT_FIRST, BERTH_KEY_SIZE_DOWN);

BERTH_GREEDY(berthPackerBestFitSize, "best-fit-size",
             "decreasing size, then lifetime, each in the tightest free gap "
             "(XLA's spatial heap)",
             BERTH_FIT_BEST, BERTH_KEY_SIZE_DOWN, BERTH_KEY_LIFETIME_DOWN);

BERTH_GREEDY(berthPackerBestFitLifetime, "best-fit-lifetime",
             "decreasing lifetime, then size, each in the tightest free gap "
             "(XLA's temporal heap)",
             BERTH_FIT_BEST, BERTH_KEY_LIFETIME_DOWN, BERTH_KEY_SIZE_DOWN);

BERTH_GREEDY(
    berthPackerGreedyBySize, "greedy-by-size",
    "decreasing size, each in the tightest free gap (TFLite; Pisarchyk "
    "and Lee 2020)",
    BERTH_FIT_BEST, BERTH_KEY_SIZE_DOWN);

BERTH_GREEDY(berthPackerGreedyByConflicts, "greedy-by-conflicts",
             "by decreasing number of conflicts, each above all that it meets "
             "(TVM's USMP)",
             BERTH_FIT_TOP, BERTH_KEY_CONFLICTS_DOWN, BERTH_KEY_SIZE_DOWN);

BERTH_GREEDY(berthPackerUpstreamBestFit, "mlir-best-fit",
             "in the order of their starts, each in the tightest free gap "
             "(upstream MLIR's planner)",
             BERTH_FIT_BEST, BERTH_KEY_START_UP);
