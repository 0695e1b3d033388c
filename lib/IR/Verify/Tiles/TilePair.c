//===- TilePair.c - Tiles, and the loop whose turns take them -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/TilePair.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Slots/SlotUses.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

const char berthTilePairNoTurns[] =
    "has no tiles that turns take one after the other";

bool berthTilePairFail(BerthTilePair *pair, MlirOperation op,
                       const char *what) {
  if (!pair->isWrong)
    berthTileFail(pair->tiles, op, what, pair->alloc);
  pair->isWrong = true;
  return false;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool isConstant(const BerthMixed *mixed, int64_t number) {
  int64_t constant = mixed->number;
  return (mlirValueIsNull(mixed->value) ||
          berthValueIsConstant(mixed->value, &constant)) &&
         constant == number;
}

/// True if the subview has all of the dimensions from `first` on.
static bool hasAllFrom(const BerthSubView *part, MlirType type,
                       intptr_t first) {
  for (intptr_t d = first; d < part->rank; ++d)
    if (!isConstant(&part->offsets[d], 0) ||
        !isConstant(&part->strides[d], 1) ||
        !isConstant(&part->sizes[d], mlirShapedTypeGetDimSize(type, d)))
      return false;
  return true;
}

static void addView(BerthTilePair *pair, BerthTileHalfView view) {
  if (!berthPointerMapInsert(&pair->viewOf, view.value.ptr, pair->numViews))
    return;
  pair->views = berthGrow(pair->views, pair->numViews, &pair->viewCapacity,
                          sizeof *pair->views);
  pair->views[pair->numViews++] = view;
}

static void addParts(BerthTilePair *pair, const BerthTileHalfView *of) {
  const BerthTileHalfView half = *of;
  for (MlirOpOperand use = mlirValueGetFirstUse(half.value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    if (mlirOperationGetNumResults(op) != 1 ||
        !mlirValueEqual(berthValueViewed(mlirOperationGetResult(op, 0)),
                        half.value))
      continue;
    BerthTileHalfView view = half;
    view.value = mlirOperationGetResult(op, 0);
    view.isWhole &= berthSubViewGet(op, &part)
                        ? hasAllFrom(&part, mlirValueGetType(half.value), 0)
                        : berthOpIs(op, BERTH_OP_CAST);
    addView(pair, view);
    addParts(pair, &view);
  }
}

static bool findViews(BerthTilePair *pair) {
  MlirValue both = mlirOperationGetResult(pair->alloc, 0);
  MlirType type = mlirValueGetType(both);
  enum { kLeastTiles = 2 };
  int64_t count =
      mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) > 0
          ? mlirShapedTypeGetDimSize(type, 0)
          : 0;
  if (count < kLeastTiles || count > BERTH_MOST_TILES)
    return berthTilePairFail(pair, pair->alloc, berthTilePairNoTurns);
  pair->count = (int)count;
  for (MlirOpOperand use = mlirValueGetFirstUse(both);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    if (berthOpIsFree(op))
      continue;
    if (!berthSubViewGet(op, &part) || !isConstant(&part.sizes[0], 1) ||
        !hasAllFrom(&part, type, 1))
      return berthTilePairFail(pair, op,
                               "uses tiles of turns otherwise than one by one");
    BerthTileHalfView view = {.value = mlirOperationGetResult(op, 0),
                              .number = part.offsets[0].value,
                              .constant = part.offsets[0].number,
                              .isWhole = true};
    if (!mlirValueIsNull(view.number) &&
        berthValueIsConstant(view.number, &view.constant))
      view.number = (MlirValue){NULL};
    addView(pair, view);
    addParts(pair, &view);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

MlirValue berthTilePairInitial(const BerthTurnLoop *loop, intptr_t carried) {
  enum { kFirstInitial = 3 };
  return mlirOperationGetOperand(loop->op, kFirstInitial + carried);
}

MlirValue berthTilePairYielded(const BerthTurnLoop *loop, intptr_t carried) {
  return mlirOperationGetOperand(berthBlockGetLast(loop->body), carried);
}

intptr_t berthTilePairCarried(const BerthTurnLoop *loop, MlirValue value) {
  bool isArgument =
      !mlirValueIsNull(value) && mlirValueIsABlockArgument(value) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(value), loop->body);
  return isArgument ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

/// Finds the loop of which some number is carried.
static void findLoop(BerthTilePair *pair) {
  for (size_t i = 0; i < pair->numViews; ++i) {
    MlirValue number = pair->views[i].number;
    if (mlirValueIsNull(number) || !mlirValueIsABlockArgument(number))
      continue;
    MlirOperation op =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(number));
    if (berthOpIs(op, BERTH_OP_LOOP) && !berthOpIsAffine(op)) {
      pair->loop = berthTurnLoopOf(op);
      return;
    }
  }
}

/// The numbers are carried, those from 0 on, and each turn has those of the one
/// before, one after the other. `moved`: that of what a turn moves.
static bool findNumbers(BerthTilePair *pair, intptr_t moved) {
  const BerthTurnLoop *loop = &pair->loop;
  intptr_t number = moved;
  uint64_t seen = 0;
  bool isRight = true;
  // Of two it is that of the other turn, of three one of both others.
  for (int i = 1; i <= pair->count && isRight; ++i) {
    int half = i % pair->count;
    isRight = number >= 0 &&
              berthValueIsConstant(berthTilePairInitial(loop, number),
                                   &pair->initial[half]) &&
              pair->initial[half] >= 0 && pair->initial[half] < pair->count;
    if (!isRight)
      break;
    seen |= UINT64_C(1) << pair->initial[half];
    pair->numbers[half] = number;
    number = berthTilePairCarried(loop, berthTilePairYielded(loop, number));
  }
  pair->hasNumbers = true;
  isRight =
      isRight && number == moved && seen == (UINT64_C(1) << pair->count) - 1;
  return isRight || berthTilePairFail(pair, loop->op, berthTilePairNoTurns);
}

int berthTilePairLast(const BerthTilePair *pair) { return pair->count - 1; }

int berthTilePairHalf(const BerthTilePair *pair, const BerthTileHalfView *view,
                      BerthTileWhere where) {
  const BerthTurnLoop *loop = &pair->loop;
  bool isNumber = mlirValueIsNull(view->number);
  for (int half = 0; half < pair->count; ++half) {
    bool isIt = false;
    if (where == BERTH_TILE_BEFORE)
      isIt = isNumber && view->constant == pair->initial[half];
    else if (where == BERTH_TILE_IN)
      isIt = !isNumber &&
             berthTilePairCarried(loop, view->number) == pair->numbers[half];
    else
      isIt = !isNumber && mlirValueIsAOpResult(view->number) &&
             mlirOperationEqual(mlirOpResultGetOwner(view->number), loop->op) &&
             mlirOpResultGetResultNumber(view->number) == pair->numbers[half];
    if (isIt)
      return half;
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

BerthMoveKind berthTilePairGetMove(const BerthTilePair *pair, MlirOperation op,
                                   bool *isFill, const BerthTileHalfView **view,
                                   MlirValue *slice) {
  MlirValue from, to;
  MlirAttribute number = berthTileMoveNumber(op);
  BerthMoveKind kind =
      mlirAttributeIsNull(number) || !mlirAttributeEqual(number, pair->number)
          ? BERTH_MOVE_NONE
          : berthGetMove(op, &from, &to);
  if (kind == BERTH_MOVE_NONE)
    return kind;
  size_t target = berthPointerMapFind(&pair->viewOf, to.ptr);
  size_t source = berthPointerMapFind(&pair->viewOf, from.ptr);
  *isFill = target != BERTH_NOT_FOUND;
  if (!*isFill && source == BERTH_NOT_FOUND)
    return BERTH_MOVE_NONE;
  *view = &pair->views[*isFill ? target : source];
  *slice = *isFill ? from : to;
  return kind;
}

BerthTileWhere berthTilePairWhere(const BerthTilePair *pair, MlirOperation op) {
  MlirOperation loop = pair->loop.op;
  if (mlirOperationIsNull(loop))
    return BERTH_TILE_BEFORE;
  if (!mlirOperationIsNull(berthTopInBlock(op, pair->loop.body)))
    return BERTH_TILE_IN;
  return berthStandsBefore(berthTopInBlock(op, pair->block), loop)
             ? BERTH_TILE_BEFORE
             : BERTH_TILE_BEHIND;
}

static MlirWalkResult collectMove(MlirOperation op, void *userData) {
  BerthTilePair *pair = userData;
  const BerthTileHalfView *view;
  BerthTilePairMove move = {.op = op};
  BerthMoveKind kind =
      berthTilePairGetMove(pair, op, &move.isFill, &view, &move.slice);
  if (kind != BERTH_MOVE_COPY && kind != BERTH_MOVE_START)
    return MlirWalkResultAdvance;
  pair->moves = berthGrow(pair->moves, pair->numMoves, &pair->moveCapacity,
                          sizeof *pair->moves);
  pair->moves[pair->numMoves++] = move;
  return MlirWalkResultAdvance;
}

/// All of them, once it is known where they stand. What a turn brings is for
/// the next one, and what it takes out, of the one before.
static bool findMoves(BerthTilePair *pair) {
  mlirOperationWalk(pair->tiles->function, collectMove, pair, MlirWalkPreOrder);
  if (pair->numMoves == 0)
    return berthTilePairFail(pair, pair->alloc, berthTilePairNoTurns);
  bool isFilled = false;
  for (size_t i = 0; i < pair->numMoves; ++i) {
    isFilled |= pair->moves[i].isFill;
    pair->isReturned |= !pair->moves[i].isFill;
  }
  pair->isUpdated = isFilled && pair->isReturned;
  if (pair->count != 2 + pair->isUpdated)
    return berthTilePairFail(pair, pair->alloc, berthTilePairNoTurns);
  bool hasLoop = !mlirOperationIsNull(pair->loop.op);
  pair->block =
      mlirOperationGetBlock(hasLoop ? pair->loop.op : pair->moves[0].op);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    BerthTilePairMove *move = &pair->moves[i];
    MlirValue slice;
    bool isFill;
    const BerthTileHalfView *view;
    berthTilePairGetMove(pair, move->op, &isFill, &view, &slice);
    move->where = berthTilePairWhere(pair, move->op);
    if (move->where == BERTH_TILE_IN && !pair->hasNumbers &&
        isFill != (pair->isReturned && !pair->isUpdated) &&
        !findNumbers(pair, berthTilePairCarried(&pair->loop, view->number)))
      return false;
  }
  if (hasLoop && !pair->hasNumbers)
    return berthTilePairFail(pair, pair->loop.op, berthTilePairNoTurns);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    BerthTilePairMove *move = &pair->moves[i];
    MlirValue slice;
    bool isFill;
    const BerthTileHalfView *view;
    berthTilePairGetMove(pair, move->op, &isFill, &view, &slice);
    move->half = berthTilePairHalf(pair, view, move->where);
    bool isRight =
        move->half >= 0 && view->isWhole && berthTileMovesAll(move->op) &&
        berthTileIsSlice(pair->tiles->contents, pair->content, slice, isFill);
    if (!isRight)
      return berthTilePairFail(
          pair, move->op,
          move->half < 0 ? "takes another tile than that of its turn"
                         : "moves between a tile and what is no slice of its "
                           "content");
  }
  return true;
}

/// True if some pass has put something in the place of a tag.
static MlirWalkResult lookForLost(MlirOperation op, void *userData) {
  BerthTilePair *pair = userData;
  BerthDma dma;
  pair->isLost |= berthOpGetDma(op, &dma) && dma.isStart &&
                  berthTileIsUsed(pair->tiles, op, pair->root) &&
                  !berthIsFreshMemory(mlirOperationGetOperand(op, dma.tag));
  return pair->isLost ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// True if runs of the moves' block come one after the other, for one
/// allocation.
static bool runsInTurn(const BerthTilePair *pair) {
  MlirOperation op = mlirBlockGetParentOperation(pair->block);
  if (mlirOperationIsNull(berthTopInBlock(pair->alloc, pair->block)) &&
      mlirOperationIsNull(
          berthTopInBlock(op, mlirOperationGetBlock(pair->alloc))))
    return false;
  for (; mlirBlockEqual(mlirOperationGetBlock(pair->alloc), pair->block) == 0;
       op = mlirOperationGetParentOperation(op)) {
    bool isKnown = berthOpIs(op, BERTH_OP_LOOP) || berthOpIs(op, BERTH_OP_IF);
    if (!isKnown || berthOpIsParallel(op) || berthOpIsAsync(op))
      return false;
    if (mlirBlockEqual(mlirOperationGetBlock(op),
                       mlirOperationGetBlock(pair->alloc)))
      break;
  }
  return true;
}

bool berthTilePairFind(BerthTilePair *pair, BerthTiles *tiles, uint32_t root) {
  MlirOperation alloc = tiles->allocs[root];
  *pair = (BerthTilePair){.tiles = tiles,
                          .root = root,
                          .alloc = alloc,
                          .number = berthTileNumber(alloc),
                          .initial = {0, 1, 2}};
  pair->content = berthTileContent(tiles->contents, pair->number);
  if (!findViews(pair))
    return false;
  findLoop(pair);
  mlirOperationWalk(tiles->function, lookForLost, pair, MlirWalkPreOrder);
  if (pair->isLost || !findMoves(pair))
    return false;
  return runsInTurn(pair) ||
         berthTilePairFail(
             pair, pair->alloc,
             "uses tiles of turns outside of the block of their loop");
}

void berthTilePairFree(BerthTilePair *pair) {
  berthPointerMapFree(&pair->viewOf);
  free(pair->views);
  free(pair->moves);
}
