//===- VerifyTileTurns.c - Tiles that turns of a loop take ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/VerifyTileTurns.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Verify/Slots/SlotUses.h"
#include "IR/Verify/Tiles/TilePair.h"
#include "IR/Verify/Tiles/TileTurnCount.h"
#include "IR/Verify/Tiles/TileTurnSlices.h"

typedef enum HalfState {
  EMPTY,    ///< nothing that anybody may read
  HOLDS,    ///< its slice
  WRITTEN,  ///< what its slice is to hold
  FILLING,  ///< a transfer writes it
  RETURNING ///< a transfer reads it
} HalfState;

typedef struct Half {
  HalfState state;
  MlirOperation start; ///< of the transfer under way
} Half;

//===----------------------------------------------------------------------===//
// What the two hold
//===----------------------------------------------------------------------===//

static bool isUnderWay(const Half *half) {
  return half->state == FILLING || half->state == RETURNING;
}

static void passMove(BerthTilePair *pair, Half *halves, MlirOperation op,
                     BerthTileWhere where) {
  bool isFill;
  const BerthTileHalfView *view;
  MlirValue slice;
  BerthMoveKind kind = berthTilePairGetMove(pair, op, &isFill, &view, &slice);
  int number = berthTilePairHalf(pair, view, where);
  if (number < 0) {
    berthTilePairFail(pair, op, "takes another tile than that of its turn");
    return;
  }
  Half *half = &halves[number];
  if (kind != BERTH_MOVE_WAIT) {
    if (isUnderWay(half))
      berthTilePairFail(pair, op, "moves a tile that a transfer still uses");
    else if (isFill && half->state == WRITTEN)
      berthTilePairFail(pair, op, "loses what was written to a tile");
    else if (!isFill && half->state != WRITTEN &&
             !(pair->isUpdated && half->state == HOLDS))
      berthTilePairFail(pair, op, "uses a tile that may not hold its slice");
    *half = (Half){isFill ? FILLING : RETURNING, op};
  }
  // What has gone out is of another turn than what comes next.
  if (kind != BERTH_MOVE_START)
    *half = (Half){isFill ? HOLDS : EMPTY, {NULL}};
}

/// What the op, or one in it, does to one of the two.
static void passAccess(BerthTilePair *pair, Half *halves, MlirOperation top,
                       const BerthRootAccess *access, BerthTileWhere where) {
  MlirOperation op = access->op;
  MlirValue value = access->operand < 0
                        ? (MlirValue){NULL}
                        : mlirOperationGetOperand(op, access->operand);
  size_t index = mlirValueIsNull(value)
                     ? BERTH_NOT_FOUND
                     : berthPointerMapFind(&pair->viewOf, value.ptr);
  if (!access->reads && !access->writes && !access->isHandedOn)
    return;
  if (index == BERTH_NOT_FOUND || access->isHandedOn) {
    berthTilePairFail(pair, op,
                      "uses tiles of turns otherwise than one by one");
    return;
  }
  const BerthTileHalfView *view = &pair->views[index];
  int number = berthTilePairHalf(pair, view, where);
  bool hasLoop = !mlirOperationIsNull(pair->loop.op);
  int own =
      where == BERTH_TILE_BEFORE ? berthTilePairLast(pair) : BERTH_TILE_HERE;
  if (number < 0 || (hasLoop && number != own)) {
    berthTilePairFail(pair, op, "takes another tile than that of its turn");
    return;
  }
  Half *half = &halves[number];
  bool overwrites = access->writes && !access->reads &&
                    mlirOperationEqual(op, top) && view->isWhole &&
                    berthOpFullyOverwrites(op, access->operand);
  if (half->state == FILLING || (half->state == RETURNING && access->writes))
    berthTilePairFail(pair, op, "touches a tile that a transfer still uses");
  else if (half->state == EMPTY && !overwrites)
    berthTilePairFail(pair, op, "uses a tile that may not hold its slice");
  else if (access->writes && !pair->isReturned)
    berthTilePairFail(pair, op, "loses what was written to a tile");
  if (access->writes)
    half->state = WRITTEN;
}

