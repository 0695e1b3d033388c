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

#include "Pack/Check/CheckNames.h"
#include "Pack/Check/CheckPins.h"
#include "Pack/Check/Checker.h"
#include "Support/Checked.h"

#include <inttypes.h>
#include <stdio.h>

//===---------------------------------------------------------------------===//
// One buffer
//===---------------------------------------------------------------------===//

static BerthStatus checkSegments(BerthChecker *checker, size_t index) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  if (buffer->numSegments == 0)
    return berthCheckBlame(checker, index, "it has no live segment, size",
                           buffer->size);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    BerthSegment segment = buffer->segments[i];
    if (segment.lower >= segment.upper)
      return berthCheckBlame(
          checker, index, "a lifetime must end after its start", segment.lower);
    if (i > 0 && segment.lower < buffer->segments[i - 1].upper)
      return berthCheckBlame(
          checker, index,
          "segments must be sorted and disjoint, but one starts at",
          segment.lower);
  }
  return BERTH_SUCCESS;
}

/// A walk over intervals of one buffer, which must be sorted, disjoint, and
/// each within one live segment; `texts` tell what is wrong with the one at
/// hand: it is empty, out of order, starts outside, ends outside.
typedef struct Walk {
  const char *const *texts;
  size_t segment;
  int64_t last;
} Walk;

static BerthStatus checkInterval(BerthChecker *checker, size_t index,
                                 Walk *walk, int64_t lower, int64_t upper) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  if (lower >= upper)
    return berthCheckBlame(checker, index, walk->texts[0], lower);
  if (lower < walk->last)
    return berthCheckBlame(checker, index, walk->texts[1], lower);
  while (walk->segment < buffer->numSegments &&
         buffer->segments[walk->segment].upper <= lower)
    ++walk->segment;
  if (walk->segment == buffer->numSegments ||
      lower < buffer->segments[walk->segment].lower)
    return berthCheckBlame(checker, index, walk->texts[2], lower);
  if (upper > buffer->segments[walk->segment].upper)
    return berthCheckBlame(checker, index, walk->texts[3], upper);
  walk->last = upper;
  return BERTH_SUCCESS;
}

