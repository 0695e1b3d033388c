//===- TileSlots.c - Tiles that are brought a turn ahead ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/TileSlots.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Move.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// On the wait of an offer, and on what has the marks of its loop, until that
/// has ended.
static const char offered[] = "berth-fit.offered";

typedef struct Ops {
  MlirOperation *items;
  size_t count, capacity;
} Ops;

static void add(Ops *list, MlirOperation op) {
  list->items =
      berthGrow(list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = op;
}

static bool hasMark(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(berthAttributeOf(op, name));
}

static void removeMark(MlirOperation op, const char *name) {
  mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString(name));
}

/// A whole tile that has no slots.
static bool isTile(MlirValue value) {
  return berthFitIsAllocation(value) &&
         hasMark(mlirOpResultGetOwner(value), BERTH_TILE) &&
         !hasMark(mlirOpResultGetOwner(value), BERTH_SLOTS);
}

//===----------------------------------------------------------------------===//
// Offers
//===----------------------------------------------------------------------===//

static MlirWalkResult findPlace(MlirOperation op, void *userData) {
  static const char *const names[] = {BERTH_CONTENT, BERTH_CONTENT_BEGINS,
                                      BERTH_CONTENT_COPIED, BERTH_MOVE,
                                      BERTH_RECOMPUTE};
  bool *found = userData;
  for (size_t i = 0; i < sizeof names / sizeof *names && !*found; ++i)
    *found = hasMark(op, names[i]);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool tellsOfPlaces(MlirBlock body) {
  bool found = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op) && !found; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, findPlace, &found, MlirWalkPreOrder);
  return found;
}

/// What stands in front of a loop is told by a mark on it. What begins ahead of
/// it stands behind that place.
static void keepMarks(MlirOperation loop) {
  MlirAttribute copied = berthAttributeOf(loop, BERTH_CONTENT_COPIED);
  if (mlirAttributeIsNull(copied))
    return;
  MlirOperation marker =
      mlirOpResultGetOwner(berthBuildIndex(berthInsertBefore(loop), 0));
  berthSetAttribute(marker, BERTH_CONTENT_COPIED, copied);
  berthSetAttribute(marker, offered,
                    mlirUnitAttrGet(mlirOperationGetContext(loop)));
  removeMark(loop, BERTH_CONTENT_COPIED);
}

static const BerthFitLevel *levelOf(const BerthFitLevel *levels,
                                    size_t numLevels, MlirValue tile) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(tile));
  for (size_t i = 0; i < numLevels; ++i)
    if (mlirAttributeEqual(levels[i].fast.collect.space, space))
      return &levels[i];
  return NULL;
}

static MlirWalkResult findFill(MlirOperation op, void *userData) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirOperationGetBlock(op));
  if (berthOpIsCopy(op) && mlirOperationGetNumOperands(op) == 2 &&
      hasMark(op, BERTH_TILE) && isTile(mlirOperationGetOperand(op, 1)) &&
      berthOpIs(loop, BERTH_OP_LOOP) && !berthOpIsAffine(loop) &&
      !tellsOfPlaces(mlirOperationGetBlock(op)))
    add(userData, op);
  return MlirWalkResultAdvance;
}

/// What is read from a source is marked at the slice, which starts that move
/// ahead have with them.
static void moveRead(MlirOperation from, MlirOperation to) {
  MlirAttribute read = berthAttributeOf(from, BERTH_CONTENT_READ);
  if (mlirAttributeIsNull(read))
    return;
  removeMark(from, BERTH_CONTENT_READ);
  berthSetAttribute(to, BERTH_CONTENT_READ, read);
}

