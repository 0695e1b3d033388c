//===- SharedBytes.c - Which buffers have bytes in common -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/SharedBytes.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The end of a root's bytes, either one.
typedef struct Bound {
  uint32_t arena;
  uint32_t root;
  int64_t byte;
  bool isUpper;
} Bound;

static int compareBounds(const void *left, const void *right) {
  const Bound *a = left, *b = right;
  if (a->arena != b->arena)
    return a->arena < b->arena ? -1 : 1;
  return (a->byte > b->byte) - (a->byte < b->byte);
}

static bool hasRange(const BerthRoot *root) {
  return root->instanceOf == BERTH_NO_ROOT && !root->isShifted;
}

static Bound *listBounds(const BerthViews *views, size_t *count) {
  Bound *bounds = berthAllocateOrDie(2 * views->numRoots, sizeof *bounds);
  BerthPointerMap arenaOf = {0};
  size_t numArenas = 0;
  *count = 0;
  for (uint32_t i = 0; i < views->numRoots; ++i) {
    const BerthRoot *root = &views->roots[i];
    if (!hasRange(root) || root->lower >= root->upper)
      continue;
    const void *key = berthViewsArenaKey(root->arena);
    numArenas += berthPointerMapInsert(&arenaOf, key, numArenas);
    uint32_t arena = (uint32_t)berthPointerMapFind(&arenaOf, key);
    bounds[(*count)++] = (Bound){arena, i, root->lower, false};
    bounds[(*count)++] = (Bound){arena, i, root->upper, true};
  }
  berthPointerMapFree(&arenaOf);
  qsort(bounds, *count, sizeof *bounds, compareBounds);
  return bounds;
}

/// Numbers the cells. Those that begin at one byte are one.
static void numberCells(BerthSpans *spans, const BerthViews *views) {
  size_t count;
  Bound *bounds = listBounds(views, &count);
  for (size_t i = 0; i < count; ++i) {
    bool isNew = i > 0 && compareBounds(&bounds[i - 1], &bounds[i]) != 0;
    spans->numCells += isNew;
    BerthSpan *span = &spans->spans[bounds[i].root];
    *(bounds[i].isUpper ? &span->upper : &span->lower) =
        (uint32_t)spans->numCells;
  }
  spans->numCells += count > 0;
  free(bounds);
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// By first cell, then by number: a counting sort.
static void rankRoots(BerthSpans *spans) {
  uint32_t *next = berthAllocateOrDie(spans->numCells + 1, sizeof *next);
  for (uint32_t i = 0; i < spans->numRoots; ++i)
    if (!berthSpanIsEmpty(spans->spans[i])) {
      ++next[spans->spans[i].lower + 1];
      ++spans->numRanked;
    }
  for (size_t cell = 0; cell < spans->numCells; ++cell)
    next[cell + 1] += next[cell];
  for (uint32_t i = 0; i < spans->numRoots; ++i)
    if (!berthSpanIsEmpty(spans->spans[i])) {
      spans->rankOf[i] = next[spans->spans[i].lower]++;
      spans->rootAt[spans->rankOf[i]] = i;
    }
  free(next);
}

BerthSpans berthSpansOf(const BerthViews *views) {
  size_t count = views->numRoots;
  BerthSpans spans = {
      .views = views,
      .numRoots = count,
      .spans = berthAllocateOrDie(count, sizeof *spans.spans),
      .rootAt = berthAllocateOrDie(count, sizeof *spans.rootAt),
      .rankOf = berthAllocateOrDie(count, sizeof *spans.rankOf),
      .shifted = berthAllocateOrDie(count, sizeof *spans.shifted),
      .others = berthAllocateOrDie(count, sizeof *spans.others)};
  numberCells(&spans, views);
  rankRoots(&spans);
  for (uint32_t i = 0; i < count; ++i)
    if (views->roots[i].isShifted)
      spans.shifted[spans.numShifted++] = i;
  return spans;
}

void berthSpansFree(BerthSpans *spans) {
  for (size_t i = 0; i < spans->numRoots; ++i)
    free(spans->others[i].roots);
  free(spans->others);
  free(spans->spans);
  free(spans->rootAt);
  free(spans->rankOf);
  free(spans->shifted);
}

//===----------------------------------------------------------------------===//
// What ranges do not tell
//===----------------------------------------------------------------------===//

static void addOther(const BerthSpans *spans, uint32_t root, uint32_t other,
                     size_t *capacity) {
  BerthRootList *list = &spans->others[root];
  if (!berthViewsOverlap(spans->views, root, other))
    return;
  list->roots =
      berthGrow(list->roots, list->count, capacity, sizeof *list->roots);
  list->roots[list->count++] = other;
}

const BerthRootList *berthSpansOthers(BerthSpans *spans, uint32_t root) {
  BerthRootList *list = &spans->others[root];
  if (list->isKnown)
    return list;
  list->isKnown = true;
  size_t capacity = 0;
  if (spans->views->roots[root].isShifted)
    for (uint32_t i = 0; i < spans->numRoots; ++i)
      addOther(spans, root, i, &capacity);
  else
    for (size_t i = 0; i < spans->numShifted; ++i)
      addOther(spans, root, spans->shifted[i], &capacity);
  return list;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

BerthSpanSet berthSpanSetCreate(const BerthSpans *spans) {
  BerthSpanSet set = {.spans = spans, .numLeaves = 1};
  while (set.numLeaves < spans->numRanked)
    set.numLeaves *= 2;
  set.most = berthAllocateOrDie(2 * set.numLeaves, sizeof *set.most);
  return set;
}

void berthSpanSetFree(BerthSpanSet *set) { free(set->most); }

void berthSpanSetPut(BerthSpanSet *set, uint32_t root, bool isIn) {
  BerthSpan span = set->spans->spans[root];
  if (berthSpanIsEmpty(span))
    return;
  size_t node = set->numLeaves + set->spans->rankOf[root];
  uint32_t most = isIn ? span.upper : 0;
  while (set->most[node] != most) {
    set->most[node] = most;
    if (node == 1)
      return;
    uint32_t other = set->most[node ^ 1];
    most = most > other ? most : other;
    node /= 2;
  }
}

/// The first leaf at or behind `leaf` whose root ends behind `cell`; 0: none.
static size_t nextLeaf(const BerthSpanSet *set, size_t leaf, uint32_t cell) {
  size_t node = leaf;
  while (set->most[node] <= cell) {
    while (node & 1) // the last below its parent
      node /= 2;
    if (node == 0)
      return 0;
    ++node;
  }
  while (node < set->numLeaves) {
    node *= 2;
    node += set->most[node] <= cell;
  }
  return node;
}

uint32_t berthSpanSetNext(const BerthSpanSet *set, BerthSpan span,
                          uint32_t *rank) {
  if (berthSpanIsEmpty(span) || *rank >= set->spans->numRanked)
    return BERTH_NO_ROOT;
  size_t leaf = nextLeaf(set, set->numLeaves + *rank, span.lower);
  if (leaf == 0)
    return BERTH_NO_ROOT;
  *rank = (uint32_t)(leaf - set->numLeaves);
  uint32_t root = set->spans->rootAt[(*rank)++];
  return set->spans->spans[root].lower < span.upper ? root : BERTH_NO_ROOT;
}