static BerthStatus checkGaps(BerthChecker *checker, size_t index) {
  static const char *const texts[] = {
      "a gap must end after its start",
      "gaps must be sorted and disjoint, but one starts at",
      "a gap must lie within the lifetime, but starts at",
      "a gap must lie within the lifetime, but ends at"};
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  Walk walk = {texts, 0, INT64_MIN};
  for (size_t i = 0; i < buffer->numGaps; ++i) {
    BerthGap gap = buffer->gaps[i];
    BerthStatus status =
        checkInterval(checker, index, &walk, gap.lower, gap.upper);
    if (status != BERTH_SUCCESS)
      return status;
    if (gap.windowLower < 0 || gap.windowLower > gap.windowUpper ||
        gap.windowUpper > buffer->size)
      return berthCheckBlame(
          checker, index,
          "a gap's window must lie within the buffer, but ends at",
          gap.windowUpper);
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkUses(BerthChecker *checker, size_t index) {
  static const char *const texts[] = {
      "a use must end after its start",
      "uses must be sorted and disjoint, but one starts at",
      "a use must lie within the lifetime, but starts at",
      "a use must lie within the lifetime, but ends at"};
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  Walk walk = {texts, 0, INT64_MIN};
  for (size_t i = 0; i < buffer->numUses; ++i) {
    BerthBufferUse use = buffer->uses[i];
    BerthStatus status =
        checkInterval(checker, index, &walk, use.lower, use.upper);
    if (status != BERTH_SUCCESS)
      return status;
    if (use.bytes < 0)
      return berthCheckBlame(checker, index,
                             "a use must not touch negative bytes:", use.bytes);
    if (use.make < 0 || (use.make > 0 && use.kind == BERTH_USE_WRITE))
      return berthCheckBlame(
          checker, index,
          use.make < 0 ? "making content again must not cost"
                       : "what a use overwrites need not be made again, at",
          use.make < 0 ? use.make : use.lower);
  }
  for (size_t i = 0; i < buffer->numUses; ++i) {
    BerthBufferUse use = buffer->uses[i];
    if (use.tile < 0 || use.tile > buffer->size)
      return berthCheckBlame(
          checker, index,
          "a tile must be a part of the buffer, but has bytes:", use.tile);
    if (use.tile ? use.slices <= 0 : use.slices != 0)
      return berthCheckBlame(
          checker, index,
          "where there is a tile, and only there, its slices cost something:",
          use.slices);
  }
  if (buffer->backed && buffer->numSegments > 1)
    return berthCheckBlame(
        checker, index, "backed content lives without holes, but one starts at",
        buffer->segments[0].upper);
  return BERTH_SUCCESS;
}

static BerthStatus checkNumbers(BerthChecker *checker, size_t index) {
  const BerthBuffer *buffer = &checker->problem->buffers[index];
  size_t numPools = checker->problem->numPools;
  uint64_t known = numPools == 0    ? 1
                   : numPools >= 64 ? UINT64_MAX
                                    : (UINT64_C(1) << numPools) - 1;
  if (buffer->size <= 0)
    return berthCheckBlame(checker, index, "size must be positive, not",
                           buffer->size);
  if (buffer->alignment < 1)
    return berthCheckBlame(checker, index, "alignment must be positive, not",
                           buffer->alignment);
  if (buffer->fixedOffset < BERTH_NONE)
    return berthCheckBlame(checker, index,
                           "offset must not be negative:", buffer->fixedOffset);
  if (buffer->hint < BERTH_NONE)
    return berthCheckBlame(checker, index,
                           "hint must not be negative:", buffer->hint);
  if (buffer->weight < 0)
    return berthCheckBlame(checker, index,
                           "weight must not be negative:", buffer->weight);
  if (buffer->group < BERTH_NONE)
    return berthCheckBlame(checker, index,
                           "group must not be negative:", buffer->group);
  if (buffer->pools & ~known)
    return berthCheckBlame(checker, index, "it names an unknown pool, number",
                           63 - __builtin_clzll(buffer->pools & ~known));
  if (buffer->fixedOffset != BERTH_NONE &&
      buffer->fixedOffset % buffer->alignment) {
    char words[80];
    snprintf(words, sizeof words,
             "its alignment %" PRId64 " does not divide its offset",
             buffer->alignment);
    return berthCheckBlame(checker, index, words, buffer->fixedOffset);
  }
  return BERTH_SUCCESS;
}

// Gathers what later checks want to know of all buffers, so that they need not
// go through a million of them again.
static void gather(BerthChecker *checker, const BerthBuffer *buffer) {
  int64_t bytes = berthAddSaturating(buffer->size, buffer->alignment - 1);
  if (buffer->fixedOffset == BERTH_NONE)
    checker->loose = berthAddSaturating(checker->loose, bytes);
  else if (berthAddSaturating(buffer->fixedOffset, buffer->size) >
           checker->pinnedTop)
    checker->pinnedTop = berthAddSaturating(buffer->fixedOffset, buffer->size);
  checker->grouped |= buffer->group != BERTH_NONE;
}

static BerthStatus checkBuffers(BerthChecker *checker) {
  size_t n = checker->problem->numBuffers;
  checker->pins = BERTH_MEMORY_NEW(&checker->arena, int64_t, n);
  checker->extents = BERTH_MEMORY_NEW(&checker->arena, int64_t, n);
  if (!checker->pins || !checker->extents)
    return berthCheckOutOfMemory(checker);
  for (size_t i = 0; i < n; ++i) {
    checker->pins[i] = checker->problem->buffers[i].fixedOffset;
    checker->extents[i] = checker->problem->buffers[i].size;
    BerthStatus status = checkNumbers(checker, i);
    if (!status)
      status = checkSegments(checker, i);
    if (!status)
      status = checkGaps(checker, i);
    if (!status)
      status = checkUses(checker, i);
    if (status)
      return status;
    gather(checker, &checker->problem->buffers[i]);
  }
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Pools, reserved ranges, sums
//===---------------------------------------------------------------------===//

static BerthStatus checkReserved(BerthChecker *checker,
                                 const BerthRange *ranges, size_t count) {
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

static BerthStatus checkPools(BerthChecker *checker) {
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

// Above the highest pin and reserved byte, stacking the other buffers with
// their padding is always possible; that stack must stay below 2^63.
static BerthStatus checkSums(BerthChecker *checker) {
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
    int64_t end;
    if (buffer->fixedOffset == BERTH_NONE)
      continue;
    if (!berthAdd(buffer->fixedOffset, buffer->size, &end))
      return berthCheckBlame(checker, i,
                             "offset plus size exceeds 2^63 - 1; offset",
                             buffer->fixedOffset);
    if (end > checker->sum)
      checker->sum = end;
  }
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    if (buffer->fixedOffset == BERTH_NONE &&
        (!berthCheckGrow(checker, buffer->size) ||
         !berthCheckGrow(checker, buffer->alignment - 1)))
      return berthCheckBlame(
          checker, i,
          "the sum of sizes, each rounded up to its alignment, "
          "exceeds 2^63 - 1 at size",
          buffer->size);
  }
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// All
//===---------------------------------------------------------------------===//

BerthStatus berthProblemCheck(const BerthProblemData *problem,
                              size_t *badBuffer, BerthError *error) {
  // In this order: each relies on those before it.
  static BerthStatus (*const kChecks[])(BerthChecker *) = {
      checkBuffers,        checkPools,       checkSums,
      berthCheckNames,     berthCheckGroups, berthCheckEdges,
      berthCheckDistances, berthCheckPins,   berthCheckPinPools};
  BerthChecker checker = {.problem = problem, .error = error, .bad = SIZE_MAX};
  if (!problem)
    return berthErrorSet(error, BERTH_RESOURCE,
                         "out of memory while the problem was built");
  BerthStatus status =
      problem->numBuffers >= UINT32_MAX / 4
          ? berthErrorSet(error, BERTH_INVALID, "too many buffers: %zu",
                          problem->numBuffers)
          : BERTH_SUCCESS;
  for (size_t i = 0; !status && i < sizeof kChecks / sizeof *kChecks; ++i)
    status = kChecks[i](&checker);
  berthMemoryFree(&checker.arena);
  if (badBuffer)
    *badBuffer = checker.bad;
  return status;
}
