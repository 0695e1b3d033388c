//===- Canonical.c - An order of items that their numbers determine ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Canonical.h"

#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Signatures
//===---------------------------------------------------------------------===//
//
// A hash of all that the problem says of an item. The members of a group, and
// the ends of an item's edges, are added up, as their order says nothing.

static uint64_t mix(uint64_t hash, uint64_t value) {
  return berthMix((hash ^ value) + BERTH_RANDOM_STEP);
}

static uint64_t signBuffer(const BerthBuffer *buffer) {
  const int64_t numbers[] = {buffer->size, buffer->alignment,
                             buffer->fixedOffset, buffer->hint, buffer->weight};
  uint64_t hash = buffer->pools;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    hash = mix(hash, (uint64_t)numbers[i]);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    hash = mix(hash, (uint64_t)buffer->segments[i].lower);
    hash = mix(hash, (uint64_t)buffer->segments[i].upper);
  }
  for (size_t i = 0; i < buffer->numGaps; ++i) {
    hash = mix(hash, (uint64_t)buffer->gaps[i].lower);
    hash = mix(hash, (uint64_t)buffer->gaps[i].upper);
    hash = mix(hash, (uint64_t)buffer->gaps[i].windowLower);
    hash = mix(hash, (uint64_t)buffer->gaps[i].windowUpper);
  }
  return hash;
}

static uint64_t signEdge(const BerthProblemData *problem,
                         const BerthEdge *edge) {
  uint64_t sum = edge->numAlternatives;
  for (size_t a = 0; a < edge->numAlternatives; ++a) {
    uint64_t prices = 0;
    for (size_t c = 0; c < edge->alternatives[a].numCuts; ++c)
      prices +=
          mix(1, (uint64_t)problem->cuts[edge->alternatives[a].cuts[c]].price);
    sum += mix(2, prices);
  }
  return sum;
}

// Items that differ only in what their edges lead to differ after a round or
// two, in nearly all cases.
enum { kEdgeRounds = 2 };

static bool signEdges(const BerthProblemData *problem, uint32_t numItems,
                      const uint32_t *itemOfBuffer, uint64_t *signatures,
                      BerthMemory *memory) {
  uint64_t *before = BERTH_MEMORY_NEW(memory, uint64_t, numItems);
  if (!before)
    return false;
  for (unsigned round = 0; round < kEdgeRounds; ++round) {
    memcpy(before, signatures, numItems * sizeof *before);
    for (size_t e = 0; e < problem->numEdges; ++e) {
      const BerthEdge *edge = &problem->edges[e];
      uint32_t a = itemOfBuffer[edge->first], b = itemOfBuffer[edge->second];
      uint64_t price = signEdge(problem, edge);
      signatures[a] += mix(before[b], price);
      signatures[b] += mix(before[a], price);
    }
    for (size_t d = 0; d < problem->numDistances; ++d) {
      const BerthDistance *distance = &problem->distances[d];
      uint32_t a = itemOfBuffer[distance->first];
      uint32_t b = itemOfBuffer[distance->second];
      uint64_t range =
          mix((uint64_t)distance->lower, (uint64_t)distance->upper);
      signatures[a] += mix(before[b], mix(3, range));
      signatures[b] += mix(before[a], mix(4, range));
    }
  }
  return true;
}

//===---------------------------------------------------------------------===//
// The order
//===---------------------------------------------------------------------===//

/// By item, as keys of berthSortByKey.
typedef struct Keys {
  uint64_t *begins;
  uint64_t *ends;
  uint64_t *sizes;
} Keys;

