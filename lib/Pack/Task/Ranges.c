//===- Ranges.c - Sets of offsets ----------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Ranges.h"

#include <stdbool.h>
#include <string.h>

static inline void insert(BerthRange *ranges, size_t count, BerthRange range) {
  for (; count > 0 && ranges[count - 1].lower > range.lower; --count)
    ranges[count] = ranges[count - 1];
  ranges[count] = range;
}

void berthRangesInsert(BerthRange *ranges, size_t count, BerthRange range) {
  insert(ranges, count, range);
}

static void swapRanges(BerthRange *a, BerthRange *b) {
  BerthRange swap = *a;
  *a = *b;
  *b = swap;
}

static void siftDown(BerthRange *heap, size_t at, size_t count) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap[child + 1].lower > heap[child].lower)
      ++child;
    if (heap[at].lower >= heap[child].lower)
      return;
    swapRanges(&heap[at], &heap[child]);
  }
}

static void heapSort(BerthRange *ranges, size_t count) {
  for (size_t i = count / 2; i-- > 0;)
    siftDown(ranges, i, count);
  for (size_t i = count; i-- > 1;) {
    swapRanges(&ranges[0], &ranges[i]);
    siftDown(ranges, 0, i);
  }
}

// Quicksort by lower bound, with a heap sort where the pivots are bad. This is
// the inner loop of all greedy packers.
static void sortRanges(BerthRange *ranges, size_t count, unsigned depth) {
  while (count > 16) {
    if (depth-- == 0) {
      heapSort(ranges, count);
      return;
    }
    int64_t a = ranges[0].lower, b = ranges[count / 2].lower,
            c = ranges[count - 1].lower;
    int64_t pivot = a < b ? (b < c   ? b
                             : a < c ? c
                                     : a)
                          : (a < c   ? a
                             : b < c ? c
                                     : b);
    size_t i = 0, j = count - 1;
    while (true) {
      while (ranges[i].lower < pivot)
        ++i;
      while (ranges[j].lower > pivot)
        --j;
      if (i >= j)
        break;
      swapRanges(&ranges[i++], &ranges[j--]);
    }
    sortRanges(ranges + i, count - i, depth);
    count = i;
  }
  for (size_t i = 1; i < count; ++i)
    insert(ranges, i, ranges[i]);
}

size_t berthRangesAdd(BerthRange *ranges, size_t count, BerthRange range) {
  size_t last = count; // what comes after it
  while (last > 0 && ranges[last - 1].lower > range.upper)
    --last;
  size_t first = last; // those in [first, last) melt into the new one
  for (; first > 0 && ranges[first - 1].upper >= range.lower; --first) {
    if (ranges[first - 1].lower < range.lower)
      range.lower = ranges[first - 1].lower;
    if (ranges[first - 1].upper > range.upper)
      range.upper = ranges[first - 1].upper;
  }
  if (first + 1 != last)
    memmove(ranges + first + 1, ranges + last, (count - last) * sizeof *ranges);
  ranges[first] = range;
  return count + 1 - (last - first);
}

// Mostly few are left, and a sort of all would take longer: joined one by one
// as long as they are few.
enum { kFewRanges = 64 };

size_t berthRangesJoin(BerthRange *ranges, size_t count) {
  size_t few = 0, at = 0, kept = 0;
  while (at < count && few < kFewRanges)
    few = berthRangesAdd(ranges, few, ranges[at++]);
  if (at == count)
    return few;
  memmove(ranges + few, ranges + at, (count - at) * sizeof *ranges);
  count -= at - few;
  sortRanges(ranges, count, 64);
  for (size_t i = 1; i < count; ++i) {
    if (ranges[i].lower > ranges[kept].upper)
      ranges[++kept] = ranges[i];
    else if (ranges[i].upper > ranges[kept].upper)
      ranges[kept].upper = ranges[i].upper;
  }
  return kept + 1;
}
