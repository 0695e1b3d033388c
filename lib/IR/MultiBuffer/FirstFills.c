//===- FirstFills.c - What the first turns need, ahead of other work ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/FirstFills.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/Kept.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>

typedef struct Search {
  const BerthJob *job;
  MlirAttribute number; ///< of the content
  MlirValue slice;      ///< what the start reads
  bool touches;
} Search;

static MlirOperation previous(MlirOperation op) {
  MlirOperation before = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  if (mlirOperationEqual(before, op))
    return (MlirOperation){NULL};
  while (!mlirOperationEqual(mlirOperationGetNextInBlock(before), op))
    before = mlirOperationGetNextInBlock(before);
  return before;
}

//===----------------------------------------------------------------------===//
// What may stand behind the start
//===----------------------------------------------------------------------===//

/// True if the op has to do with the content, or with what the start reads.
static MlirWalkResult lookForUse(MlirOperation op, void *userData) {
  static const char *const names[] = {
      BERTH_CONTENT,        BERTH_CONTENT_BEGINS,
      BERTH_CONTENT_COPIED, BERTH_CONTENT_SOURCE,
      BERTH_CONTENT_READ,   BERTH_MOVE,
      BERTH_RECOMPUTE,      BERTH_TILE};
  Search *search = userData;
  MlirValue memory = berthValueBehindViews(search->slice);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    search->touches |=
        berthFitHasNumber(berthAttributeOf(op, names[i]), search->number);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = berthValueBehindViews(mlirOperationGetOperand(op, i));
    search->touches |=
        mlirValueEqual(value, memory) ||
        (mlirValueIsAOpResult(value) &&
         (berthFitHasNumber(
              berthAttributeOf(mlirOpResultGetOwner(value), BERTH_TILE),
              search->number) ||
          berthFitHasNumber(
              berthAttributeOf(mlirOpResultGetOwner(value), BERTH_CONTENT),
              search->number)));
  }
  return search->touches ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool mayPass(const Search *search, MlirOperation op) {
  Search own = *search;
  const char *broken = search->job->options->alias.breakRule;
  if (berthIsBroken(broken, "first-fills"))
    return true;
  mlirOperationWalk(op, lookForUse, &own, MlirWalkPreOrder);
  if (own.touches)
    return false;
  MlirValue memory = berthValueBehindViews(search->slice);
  return berthFitIsPlace(memory) ||
         !berthFitMayWrite(search->job, op, search->slice);
}

//===----------------------------------------------------------------------===//
// What the start needs
//===----------------------------------------------------------------------===//

/// True if the op only computes, or makes the tiles.
static bool mayGoAlong(MlirOperation op) {
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE_TURNS)))
    return mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_COPIED)) &&
           mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_BEGINS));
  return berthOpOnlyComputes(op) &&
         mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_SOURCE));
}

static bool isNeeded(const BerthFirstFill *fill, MlirOperation op) {
  for (size_t i = 0; i < fill->numOps; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(fill->ops[i]); ++k) {
      MlirValue value = mlirOperationGetOperand(fill->ops[i], k);
      if (mlirValueIsAOpResult(value) &&
          mlirOperationEqual(mlirOpResultGetOwner(value), op))
        return true;
    }
  return false;
}

static void addOp(BerthFirstFill *fill, MlirOperation op) {
  fill->ops =
      berthGrow(fill->ops, fill->numOps, &fill->capacity, sizeof *fill->ops);
  fill->ops[fill->numOps++] = op;
}

