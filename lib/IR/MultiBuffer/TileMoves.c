//===- TileMoves.c - Slices that may move beside another turn -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TileMoves.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Transfer.h"
#include "IR/MultiBuffer/TurnSlices.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

bool berthTileMoveBrings(const BerthTileMove *move) { return move->isFill; }

bool berthTileMoveReturns(const BerthTileMove *move) {
  return !move->isFill || !mlirOperationIsNull(move->back);
}

int64_t berthTileMoveSlots(const BerthTileMove *move) {
  return 1 + berthTileMoveBrings(move) + berthTileMoveReturns(move);
}

typedef struct Search {
  const BerthJob *job;
  MlirOperation loop;
  MlirBlock body;
  BerthTileMove *move;
} Search;

static bool refuse(BerthTileMove *move, const char *reason, MlirOperation at) {
  move->reason = reason;
  move->reasonAt = at;
  return false;
}

static bool isBroken(const Search *search, const char *rule) {
  return berthIsBroken(search->job->options->alias.breakRule, rule);
}

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

/// A whole tile of that content that each turn makes anew.
static bool isTileOf(MlirValue value, MlirBlock body, MlirAttribute number) {
  if (!berthFitIsAllocation(value))
    return false;
  MlirOperation alloc = mlirOpResultGetOwner(value);
  MlirAttribute mark = berthAttributeOf(alloc, BERTH_TILE);
  return !mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, number) &&
         mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_TILE_TURNS)) &&
         mlirBlockEqual(mlirOperationGetBlock(alloc), body);
}

static bool readCopy(MlirOperation op, MlirBlock body, BerthTileMove *move) {
  MlirAttribute number = berthAttributeOf(op, BERTH_TILE);
  if (!berthOpIsCopy(op) || mlirOperationGetNumOperands(op) != 2 ||
      mlirAttributeIsNull(number))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetOperand(op, 1);
  bool isFill = isTileOf(to, body, number);
  if (!isFill && !isTileOf(from, body, number))
    return false;
  *move = (BerthTileMove){.copy = op,
                          .alloc = mlirOpResultGetOwner(isFill ? to : from),
                          .slice = isFill ? from : to,
                          .isFill = isFill};
  return true;
}

/// The copy that takes the tile back to the slice that the move brings; null:
/// there is none, or several.
static MlirOperation findBack(const BerthTileMove *move, MlirBlock body) {
  MlirOperation back = {NULL};
  MlirValue tile = mlirOperationGetResult(move->alloc, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(tile);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthTileMove other;
    bool isBack = mlirBlockEqual(mlirOperationGetBlock(op), body) &&
                  readCopy(op, body, &other) && !other.isFill &&
                  mlirOperationEqual(other.alloc, move->alloc) &&
                  mlirValueEqual(other.slice, move->slice);
    if (isBack && !mlirOperationIsNull(back))
      return (MlirOperation){NULL};
    back = isBack ? op : back;
  }
  return back;
}

/// True for what a turn brings and takes out again: it is one with its fill.
static bool isBackOfOther(const BerthTileMove *move, MlirBlock body) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !move->isFill && !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    BerthTileMove other;
    if (readCopy(op, body, &other) && other.isFill &&
        mlirOperationEqual(other.alloc, move->alloc))
      return true;
  }
  return false;
}

static bool isOwn(const BerthTileMove *move, MlirOperation op) {
  return mlirOperationEqual(op, move->copy) ||
         mlirOperationEqual(op, move->back);
}

static MlirValue tileOf(const BerthTileMove *move) {
  return mlirOperationGetResult(move->alloc, 0);
}

/// True if the op can be given one of two tiles, whose type tells an offset.
static bool takesOneOfTwo(MlirOperation op) {
  return berthOpTakesSlices(op) || berthOpIs(op, BERTH_OP_DIM) ||
         (berthOpSurelyTouches(op) &&
          mlirAttributeIsNull(berthAttributeOf(op, "alignment")));
}