static bool fillKeys(const BerthProblemData *problem, uint32_t numItems,
                     const uint32_t *itemOfBuffer, BerthMemory *memory,
                     Keys *keys) {
  keys->begins = BERTH_MEMORY_NEW(memory, uint64_t, numItems);
  keys->ends = BERTH_MEMORY_NEW(memory, uint64_t, numItems);
  keys->sizes = BERTH_MEMORY_NEW(memory, uint64_t, numItems);
  if (memory->failed)
    return false;
  for (uint32_t i = 0; i < numItems; ++i)
    keys->begins[i] = keys->sizes[i] = UINT64_MAX;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    const BerthSegment *last = &buffer->segments[buffer->numSegments - 1];
    uint32_t item = itemOfBuffer[i];
    uint64_t begin = berthKeyAscending(buffer->segments[0].lower);
    uint64_t end = berthKeyAscending(last->upper);
    uint64_t size = berthKeyDescending(buffer->size);
    if (begin < keys->begins[item])
      keys->begins[item] = begin;
    if (end > keys->ends[item])
      keys->ends[item] = end;
    if (size < keys->sizes[item])
      keys->sizes[item] = size;
  }
  return true;
}

static bool areAlike(const Keys *keys, uint32_t a, uint32_t b) {
  return keys->begins[a] == keys->begins[b] && keys->ends[a] == keys->ends[b] &&
         keys->sizes[a] == keys->sizes[b];
}

// What starts together is mostly little, so all but the starts is looked at
// only there. Are some alike in all three?
static bool sortItems(const Keys *keys, uint32_t numItems, uint32_t *order,
                      uint32_t *scratch) {
  bool alike = false;
  berthSortByKey(order, scratch, numItems, keys->begins);
  for (uint32_t from = 0, to; from < numItems; from = to) {
    to = from + 1;
    while (to < numItems &&
           keys->begins[order[to]] == keys->begins[order[from]])
      ++to;
    if (to - from == 1)
      continue;
    berthSortByKey(order + from, scratch, to - from, keys->sizes);
    berthSortByKey(order + from, scratch, to - from, keys->ends);
    for (uint32_t k = from + 1; k < to; ++k)
      alike |= areAlike(keys, order[k], order[k - 1]);
  }
  return alike;
}

// Sorts those that are alike by all else.
static bool sortAlike(const BerthProblemData *problem,
                      const uint32_t *itemOfBuffer, const Keys *keys,
                      uint32_t numItems, uint32_t *order, uint32_t *scratch,
                      BerthMemory *memory) {
  uint64_t *signatures = BERTH_MEMORY_NEW(memory, uint64_t, numItems);
  if (!signatures)
    return false;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    signatures[itemOfBuffer[i]] += signBuffer(&problem->buffers[i]);
  if (problem->numEdges + problem->numDistances &&
      !signEdges(problem, numItems, itemOfBuffer, signatures, memory))
    return false;
  for (uint32_t from = 0, to; from < numItems; from = to) {
    to = from + 1;
    while (to < numItems && areAlike(keys, order[to], order[from]))
      ++to;
    if (to - from > 1)
      berthSortByKey(order + from, scratch, to - from, signatures);
  }
  return true;
}

const uint32_t *berthCanonicalOrder(const BerthProblemData *problem,
                                    uint32_t numItems, uint32_t *itemOfBuffer,
                                    uint32_t *leaders, BerthMemory *memory) {
  Keys keys;
  uint32_t *order = BERTH_MEMORY_NEW(memory, uint32_t, numItems);
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  uint32_t *scratch = BERTH_MEMORY_NEW(memory, uint32_t, numItems);
  if (!order || !scratch ||
      !fillKeys(problem, numItems, itemOfBuffer, memory, &keys))
    return NULL;
  for (uint32_t i = 0; i < numItems; ++i)
    order[i] = i;
  if (sortItems(&keys, numItems, order, scratch) &&
      !sortAlike(problem, itemOfBuffer, &keys, numItems, order, scratch,
                 memory))
    return NULL;
  memcpy(scratch, leaders, numItems * sizeof *scratch);
  for (uint32_t k = 0; k < numItems; ++k)
    leaders[k] = scratch[order[k]];
  for (uint32_t k = 0; k < numItems; ++k)
    scratch[order[k]] = k;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    itemOfBuffer[i] = scratch[itemOfBuffer[i]];
  berthMemoryRelease(memory, mark);
  return order;
}
