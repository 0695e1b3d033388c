//===- Normalize.c - From problem to task --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Normalize.h"

#include "Pack/Problem/Problem.h"
#include "Pack/Task/Canonical.h"
#include "Pack/Task/Distances.h"
#include "Pack/Task/Edges.h"
#include "Pack/Task/Overlap.h"
#include "Pack/Task/Ranges.h"
#include "Pack/Task/Sections.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"

#include <stdlib.h>

typedef struct Normalizer {
  const BerthProblemData *problem;
  uint32_t capabilities;
  BerthMemory *arena;
  BerthReduction *reduction;
  BerthTask *task;
  uint32_t *itemOfBuffer;
} Normalizer;

//===---------------------------------------------------------------------===//
// Features
//===---------------------------------------------------------------------===//

static uint32_t bufferFeatures(const BerthBuffer *buffer) {
  return (buffer->numSegments > 1 ? BERTH_CAN_SEGMENTS : 0u) |
         (buffer->numGaps ? BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS : 0u) |
         (buffer->alignment > 1 ? BERTH_CAN_ALIGNMENT : 0u) |
         (buffer->fixedOffset != BERTH_NONE ? BERTH_CAN_FIXED : 0u) |
         (buffer->hint != BERTH_NONE ? BERTH_CAN_HINTS : 0u) |
         (buffer->group != BERTH_NONE ? BERTH_CAN_SEGMENTS | BERTH_CAN_GROUPS
                                      : 0u);
}

uint32_t berthProblemFeatures(const BerthProblemData *problem) {
  uint32_t features = problem->capacity ? BERTH_CAN_CAPACITY : 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    features |= bufferFeatures(&problem->buffers[i]);
  for (size_t i = 0; i < problem->numEdges; ++i)
    features |= problem->edges[i].numAlternatives ? BERTH_CAN_PRICED_EDGES
                                                  : BERTH_CAN_HARD_EDGES;
  features |= problem->numDistances ? BERTH_CAN_DISTANCES : 0;
  features |= problem->numReserved ? BERTH_CAN_RESERVED : 0;
  features |= problem->numPools > 1 ? BERTH_CAN_POOLS : 0;
  for (size_t i = 0; i < problem->numPools; ++i)
    features |= (problem->pools[i].numReserved ? BERTH_CAN_RESERVED : 0u) |
                (problem->pools[i].capacity ? BERTH_CAN_CAPACITY : 0u);
  return features;
}

//===---------------------------------------------------------------------===//
// Items
//===---------------------------------------------------------------------===//

// Writes the first buffer of each one's group: sorted by group, the first of a
// run leads.
static bool findLeaders(Normalizer *n, uint32_t *leader) {
  const BerthBuffer *buffers = n->problem->buffers;
  size_t grouped = 0;
  const uint32_t *order = berthSortByGroup(n->problem, n->arena, &grouped);
  if (!order)
    return false;
  for (size_t i = 1; i < grouped; ++i)
    if (buffers[order[i]].group == buffers[order[i - 1]].group)
      leader[order[i]] = leader[order[i - 1]];
  return true;
}

// Numbers the items in the order of their first buffers, then in one that does
// not depend on the rows.
static bool numberItems(Normalizer *n) {
  uint32_t count = (uint32_t)n->problem->numBuffers, items = 0;
  bool grouped = false;
  uint32_t *leader = BERTH_MEMORY_NEW(n->arena, uint32_t, count);
  uint32_t *leaders = BERTH_MEMORY_NEW(n->arena, uint32_t, count);
  if (n->arena->failed)
    return false;
  for (uint32_t i = 0; i < count; ++i) {
    leader[i] = i;
    grouped |= n->problem->buffers[i].group != BERTH_NONE;
  }
  if (grouped && !findLeaders(n, leader))
    return false;
  n->itemOfBuffer = leader; // overwritten from the front; leaders come first
  for (uint32_t i = 0; i < count; ++i) {
    bool leads = leader[i] == i;
    if (leads)
      leaders[items++] = i;
    n->itemOfBuffer[i] = leads ? items - 1 : n->itemOfBuffer[leader[i]];
  }
  n->task->numItems = items;
  n->task->rowNumbers = berthCanonicalOrder(n->problem, items, n->itemOfBuffer,
                                            leaders, n->arena);
  n->reduction->leaders = leaders;
  n->reduction->itemOfBuffer = n->itemOfBuffer;
  return n->task->rowNumbers != NULL;
}

// The items' fields while buffers are folded into them.
typedef struct Items {
  int64_t *sizes;
  int64_t *alignments;
  int64_t *fixed;
  int64_t *hints;
  int64_t *weights;
  int64_t *weightedSizes;
  int64_t *begins;
  int64_t *ends;
  uint64_t *pools;
} Items;

