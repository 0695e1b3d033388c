//===- Overlap.c - Which items meet, and how -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Overlap.h"

#include "Pack/Task/Distances.h"
#include "Support/Sort.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// The index
//===---------------------------------------------------------------------===//

bool berthOverlapInit(BerthOverlapIndex *index, const BerthTask *task,
                      bool full, BerthMemory *arena) {
  uint32_t n = task->numItems, leaves = 1;
  while (leaves < n)
    leaves *= 2;
  *index = (BerthOverlapIndex){.numItems = n, .leaves = leaves};
  index->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  index->lowers = BERTH_MEMORY_NEW(arena, uint32_t, n);
  index->position = BERTH_MEMORY_NEW(arena, uint32_t, n);
  index->tree = BERTH_MEMORY_NEW(arena, uint32_t, 2 * (size_t)leaves);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    index->order[i] = i;
    keys[i] = task->lowers[i];
  }
  berthSortByKey(index->order, scratch, n, keys);
  for (uint32_t at = 0; at < n; ++at) {
    uint32_t item = index->order[at];
    index->position[item] = at;
    index->lowers[at] = task->lowers[item];
    index->tree[leaves + at] = full ? task->uppers[item] : 0;
  }
  for (uint32_t node = leaves - 1; node > 0; --node) {
    uint32_t left = index->tree[2 * node], right = index->tree[2 * node + 1];
    index->tree[node] = left > right ? left : right;
  }
  return true;
}

void berthOverlapInsert(BerthOverlapIndex *index, const BerthTask *task,
                        uint32_t item) {
  uint32_t upper = task->uppers[item];
  uint32_t node = index->leaves + index->position[item];
  for (; node > 0 && index->tree[node] < upper; node /= 2)
    index->tree[node] = upper;
}

void berthOverlapErase(BerthOverlapIndex *index, uint32_t item) {
  uint32_t node = index->leaves + index->position[item];
  index->tree[node] = 0;
  for (node /= 2; node > 0; node /= 2) {
    uint32_t left = index->tree[2 * node], right = index->tree[2 * node + 1];
    index->tree[node] = left > right ? left : right;
  }
}

// The first of `count` ascending values that is >= `bound`.
static uint32_t lowerBound(const uint32_t *values, uint32_t count,
                           uint32_t bound) {
  uint32_t low = 0;
  while (count > 0) {
    uint32_t half = count / 2;
    if (values[low + half] < bound) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

// Walks the leaves below `end` from left to right, past subtrees in which all
// ends before `lower`.
size_t berthOverlapQuery(const BerthOverlapIndex *index, uint32_t lower,
                         uint32_t upper, uint32_t *out) {
  const uint32_t *tree = index->tree, leaves = index->leaves;
  uint32_t end = lowerBound(index->lowers, index->numItems, upper);
  size_t count = 0;
  uint32_t node = 1, first = 0, width = leaves; // leaves [first, first + width)
  while (first < end) {
    if (tree[node] > lower && width > 1) {
      node *= 2;
      width /= 2;
      continue;
    }
    if (tree[node] > lower)
      out[count++] = index->order[first];
    first += width;
    for (; node % 2; node /= 2) // up to the next left child, then across
      width *= 2;
    if (node == 0)
      break;
    ++node;
  }
  return count;
}

//===---------------------------------------------------------------------===//
// Pairs
//===---------------------------------------------------------------------===//

bool berthItemsMeet(const BerthTask *task, uint32_t i, uint32_t j) {
  const BerthPiece *a = task->pieces + task->pieceBegin[i];
  const BerthPiece *b = task->pieces + task->pieceBegin[j];
  const BerthPiece *aEnd = task->pieces + task->pieceBegin[i + 1];
  const BerthPiece *bEnd = task->pieces + task->pieceBegin[j + 1];
  while (a != aEnd && b != bEnd) {
    if (a->upper <= b->lower)
      ++a;
    else if (b->upper <= a->lower)
      ++b;
    else
      return true;
  }
  return false;
}

bool berthItemsMeetWhole(const BerthTask *task, uint32_t i, uint32_t j) {
  if (berthFindDistance(task, i, j))
    return false;
  for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
    for (uint32_t q = task->pieceBegin[j]; q < task->pieceBegin[j + 1]; ++q)
      if (berthPieceIsWhole(task, i, p) && berthPieceIsWhole(task, j, q) &&
          task->pieces[p].lower < task->pieces[q].upper &&
          task->pieces[q].lower < task->pieces[p].upper)
        return true;
  return false;
}

bool berthItemsApart(const BerthTask *task, uint32_t i, uint32_t j) {
  uint32_t begin = task->hardBegin[i], count = task->hardBegin[i + 1] - begin;
  const uint32_t *partners = task->hardEdges + begin;
  uint32_t at = count ? lowerBound(partners, count, j) : 0;
  return at < count && partners[at] == j;
}

// Adds the open interval `range` to `count` ascending, disjoint ones.
static size_t addInterval(BerthRange *ranges, size_t count, BerthRange range) {
  size_t first = 0;
  while (first < count && ranges[first].upper <= range.lower)
    ++first;
  size_t last = first; // those in [first, last) melt into the new one
  for (; last < count && ranges[last].lower < range.upper; ++last) {
    if (ranges[last].lower < range.lower)
      range.lower = ranges[last].lower;
    if (ranges[last].upper > range.upper)
      range.upper = ranges[last].upper;
  }
  memmove(ranges + first + 1, ranges + last, (count - last) * sizeof *ranges);
  ranges[first] = range;
  return count - (last - first) + 1;
}

// What of the ranges lies within the distance; the rest is free.
static size_t clipRanges(BerthRange *ranges, size_t count,
                         const BerthItemDistance *distance) {
  size_t kept = 0;
  for (size_t k = 0; k < count; ++k) {
    BerthRange range = ranges[k];
    if (range.lower < distance->lower)
      range.lower = distance->lower;
    if (range.upper > distance->upper)
      range.upper = distance->upper;
    if (range.lower < range.upper - 1)
      ranges[kept++] = range;
  }
  return kept;
}

size_t berthItemConflicts(const BerthTask *task, uint32_t i, uint32_t j,
                          BerthRange **out, size_t *room, BerthMemory *arena) {
  size_t count = 0;
  const BerthPiece *bFirst = task->pieces + task->pieceBegin[j];
  const BerthPiece *bEnd = task->pieces + task->pieceBegin[j + 1];
  const BerthPiece *aEnd = task->pieces + task->pieceBegin[i + 1];
  if (!berthMemoryReserve(arena, out, room, 1))
    return SIZE_MAX;
  if (berthItemsApart(task, i, j)) {
    (*out)[0] = (BerthRange){-task->sizes[j], task->sizes[i]};
    return 1; // as wide as any window could make it
  }
  for (const BerthPiece *a = task->pieces + task->pieceBegin[i]; a != aEnd;
       ++a) {
    for (const BerthPiece *b = bFirst; b != bEnd && b->lower < a->upper; ++b) {
      if (b->upper <= a->lower)
        continue;
      if (!berthMemoryReserve(arena, out, room, count + 1))
        return SIZE_MAX;
      BerthRange range = {a->low - b->high, a->high - b->low};
      count = addInterval(*out, count, range);
    }
  }
  const BerthItemDistance *distance = berthFindDistance(task, i, j);
  return distance ? clipRanges(*out, count, distance) : count;
}
