//===- Segments.c - Sets of program points --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Segments.h"
#include "IR/Ops/OrDie.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

void berthSegmentsAdd(BerthSegments *list, int64_t lower, int64_t upper) {
  if (lower >= upper)
    return;
  list->segments = berthGrow(list->segments, list->count, &list->capacity,
                             sizeof *list->segments);
  list->segments[list->count++] = (BerthSegment){lower, upper};
}

const BerthSegment *berthSegmentAt(const BerthBufferInfo *buffer,
                                   int64_t point) {
  size_t low = 0, high = buffer->numSegments;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (buffer->segments[middle].upper <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < buffer->numSegments && buffer->segments[low].lower <= point
             ? &buffer->segments[low]
             : NULL;
}

bool berthBuffersMeet(const BerthBufferInfo *a, const BerthBufferInfo *b) {
  return berthSegmentsMeet(a->segments, a->numSegments, b->segments,
                           b->numSegments);
}

bool berthSegmentsMeet(const BerthSegment *a, size_t numA,
                       const BerthSegment *b, size_t numB) {
  size_t i = 0, j = 0;
  while (i < numA && j < numB) {
    BerthSegment left = a[i], right = b[j];
    if (left.lower < right.upper && right.lower < left.upper)
      return true;
    if (left.upper <= right.upper)
      ++i;
    else
      ++j;
  }
  return false;
}

BerthSegment berthCommonSpan(const BerthBufferInfo *a,
                             const BerthBufferInfo *b) {
  BerthSegment span = {INT64_MAX, -1};
  for (size_t i = 0, j = 0; i < a->numSegments && j < b->numSegments;) {
    BerthSegment left = a->segments[i], right = b->segments[j];
    int64_t lower = left.lower > right.lower ? left.lower : right.lower;
    int64_t upper = left.upper < right.upper ? left.upper : right.upper;
    if (lower < upper) {
      span.lower = lower < span.lower ? lower : span.lower;
      span.upper = upper;
    }
    if (left.upper <= right.upper)
      ++i;
    else
      ++j;
  }
  return span;
}

size_t berthJoinSegments(BerthSegment *segments, size_t count) {
  if (!count)
    return 0;
  qsort(segments, count, sizeof *segments, berthCompareFirst);
  size_t last = 0;
  for (size_t i = 1; i < count; ++i) {
    BerthSegment next = segments[i];
    if (next.lower > segments[last].upper)
      segments[++last] = next;
    else if (next.upper > segments[last].upper)
      segments[last].upper = next.upper;
  }
  return last + 1;
}

void berthBufferAddSegments(BerthScope *scope, BerthBufferInfo *buffer,
                            const BerthSegment *segments, size_t count) {
  size_t total = buffer->numSegments + count;
  BerthSegment *all = BERTH_NEW(scope->memory, BerthSegment, total);
  memcpy(all, buffer->segments, buffer->numSegments * sizeof *all);
  if (count)
    memcpy(all + buffer->numSegments, segments, count * sizeof *all);
  buffer->segments = all;
  buffer->numSegments = berthJoinSegments(all, total);
}