/// `top`: in the block at hand.
static void passTop(BerthTilePair *pair, Half *halves, MlirOperation top,
                    BerthTileWhere where) {
  BerthTiles *tiles = pair->tiles;
  bool isFill;
  const BerthTileHalfView *view;
  MlirValue slice;
  if (berthTilePairGetMove(pair, top, &isFill, &view, &slice) !=
      BERTH_MOVE_NONE) {
    passMove(pair, halves, top, where);
    return;
  }
  berthRootAccessesOf(&tiles->accesses, &tiles->views, top, true);
  for (size_t i = 0; i < tiles->accesses.count && !pair->isWrong; ++i) {
    const BerthRootAccess access = tiles->accesses.items[i];
    if (access.root == pair->root)
      passAccess(pair, halves, top, &access, where);
  }
}

/// Whatever the number of turns was. What is brought and returned holds its
/// slice until that is written.
static bool joinHalf(const BerthTilePair *pair, Half *half, const Half *other) {
  bool isKept = (half->state == HOLDS && other->state == WRITTEN) ||
                (half->state == WRITTEN && other->state == HOLDS);
  if (isUnderWay(half) || isUnderWay(other))
    return false;
  if (half->state == other->state)
    return true;
  if (pair->isUpdated && isKept) {
    half->state = WRITTEN;
    return true;
  }
  if (half->state == WRITTEN || other->state == WRITTEN)
    return false;
  half->state = EMPTY;
  return true;
}

/// Each state changes twice at most.
static void passLoop(BerthTilePair *pair, Half *halves) {
  enum { kMostRuns = 2 * BERTH_MOST_TILES + 2 };
  bool isSteady = false;
  for (int run = 0; run < kMostRuns && !pair->isWrong && !isSteady; ++run) {
    Half turn[BERTH_MOST_TILES];
    for (int i = 0; i < pair->count; ++i)
      turn[i] = halves[i];
    for (MlirOperation op = mlirBlockGetFirstOperation(pair->loop.body);
         !mlirOperationIsNull(op) && !pair->isWrong;
         op = mlirOperationGetNextInBlock(op))
      passTop(pair, turn, op, BERTH_TILE_IN);
    bool isRight = true;
    isSteady = true;
    for (int i = 0; i < pair->count; ++i) {
      HalfState before = halves[i].state;
      isRight &= joinHalf(pair, &halves[i], &turn[(i + 1) % pair->count]);
      isSteady &= halves[i].state == before;
    }
    if (!pair->isWrong && !isRight)
      berthTilePairFail(pair, pair->loop.op, berthTilePairNoTurns);
  }
  if (!pair->isWrong && !isSteady)
    berthTilePairFail(pair, pair->loop.op, berthTilePairNoTurns);
}

static bool isUsedInside(const BerthTilePair *pair, MlirOperation op);

/// From the first op in the block that has to do with them to the last one.
typedef struct Span {
  MlirOperation first, last;
} Span;

static Span findSpan(const BerthTilePair *pair) {
  Span span = {{NULL}, {NULL}};
  for (MlirOperation op = mlirBlockGetFirstOperation(pair->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationEqual(op, pair->alloc) || !isUsedInside(pair, op))
      continue;
    if (mlirOperationIsNull(span.first))
      span.first = op;
    span.last = op;
  }
  return span;
}

static void checkHalves(BerthTilePair *pair, const Span *span) {
  Half halves[BERTH_MOST_TILES] = {{EMPTY, {NULL}}};
  BerthTileWhere where = BERTH_TILE_BEFORE;
  for (MlirOperation op = span->first; !pair->isWrong;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationEqual(op, pair->loop.op)) {
      passLoop(pair, halves);
      where = BERTH_TILE_BEHIND;
    } else {
      passTop(pair, halves, op, where);
    }
    if (mlirOperationEqual(op, span->last))
      break;
  }
  for (int half = 0; half < pair->count && !pair->isWrong; ++half) {
    if (isUnderWay(&halves[half]))
      berthTilePairFail(pair, span->last,
                        "ends a tile that a transfer still uses");
    else if (halves[half].state == WRITTEN)
      berthTilePairFail(pair, span->last, "loses what was written to a tile");
  }
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

typedef struct PairUse {
  const BerthTilePair *pair;
  bool found;
} PairUse;

