//===- BlockEvents.c - The transfers of a block, as they come -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/BlockEvents.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

BerthCollector berthCollectorCreate(BerthSpans *spans,
                                    const BerthTurns *turns) {
  size_t numRoots = spans->numRoots, numCells = spans->numCells;
  BerthCollector collector = {
      .spans = spans,
      .turns = turns,
      .transfers = berthAllocateOrDie(numRoots, sizeof *collector.transfers),
      .isTouched = berthAllocateOrDie(numRoots, sizeof *collector.isTouched),
      .touched = berthAllocateOrDie(numRoots, sizeof *collector.touched),
      .open = berthSpanSetCreate(spans),
      .stateOf = berthAllocateOrDie(numCells, sizeof *collector.stateOf),
      .nextCell = berthAllocateOrDie(numCells, sizeof *collector.nextCell),
      .cells = berthAllocateOrDie(numCells, sizeof *collector.cells)};
  for (uint32_t i = 0; i <= numCells; ++i)
    collector.nextCell[i] = i;
  return collector;
}

void berthCollectorFree(BerthCollector *collector) {
  free(collector->transfers);
  free(collector->isTouched);
  free(collector->touched);
  berthSpanSetFree(&collector->open);
  free(collector->stateOf);
  free(collector->nextCell);
  free(collector->cells);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The first cell from this one on whose content is as it was.
static uint32_t nextUnspoiled(BerthCollector *collector, uint32_t cell) {
  uint32_t end = cell;
  while (collector->nextCell[end] != end)
    end = collector->nextCell[end];
  while (cell != end) {
    uint32_t next = collector->nextCell[cell];
    collector->nextCell[cell] = end;
    cell = next;
  }
  return end;
}

/// The first write to a cell is the one that is told of.
static void spoilCells(BerthCollector *collector, BerthSpan span,
                       BerthContentState state) {
  for (uint32_t cell = nextUnspoiled(collector, span.lower); cell < span.upper;
       cell = nextUnspoiled(collector, cell)) {
    collector->stateOf[cell] = state;
    collector->nextCell[cell] = cell + 1;
    collector->cells[collector->numCells++] = cell;
  }
}

/// What the cells' writes have done to a root that is not touched.
static BerthTransfer transferSoFar(const BerthCollector *collector,
                                   BerthSpan span) {
  BerthTransfer result = berthTransferNothing;
  for (uint32_t cell = span.lower; cell < span.upper; ++cell) {
    BerthContentState state = collector->stateOf[cell];
    if (state &&
        (result.ofValid == BERTH_CONTENT_VALID || state < result.ofValid))
      result.ofValid = state;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

static bool mayBeValid(BerthTransfer transfer) {
  return transfer.ofUnset == BERTH_CONTENT_VALID ||
         transfer.ofValid == BERTH_CONTENT_VALID ||
         transfer.ofClobbered == BERTH_CONTENT_VALID;
}

static void transferRoot(BerthCollector *collector, uint32_t root,
                         BerthTransfer then) {
  if (!collector->isTouched[root]) {
    collector->isTouched[root] = true;
    collector->touched[collector->numTouched++] = root;
    collector->transfers[root] =
        transferSoFar(collector, collector->spans->spans[root]);
  }
  BerthTransfer transfer =
      berthTransferCompose(collector->transfers[root], then);
  collector->transfers[root] = transfer;
  berthSpanSetPut(&collector->open, root, mayBeValid(transfer));
}

//===----------------------------------------------------------------------===//
// What comes
//===----------------------------------------------------------------------===//

static void collectClobber(BerthCollector *collector, const BerthEvent *event) {
  const BerthViews *views = collector->spans->views;
  const BerthTurns *turns = collector->turns;
  uint32_t root = event->root;
  BerthTransfer transfer = berthEventTransfer(event);
  BerthSpan span = collector->spans->spans[root];
  // Its own write does not spoil it, whichever root it goes by.
  transferRoot(collector, root, berthTransferNothing);
  for (uint32_t i = (uint32_t)views->firstMerge; i < views->firstInstance; ++i)
    if (berthViewsAreTogether(views, i, root))
      transferRoot(collector, i, berthTransferNothing);
  if (views->roots[root].mergedFrom != BERTH_NO_ROOT)
    transferRoot(collector, views->roots[root].mergedFrom,
                 berthTransferNothing);
  for (size_t i = berthTurnsFirst(turns, event->op); i != BERTH_NOT_FOUND;
       i = turns->items[i].nextOfWrite)
    transferRoot(collector, turns->items[i].root, berthTransferNothing);
  uint32_t rank = 0, other;
  while ((other = berthSpanSetNext(&collector->open, span, &rank)) !=
         BERTH_NO_ROOT)
    if (!berthViewsAreTogether(views, other, root) &&
        !berthTurnsSpare(turns, event->op, other))
      transferRoot(collector, other, transfer);
  if (!berthSpanIsEmpty(span))
    spoilCells(collector, span, transfer.ofValid);
  const BerthRootList *others = berthSpansOthers(collector->spans, root);
  for (size_t i = 0; i < others->count; ++i)
    if (!berthTurnsSpare(turns, event->op, others->roots[i]))
      transferRoot(collector, others->roots[i], transfer);
}

void berthCollectEvent(BerthCollector *collector, const BerthEvent *event) {
  if (event->kind == BERTH_EVENT_CLOBBER)
    collectClobber(collector, event);
  else
    transferRoot(collector, event->root, berthEventTransfer(event));
}

void berthCollectMap(BerthCollector *collector, const BerthTransferMap *map) {
  for (size_t i = 0; i < map->count; ++i)
    transferRoot(collector, map->roots[i], map->transfers[i]);
  for (size_t i = 0; i < map->numClobbers; ++i) {
    const BerthClobber *clobber = &map->clobbers[i];
    uint32_t rank = 0, root;
    while ((root = berthSpanSetNext(&collector->open, clobber->cells, &rank)) !=
           BERTH_NO_ROOT)
      if (!berthTransferMapHolds(map, root))
        transferRoot(
            collector, root,
            berthTransferOfClobbers(map, collector->spans->spans[root]));
  }
  for (size_t i = 0; i < map->numClobbers; ++i)
    spoilCells(collector, map->clobbers[i].cells, map->clobbers[i].state);
}

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

static int compareNumbers(const void *a, const void *b) {
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return (first > second) - (first < second);
}

static void takeRoots(BerthCollector *collector, BerthMemory *memory,
                      BerthTransferMap *map) {
  size_t count = collector->numTouched;
  qsort(collector->touched, count, sizeof *collector->touched, compareNumbers);
  uint32_t *roots = berthNewCopy(memory, collector->touched, count,
                                 sizeof *collector->touched);
  BerthTransfer *transfers = BERTH_NEW(memory, BerthTransfer, count);
  for (size_t i = 0; i < count; ++i) {
    transfers[i] = collector->transfers[roots[i]];
    collector->isTouched[roots[i]] = false;
    berthSpanSetPut(&collector->open, roots[i], false);
  }
  collector->numTouched = 0;
  map->count = count;
  map->roots = roots;
  map->transfers = transfers;
}

/// True if the clobber of `cells[i]` goes on in that of the one before.
static bool goesOn(const BerthCollector *collector, size_t i) {
  const uint32_t *cells = collector->cells;
  return i > 0 && cells[i] == cells[i - 1] + 1 &&
         collector->stateOf[cells[i]] == collector->stateOf[cells[i - 1]];
}

static void takeCells(BerthCollector *collector, BerthMemory *memory,
                      BerthTransferMap *map) {
  size_t count = collector->numCells;
  qsort(collector->cells, count, sizeof *collector->cells, compareNumbers);
  for (size_t i = 0; i < count; ++i)
    map->numClobbers += !goesOn(collector, i);
  BerthClobber *clobbers = BERTH_NEW(memory, BerthClobber, map->numClobbers);
  size_t last = SIZE_MAX;
  for (size_t i = 0; i < count; ++i) {
    uint32_t cell = collector->cells[i];
    if (goesOn(collector, i))
      clobbers[last].cells.upper = cell + 1;
    else
      clobbers[++last] =
          (BerthClobber){{cell, cell + 1}, collector->stateOf[cell]};
  }
  for (size_t i = 0; i < count; ++i) {
    collector->stateOf[collector->cells[i]] = 0;
    collector->nextCell[collector->cells[i]] = collector->cells[i];
  }
  collector->numCells = 0;
  map->clobbers = clobbers;
}

BerthTransferMap berthCollectorTake(BerthCollector *collector,
                                    BerthMemory *memory) {
  BerthTransferMap map = {.isReached = true};
  takeRoots(collector, memory, &map);
  takeCells(collector, memory, &map);
  return map;
}