// Of several hints the first one counts; weights add up.
static void foldBuffer(Items *list, const BerthBuffer *buffer, uint32_t i) {
  int64_t begin = buffer->segments[0].lower;
  int64_t end = buffer->segments[buffer->numSegments - 1].upper;
  if (buffer->size > list->sizes[i])
    list->sizes[i] = buffer->size;
  berthLcm(list->alignments[i], buffer->alignment, &list->alignments[i]);
  if (list->fixed[i] == BERTH_NONE)
    list->fixed[i] = buffer->fixedOffset;
  if (list->hints[i] == BERTH_NONE)
    list->hints[i] = buffer->hint;
  list->weights[i] = berthAddSaturating(list->weights[i], buffer->weight);
  list->weightedSizes[i] =
      berthAddSaturating(list->weightedSizes[i],
                         berthMultiplySaturating(buffer->size, buffer->weight));
  if (begin < list->begins[i])
    list->begins[i] = begin;
  if (end > list->ends[i])
    list->ends[i] = end;
  if (buffer->pools)
    list->pools[i] &= buffer->pools;
}

static bool fillItems(Normalizer *n) {
  uint32_t items = n->task->numItems;
  Items list = {.sizes = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .alignments = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .fixed = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .hints = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .weights = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .weightedSizes = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .begins = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .ends = BERTH_MEMORY_NEW(n->arena, int64_t, items),
                .pools = BERTH_MEMORY_NEW(n->arena, uint64_t, items)};
  if (n->arena->failed)
    return false;
  size_t numPools = n->problem->numPools ? n->problem->numPools : 1;
  uint64_t all = numPools >= 64 ? UINT64_MAX : (UINT64_C(1) << numPools) - 1;
  for (uint32_t i = 0; i < items; ++i) {
    list.alignments[i] = 1;
    list.fixed[i] = list.hints[i] = BERTH_NONE;
    list.pools[i] = all;
    list.begins[i] = INT64_MAX;
    list.ends[i] = INT64_MIN;
  }
  for (size_t i = 0; i < n->problem->numBuffers; ++i)
    foldBuffer(&list, &n->problem->buffers[i], n->itemOfBuffer[i]);
  n->task->sizes = list.sizes;
  n->task->alignments = list.alignments;
  n->task->fixedOffsets = list.fixed;
  n->task->hints = list.hints;
  n->task->weights = list.weights;
  n->task->weightedSizes = list.weightedSizes;
  n->task->begins = list.begins;
  n->task->ends = list.ends;
  n->task->poolMasks = n->task->allowedPools = list.pools;
  return true;
}

static bool fillSections(Normalizer *n) {
  BerthTask *task = n->task;
  size_t count = 0;
  BerthTimePiece *pieces =
      berthCollectPieces(n->problem, n->itemOfBuffer, task->sizes,
                         task->numItems, n->capabilities, n->arena, &count);
  BerthSections sections = {0};
  uint32_t *lowers = BERTH_MEMORY_NEW(n->arena, uint32_t, task->numItems);
  uint32_t *uppers = BERTH_MEMORY_NEW(n->arena, uint32_t, task->numItems);
  if (!pieces || n->arena->failed ||
      !berthBuildSections(pieces, count, task->sizes, task->numItems, n->arena,
                          &sections))
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    const BerthPiece *first = &sections.pieces[sections.pieceBegin[i]];
    const BerthPiece *end = &sections.pieces[sections.pieceBegin[i + 1]];
    lowers[i] = first->lower;
    if (first->lower >= sections.numShared)
      sections.sectionTimes[first->lower] = task->begins[i];
    for (const BerthPiece *piece = first; piece != end; ++piece)
      uppers[i] = piece->upper > uppers[i] ? piece->upper : uppers[i];
  }
  task->numSections = sections.numSections;
  task->sectionLoads = sections.sectionLoads;
  task->pieceBegin = sections.pieceBegin;
  task->pieces = sections.pieces;
  task->lowers = lowers;
  task->uppers = uppers;
  n->reduction->sectionTimes = sections.sectionTimes;
  return true;
}

//===---------------------------------------------------------------------===//
// Pools
//===---------------------------------------------------------------------===//

// Reserved ranges sorted and, where they touch, joined.
static bool tidyReserved(BerthPool *pool, BerthMemory *arena) {
  if (pool->numReserved == 0)
    return true;
  BerthRange *ranges = berthMemoryCopy(arena, pool->reserved, pool->numReserved,
                                       sizeof *pool->reserved);
  if (!ranges)
    return false;
  pool->reserved = ranges;
  pool->numReserved = berthRangesJoin(ranges, pool->numReserved);
  return true;
}

static bool fillPools(Normalizer *n) {
  const BerthProblemData *problem = n->problem;
  BerthPool single = {.capacity = problem->capacity,
                      .numReserved = problem->numReserved,
                      .reserved = problem->reserved};
  size_t count = problem->numPools ? problem->numPools : 1;
  BerthPool *pools =
      berthMemoryCopy(n->arena, problem->numPools ? problem->pools : &single,
                      count, sizeof *pools);
  if (!pools)
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!tidyReserved(&pools[i], n->arena))
      return false;
  n->task->numPools = (uint32_t)count;
  n->task->pools = pools;
  n->task->capacity = count == 1 ? pools[0].capacity : 0;
  return true;
}