/// All uses of a value of the tile: `isOwnForm`, once it has been cast to the
/// slice's own type.
static bool findUsers(const Search *search, MlirValue value, bool isOwnForm) {
  BerthTileMove *move = search->move;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    BerthEffects effects = {0};
    if (isOwn(move, op))
      continue;
    if (berthOpIsFree(op)) {
      bool isEnd = mlirBlockEqual(mlirOperationGetBlock(op), search->body) &&
                   mlirOperationGetNumOperands(op) == 1 &&
                   mlirValueEqual(value, tileOf(move)) &&
                   mlirOperationIsNull(move->free);
      if (!isEnd)
        return refuse(move, "it is freed elsewhere than it is allocated", op);
      move->free = op;
      continue;
    }
    bool isCast = berthOpIs(op, BERTH_OP_CAST);
    if (isCast || berthSubViewGet(op, &view)) {
      if (!findUsers(search, mlirOperationGetResult(op, 0),
                     isOwnForm || isCast))
        return false;
      continue;
    }
    if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE)))
      return refuse(move, "it moves more than once in a turn", op);
    if (!isOwnForm && !takesOneOfTwo(op))
      return refuse(move, "an op needs it as it is", op);
    bool onlyReads = berthOpSumEffects(op, value, &effects) &&
                     (effects.onValue & ~BERTH_EFFECT_READ) == 0;
    if (!berthTileMoveReturns(move) && !onlyReads)
      return refuse(move, "an op of the turn may write to it", op);
  }
  return true;
}

/// Two of them lie one behind the other.
static bool canBeStacked(const Search *search) {
  BerthTileMove *move = search->move;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(tileOf(move));
  MlirAttribute alignment = berthAttributeOf(move->alloc, "alignment");
  int64_t multiple = mlirAttributeIsNull(alignment)
                         ? 1
                         : mlirIntegerAttrGetValueInt(alignment);
  bool isSized =
      berthMemRefGetSize(type, move->alloc, &size) == BERTH_SIZE_OK &&
      mlirShapedTypeGetRank(type) < BERTH_SLICE_MAX_RANK &&
      mlirShapedTypeHasStaticShape(type) && size.bytes < INT64_MAX / 2;
  if (!isSized || (multiple > 0 && size.bytes % multiple))
    return refuse(move, "its size is no multiple of its alignment",
                  (MlirOperation){NULL});
  move->bytes = size.bytes;
  return true;
}

//===----------------------------------------------------------------------===//
// The slice
//===----------------------------------------------------------------------===//

static bool addNeeded(BerthTileMove *move, MlirBlock body, MlirValue value,
                      BerthWorklist *needed) {
  if (mlirValueIsABlockArgument(value)) {
    bool isCarried = mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) &&
                     mlirBlockArgumentGetArgNumber(value) > 0;
    return !isCarried ||
           refuse(move, "what is copied depends on the turn before",
                  move->copy);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body))
    return true;
  if (!berthOpOnlyComputes(op))
    return refuse(move, "the copy needs what an op makes in its turn", op);
  berthWorklistAdd(needed, op.ptr);
  return true;
}

bool berthTileMoveNeeds(BerthTileMove *move, BerthWorklist *needed) {
  MlirBlock body = mlirOperationGetBlock(move->copy);
  if (!addNeeded(move, body, move->slice, needed))
    return false;
  while (needed->numPending) {
    MlirOperation op = {(void *)berthWorklistTake(needed)};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!addNeeded(move, body, mlirOperationGetOperand(op, i), needed))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Its memory
//===----------------------------------------------------------------------===//

/// True if what the op does to the memory may go on beside the move.
static bool goesBeside(const BerthTileMove *move, MlirOperation op,
                       MlirOpOperand use) {
  BerthDma dma;
  BerthEffects effects = {0};
  if (berthTileMoveReturns(move))
    return false;
  if (berthOpGetDma(op, &dma))
    return dma.isStart &&
           (intptr_t)mlirOpOperandGetOperandNumber(use) == dma.source;
  return berthOpSumEffects(op, mlirOpOperandGetValue(use), &effects) &&
         effects.onValue == BERTH_EFFECT_READ;
}

/// No op of the loop writes what is brought, or uses what is taken out, and no
/// op but views leads to it.
static bool isLeftAlone(const Search *search, MlirValue value) {
  BerthTileMove *move = search->move;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue viewed = berthViewGetSource(op);
    BerthDma dma;
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value)) {
      if (!isLeftAlone(search, mlirOperationGetResult(op, 0)))
        return false;
      continue;
    }
    bool isKnown = berthOpIsFree(op) || berthOpIsPlainAccess(op) ||
                   berthOpIsDescribed(op) || berthOpGetDma(op, &dma);
    if (!isKnown)
      return refuse(move, "an op may use its memory at any time", op);
    if (isOwn(move, op) || !berthOpIsWithin(op, search->loop) ||
        goesBeside(move, op, use))
      continue;
    return refuse(move,
                  berthTileMoveReturns(move)
                      ? "an op of the loop uses the memory that it goes to"
                      : "an op of the loop may write what is copied",
                  op);
  }
  return true;
}

