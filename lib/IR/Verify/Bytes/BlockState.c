//===- BlockState.c - What code does to the state of buffers --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/BlockState.h"
#include "IR/Ops/OrDie.h"

#include <string.h>

const BerthTransfer berthTransferNothing = {
    BERTH_CONTENT_UNSET, BERTH_CONTENT_VALID, BERTH_CONTENT_KEPT};

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

static BerthContentState joinStates(BerthContentState a, BerthContentState b) {
  if (a >= BERTH_CONTENT_CLOBBERED && b >= BERTH_CONTENT_CLOBBERED)
    return a < b ? a : b;
  return a < b ? b : a;
}

BerthContentState berthTransferApply(BerthTransfer transfer,
                                     BerthContentState state) {
  if (state == BERTH_CONTENT_UNSET)
    return transfer.ofUnset;
  if (state == BERTH_CONTENT_VALID)
    return transfer.ofValid;
  return transfer.ofClobbered == BERTH_CONTENT_KEPT ? state
                                                    : transfer.ofClobbered;
}

BerthTransfer berthTransferCompose(BerthTransfer first, BerthTransfer then) {
  BerthTransfer result;
  result.ofUnset = berthTransferApply(then, first.ofUnset);
  result.ofValid = berthTransferApply(then, first.ofValid);
  result.ofClobbered = first.ofClobbered == BERTH_CONTENT_KEPT
                           ? then.ofClobbered
                           : berthTransferApply(then, first.ofClobbered);
  return result;
}

static BerthTransfer joinTransfers(BerthTransfer a, BerthTransfer b) {
  BerthTransfer result;
  result.ofUnset = joinStates(a.ofUnset, b.ofUnset);
  result.ofValid = joinStates(a.ofValid, b.ofValid);
  bool isKept = a.ofClobbered == BERTH_CONTENT_KEPT ||
                b.ofClobbered == BERTH_CONTENT_KEPT;
  result.ofClobbered =
      isKept ? BERTH_CONTENT_KEPT : joinStates(a.ofClobbered, b.ofClobbered);
  return result;
}

//===----------------------------------------------------------------------===//
// Many
//===----------------------------------------------------------------------===//

BerthTransferMap berthTransferMapIdentity(void) {
  return (BerthTransferMap){.isReached = true};
}

bool berthTransferMapHolds(const BerthTransferMap *map, uint32_t root) {
  size_t lower = 0, upper = map->count;
  while (lower < upper) {
    size_t middle = lower + (upper - lower) / 2;
    if (map->roots[middle] < root)
      lower = middle + 1;
    else
      upper = middle;
  }
  return lower < map->count && map->roots[lower] == root;
}

/// The first clobber that ends behind the cell.
static size_t firstBehind(const BerthTransferMap *map, uint32_t cell) {
  size_t lower = 0, upper = map->numClobbers;
  while (lower < upper) {
    size_t middle = lower + (upper - lower) / 2;
    if (map->clobbers[middle].cells.upper <= cell)
      lower = middle + 1;
    else
      upper = middle;
  }
  return lower;
}

