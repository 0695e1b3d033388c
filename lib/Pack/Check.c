//===- Check.c - The rules a problem must keep ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Everything behind this check may rely on it: fields in range, segments and
// gaps sorted, ids unique, groups and pins free of contradiction, and no sum of
// sizes, paddings, pins and reserved bounds above 2^63 - 1, so that packers add
// offsets and sizes without looking.
//
//===---------------------------------------------------------------------===//

#include "Pack/Pins.h"
#include "Pack/Problem.h"
#include "Support/Arena.h"
#include "Support/Checked.h"

#include <inttypes.h>
#include <string.h>

typedef struct Checker {
  const BerthProblemData *problem;
  BerthError *error;
  BerthArena arena;
  size_t bad;        // the buffer to blame, or SIZE_MAX
  int64_t sum;       // no packer's sum can be larger
  int64_t pinnedTop; // where the highest pinned buffer ends
  int64_t loose;     // the sizes of the others, with their padding
  bool grouped;      // some buffer is in a group
  int64_t *pins;     // a buffer's offset, its group's where it has none
  int64_t *extents;  // a buffer's size, its group's largest
} Checker;

// A failure at one buffer: `what` is a format for one value.
static BerthStatus blame(Checker *checker, size_t index, const char *what,
                         int64_t value) {
  checker->bad = index;
  return berthErrorSet(
      checker->error, BERTH_INVALID, "buffer '%s': %s %" PRId64,
      berthBufferName(checker->problem, index).text, what, value);
}

static BerthStatus outOfMemory(Checker *checker) {
  return berthErrorSet(checker->error, BERTH_RESOURCE, "out of memory");
}

//===---------------------------------------------------------------------===//
// One buffer
//===---------------------------------------------------------------------===//

static BerthStatus checkSegments(Checker *checker, size_t index) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  if (buffer->numSegments == 0)
    return blame(checker, index, "it has no live segment, size", buffer->size);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    BerthSegment segment = buffer->segments[i];
    if (segment.lower >= segment.upper)
      return blame(checker, index, "a lifetime must end after its start",
                   segment.lower);
    if (i > 0 && segment.lower < buffer->segments[i - 1].upper)
      return blame(checker, index,
                   "segments must be sorted and disjoint, but one starts at",
                   segment.lower);
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkGaps(Checker *checker, size_t index) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  size_t segment = 0;
  for (size_t i = 0; i < buffer->numGaps; ++i) {
    BerthGap gap = buffer->gaps[i];
    if (gap.lower >= gap.upper)
      return blame(checker, index, "a gap must end after its start", gap.lower);
    if (i > 0 && gap.lower < buffer->gaps[i - 1].upper)
      return blame(checker, index,
                   "gaps must be sorted and disjoint, but one starts at",
                   gap.lower);
    if (gap.windowLower < 0 || gap.windowLower > gap.windowUpper ||
        gap.windowUpper > buffer->size)
      return blame(checker, index,
                   "a gap's window must lie within the buffer, but ends at",
                   gap.windowUpper);
    while (segment < buffer->numSegments &&
           buffer->segments[segment].upper < gap.upper)
      ++segment;
    if (segment == buffer->numSegments ||
        gap.lower < buffer->segments[segment].lower)
      return blame(checker, index,
                   "a gap must lie within the lifetime, but starts at",
                   gap.lower);
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkNumbers(Checker *checker, size_t index) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  size_t numPools = checker->problem->numPools;
  uint64_t known = numPools == 0    ? 1
                   : numPools >= 64 ? UINT64_MAX
                                    : (UINT64_C(1) << numPools) - 1;
  if (buffer->size <= 0)
    return blame(checker, index, "size must be positive, not", buffer->size);
  if (buffer->alignment < 1)
    return blame(checker, index, "alignment must be positive, not",
                 buffer->alignment);
  if (buffer->fixedOffset < BERTH_NONE)
    return blame(checker, index,
                 "offset must not be negative:", buffer->fixedOffset);
  if (buffer->hint < BERTH_NONE)
    return blame(checker, index, "hint must not be negative:", buffer->hint);
  if (buffer->weight < 0)
    return blame(checker, index,
                 "weight must not be negative:", buffer->weight);
  if (buffer->group < BERTH_NONE)
    return blame(checker, index, "group must not be negative:", buffer->group);
  if (buffer->pools & ~known)
    return blame(checker, index, "it names an unknown pool, number",
                 63 - __builtin_clzll(buffer->pools & ~known));
  if (buffer->fixedOffset != BERTH_NONE &&
      buffer->fixedOffset % buffer->alignment)
    return blame(checker, index, "its alignment does not divide its offset",
                 buffer->fixedOffset);
  return BERTH_SUCCESS;
}

