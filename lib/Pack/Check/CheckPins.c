//===- CheckPins.c - Groups, edges and pins of a problem -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Check/CheckPins.h"

#include "Pack/Problem/Overlaps.h"
#include "Pack/Problem/Problem.h"
#include "Pack/Task/Pins.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <stdio.h>

// What the members of a group demand together.
typedef struct Group {
  int64_t pin;
  int64_t lcm; // of the alignments
  int64_t extent;
  uint64_t pools;
} Group;

/// Blames the buffer: `format` says what `other`, a number of the group, is.
static BerthStatus blameGroup(BerthChecker *checker, size_t index,
                              const char *format, int64_t other,
                              int64_t value) {
  char words[96];
  snprintf(words, sizeof words, format, other);
  return berthCheckBlame(checker, index, words, value);
}

static BerthStatus joinGroup(BerthChecker *checker, size_t index,
                             Group *group) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  if (buffer->fixedOffset != BERTH_NONE) {
    if (group->pin != BERTH_NONE && group->pin != buffer->fixedOffset)
      return blameGroup(checker, index,
                        "its group is pinned to another offset, %" PRId64
                        ", than its own",
                        group->pin, buffer->fixedOffset);
    group->pin = buffer->fixedOffset;
  }
  int64_t before = group->lcm;
  if (!berthLcm(before, buffer->alignment, &group->lcm) ||
      !berthCheckGrow(checker, group->lcm - before))
    return berthCheckBlame(
        checker, index,
        "its group's alignments have too large a common multiple:",
        buffer->alignment);
  if (group->pin != BERTH_NONE && group->pin % group->lcm)
    return blameGroup(checker, index,
                      "its group's alignments, together %" PRId64
                      ", do not divide the pin",
                      group->lcm, group->pin);
  group->pools &= buffer->pools ? buffer->pools : UINT64_MAX;
  if (!group->pools)
    return berthCheckBlame(checker, index,
                           "its group has no pool in common; group",
                           buffer->group);
  if (buffer->size > group->extent)
    group->extent = buffer->size;
  return BERTH_SUCCESS;
}

BerthStatus berthCheckGroups(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (!checker->grouped)
    return BERTH_SUCCESS;
  size_t count = 0;
  const uint32_t *order = berthSortByGroup(problem, &checker->arena, &count);
  if (!order)
    return berthCheckOutOfMemory(checker);
  for (size_t begin = 0, end; begin < count; begin = end) {
    int64_t id = problem->buffers[order[begin]].group;
    Group group = {.pin = BERTH_NONE, .lcm = 1, .pools = UINT64_MAX};
    for (end = begin; end < count && problem->buffers[order[end]].group == id;
         ++end) {
      BerthStatus status = joinGroup(checker, order[end], &group);
      if (status)
        return status;
    }
    for (size_t i = begin; i < end; ++i) {
      checker->pins[order[i]] = group.pin;
      checker->extents[order[i]] = group.extent;
    }
  }
  return BERTH_SUCCESS;
}

// The one pool that a buffer can be in, or UINT32_MAX.
static uint32_t onlyPool(const BerthProblemData *problem, size_t index) {
  uint64_t mask = problem->buffers[index].pools;
  if (problem->numPools <= 1)
    return 0;
  bool one = mask && !(mask & (mask - 1));
  return one ? (uint32_t)__builtin_ctzll(mask) : UINT32_MAX;
}

static BerthStatus checkPinnedEdge(BerthChecker *checker,
                                   const BerthEdge *edge) {
  uint32_t first = edge->first, second = edge->second;
  int64_t a = checker->pins[first], b = checker->pins[second];
  uint32_t pool = onlyPool(checker->problem, first);
  if (a == BERTH_NONE || b == BERTH_NONE || pool == UINT32_MAX ||
      pool != onlyPool(checker->problem, second))
    return BERTH_SUCCESS;
  if (a < b + checker->extents[second] && b < a + checker->extents[first])
    return berthCheckBlame(
        checker, first,
        "a hard edge forbids its pin, which overlaps that of the "
        "other buffer at offset",
        b);
  return BERTH_SUCCESS;
}

