//===- TileUpdates.c - Tiles that come, and go back -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/TileUpdates.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Marks.h"
#include "IR/Verify/Slots/SlotUses.h"

/// How deep what a slice is computed from is looked into; and how far apart
/// slices may lie, so that no offset that wraps is taken for another one.
enum { kMostDepth = 32, kMostDistance = 1 << 28 };

static const char wrongSlice[] = "moves another slice than that of its turn";

//===----------------------------------------------------------------------===//
// Back to where it came from
//===----------------------------------------------------------------------===//

typedef struct Later {
  const BerthTurnLoop *loop;
  BerthFollowsVariable isSecond;
} Later;

static bool isInBody(const BerthTurnLoop *loop, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), loop->body);
  return !mlirOperationIsNull(
      berthTopInBlock(mlirOpResultGetOwner(value), loop->body));
}

/// True if `b` is computed from the variable of then as `a` is from that of the
/// turn.
static bool isLater(const Later *later, MlirValue a, MlirValue b, int depth) {
  const BerthTurnLoop *loop = later->loop;
  if (mlirValueEqual(a, loop->variable)) {
    intptr_t carried = berthTilePairCarried(loop, b);
    return carried >= 0 && later->isSecond(loop, carried);
  }
  if (!isInBody(loop, a))
    return !isInBody(loop, b) && berthIsSameValue(a, b);
  if (!mlirValueIsAOpResult(a) || !mlirValueIsAOpResult(b) ||
      !isInBody(loop, b))
    return false;
  MlirOperation opA = mlirOpResultGetOwner(a), opB = mlirOpResultGetOwner(b);
  intptr_t count = mlirOperationGetNumOperands(opA);
  bool isSame =
      depth < kMostDepth && count == mlirOperationGetNumOperands(opB) &&
      mlirIdentifierEqual(mlirOperationGetName(opA),
                          mlirOperationGetName(opB)) &&
      mlirOpResultGetResultNumber(a) == mlirOpResultGetResultNumber(b) &&
      mlirOperationGetNumRegions(opA) == 0 && berthHaveSameAttributes(opA, opB);
  for (intptr_t i = 0; isSame && i < count; ++i)
    isSame = isLater(later, mlirOperationGetOperand(opA, i),
                     mlirOperationGetOperand(opB, i), depth + 1);
  return isSame;
}

bool berthTileUpdatesGoBack(BerthTilePair *pair,
                            const BerthTilePairMove *brought,
                            const BerthTilePairMove *returned,
                            BerthFollowsVariable isSecond) {
  Later later = {&pair->loop, isSecond};
  return isLater(&later, brought->slice, returned->slice, 0) ||
         berthTilePairFail(pair, returned->op, wrongSlice);
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

/// What a slice shows in a turn of that number; NULL: where there is no loop.
typedef struct SliceAt {
  MlirValue slice;
  const int64_t *turn;
} SliceAt;

typedef enum Relation { SAME, APART, UNKNOWN } Relation;

static BerthTurnForm formOf(const BerthTurnLoop *loop, const BerthMixed *mixed,
                            const int64_t *turn) {
  BerthTurnForm number = {.isKnown = true};
  number.terms[BERTH_TERM_NUMBER] = mixed->number;
  return mlirValueIsNull(mixed->value)
             ? number
             : berthTurnFormOf(loop, mixed->value, turn);
}

/// True if it is the same number, above 0, in both.
static bool isOneNumber(const BerthMixed *a, const BerthMixed *b,
                        int64_t *number) {
  int64_t other = b->number;
  *number = a->number;
  return (mlirValueIsNull(a->value) ||
          berthValueIsConstant(a->value, number)) &&
         (mlirValueIsNull(b->value) ||
          berthValueIsConstant(b->value, &other)) &&
         *number == other && *number > 0;
}

/// Two subviews of one memory, in one dimension.
static Relation relate(const BerthTurnLoop *loop, const BerthSubView *a,
                       const int64_t *turnA, const BerthSubView *b,
                       const int64_t *turnB, intptr_t d) {
  BerthTurnForm x = formOf(loop, &a->offsets[d], turnA);
  BerthTurnForm y = formOf(loop, &b->offsets[d], turnB);
  int64_t distance, size, stride;
  if (!isOneNumber(&a->sizes[d], &b->sizes[d], &size) ||
      !isOneNumber(&a->strides[d], &b->strides[d], &stride) ||
      size > kMostDistance / stride ||
      !berthTurnFormsDistance(&x, &y, &distance) || distance > kMostDistance ||
      distance < -kMostDistance)
    return UNKNOWN;
  int64_t length = (size - 1) * stride + 1;
  if (distance == 0)
    return SAME;
  return distance >= length || -distance >= length ? APART : UNKNOWN;
}

/// From the inside out: what lies apart in one part of the memory does so in
/// all of it, if both are in that very part.
static bool areApart(const BerthTurnLoop *loop, SliceAt a, SliceAt b) {
  bool isFound = false;
  while (true) {
    MlirValue viewedA = berthValueViewed(a.slice);
    MlirValue viewedB = berthValueViewed(b.slice);
    BerthSubView partA, partB;
    if (mlirValueIsNull(viewedA) || mlirValueIsNull(viewedB))
      return isFound && mlirValueEqual(a.slice, b.slice);
    MlirOperation opA = mlirOpResultGetOwner(a.slice);
    MlirOperation opB = mlirOpResultGetOwner(b.slice);
    bool areParts =
        berthSubViewGet(opA, &partA) && berthSubViewGet(opB, &partB);
    if (areParts && partA.rank == partB.rank) {
      bool isSame = true, isApart = false;
      for (intptr_t d = 0; d < partA.rank; ++d) {
        Relation relation = relate(loop, &partA, a.turn, &partB, b.turn, d);
        isSame &= relation == SAME;
        isApart |= relation == APART;
      }
      isFound = isApart || (isFound && isSame);
    } else if (!berthOpIs(opA, BERTH_OP_CAST) ||
               !berthOpIs(opB, BERTH_OP_CAST)) {
      return false;
    }
    a.slice = viewedA;
    b.slice = viewedB;
  }
}

static const char overlaps[] = "brings a slice that another turn may change";

bool berthTileUpdatesAreApart(BerthTilePair *pair,
                              const BerthTilePairMove *brought) {
  static const int64_t turns[] = {0, -1, -2};
  SliceAt own = {brought->slice, &turns[0]};
  for (int i = 1; i < 3; ++i)
    if (!areApart(&pair->loop, own, (SliceAt){brought->slice, &turns[i]}))
      return berthTilePairFail(pair, brought->op, overlaps);
  return true;
}

bool berthTileUpdatesAreInOrder(BerthTilePair *pair) {
  for (size_t i = 0; i < pair->numMoves; ++i)
    for (size_t k = 0; k < i; ++k) {
      const BerthTilePairMove *a = &pair->moves[k], *b = &pair->moves[i];
      bool isOne = berthIsOnePart(a->slice, b->slice);
      bool isOwn = a->half == b->half;
      if (isOne && !isOwn)
        return berthTilePairFail(pair, b->op, overlaps);
      if (isOwn && !isOne && a->isFill && !b->isFill)
        return berthTilePairFail(pair, b->op, wrongSlice);
      if (!isOne && !areApart(&pair->loop, (SliceAt){a->slice, NULL},
                              (SliceAt){b->slice, NULL}))
        return berthTilePairFail(pair, b->op, overlaps);
    }
  return true;
}
