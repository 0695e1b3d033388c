//===- Distances.c - Items that may share bytes though live --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Distances.h"

#include "Pack/Task/Task.h"
#include "Support/Sort.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

//===---------------------------------------------------------------------===//
// How much is shared
//===---------------------------------------------------------------------===//

const BerthItemDistance *berthFindDistance(const BerthTask *task, uint32_t i,
                                           uint32_t j) {
  if (!task->distanceBegin)
    return NULL;
  uint32_t low = task->distanceBegin[i], high = task->distanceBegin[i + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (task->distances[middle].other < j)
      low = middle + 1;
    else
      high = middle;
  }
  bool found =
      low < task->distanceBegin[i + 1] && task->distances[low].other == j;
  return found ? &task->distances[low] : NULL;
}

static int64_t sharedAt(int64_t own, int64_t other, int64_t distance) {
  return larger(0, smaller(own, distance + other) - larger(0, distance));
}

// At the best distance that is allowed: the nearest one on each side to where
// the one lies within the other.
static int64_t mostShared(const BerthTask *task, uint32_t item,
                          const BerthItemDistance *distance) {
  int64_t own = task->sizes[item], other = task->sizes[distance->other];
  int64_t least = smaller(0, own - other), most = larger(0, own - other);
  return larger(sharedAt(own, other, smaller(distance->lower, most)),
                sharedAt(own, other, larger(distance->upper, least)));
}

static int64_t occupiedIn(const BerthTask *task, uint32_t item,
                          uint32_t section) {
  int64_t sum = 0;
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower <= section && section < task->pieces[p].upper)
      sum += task->pieces[p].high - task->pieces[p].low;
  return sum;
}

bool berthItemIsSpared(const BerthTask *task, uint32_t item, uint32_t section) {
  if (!task->distanceBegin)
    return false;
  for (uint32_t d = task->distanceBegin[item];
       d < task->distanceBegin[item + 1]; ++d)
    if (task->distances[d].spared &&
        occupiedIn(task, task->distances[d].other, section))
      return true;
  return false;
}

int64_t berthItemOwnBytes(const BerthTask *task, uint32_t item,
                          uint32_t section) {
  int64_t own = occupiedIn(task, item, section);
  if (!task->distanceBegin)
    return own;
  for (uint32_t d = task->distanceBegin[item];
       own > 0 && d < task->distanceBegin[item + 1]; ++d)
    if (task->distances[d].spared)
      own -= smaller(mostShared(task, item, &task->distances[d]),
                     occupiedIn(task, task->distances[d].other, section));
  return larger(own, 0);
}

// Takes what they spare from the loads.
static void takeSpared(const BerthTask *task, int64_t *loads) {
  for (uint32_t i = 0; i < task->numItems; ++i) {
    bool spared = false;
    for (uint32_t d = task->distanceBegin[i]; d < task->distanceBegin[i + 1];
         ++d)
      spared |= task->distances[d].spared;
    for (uint32_t s = task->lowers[i]; spared && s < task->uppers[i]; ++s)
      loads[s] -= occupiedIn(task, i, s) - berthItemOwnBytes(task, i, s);
  }
}

//===---------------------------------------------------------------------===//
// The table
//===---------------------------------------------------------------------===//

/// One direction of a distance.
typedef struct Entry {
  uint32_t item;
  BerthItemDistance distance;
} Entry;

static size_t listEntries(const BerthProblemData *problem,
                          const uint32_t *itemOf, Entry *entries) {
  size_t count = 0;
  for (size_t d = 0; d < problem->numDistances; ++d) {
    const BerthDistance *distance = &problem->distances[d];
    uint32_t first = itemOf[distance->first], second = itemOf[distance->second];
    entries[count++] =
        (Entry){first, {second, false, distance->lower, distance->upper}};
    entries[count++] =
        (Entry){second, {first, true, -distance->upper, -distance->lower}};
  }
  return count;
}

static bool fillTable(const Entry *entries, size_t count, BerthMemory *arena,
                      BerthTask *task) {
  BerthSorting sorting;
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems + 1);
  BerthItemDistance *distances =
      BERTH_MEMORY_NEW(arena, BerthItemDistance, count);
  if (arena->failed || !berthSortingInit(&sorting, (uint32_t)count, arena))
    return false;
  for (size_t e = 0; e < count; ++e)
    sorting.keys[e] =
        (uint64_t)entries[e].item << 32 | entries[e].distance.other;
  const uint32_t *order = berthSort(&sorting);
  uint32_t item = 0;
  for (uint32_t k = 0; k < count; ++k) {
    while (item <= entries[order[k]].item)
      begin[item++] = k;
    distances[k] = entries[order[k]].distance;
  }
  while (item <= task->numItems)
    begin[item++] = (uint32_t)count;
  task->distanceBegin = begin;
  task->distances = distances;
  return true;
}

bool berthReduceDistances(const BerthProblemData *problem,
                          const uint32_t *itemOfBuffer, uint32_t capabilities,
                          BerthMemory *arena, BerthTask *task) {
  size_t most = 2 * problem->numDistances;
  if (most == 0 || !(capabilities & BERTH_CAN_DISTANCES))
    return true;
  Entry *entries = BERTH_MEMORY_NEW(arena, Entry, most);
  int64_t *loads = berthMemoryCopy(arena, task->sectionLoads, task->numSections,
                                   sizeof *loads);
  if (!entries || !loads)
    return false;
  size_t count = listEntries(problem, itemOfBuffer, entries);
  if (!fillTable(entries, count, arena, task))
    return false;
  takeSpared(task, loads);
  task->sectionLoads = loads;
  return true;
}

bool berthSelectDistances(const BerthTask *whole, const uint32_t *items,
                          uint32_t count, BerthMemory *arena, BerthTask *task) {
  if (!whole->distanceBegin)
    return true;
  uint32_t n = whole->numItems;
  uint32_t *numberOf = BERTH_MEMORY_NEW(arena, uint32_t, n);
  Entry *entries = BERTH_MEMORY_NEW(arena, Entry, whole->distanceBegin[n]);
  int64_t *loads = berthMemoryCopy(arena, task->sectionLoads, task->numSections,
                                   sizeof *loads);
  if (arena->failed)
    return false;
  for (uint32_t k = 0; k < count; ++k)
    numberOf[items[k]] = k + 1;
  size_t kept = 0;
  for (uint32_t k = 0; k < count; ++k)
    for (uint32_t d = whole->distanceBegin[items[k]];
         d < whole->distanceBegin[items[k] + 1]; ++d) {
      BerthItemDistance distance = whole->distances[d];
      if (!numberOf[distance.other])
        continue;
      distance.other = numberOf[distance.other] - 1;
      entries[kept++] = (Entry){k, distance};
    }
  if (!fillTable(entries, kept, arena, task))
    return false;
  takeSpared(task, loads);
  task->sectionLoads = loads;
  return true;
}