size_t berthFitOfferTiles(MlirOperation scope, const BerthFitLevel *levels,
                          size_t numLevels, MlirAttribute tagSpace) {
  Ops fills = {0};
  size_t count = 0;
  mlirOperationWalk(scope, findFill, &fills, MlirWalkPreOrder);
  for (size_t i = 0; i < fills.count; ++i) {
    MlirOperation copy = fills.items[i];
    MlirValue slice = mlirOperationGetOperand(copy, 0);
    MlirValue tile = mlirOperationGetOperand(copy, 1);
    const BerthFitLevel *level = levelOf(levels, numLevels, tile);
    BerthInsertPoint at = berthInsertBefore(copy);
    if (!level || level->moveOp || !level->doubleBuffers ||
        !mlirValueIsAOpResult(slice) ||
        !mlirOperationEqual(berthEnclosingScope(copy), scope) ||
        !berthFitMayTransfer(level, at, slice, tile))
      continue;
    BerthFitBegun begun =
        berthFitBuildTransfer(level, at, scope, slice, tile, tagSpace);
    berthSetAttribute(begun.wait, BERTH_TILE,
                      berthAttributeOf(copy, BERTH_TILE));
    berthSetAttribute(begun.wait, offered,
                      mlirUnitAttrGet(mlirOperationGetContext(copy)));
    moveRead(copy, mlirOpResultGetOwner(slice));
    keepMarks(mlirBlockGetParentOperation(mlirOperationGetBlock(copy)));
    mlirOperationDestroy(copy);
    ++count;
  }
  free(fills.items);
  return count;
}

//===----------------------------------------------------------------------===//
// Their end
//===----------------------------------------------------------------------===//

static MlirWalkResult findOffer(MlirOperation op, void *userData) {
  if (hasMark(op, offered))
    add(userData, op);
  return MlirWalkResultAdvance;
}

/// The start that the wait stood behind, if it still fills a tile; else null.
static MlirOperation startOf(MlirOperation wait) {
  const MlirOperation none = {NULL};
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(wait));
  while (!mlirOperationEqual(mlirOperationGetNextInBlock(op), wait))
    op = mlirOperationGetNextInBlock(op);
  BerthDma dma;
  return berthOpGetDma(op, &dma) && dma.isStart &&
                 isTile(mlirOperationGetOperand(op, dma.target))
             ? op
             : none;
}

/// Of what the start and the wait were given, what nobody else needs.
static void destroyUnused(const BerthFitBegun *begun) {
  Ops given = {0};
  const MlirOperation ops[] = {begun->start, begun->wait};
  for (size_t k = 0; k < 2; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(ops[k]); ++i) {
      MlirValue value = mlirOperationGetOperand(ops[k], i);
      MlirOperation op = mlirValueIsAOpResult(value)
                             ? mlirOpResultGetOwner(value)
                             : (MlirOperation){NULL};
      bool isKnown = mlirOperationIsNull(op);
      for (size_t n = 0; n < given.count && !isKnown; ++n)
        isKnown = mlirOperationEqual(given.items[n], op);
      if (!isKnown)
        add(&given, op);
    }
  mlirOperationDestroy(begun->wait);
  mlirOperationDestroy(begun->start);
  for (size_t n = 0; n < given.count; ++n)
    if (mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(given.items[n], 0))))
      mlirOperationDestroy(given.items[n]);
  free(given.items);
}

static void copyAgain(MlirOperation start, MlirOperation wait) {
  BerthDma dma;
  berthOpGetDma(start, &dma);
  const BerthFitBegun begun = {start, wait};
  const MlirValue operands[] = {mlirOperationGetOperand(start, dma.source),
                                mlirOperationGetOperand(start, dma.target)};
  MlirOperation copy = berthBuild(berthInsertBefore(start), BERTH_NAME_COPY, 2,
                                  operands, 0, NULL, 0, NULL);
  berthSetAttribute(copy, BERTH_TILE, berthAttributeOf(wait, BERTH_TILE));
  moveRead(mlirOpResultGetOwner(operands[0]), copy);
  destroyUnused(&begun);
}

void berthFitSettleTiles(MlirOperation scope) {
  Ops marked = {0};
  mlirOperationWalk(scope, findOffer, &marked, MlirWalkPreOrder);
  for (size_t i = 0; i < marked.count; ++i) {
    MlirOperation op = marked.items[i];
    if (hasMark(op, BERTH_CONTENT_COPIED)) {
      berthFitDestroy(op);
      continue;
    }
    MlirOperation start = startOf(op);
    if (mlirOperationIsNull(start))
      removeMark(op, offered);
    else
      copyAgain(start, op);
  }
  free(marked.items);
}
