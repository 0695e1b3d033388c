//===- TileTurnSlices.c - Which slice moves in which turn -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/TileTurnSlices.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Verify/Slots/SlotCopies.h"

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

static const BerthTilePairMove *moveInLoop(const BerthTilePair *pair) {
  for (size_t i = 0; i < pair->numMoves; ++i)
    if (pair->moves[i].where == BERTH_TILE_IN)
      return &pair->moves[i];
  return NULL;
}

/// What comes in front of the loop comes as it would in the one or two turns
/// before the first one.
static bool checkFillSlices(BerthTilePair *pair, const BerthTilePairMove *in) {
  if (!followsFrom(&pair->loop, in->slice, 0, 0))
    return berthTilePairFail(pair, in->op, wrongSlice);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const BerthTilePairMove *move = &pair->moves[i];
    int64_t turn = move->half == BERTH_TILE_HERE ? -1 : -2;
    if (move->where != BERTH_TILE_IN &&
        (move->where == BERTH_TILE_BEHIND ||
         !berthSlotValuesAreLike(&pair->loop, in->slice, move->slice, turn)))
      return berthTilePairFail(pair, move->op, wrongSlice);
  }
  return true;
}

/// What goes out behind the loop goes where it would in the next one or two
/// turns: as many as what goes out in the loop is behind.
static bool checkReturnedSlices(BerthTilePair *pair,
                                const BerthTilePairMove *in) {
  int numBehind = 0;
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const BerthTilePairMove *move = &pair->moves[i];
    numBehind += move->where == BERTH_TILE_BEHIND;
    if (move->where != BERTH_TILE_IN &&
        (move->where == BERTH_TILE_BEFORE ||
         !isLikeBehind(&pair->loop, in->slice, move->slice,
                       move->half == BERTH_TILE_HERE, 0)))
      return berthTilePairFail(pair, move->op, wrongSlice);
  }
  return followsFrom(&pair->loop, in->slice, numBehind, 0) ||
         berthTilePairFail(pair, in->op, wrongSlice);
}

bool berthTilePairCheckSlices(BerthTilePair *pair) {
  const BerthTilePairMove *in = moveInLoop(pair);
  if (mlirOperationIsNull(pair->loop.op))
    return true;
  if (!in)
    return berthTilePairFail(pair, pair->loop.op, berthTilePairNoTurns);
  return pair->isReturned ? checkReturnedSlices(pair, in)
                          : checkFillSlices(pair, in);
}
