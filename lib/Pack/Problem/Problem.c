//===- Problem.c - Building a problem ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The builder owns growing arrays of plain structs; what these point to
// (strings, segments, gaps, cut sets) is copied into an arena.
//
//===---------------------------------------------------------------------===//

#include "Pack/Problem/Problem.h"

#include "Support/Allocate.h"
#include "Support/Sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Array {
  void *elements;
  size_t count;
  size_t capacity;
} Array;

struct BerthProblem {
  BerthMemory arena;
  Array buffers;
  Array edges;
  Array cuts;
  Array pools;
  Array reserved;
  Array distances;
  bool failed; // an Add ran out of memory
  BerthProblemData data;
};

BerthBuffer berthBufferDefault(void) {
  return (BerthBuffer){.alignment = 1,
                       .fixedOffset = BERTH_NONE,
                       .hint = BERTH_NONE,
                       .weight = 1,
                       .group = BERTH_NONE};
}

BerthProblem *berthProblemCreate(void) {
  return calloc(1, sizeof(BerthProblem));
}

void berthProblemDestroy(BerthProblem *problem) {
  if (!problem)
    return;
  free(problem->buffers.elements);
  free(problem->edges.elements);
  free(problem->cuts.elements);
  free(problem->pools.elements);
  free(problem->reserved.elements);
  free(problem->distances.elements);
  berthMemoryFree(&problem->arena);
  free(problem);
}

// Appends a copy of `element` and returns its index, or UINT32_MAX. What the
// element points to may have found no room.
static uint32_t append(BerthProblem *problem, Array *array, const void *element,
                       size_t size) {
  if (problem->arena.failed)
    return UINT32_MAX;
  if (array->count >= UINT32_MAX / 2 ||
      (array->count == array->capacity &&
       !berthReserveElements(&array->elements, &array->capacity,
                             array->count + 1, size))) {
    problem->failed = true;
    return UINT32_MAX;
  }
  memcpy((char *)array->elements + array->count * size, element, size);
  return (uint32_t)array->count++;
}

uint32_t berthProblemAddBuffer(BerthProblem *problem,
                               const BerthBuffer *buffer) {
  static const BerthGap kNoGaps[1];
  static const BerthBufferUse kNoUses[1];
  BerthMemory *arena = &problem->arena;
  BerthBuffer copy = *buffer;
  copy.id = berthMemoryString(arena, buffer->id);
  copy.segments = berthMemoryCopy(arena, buffer->segments, buffer->numSegments,
                                  sizeof *buffer->segments);
  copy.gaps = kNoGaps;
  if (buffer->numGaps)
    copy.gaps = berthMemoryCopy(arena, buffer->gaps, buffer->numGaps,
                                sizeof *buffer->gaps);
  copy.uses = kNoUses;
  if (buffer->numUses)
    copy.uses = berthMemoryCopy(arena, buffer->uses, buffer->numUses,
                                sizeof *buffer->uses);
  return append(problem, &problem->buffers, &copy, sizeof copy);
}

uint32_t berthProblemAddEdge(BerthProblem *problem, const BerthEdge *edge) {
  BerthEdge copy = *edge;
  BerthCutSet *sets =
      berthMemoryCopy(&problem->arena, edge->alternatives,
                      edge->numAlternatives, sizeof *edge->alternatives);
  for (size_t i = 0; sets && i < edge->numAlternatives; ++i)
    sets[i].cuts = berthMemoryCopy(&problem->arena, sets[i].cuts,
                                   sets[i].numCuts, sizeof *sets[i].cuts);
  copy.alternatives = sets;
  return append(problem, &problem->edges, &copy, sizeof copy);
}

uint32_t berthProblemAddCut(BerthProblem *problem, const BerthCut *cut) {
  BerthCut copy = *cut;
  copy.id = berthMemoryString(&problem->arena, cut->id);
  return append(problem, &problem->cuts, &copy, sizeof copy);
}

uint32_t berthProblemAddDistance(BerthProblem *problem,
                                 const BerthDistance *distance) {
  return append(problem, &problem->distances, distance, sizeof *distance);
}

uint32_t berthProblemAddPool(BerthProblem *problem, const BerthPool *pool) {
  BerthPool copy = *pool;
  copy.id = berthMemoryString(&problem->arena, pool->id);
  copy.reserved = berthMemoryCopy(&problem->arena, pool->reserved,
                                  pool->numReserved, sizeof *pool->reserved);
  return append(problem, &problem->pools, &copy, sizeof copy);
}

void berthProblemAddReserved(BerthProblem *problem, BerthRange range) {
  append(problem, &problem->reserved, &range, sizeof range);
}

void berthProblemSetCapacity(BerthProblem *problem, int64_t capacity) {
  problem->data.capacity = capacity;
}

const BerthProblemData *berthProblemGetData(const BerthProblem *problem) {
  if (problem->failed || problem->arena.failed)
    return NULL;
  // The view is part of the builder; refreshing it changes no meaning.
  BerthProblemData *data = (BerthProblemData *)&problem->data;
  data->numBuffers = problem->buffers.count;
  data->buffers = problem->buffers.elements;
  data->numEdges = problem->edges.count;
  data->edges = problem->edges.elements;
  data->numCuts = problem->cuts.count;
  data->cuts = problem->cuts.elements;
  data->numPools = problem->pools.count;
  data->pools = problem->pools.elements;
  data->numReserved = problem->reserved.count;
  data->reserved = problem->reserved.elements;
  data->numDistances = problem->distances.count;
  data->distances = problem->distances.elements;
  return data;
}

BerthName berthBufferName(const BerthProblemData *problem, size_t index) {
  BerthName name;
  const char *id = problem->buffers[index].id;
  if (id)
    snprintf(name.text, sizeof name.text, "%s", id);
  else
    snprintf(name.text, sizeof name.text, "b%zu", index);
  return name;
}

uint32_t *berthSortByGroup(const BerthProblemData *problem, BerthMemory *arena,
                           size_t *count) {
  size_t n = problem->numBuffers, grouped = 0;
  uint32_t *order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  if (arena->failed)
    return NULL;
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = (uint64_t)problem->buffers[i].group;
    if (problem->buffers[i].group != BERTH_NONE)
      order[grouped++] = i;
  }
  berthSortByKey(order, scratch, grouped, keys);
  *count = grouped;
  return order;
}