//===---------------------------------------------------------------------===//
// Figures
//===---------------------------------------------------------------------===//

// A divisor of every number that a sum or difference of offsets is made of:
// some best plan then has all its offsets among the multiples.
static int64_t commonUnit(const BerthTask *task) {
  int64_t unit = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    unit = berthGcd(task->sizes[i], unit);
    if (task->alignments[i] > 1)
      unit = berthGcd(task->alignments[i], unit);
    if (task->fixedOffsets[i] != BERTH_NONE)
      unit = berthGcd(task->fixedOffsets[i], unit);
    if (task->hints[i] != BERTH_NONE)
      unit = berthGcd(task->hints[i], unit);
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p) {
      const BerthPiece *piece = &task->pieces[p];
      if (piece->low == 0 && piece->high == task->sizes[i])
        continue; // the size has been counted
      unit = berthGcd(piece->low, unit);
      unit = berthGcd(piece->high, unit);
    }
  }
  uint32_t distances =
      task->distanceBegin ? task->distanceBegin[task->numItems] : 0;
  for (uint32_t d = 0; d < distances; ++d) {
    unit = berthGcd(llabs(task->distances[d].lower), unit);
    unit = berthGcd(llabs(task->distances[d].upper), unit);
  }
  for (uint32_t i = 0; i < task->numPools; ++i) {
    unit = berthGcd(task->pools[i].capacity, unit);
    for (size_t j = 0; j < task->pools[i].numReserved; ++j) {
      unit = berthGcd(task->pools[i].reserved[j].lower, unit);
      unit = berthGcd(task->pools[i].reserved[j].upper, unit);
    }
  }
  return unit ? unit : 1;
}

static bool hasHoles(const BerthTask *task) {
  return task->pieceBegin[task->numItems] != task->numItems;
}

static bool hasWindows(const BerthTask *task) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      if (!berthPieceIsWhole(task, i, p))
        return true;
  return false;
}

// What remains of the problem's features once groups are merged and the packer
// has been spared what it cannot do.
static void fillFeatures(Normalizer *n) {
  uint32_t features = berthProblemFeatures(n->problem);
  uint32_t spared = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS |
                    BERTH_CAN_PRICED_EDGES | BERTH_CAN_DISTANCES;
  uint32_t lost = features & spared & ~n->capabilities;
  n->reduction->conservative = lost != 0;
  if (lost & BERTH_CAN_PRICED_EDGES)
    features |= BERTH_CAN_HARD_EDGES;
  features &= ~(lost | BERTH_CAN_GROUPS);
  if (!hasHoles(n->task))
    features &= ~(uint32_t)BERTH_CAN_SEGMENTS;
  if (!hasWindows(n->task)) // gaps of nothing are but holes
    features &= ~(uint32_t)BERTH_CAN_GAPS;
  n->task->features = features;
}

BerthStatus berthNormalize(const BerthProblemData *problem,
                           uint32_t capabilities, BerthMemory *arena,
                           BerthReduction *reduction) {
  *reduction = (BerthReduction){
      .task = {.version = BERTH_PACKER_ABI, .size = sizeof(BerthTask)}};
  Normalizer n = {.problem = problem,
                  .capabilities = capabilities,
                  .arena = arena,
                  .reduction = reduction,
                  .task = &reduction->task};
  if (!numberItems(&n) || !fillItems(&n) || !fillSections(&n) || !fillPools(&n))
    return BERTH_RESOURCE;
  reduction->cutsBought =
      berthReduceEdges(problem, n.itemOfBuffer, capabilities, arena, n.task);
  if (!reduction->cutsBought ||
      !berthReduceDistances(problem, n.itemOfBuffer, capabilities, arena,
                            n.task))
    return BERTH_RESOURCE;
  berthTaskFillBounds(n.task);
  n.task->unit = commonUnit(n.task);
  fillFeatures(&n);
  return BERTH_SUCCESS;
}

int64_t berthProblemLoad(const BerthProblemData *problem, int64_t *time) {
  BerthMemory arena = {0};
  BerthReduction reduction;
  int64_t load = BERTH_NONE, at = 0;
  if (berthNormalize(problem, ~0u, &arena, &reduction) == BERTH_SUCCESS) {
    const BerthTask *task = &reduction.task;
    load = 0;
    for (uint32_t i = 0; i < task->numSections; ++i) {
      if (task->sectionLoads[i] > load) {
        load = task->sectionLoads[i];
        at = reduction.sectionTimes[i];
      }
    }
  }
  berthMemoryFree(&arena);
  if (time)
    *time = at;
  return load;
}
