//===- OverlapMoves.c - What may move beside other ops --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/OverlapMoves.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// What may become a transfer
//===----------------------------------------------------------------------===//

static void noteUser(BerthFitTransfer *transfer, MlirOperation op,
                     size_t does) {
  MlirOperation around =
      berthAncestorInBlock(op, mlirOperationGetBlock(transfer->copy));
  if (mlirOperationIsNull(around) || mlirOperationEqual(around, transfer->copy))
    return;
  size_t old = berthPointerMapFind(&transfer->users, around.ptr);
  berthPointerMapSet(&transfer->users, around.ptr,
                     does | (old == BERTH_NOT_FOUND ? 0 : old));
}

/// What a start does goes on until its tag is waited for.
static void noteWaits(BerthFitTransfer *transfer, MlirOperation start,
                      const BerthDma *dma, size_t does) {
  MlirValue tag = mlirOperationGetOperand(start, dma->tag);
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    noteUser(transfer, mlirOpOperandGetOwner(use), does);
}

/// Notes what the ops of the block do to the place; false where not only views
/// lead to it.
static bool noteUsers(BerthFitTransfer *transfer, MlirValue value,
                      bool isTarget) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue viewed = berthViewGetSource(op);
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value)) {
      if (!noteUsers(transfer, mlirOperationGetResult(op, 0), isTarget))
        return false;
      continue;
    }
    BerthDma dma;
    BerthEffects effects = {0};
    bool isDma = berthOpGetDma(op, &dma);
    bool isKnown = !isDma && berthOpSumEffects(op, value, &effects);
    if (!isDma && !berthOpIsFree(op) && !berthOpIsPlainAccess(op) &&
        !berthOpIsDescribed(op))
      return false;
    MlirOperation callee;
    bool onlyReads = isKnown && !berthOpGetCallee(op, &callee) &&
                     effects.onValue == BERTH_EFFECT_READ;
    size_t does = isTarget    ? BERTH_FIT_TOUCHES_TARGET
                  : onlyReads ? 0
                              : BERTH_FIT_WRITES_SOURCE;
    noteUser(transfer, op, does);
    if (isDma)
      noteWaits(transfer, op, &dma, does);
  }
  return true;
}

const BerthFitLevel *berthFitLevelOfMove(const BerthFitOverlapPlan *planner,
                                         MlirType from, MlirType to) {
  MlirAttribute a = mlirMemRefTypeGetMemorySpace(from);
  MlirAttribute b = mlirMemRefTypeGetMemorySpace(to);
  for (size_t i = 0; i < planner->numLoads; ++i) {
    const BerthFitLevel *level = planner->loads[i].room->level;
    MlirAttribute fast = level->fast.collect.space, slow = level->slow.space;
    if ((mlirAttributeEqual(a, fast) && mlirAttributeEqual(b, slow)) ||
        (mlirAttributeEqual(a, slow) && mlirAttributeEqual(b, fast)))
      return level;
  }
  return NULL;
}

/// The mark of what moves between places, or between a slice and its tile.
static const char *markOf(MlirOperation copy) {
  bool isTile = !mlirAttributeIsNull(berthAttributeOf(copy, BERTH_TILE));
  return isTile ? BERTH_TILE : BERTH_MOVE;
}

typedef struct OtherTiles {
  BerthFitTransfer *transfer;
  MlirAttribute number;
  MlirValue own; ///< the tile
  bool isFill;
} OtherTiles;

static MlirWalkResult noteTileUse(MlirOperation op, void *userData) {
  OtherTiles *tiles = userData;
  MlirAttribute mark = berthAttributeOf(op, BERTH_TILE);
  bool isCopy =
      !mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, tiles->number);
  if (isCopy || berthOpIsFree(op) || berthOpIsTransfer(op) ||
      !mlirValueIsNull(berthViewGetSource(op)))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i),
              memory = berthValueBehindViews(value);
    BerthEffects effects = {0};
    if (!berthFitIsPlace(memory) || mlirValueEqual(memory, tiles->own))
      continue;
    mark = berthAttributeOf(mlirOpResultGetOwner(memory), BERTH_TILE);
    bool onlyReads = berthOpSumEffects(op, value, &effects) &&
                     effects.onValue == BERTH_EFFECT_READ;
    if (!mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, tiles->number) &&
        !(tiles->isFill && onlyReads))
      noteUser(tiles->transfer, op,
               BERTH_FIT_TOUCHES_TARGET | BERTH_FIT_WRITES_SOURCE);
  }
  return MlirWalkResultAdvance;
}