// Gathers what later checks want to know of all buffers, so that they need not
// go through a million of them again.
static void gather(Checker *checker, const BerthBuffer *buffer) {
  int64_t bytes = berthAddSaturating(buffer->size, buffer->alignment - 1);
  if (buffer->fixedOffset == BERTH_NONE)
    checker->loose = berthAddSaturating(checker->loose, bytes);
  else if (berthAddSaturating(buffer->fixedOffset, buffer->size) >
           checker->pinnedTop)
    checker->pinnedTop = berthAddSaturating(buffer->fixedOffset, buffer->size);
  checker->grouped |= buffer->group != BERTH_NONE;
}

static BerthStatus checkBuffers(Checker *checker) {
  size_t n = checker->problem->numBuffers;
  checker->pins = BERTH_ARENA_NEW(&checker->arena, int64_t, n);
  checker->extents = BERTH_ARENA_NEW(&checker->arena, int64_t, n);
  if (!checker->pins || !checker->extents)
    return outOfMemory(checker);
  for (size_t i = 0; i < n; ++i) {
    checker->pins[i] = checker->problem->buffers[i].fixedOffset;
    checker->extents[i] = checker->problem->buffers[i].size;
    BerthStatus status = checkNumbers(checker, i);
    if (!status)
      status = checkSegments(checker, i);
    if (!status)
      status = checkGaps(checker, i);
    if (status)
      return status;
    gather(checker, &checker->problem->buffers[i]);
  }
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Names
//===---------------------------------------------------------------------===//

static uint64_t hashName(const char *name) {
  uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return hash;
}

static bool sameName(const BerthProblemData *problem, size_t a, size_t b) {
  const char *first = problem->buffers[a].id, *second = problem->buffers[b].id;
  if (first && second)
    return strcmp(first, second) == 0;
  return strcmp(berthBufferName(problem, a).text,
                berthBufferName(problem, b).text) == 0;
}

// Longer names come after shorter ones, so that numbers count up.
static bool comesAfter(const char *name, size_t length, const char *before,
                       size_t lengthBefore) {
  return length != lengthBefore ? length > lengthBefore
                                : memcmp(name, before, length) > 0;
}

// Names in ascending order, as programs number their buffers, are unique; so
// are those that Berth itself would give.
static bool namesAscend(const BerthProblemData *problem) {
  const char *before = "";
  size_t lengthBefore = 0, named = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const char *name = problem->buffers[i].id;
    if (!name)
      continue;
    size_t length = strlen(name);
    if (named++ && !comesAfter(name, length, before, lengthBefore))
      return false;
    before = name;
    lengthBefore = length;
  }
  return named == 0 || named == problem->numBuffers;
}

// An open hash table of buffer indices. Buffers without an id count as
// "b<index>", which only matters where others have one.
static BerthStatus checkNames(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (namesAscend(problem))
    return BERTH_SUCCESS;
  size_t slots = 16;
  while (slots < 2 * problem->numBuffers)
    slots *= 2;
  uint32_t *table = BERTH_ARENA_NEW(&checker->arena, uint32_t, slots);
  if (!table)
    return outOfMemory(checker);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const char *id = problem->buffers[i].id;
    uint64_t hash = hashName(id ? id : berthBufferName(problem, i).text);
    size_t slot = (hash ^ hash >> 32) & (slots - 1);
    for (; table[slot]; slot = (slot + 1) & (slots - 1))
      if (sameName(problem, table[slot] - 1, i))
        return blame(checker, i, "its id is not unique; it is also buffer",
                     table[slot] - 1);
    table[slot] = (uint32_t)i + 1;
  }
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Pools, reserved ranges, sums
//===---------------------------------------------------------------------===//