static bool mayMove(const Search *search) {
  BerthTileMove *move = search->move;
  MlirValue memory = berthValueBehindViews(move->slice);
  bool isRead = berthTileMoveBrings(move),
       isWritten = berthTileMoveReturns(move);
  if (isRead && isWritten && !isBroken(search, "slices-apart") &&
      !berthTurnsTakeApart(search->loop, move->slice, memory))
    return refuse(
        move,
        "its slice is read and written in one turn, and two turns may "
        "have a part of it in common",
        move->copy);
  if (isBroken(search, isWritten ? "returns-alone" : "sources-stay"))
    return true;
  if (berthFitIsPlace(memory))
    return isLeftAlone(search, memory);
  if (isWritten)
    return refuse(move, "it does not go to an allocation of berth-fit",
                  move->copy);
  return !berthFitMayWrite(search->job, search->loop, move->slice) ||
         refuse(move, "an op of the loop may write what is copied",
                search->loop);
}

/// The numbers of turns have to fit into the loop's variable.
static bool hasTurns(const Search *search) {
  enum { kLeastWidth = 8 };
  MlirType type = mlirValueGetType(mlirBlockGetArgument(search->body, 0));
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < kLeastWidth)
    return refuse(search->move, "the loop's variable is too narrow",
                  search->loop);
  if (berthLoopGetRanges(search->loop, range) == 1 && range[0].count < 2)
    return refuse(search->move, "the loop takes one turn at most",
                  search->loop);
  return true;
}

//===----------------------------------------------------------------------===//
// All of a loop
//===----------------------------------------------------------------------===//

/// The level of the tile, if its moves may go on beside other ops; else NULL.
static const BerthFitLevel *levelOf(const BerthFitLevel *levels,
                                    size_t numLevels,
                                    const BerthTileMove *move) {
  MlirAttribute space =
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(tileOf(move)));
  BerthInsertPoint at = berthInsertBefore(move->copy);
  for (size_t i = 0; i < numLevels; ++i) {
    const BerthFitLevel *level = &levels[i];
    if (!mlirAttributeEqual(level->fast.collect.space, space))
      continue;
    bool may =
        level->hasTransfers && level->doubleBuffers &&
        berthFitIsAwaited(level) &&
        berthFitMayTransfer(level, at, mlirOperationGetOperand(move->copy, 0),
                            mlirOperationGetOperand(move->copy, 1));
    return may ? level : NULL;
  }
  return NULL;
}

bool berthHoldsTileMoves(MlirOperation loop) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  bool found = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op) && !found;
       op = mlirOperationGetNextInBlock(op)) {
    BerthTileMove move;
    found = readCopy(op, body, &move);
  }
  return found;
}

static void lookAt(const Search *search) {
  BerthTileMove *move = search->move;
  BerthWorklist needed = {0};
  if (hasTurns(search) && canBeStacked(search) &&
      findUsers(search, tileOf(move), false) &&
      berthTileMoveNeeds(move, &needed))
    mayMove(search);
  berthWorklistFree(&needed);
}

BerthTileMoves berthFindTileMoves(const BerthJob *job, MlirOperation loop,
                                  const BerthFitLevel *levels,
                                  size_t numLevels) {
  // What comes in first, so that it gets room first; what takes most, last.
  enum { kFills, kReturns, kBoth, kKinds };
  BerthTileMoves found = {0};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (int kind = 0; kind < kKinds; ++kind)
    for (MlirOperation op = mlirBlockGetFirstOperation(body);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      BerthTileMove move;
      if (!readCopy(op, body, &move) || isBackOfOther(&move, body) ||
          !(move.level = levelOf(levels, numLevels, &move)))
        continue;
      if (move.isFill)
        move.back = findBack(&move, body);
      if (kind != (!move.isFill                     ? kReturns
                   : mlirOperationIsNull(move.back) ? kFills
                                                    : kBoth))
        continue;
      lookAt(&(Search){job, loop, body, &move});
      found.items = berthGrow(found.items, found.count, &found.capacity,
                              sizeof *found.items);
      found.items[found.count++] = move;
    }
  return found;
}