/// Another tile of the content is as good as what it is a slice of: nobody
/// writes it meanwhile, nor reads it while this one goes back.
static void noteOtherTiles(BerthFitTransfer *transfer) {
  MlirValue target = berthValueBehindViews(transfer->to);
  OtherTiles tiles = {.transfer = transfer,
                      .number = berthAttributeOf(transfer->copy, BERTH_TILE)};
  if (mlirAttributeIsNull(tiles.number))
    return;
  tiles.isFill = mlirValueEqual(target, transfer->to);
  tiles.own = tiles.isFill ? target : berthValueBehindViews(transfer->from);
  MlirBlock block = mlirOperationGetBlock(transfer->copy);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, noteTileUse, &tiles, MlirWalkPreOrder);
}

/// A whole place, or a slice of one and a tile.
static bool mayMove(MlirOperation copy, MlirValue from, MlirValue to) {
  if (!mlirAttributeIsNull(berthAttributeOf(copy, BERTH_TILE)))
    return berthFitIsPlace(berthValueBehindViews(to));
  return mlirAttributeIsNull(berthAttributeOf(copy, BERTH_CONTENT_READ)) &&
         berthFitIsPlace(to) && berthFitIsPlain(mlirValueGetType(from)) &&
         berthFitIsPlain(mlirValueGetType(to));
}

static bool makeTransfer(const BerthFitOverlapPlan *planner, MlirOperation copy,
                         BerthFitTransfer *transfer) {
  enum { kSource = 0, kTarget = 1 };
  const BerthJob *job = planner->loads[0].room->job;
  MlirValue from = mlirOperationGetOperand(copy, kSource);
  MlirValue to = mlirOperationGetOperand(copy, kTarget);
  MlirValue source = berthValueBehindViews(from);
  *transfer = (BerthFitTransfer){
      .level = berthFitLevelOfMove(planner, mlirValueGetType(from),
                                   mlirValueGetType(to)),
      .copy = copy,
      .mark = markOf(copy),
      .from = from,
      .to = to,
      .lower = berthPointsLower(&job->points, copy),
      .upper = berthPointsUpper(&job->points, copy)};
  if (!transfer->level || !mayMove(copy, from, to) ||
      !berthFitMayTransfer(transfer->level, berthInsertBefore(copy), from,
                           to) ||
      !noteUsers(transfer, berthValueBehindViews(to), true) ||
      (berthFitIsPlace(source) && !noteUsers(transfer, source, false))) {
    berthPointerMapFree(&transfer->users);
    return false;
  }
  noteOtherTiles(transfer);
  return true;
}

static MlirWalkResult collect(MlirOperation op, void *userData) {
  BerthFitOverlapPlan *planner = userData;
  BerthFitOverlap *overlap = planner->overlap;
  const BerthScope *scope = &planner->loads[0].room->job->scope;
  BerthFitTransfer transfer;
  if (!berthOpIsCopy(op) || mlirOperationGetNumOperands(op) != 2 ||
      mlirAttributeIsNull(berthAttributeOf(op, markOf(op))) ||
      !mlirOperationEqual(berthEnclosingScope(op), scope->op))
    return MlirWalkResultAdvance;
  if (!makeTransfer(planner, op, &transfer)) {
    const BerthFitLevel *level = berthFitLevelOfMove(
        planner, mlirValueGetType(mlirOperationGetOperand(op, 0)),
        mlirValueGetType(mlirOperationGetOperand(op, 1)));
    overlap->numUntold += level && level->moveOp;
    return MlirWalkResultAdvance;
  }
  overlap->transfers = berthGrow(overlap->transfers, overlap->count,
                                 &overlap->capacity, sizeof transfer);
  berthPointerMapInsert(&planner->transferOf, op.ptr, overlap->count);
  overlap->transfers[overlap->count++] = transfer;
  return MlirWalkResultAdvance;
}

void berthFitFindTransfers(BerthFitOverlapPlan *planner) {
  mlirOperationWalk(planner->loads[0].room->job->scope.op, collect, planner,
                    MlirWalkPreOrder);
}
