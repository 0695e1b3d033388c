//===- TileTurnSlices.c - Which slice moves in which turn -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/TileTurnSlices.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "IR/Verify/Tiles/TileUpdates.h"

/// How deep what a slice is computed from is looked into.
enum { kMostDepth = 32 };

/// How many turns what the loop carries is behind its variable; 0: that is not
/// seen.
static int lagOf(const BerthTurnLoop *loop, intptr_t carried) {
  enum { kMostLag = 2 };
  for (int lag = 1; lag <= kMostLag && carried >= 0; ++lag) {
    MlirValue yielded = berthTilePairYielded(loop, carried);
    if (mlirValueEqual(yielded, loop->variable))
      return lag;
    carried = berthTilePairCarried(loop, yielded);
  }
  return 0;
}

/// True if that begins with the variable of as many turns before the first one.
static bool beginsRight(const BerthTurnLoop *loop, intptr_t carried, int lag) {
  for (; lag > 0; --lag) {
    const int64_t turn = -lag;
    BerthTurnForm before = berthTurnFormOfVariable(loop, &turn);
    BerthTurnForm initial =
        berthTurnFormOf(loop, berthTilePairInitial(loop, carried), NULL);
    if (!berthTurnFormsAreEqual(&initial, &before))
      return false;
    carried = berthTilePairCarried(loop, berthTilePairYielded(loop, carried));
  }
  return true;
}

/// True if the value in a turn follows from what is outside of the loop and, by
/// ops without effects, from the variable that many turns before; 0: of the
/// turn.
static bool followsFrom(const BerthTurnLoop *loop, MlirValue value, int lag,
                        int depth) {
  if (mlirValueIsABlockArgument(value)) {
    if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), loop->body))
      return true;
    intptr_t carried = berthTilePairCarried(loop, value);
    return lag == 0 ? carried < 0
                    : carried >= 0 && lagOf(loop, carried) == lag &&
                          beginsRight(loop, carried, lag);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  BerthEffects effects;
  if (mlirOperationIsNull(berthTopInBlock(op, loop->body)))
    return true;
  if (depth > kMostDepth || mlirOperationGetNumRegions(op) ||
      !berthOpSumEffects(op, (MlirValue){NULL}, &effects) || effects.anywhere)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!followsFrom(loop, mlirOperationGetOperand(op, i), lag, depth + 1))
      return false;
  return true;
}

/// True if the value behind the loop is what the one in it is, with what the
/// loop ends with: of the same turn, or of the next one if `isNext`.
static bool isLikeBehind(const BerthTurnLoop *loop, MlirValue in,
                         MlirValue behind, bool isNext, int depth) {
  intptr_t carried = berthTilePairCarried(loop, in);
  if (carried >= 0) {
    intptr_t wanted =
        isNext ? berthTilePairCarried(loop, berthTilePairYielded(loop, carried))
               : carried;
    return wanted >= 0 && mlirValueIsAOpResult(behind) &&
           mlirOperationEqual(mlirOpResultGetOwner(behind), loop->op) &&
           mlirOpResultGetResultNumber(behind) == wanted;
  }
  if (!mlirValueIsAOpResult(in) || !mlirValueIsAOpResult(behind) ||
      mlirOperationIsNull(
          berthTopInBlock(mlirOpResultGetOwner(in), loop->body)))
    return berthIsSameValue(in, behind);
  MlirOperation a = mlirOpResultGetOwner(in), b = mlirOpResultGetOwner(behind);
  intptr_t count = mlirOperationGetNumOperands(a);
  if (depth > kMostDepth || count != mlirOperationGetNumOperands(b) ||
      !mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      mlirOpResultGetResultNumber(in) != mlirOpResultGetResultNumber(behind) ||
      !berthHaveSameAttributes(a, b))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!isLikeBehind(loop, mlirOperationGetOperand(a, i),
                      mlirOperationGetOperand(b, i), isNext, depth + 1))
      return false;
  return true;
}

static const char wrongSlice[] = "moves another slice than that of its turn";

static const BerthTilePairMove *moveInLoop(const BerthTilePair *pair,
                                           bool isFill) {
  for (size_t i = 0; i < pair->numMoves; ++i)
    if (pair->moves[i].where == BERTH_TILE_IN &&
        pair->moves[i].isFill == isFill)
      return &pair->moves[i];
  return NULL;
}

/// What comes in front of the loop comes as it would in the one or two turns
/// before the first one.
static bool checkFillSlices(BerthTilePair *pair, const BerthTilePairMove *in) {
  int last = berthTilePairLast(pair);
  if (!followsFrom(&pair->loop, in->slice, 0, 0))
    return berthTilePairFail(pair, in->op, wrongSlice);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const BerthTilePairMove *move = &pair->moves[i];
    int64_t turn = move->half == BERTH_TILE_HERE ? -1 : -2;
    bool isRight =
        move->where == BERTH_TILE_BEFORE &&
        (move->half == BERTH_TILE_HERE || move->half == last) &&
        berthSlotValuesAreLike(&pair->loop, in->slice, move->slice, turn);
    if (move->isFill && move->op.ptr != in->op.ptr && !isRight)
      return berthTilePairFail(pair, move->op, wrongSlice);
  }
  return true;
}

/// What goes out behind the loop goes where it would in the next one or two
/// turns: as many as what goes out in the loop is behind.
static bool checkReturnedSlices(BerthTilePair *pair,
                                const BerthTilePairMove *in) {
  int numBehind = 0, last = berthTilePairLast(pair);
  if (in->half != last)
    return berthTilePairFail(pair, in->op, wrongSlice);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const BerthTilePairMove *move = &pair->moves[i];
    if (move->isFill || move->op.ptr == in->op.ptr)
      continue;
    numBehind += move->where == BERTH_TILE_BEHIND;
    if (move->where != BERTH_TILE_BEHIND ||
        (move->half != BERTH_TILE_HERE && move->half != last) ||
        !isLikeBehind(&pair->loop, in->slice, move->slice,
                      move->half == BERTH_TILE_HERE, 0))
      return berthTilePairFail(pair, move->op, wrongSlice);
  }
  return followsFrom(&pair->loop, in->slice, numBehind, 0) ||
         berthTilePairFail(pair, in->op, wrongSlice);
}

/// True if that is the loop's variable two turns before.
static bool isSecond(const BerthTurnLoop *loop, intptr_t carried) {
  enum { kSecond = 2 };
  return lagOf(loop, carried) == kSecond && beginsRight(loop, carried, kSecond);
}

bool berthTilePairCheckSlices(BerthTilePair *pair) {
  if (mlirOperationIsNull(pair->loop.op))
    return !pair->isUpdated || berthTileUpdatesAreInOrder(pair);
  bool isBrought = !pair->isReturned || pair->isUpdated;
  const BerthTilePairMove *brought = moveInLoop(pair, true);
  const BerthTilePairMove *returned = moveInLoop(pair, false);
  if ((isBrought && !brought) || (pair->isReturned && !returned))
    return berthTilePairFail(pair, pair->loop.op, berthTilePairNoTurns);
  return (!isBrought || checkFillSlices(pair, brought)) &&
         (!pair->isReturned || checkReturnedSlices(pair, returned)) &&
         (!pair->isUpdated ||
          (berthTileUpdatesGoBack(pair, brought, returned, isSecond) &&
           berthTileUpdatesAreApart(pair, brought)));
}
