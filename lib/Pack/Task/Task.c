//===- Task.c - What several stations ask about a task -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Task.h"

#include "Support/Checked.h"
#include "Support/Sort.h"

int64_t berthTaskCapacity(const BerthTask *task) {
  int64_t sum = 0;
  for (uint32_t p = 0; p < task->numPools; ++p) {
    int64_t capacity = task->pools[p].capacity;
    sum = berthAddSaturating(sum, capacity ? capacity : INT64_MAX);
  }
  return sum;
}

int64_t berthItemTop(const BerthTask *task, uint32_t item) {
  int64_t fixed = task->fixedOffsets[item];
  return task->sizes[item] + (fixed == BERTH_NONE ? 0 : fixed);
}

int64_t berthTaskHighestTop(const BerthTask *task) {
  int64_t highest = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t top = berthItemTop(task, i);
    highest = top > highest ? top : highest;
  }
  return highest;
}

void berthTaskFillBounds(BerthTask *task) {
  task->load = 0;
  for (uint32_t s = 0; s < task->numSections; ++s)
    if (task->sectionLoads[s] > task->load)
      task->load = task->sectionLoads[s];
  int64_t top = berthTaskHighestTop(task);
  task->lowerBound = top > task->load ? top : task->load;
}

// Where all numbers are multiples of all alignments, so are sums of them.
static bool alignmentsComeFree(const BerthTask *task) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->unit % task->alignments[i])
      return false;
  return true;
}

bool berthTaskHasHoles(const BerthTask *task) {
  return task->features & BERTH_CAN_ALIGNMENT && !alignmentsComeFree(task);
}

bool berthTaskIsPlain(const BerthTask *task) {
  uint32_t harmless = BERTH_CAN_CAPACITY | BERTH_CAN_HINTS | BERTH_CAN_GROUPS;
  if (!berthTaskHasHoles(task))
    harmless |= BERTH_CAN_ALIGNMENT;
  return (task->features & ~harmless) == 0 &&
         task->pieceBegin[task->numItems] == task->numItems;
}

uint32_t *berthTaskSectionsByLoad(const BerthTask *task, BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, task->numSections, arena))
    return NULL;
  for (uint32_t s = 0; s < task->numSections; ++s)
    sorting.keys[s] = berthKeyDescending(task->sectionLoads[s]);
  return berthSort(&sorting);
}

int64_t berthItemPoolCost(const BerthTask *task, uint32_t item, uint32_t pool) {
  if (!task->pools[pool].cost)
    return 0;
  return berthMultiplySaturating(task->weightedSizes[item],
                                 task->pools[pool].cost);
}

int64_t berthItemLeastCost(const BerthTask *task, uint32_t item) {
  int64_t least = INT64_MAX;
  for (uint64_t mask = task->allowedPools[item]; mask; mask &= mask - 1) {
    uint32_t pool = (uint32_t)__builtin_ctzll(mask);
    int64_t cost = berthItemPoolCost(task, item, pool);
    least = cost < least ? cost : least;
  }
  return least;
}

int64_t berthTaskLeastCost(const BerthTask *task) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < task->numItems; ++i)
    sum = berthAddSaturating(sum, berthItemLeastCost(task, i));
  return sum;
}

int64_t berthTaskPriceOf(const BerthTask *task, uint64_t set) {
  int64_t price = 0;
  for (uint32_t c = 0; c < task->numCuts; ++c)
    if (set >> c & 1)
      price = berthAddSaturating(price, task->cuts[c].price);
  return price;
}