/// Upwards; what is needed comes along.
static void findFront(const Search *search, BerthFirstFill *fill) {
  enum { kMostPassed = 64 };
  size_t numAlong = 1;
  int numPassed = 0;
  for (MlirOperation op = previous(fill->ops[0]);
       !mlirOperationIsNull(op) && numPassed < kMostPassed;
       op = previous(op), ++numPassed) {
    if (isNeeded(fill, op)) {
      if (!mayGoAlong(op))
        break;
      addOp(fill, op);
      continue;
    }
    if (!mayPass(search, op))
      break;
    // Beside what only computes, or allocates, nothing goes on.
    if (!berthOpOnlyComputes(op) && !berthOpIsPlainAllocation(op) &&
        !berthOpIsFree(op)) {
      fill->front = op;
      numAlong = fill->numOps;
    }
  }
  fill->numOps = numAlong;
  for (size_t i = 0; i < numAlong / 2; ++i) {
    MlirOperation op = fill->ops[i];
    fill->ops[i] = fill->ops[numAlong - 1 - i];
    fill->ops[numAlong - 1 - i] = op;
  }
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// What the start brings to one of several tiles; null: it is no such.
static MlirValue sliceOf(MlirOperation start) {
  BerthDma dma;
  intptr_t source, target;
  if (berthOpGetDma(start, &dma)) {
    if (!dma.isStart)
      return (MlirValue){NULL};
    source = dma.source;
    target = dma.target;
  } else if (!berthOpIsToldCopy(start, &source, &target)) {
    return (MlirValue){NULL};
  }
  MlirValue stack =
      berthValueBehindViews(mlirOperationGetOperand(start, target));
  bool isTurned = mlirValueIsAOpResult(stack) &&
                  !mlirAttributeIsNull(berthAttributeOf(
                      mlirOpResultGetOwner(stack), BERTH_TILE_TURNS));
  return isTurned ? mlirOperationGetOperand(start, source) : (MlirValue){NULL};
}

static MlirWalkResult addFill(MlirOperation wait, void *userData) {
  BerthFirstFills *fills = userData;
  bool isMarked = !mlirAttributeIsNull(berthAttributeOf(wait, BERTH_TILE)) &&
                  mlirOperationGetNumResults(wait) == 0;
  MlirOperation start = isMarked ? previous(wait) : (MlirOperation){NULL};
  if (mlirOperationIsNull(start) || mlirValueIsNull(sliceOf(start)))
    return MlirWalkResultAdvance;
  fills->items = berthGrow(fills->items, fills->count, &fills->capacity,
                           sizeof *fills->items);
  fills->items[fills->count++] = (BerthFirstFill){.wait = wait};
  return MlirWalkResultAdvance;
}

BerthFirstFills berthFindFirstFills(MlirOperation scope) {
  BerthFirstFills fills = {0};
  mlirOperationWalk(scope, addFill, &fills, MlirWalkPreOrder);
  return fills;
}

void berthFirstFillsFree(BerthFirstFills *fills) {
  for (size_t i = 0; i < fills->count; ++i) {
    free(fills->items[i].ops);
    free(fills->items[i].next);
  }
  free(fills->items);
  *fills = (BerthFirstFills){0};
}

bool berthStartFirstFill(const BerthJob *job, BerthFirstFill *fill) {
  MlirOperation start = previous(fill->wait);
  Search search = {job, berthAttributeOf(fill->wait, BERTH_TILE),
                   sliceOf(start), false};
  addOp(fill, start);
  findFront(&search, fill);
  if (mlirOperationIsNull(fill->front))
    return false;
  fill->next = berthAllocateOrDie(fill->numOps, sizeof *fill->next);
  for (size_t i = 0; i < fill->numOps; ++i)
    fill->next[i] = mlirOperationGetNextInBlock(fill->ops[i]);
  for (size_t i = 0; i < fill->numOps; ++i)
    mlirOperationMoveBefore(fill->ops[i], fill->front);
  return true;
}

void berthResetFirstFill(BerthFirstFill *fill) {
  for (size_t i = fill->numOps; i-- > 0 && fill->next;)
    mlirOperationMoveBefore(fill->ops[i], fill->next[i]);
  free(fill->next);
  fill->next = NULL;
  fill->front = (MlirOperation){NULL};
  fill->numOps = 0;
}