static MlirWalkResult lookForPair(MlirOperation op, void *userData) {
  PairUse *use = userData;
  bool isFill;
  const BerthTileHalfView *view;
  MlirValue slice;
  use->found = berthTilePairGetMove(use->pair, op, &isFill, &view, &slice) !=
                   BERTH_MOVE_NONE ||
               (!berthOpIsFree(op) && mlirValueIsNull(berthViewGetSource(op)) &&
                berthTileIsUsed(use->pair->tiles, op, use->pair->root));
  return use->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isUsedInside(const BerthTilePair *pair, MlirOperation op) {
  PairUse use = {pair, false};
  mlirOperationWalk(op, lookForPair, &use, MlirWalkPreOrder);
  return use.found;
}

/// All uses are in the block of the moves, or in what that holds; frees are
/// outside of the loop, and behind all of it where they are in the block.
static MlirWalkResult checkPlace(MlirOperation op, void *userData) {
  BerthTilePair *pair = userData;
  if (!mlirValueIsNull(berthViewGetSource(op)) ||
      !berthTileIsUsed(pair->tiles, op, pair->root))
    return MlirWalkResultAdvance;
  bool isInside = !mlirOperationIsNull(berthTopInBlock(op, pair->block));
  if (berthOpIsFree(op)
          ? isInside &&
                (berthTilePairWhere(pair, op) == BERTH_TILE_IN ||
                 !mlirBlockEqual(mlirOperationGetBlock(op), pair->block))
          : !isInside)
    berthTilePairFail(pair, op,
                      "uses tiles of turns outside of the block of their loop");
  return MlirWalkResultAdvance;
}

typedef struct Others {
  BerthTilePair *pair;
  BerthTileBeside beside;
} Others;

/// Ops but for the moves of the two.
static MlirWalkResult checkOther(MlirOperation op, void *userData) {
  Others *others = userData;
  BerthTilePair *pair = others->pair;
  bool isFill;
  const BerthTileHalfView *view;
  MlirValue slice;
  if (berthTilePairGetMove(pair, op, &isFill, &view, &slice) ==
          BERTH_MOVE_NONE &&
      berthTileIsTouchedBeside(pair->tiles, &others->beside, op))
    berthTilePairFail(pair, op, "touches a slice that a tile holds");
  return MlirWalkResultAdvance;
}

static void checkOthers(BerthTilePair *pair, const Span *span) {
  Others others = {pair,
                   {.root = pair->root,
                    .content = pair->content,
                    .number = pair->number,
                    .isWritten = pair->isReturned}};
  for (MlirOperation op = span->first; !pair->isWrong;
       op = mlirOperationGetNextInBlock(op)) {
    mlirOperationWalk(op, checkOther, &others, MlirWalkPreOrder);
    if (mlirOperationEqual(op, span->last))
      break;
  }
}

/// A free in the block stands behind the last use.
static bool checkFrees(BerthTilePair *pair, const Span *span) {
  MlirValue both = mlirOperationGetResult(pair->alloc, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(both);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation last = berthTopInBlock(span->last, mlirOperationGetBlock(op));
    if (berthOpIsFree(op) &&
        (mlirOperationIsNull(last) || !berthStandsBefore(last, op)))
      return berthTilePairFail(pair, op,
                               "ends a tile that a transfer still uses");
  }
  return true;
}

void berthVerifyTileTurns(BerthTiles *tiles, uint32_t root) {
  BerthTilePair pair;
  bool goesOn =
      berthTilePairFind(&pair, tiles, root) && berthTilePairCheckSlices(&pair);
  if (goesOn)
    mlirOperationWalk(tiles->function, checkPlace, &pair, MlirWalkPreOrder);
  if (goesOn && !pair.isWrong) {
    Span span = findSpan(&pair);
    if (checkFrees(&pair, &span)) {
      checkHalves(&pair, &span);
      checkOthers(&pair, &span);
    }
    if (!pair.isWrong && !mlirOperationIsNull(pair.loop.op) &&
        !berthTileTurnsAreThere(&pair))
      berthTilePairFail(&pair, pair.loop.op,
                        "may have fewer turns than stand around it");
  }
  berthTilePairFree(&pair);
}