static BerthStatus checkEdge(BerthChecker *checker, size_t index) {
  const BerthProblemData *problem = checker->problem;
  const BerthEdge *edge = &problem->edges[index];
  if (edge->first >= problem->numBuffers || edge->second >= problem->numBuffers)
    return berthErrorSet(
        checker->error, BERTH_INVALID,
        "edge %zu names buffer %u, but there are only %zu", index,
        edge->first < problem->numBuffers ? edge->second : edge->first,
        problem->numBuffers);
  const BerthBuffer *a = &problem->buffers[edge->first];
  const BerthBuffer *b = &problem->buffers[edge->second];
  if (edge->first == edge->second)
    return berthCheckBlame(checker, edge->first,
                           "it has an edge to itself, edge", (int64_t)index);
  // One that can be bought off has to be.
  if (a->group != BERTH_NONE && a->group == b->group && !edge->numAlternatives)
    return berthCheckBlame(checker, edge->first,
                           "an edge keeps it apart from its own group",
                           a->group);
  for (size_t i = 0; i < edge->numAlternatives; ++i)
    for (size_t j = 0; j < edge->alternatives[i].numCuts; ++j)
      if (edge->alternatives[i].cuts[j] >= problem->numCuts)
        return berthErrorSet(checker->error, BERTH_INVALID,
                             "edge %zu names cut %u, but there are only %zu",
                             index, edge->alternatives[i].cuts[j],
                             problem->numCuts);
  return edge->numAlternatives ? BERTH_SUCCESS : checkPinnedEdge(checker, edge);
}

static BerthStatus checkDistance(BerthChecker *checker, size_t index) {
  const BerthProblemData *problem = checker->problem;
  BerthDistance distance = problem->distances[index];
  uint32_t first = distance.first, second = distance.second;
  if (first >= problem->numBuffers || second >= problem->numBuffers)
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "distance %zu names buffer %u, but there are only %zu",
                         index, first < problem->numBuffers ? second : first,
                         problem->numBuffers);
  int64_t group = problem->buffers[first].group;
  if (first == second)
    return berthCheckBlame(checker, first,
                           "it has a distance to itself, distance",
                           (int64_t)index);
  if (group != BERTH_NONE && group == problem->buffers[second].group)
    return berthCheckBlame(checker, first, "it has a distance to its own group",
                           group);
  if (distance.lower < -checker->extents[second])
    return berthCheckBlame(
        checker, second,
        "a distance begins below minus its size:", distance.lower);
  if (distance.upper > checker->extents[first])
    return berthCheckBlame(checker, first,
                           "a distance ends above its size:", distance.upper);
  if (distance.lower >= distance.upper)
    return berthCheckBlame(
        checker, first,
        "a distance does not end above where it begins:", distance.lower);
  return BERTH_SUCCESS;
}

// A group by its first buffer, any other buffer by itself. NULL when memory ran
// out.
static uint32_t *findLeaders(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  size_t grouped = 0;
  const uint32_t *order = berthSortByGroup(problem, &checker->arena, &grouped);
  uint32_t *leader =
      BERTH_MEMORY_NEW(&checker->arena, uint32_t, problem->numBuffers);
  if (!order || !leader)
    return NULL;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    leader[i] = i;
  for (size_t k = 1; k < grouped; ++k)
    if (problem->buffers[order[k]].group ==
        problem->buffers[order[k - 1]].group)
      leader[order[k]] = leader[order[k - 1]];
  return leader;
}