BerthTransfer berthTransferOfClobbers(const BerthTransferMap *map,
                                      BerthSpan span) {
  BerthTransfer result = berthTransferNothing;
  if (berthSpanIsEmpty(span))
    return result;
  for (size_t i = firstBehind(map, span.lower);
       i < map->numClobbers && map->clobbers[i].cells.lower < span.upper; ++i) {
    BerthContentState state = map->clobbers[i].state;
    if (result.ofValid == BERTH_CONTENT_VALID || state < result.ofValid)
      result.ofValid = state;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Two maps: the roots
//===----------------------------------------------------------------------===//

typedef BerthTransfer (*CombineOne)(BerthTransfer, BerthTransfer);

/// Walks two maps in step: at each root that either holds, both transfers.
typedef struct Merge {
  const BerthSpans *spans;
  BerthTransferMap a, b;
  size_t i, k;
  uint32_t root;
  BerthTransfer ofA, ofB;
} Merge;

static BerthTransfer ofOthers(const Merge *merge, const BerthTransferMap *map) {
  return berthTransferOfClobbers(map, merge->spans->spans[merge->root]);
}

static bool mergeNext(Merge *merge) {
  bool hasA = merge->i < merge->a.count, hasB = merge->k < merge->b.count;
  if (!hasA && !hasB)
    return false;
  uint32_t rootA = hasA ? merge->a.roots[merge->i] : UINT32_MAX;
  uint32_t rootB = hasB ? merge->b.roots[merge->k] : UINT32_MAX;
  merge->root = rootA < rootB ? rootA : rootB;
  merge->ofA = rootA == merge->root ? merge->a.transfers[merge->i++]
                                    : ofOthers(merge, &merge->a);
  merge->ofB = rootB == merge->root ? merge->b.transfers[merge->k++]
                                    : ofOthers(merge, &merge->b);
  return true;
}

static size_t countBoth(BerthTransferMap a, BerthTransferMap b) {
  size_t i = 0, k = 0, count = 0;
  for (; i < a.count && k < b.count; ++count) {
    uint32_t rootA = a.roots[i], rootB = b.roots[k];
    i += rootA <= rootB;
    k += rootB <= rootA;
  }
  return count + (a.count - i) + (b.count - k);
}

static void combineRoots(BerthTransferSpace *space, BerthTransferMap *result,
                         BerthTransferMap a, BerthTransferMap b,
                         CombineOne combineOne) {
  // Maps of nested code are large and nearly alike: no room is wasted.
  size_t capacity = countBoth(a, b);
  uint32_t *roots = BERTH_NEW(&space->memory, uint32_t, capacity);
  BerthTransfer *transfers = BERTH_NEW(&space->memory, BerthTransfer, capacity);
  size_t count = 0;
  for (Merge merge = {.spans = space->spans, .a = a, .b = b}; mergeNext(&merge);
       ++count) {
    roots[count] = merge.root;
    transfers[count] = combineOne(merge.ofA, merge.ofB);
  }
  result->count = count;
  result->roots = roots;
  result->transfers = transfers;
}

//===----------------------------------------------------------------------===//
// Two maps: the cells
//===----------------------------------------------------------------------===//

/// Walks two lists of clobbers in step, from stretch to stretch.
typedef struct Sweep {
  const BerthTransferMap *a, *b;
  bool isFirstKept; ///< where both clobber, a's; else the lesser
  size_t i, k;
  uint32_t cell;    ///< all before is done
  BerthClobber now; ///< the stretch at hand
} Sweep;

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// The next place where the list begins or ends a clobber.
static uint32_t nextBound(const BerthTransferMap *map, size_t i,
                          uint32_t cell) {
  if (i == map->numClobbers)
    return UINT32_MAX;
  BerthSpan cells = map->clobbers[i].cells;
  return cells.lower > cell ? cells.lower : cells.upper;
}

static BerthContentState stateAt(const BerthTransferMap *map, size_t i,
                                 uint32_t cell) {
  bool isIn = i < map->numClobbers && map->clobbers[i].cells.lower <= cell;
  return isIn ? map->clobbers[i].state : BERTH_CONTENT_VALID;
}

static bool sweepNext(Sweep *sweep) {
  const BerthTransferMap *a = sweep->a, *b = sweep->b;
  while (true) {
    while (sweep->i < a->numClobbers &&
           a->clobbers[sweep->i].cells.upper <= sweep->cell)
      ++sweep->i;
    while (sweep->k < b->numClobbers &&
           b->clobbers[sweep->k].cells.upper <= sweep->cell)
      ++sweep->k;
    uint32_t end = lesser(nextBound(a, sweep->i, sweep->cell),
                          nextBound(b, sweep->k, sweep->cell));
    if (end == UINT32_MAX)
      return false;
    BerthContentState first = stateAt(a, sweep->i, sweep->cell);
    BerthContentState then = stateAt(b, sweep->k, sweep->cell);
    bool isFirst =
        then == BERTH_CONTENT_VALID ||
        (first != BERTH_CONTENT_VALID && (sweep->isFirstKept || first < then));
    sweep->now = (BerthClobber){{sweep->cell, end}, isFirst ? first : then};
    sweep->cell = end;
    if (sweep->now.state != BERTH_CONTENT_VALID)
      return true;
  }
}

/// Writes the union of both lists, if `clobbers` is not NULL; returns its
/// length. Neighbours of one state are one.
static size_t sweepAll(Sweep sweep, BerthClobber *clobbers) {
  size_t count = 0;
  BerthClobber last = {{0, 0}, BERTH_CONTENT_VALID};
  while (sweepNext(&sweep)) {
    bool isSame = last.cells.upper == sweep.now.cells.lower &&
                  last.state == sweep.now.state;
    if (isSame)
      sweep.now.cells.lower = last.cells.lower;
    else
      ++count;
    last = sweep.now;
    if (clobbers)
      clobbers[count - 1] = last;
  }
  return count;
}

static void combineClobbers(BerthTransferSpace *space, BerthTransferMap *result,
                            const BerthTransferMap *a,
                            const BerthTransferMap *b, bool isFirstKept) {
  const BerthTransferMap *only = a->numClobbers ? a : b;
  bool isShared =
      !a->numClobbers || !b->numClobbers ||
      (a->clobbers == b->clobbers && a->numClobbers == b->numClobbers);
  result->numClobbers = only->numClobbers;
  result->clobbers = only->clobbers;
  if (isShared)
    return;
  Sweep sweep = {.a = a, .b = b, .isFirstKept = isFirstKept};
  result->numClobbers = sweepAll(sweep, NULL);
  BerthClobber *clobbers =
      BERTH_NEW(&space->memory, BerthClobber, result->numClobbers);
  sweepAll(sweep, clobbers);
  result->clobbers = clobbers;
}

//===----------------------------------------------------------------------===//
// Two maps
//===----------------------------------------------------------------------===//

static bool isNothing(BerthTransferMap map) {
  return !map.count && !map.numClobbers;
}

BerthTransferMap berthTransferMapCompose(BerthTransferSpace *space,
                                         BerthTransferMap first,
                                         BerthTransferMap then) {
  if (!first.isReached || !then.isReached)
    return (BerthTransferMap){0};
  if (isNothing(then))
    return first;
  if (isNothing(first))
    return then;
  BerthTransferMap result = {.isReached = true};
  combineRoots(space, &result, first, then, berthTransferCompose);
  combineClobbers(space, &result, &first, &then, true);
  return result;
}

static bool isOneMap(BerthTransferMap a, BerthTransferMap b) {
  return a.count == b.count && a.roots == b.roots &&
         a.transfers == b.transfers && a.numClobbers == b.numClobbers &&
         a.clobbers == b.clobbers;
}

BerthTransferMap berthTransferMapJoin(BerthTransferSpace *space,
                                      BerthTransferMap a, BerthTransferMap b) {
  if (!a.isReached || !b.isReached)
    return a.isReached ? a : b;
  if (isOneMap(a, b))
    return a;
  BerthTransferMap result = {.isReached = true};
  combineRoots(space, &result, a, b, joinTransfers);
  combineClobbers(space, &result, &a, &b, false);
  return result;
}

static bool isEqual(const void *a, const void *b, size_t count, size_t size) {
  return a == b || !count || memcmp(a, b, count * size) == 0;
}

bool berthTransferMapEqual(BerthTransferMap a, BerthTransferMap b) {
  return a.isReached == b.isReached && a.count == b.count &&
         a.numClobbers == b.numClobbers &&
         isEqual(a.roots, b.roots, a.count, sizeof *a.roots) &&
         isEqual(a.transfers, b.transfers, a.count, sizeof *a.transfers) &&
         isEqual(a.clobbers, b.clobbers, a.numClobbers, sizeof *a.clobbers);
}