static BerthStatus checkReserved(Checker *checker, const BerthRange *ranges,
                                 size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (ranges[i].lower < 0 || ranges[i].lower >= ranges[i].upper)
      return berthErrorSet(checker->error, BERTH_INVALID,
                           "reserved range [%" PRId64 ", %" PRId64
                           ") is empty or negative",
                           ranges[i].lower, ranges[i].upper);
    if (ranges[i].upper > checker->sum)
      checker->sum = ranges[i].upper;
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkPools(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (problem->capacity < 0)
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "capacity must not be negative: %" PRId64,
                         problem->capacity);
  if (problem->numPools > 64)
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "at most 64 pools, not %zu", problem->numPools);
  if (problem->numPools && (problem->capacity || problem->numReserved))
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "with pools, capacity and reserved ranges belong to "
                         "the pools");
  for (size_t i = 0; i < problem->numPools; ++i) {
    const BerthPool *pool = &problem->pools[i];
    if (pool->capacity < 0 || pool->cost < 0)
      return berthErrorSet(checker->error, BERTH_INVALID,
                           "pool %zu: negative capacity or cost", i);
    if (pool->capacity == 0 && i + 1 < problem->numPools)
      return berthErrorSet(checker->error, BERTH_INVALID,
                           "pool %zu: only the last pool may be unbounded", i);
    BerthStatus status =
        checkReserved(checker, pool->reserved, pool->numReserved);
    if (status)
      return status;
  }
  return checkReserved(checker, problem->reserved, problem->numReserved);
}

// Adds to the sum; false at 2^63.
static bool grow(Checker *checker, int64_t bytes) {
  return berthAdd(checker->sum, bytes, &checker->sum);
}

// Above the highest pin and reserved byte, stacking the other buffers with
// their padding is always possible; that stack must stay below 2^63.
static BerthStatus checkSums(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  int64_t top =
      checker->pinnedTop > checker->sum ? checker->pinnedTop : checker->sum;
  int64_t sum = berthAddSaturating(top, checker->loose);
  if (sum < INT64_MAX) { // far from it, as nearly always
    checker->sum = sum;
    return BERTH_SUCCESS;
  }
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t top;
    if (buffer->fixedOffset == BERTH_NONE)
      continue;
    if (!berthAdd(buffer->fixedOffset, buffer->size, &top))
      return blame(checker, i, "offset plus size exceeds 2^63 - 1; offset",
                   buffer->fixedOffset);
    if (top > checker->sum)
      checker->sum = top;
  }
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    if (buffer->fixedOffset == BERTH_NONE &&
        (!grow(checker, buffer->size) || !grow(checker, buffer->alignment - 1)))
      return blame(checker, i, "the sum of sizes exceeds 2^63 - 1 at size",
                   buffer->size);
  }
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Groups, edges, pins
//===---------------------------------------------------------------------===//

// What the members of a group demand together.
typedef struct Group {
  int64_t pin;
  int64_t lcm; // of the alignments
  int64_t extent;
  uint64_t pools;
} Group;

static BerthStatus joinGroup(Checker *checker, size_t index, Group *group) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  if (buffer->fixedOffset != BERTH_NONE) {
    if (group->pin != BERTH_NONE && group->pin != buffer->fixedOffset)
      return blame(checker, index,
                   "its group is pinned to another offset than its own",
                   buffer->fixedOffset);
    group->pin = buffer->fixedOffset;
  }
  int64_t before = group->lcm;
  if (!berthLcm(before, buffer->alignment, &group->lcm) ||
      !grow(checker, group->lcm - before))
    return blame(checker, index,
                 "its group's alignments have too large a common multiple:",
                 buffer->alignment);
  if (group->pin != BERTH_NONE && group->pin % group->lcm)
    return blame(checker, index, "its group's alignments do not divide the pin",
                 group->pin);
  group->pools &= buffer->pools ? buffer->pools : UINT64_MAX;
  if (!group->pools)
    return blame(checker, index, "its group has no pool in common; group",
                 buffer->group);
  if (buffer->size > group->extent)
    group->extent = buffer->size;
  return BERTH_SUCCESS;
}