// Does any two buffers, or groups, have more than one?
static BerthStatus checkOnePerPair(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  const uint32_t *leader = findLeaders(checker);
  BerthSorting sorting;
  if (!leader || problem->numDistances > UINT32_MAX / 2 ||
      !berthSortingInit(&sorting, (uint32_t)problem->numDistances,
                        &checker->arena))
    return berthCheckOutOfMemory(checker);
  for (size_t i = 0; i < problem->numDistances; ++i) {
    uint32_t a = leader[problem->distances[i].first];
    uint32_t b = leader[problem->distances[i].second];
    sorting.keys[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  }
  const uint32_t *order = berthSort(&sorting);
  for (uint32_t k = 1; k < sorting.count; ++k)
    if (sorting.keys[order[k]] == sorting.keys[order[k - 1]])
      return berthCheckBlame(checker, problem->distances[order[k]].first,
                             "it has a second distance to the same buffer or "
                             "group, distance",
                             order[k]);
  return BERTH_SUCCESS;
}

BerthStatus berthCheckDistances(BerthChecker *checker) {
  for (size_t i = 0; i < checker->problem->numDistances; ++i) {
    BerthStatus status = checkDistance(checker, i);
    if (status)
      return status;
  }
  return checker->problem->numDistances ? checkOnePerPair(checker)
                                        : BERTH_SUCCESS;
}

BerthStatus berthCheckEdges(BerthChecker *checker) {
  for (size_t i = 0; i < checker->problem->numCuts; ++i)
    if (checker->problem->cuts[i].price < 0)
      return berthErrorSet(checker->error, BERTH_INVALID,
                           "cut %zu: price must not be negative: %" PRId64, i,
                           checker->problem->cuts[i].price);
  for (size_t i = 0; i < checker->problem->numEdges; ++i) {
    BerthStatus status = checkEdge(checker, i);
    if (status)
      return status;
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkPinReserved(BerthChecker *checker, size_t index) {
  const BerthProblemData *problem = checker->problem;
  uint32_t pool = onlyPool(problem, index);
  if (pool == UINT32_MAX)
    return BERTH_SUCCESS;
  bool pools = problem->numPools > 0;
  size_t count =
      pools ? problem->pools[pool].numReserved : problem->numReserved;
  const BerthRange *ranges =
      pools ? problem->pools[pool].reserved : problem->reserved;
  for (size_t i = 0; i < count; ++i)
    if (checker->pins[index] < ranges[i].upper &&
        ranges[i].lower < checker->pins[index] + checker->extents[index])
      return berthCheckBlame(checker, index,
                             "its pin overlaps the range reserved from offset",
                             ranges[i].lower);
  return BERTH_SUCCESS;
}

BerthStatus berthCheckPins(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  size_t n = problem->numBuffers, pinned = 0;
  for (size_t i = 0; i < n; ++i) {
    if (checker->pins[i] == BERTH_NONE)
      continue;
    ++pinned;
    BerthStatus status = checkPinReserved(checker, i);
    if (status)
      return status;
  }
  if (pinned < 2)
    return BERTH_SUCCESS;
  int64_t *offsets = BERTH_MEMORY_NEW(&checker->arena, int64_t, n);
  uint32_t *pools = BERTH_MEMORY_NEW(&checker->arena, uint32_t, n);
  if (!offsets || !pools)
    return berthCheckOutOfMemory(checker);
  for (size_t i = 0; i < n; ++i) {
    pools[i] = onlyPool(problem, i);
    offsets[i] = pools[i] == UINT32_MAX ? BERTH_NONE : checker->pins[i];
  }
  return berthCheckOverlaps(problem, offsets, pools, checker->error);
}

BerthStatus berthCheckPinPools(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  BerthReduction reduction;
  BerthPinConflict conflict;
  if (problem->numPools < 2 ||
      !(berthProblemFeatures(problem) & BERTH_CAN_FIXED))
    return BERTH_SUCCESS;
  if (berthNormalize(problem, ~0u, &checker->arena, &reduction))
    return berthCheckOutOfMemory(checker);
  BerthTask *task = &reduction.task;
  uint64_t *masks = berthMemoryCopy(&checker->arena, task->poolMasks,
                                    task->numItems, sizeof *task->poolMasks);
  if (!masks)
    return berthCheckOutOfMemory(checker);
  switch (berthSettlePins(task, 0, &checker->arena, masks, &conflict)) {
  case BERTH_PINS_SETTLED:
    return BERTH_SUCCESS;
  case BERTH_PINS_CONTRADICT:
    return berthCheckBlame(
        checker, reduction.leaders[conflict.items[0]],
        "no choice of pools keeps its pin apart from others and from "
        "reserved ranges; buffers concerned:",
        conflict.count);
  case BERTH_PINS_UNDECIDED:
    return berthErrorSet(checker->error, BERTH_RESOURCE,
                         "no pools were found for the pinned buffers within "
                         "the steps allowed");
  case BERTH_PINS_NO_MEMORY:
    break;
  }
  return berthCheckOutOfMemory(checker);
}