static BerthStatus checkGroups(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (!checker->grouped)
    return BERTH_SUCCESS;
  size_t count = 0;
  const uint32_t *order = berthSortByGroup(problem, &checker->arena, &count);
  if (!order)
    return outOfMemory(checker);
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

static BerthStatus checkPinnedEdge(Checker *checker, const BerthEdge *edge) {
  uint32_t first = edge->first, second = edge->second;
  int64_t a = checker->pins[first], b = checker->pins[second];
  uint32_t pool = onlyPool(checker->problem, first);
  if (a == BERTH_NONE || b == BERTH_NONE || pool == UINT32_MAX ||
      pool != onlyPool(checker->problem, second))
    return BERTH_SUCCESS;
  if (a < b + checker->extents[second] && b < a + checker->extents[first])
    return blame(checker, first,
                 "a hard edge forbids its pin, which overlaps that of the "
                 "other buffer at offset",
                 b);
  return BERTH_SUCCESS;
}

static BerthStatus checkEdge(Checker *checker, size_t index) {
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
    return blame(checker, edge->first, "it has an edge to itself, edge",
                 (int64_t)index);
  if (a->group != BERTH_NONE && a->group == b->group)
    return blame(checker, edge->first,
                 "an edge keeps it apart from its own group", a->group);
  for (size_t i = 0; i < edge->numAlternatives; ++i)
    for (size_t j = 0; j < edge->alternatives[i].numCuts; ++j)
      if (edge->alternatives[i].cuts[j] >= problem->numCuts)
        return berthErrorSet(checker->error, BERTH_INVALID,
                             "edge %zu names cut %u, but there are only %zu",
                             index, edge->alternatives[i].cuts[j],
                             problem->numCuts);
  return edge->numAlternatives ? BERTH_SUCCESS : checkPinnedEdge(checker, edge);
}

static BerthStatus checkEdges(Checker *checker) {
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

static BerthStatus checkPinReserved(Checker *checker, size_t index) {
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
      return blame(checker, index,
                   "its pin overlaps the range reserved from offset",
                   ranges[i].lower);
  return BERTH_SUCCESS;
}

// Pinned buffers are a partial plan; it must be a valid one.
static BerthStatus checkPins(Checker *checker) {
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
  int64_t *offsets = BERTH_ARENA_NEW(&checker->arena, int64_t, n);
  uint32_t *pools = BERTH_ARENA_NEW(&checker->arena, uint32_t, n);
  if (!offsets || !pools)
    return outOfMemory(checker);
  for (size_t i = 0; i < n; ++i) {
    pools[i] = onlyPool(problem, i);
    offsets[i] = pools[i] == UINT32_MAX ? BERTH_NONE : checker->pins[i];
  }
  return berthCheckOverlaps(problem, offsets, pools, checker->error);
}

// Pinned buffers that leave a choice of pools must be able to agree on one.
static BerthStatus checkPinPools(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  BerthReduction reduction;
  BerthPinConflict conflict;
  if (problem->numPools < 2 ||
      !(berthProblemFeatures(problem) & BERTH_CAN_FIXED))
    return BERTH_SUCCESS;
  if (berthNormalize(problem, ~0u, &checker->arena, &reduction))
    return outOfMemory(checker);
  BerthTask *task = &reduction.task;
  uint64_t *masks = berthArenaCopy(&checker->arena, task->poolMasks,
                                   task->numItems, sizeof *task->poolMasks);
  if (!masks)
    return outOfMemory(checker);
  switch (berthSettlePins(task, 0, &checker->arena, masks, &conflict)) {
  case BERTH_PINS_SETTLED:
    return BERTH_SUCCESS;
  case BERTH_PINS_CONTRADICT:
    return blame(checker, reduction.leaders[conflict.items[0]],
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
  return outOfMemory(checker);
}

BerthStatus berthProblemCheck(const BerthProblemData *problem,
                              size_t *badBuffer, BerthError *error) {
  Checker checker = {.problem = problem, .error = error, .bad = SIZE_MAX};
  if (!problem)
    return berthErrorSet(error, BERTH_RESOURCE,
                         "out of memory while the problem was built");
  BerthStatus status =
      problem->numBuffers >= UINT32_MAX / 4
          ? berthErrorSet(error, BERTH_INVALID, "too many buffers: %zu",
                          problem->numBuffers)
          : BERTH_SUCCESS;
  if (!status)
    status = checkBuffers(&checker);
  if (!status)
    status = checkPools(&checker);
  if (!status)
    status = checkSums(&checker);
  if (!status)
    status = checkNames(&checker);
  if (!status)
    status = checkGroups(&checker);
  if (!status)
    status = checkEdges(&checker);
  if (!status)
    status = checkPins(&checker);
  if (!status)
    status = checkPinPools(&checker);
  berthArenaFree(&checker.arena);
  if (badBuffer)
    *badBuffer = checker.bad;
  return status;
}
