//===- VerifyTileTurns.c - Tiles that turns of a loop take ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/VerifyTileTurns.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// How deep what a slice is computed from is looked into.
enum { kMostDepth = 32 };

/// A view of one of the two, or of a part of it.
typedef struct HalfView {
  MlirValue value;
  MlirValue number; ///< null: `constant`
  int64_t constant;
  bool isWhole;
} HalfView;

typedef enum HalfState {
  EMPTY,    ///< nothing that anybody may read
  HOLDS,    ///< its slice
  WRITTEN,  ///< what its slice is to hold
  FILLING,  ///< a transfer writes it
  RETURNING ///< a transfer reads it
} HalfState;

/// Where an op stands, which tells what numbers mean.
typedef enum Where { BEFORE, IN, BEHIND } Where;

/// In turns: the tile of the turn, and the other one. Elsewhere the ones that
/// the first turn has so, or would have had next.
enum { HERE, THERE, NUM_HALVES };

typedef struct Half {
  HalfState state;
  MlirOperation start; ///< of the transfer under way
} Half;

/// A move from or to one of them.
typedef struct PairMove {
  MlirOperation op; ///< a copy, or a start
  Where where;
  int half;
  bool isFill;
  MlirValue slice;
} PairMove;

typedef struct Pair {
  BerthTiles *tiles;
  uint32_t root;
  MlirAttribute number;
  size_t content;
  MlirOperation alloc;
  HalfView *views;
  size_t numViews, viewCapacity;
  BerthPointerMap viewOf; ///< value -> index in `views`
  MlirBlock block;        ///< in which all happens, but for the loop's turns
  BerthTurnLoop loop;     ///< or none
  /// The loop's numbers of the two, as what it carries.
  intptr_t numbers[NUM_HALVES];
  int64_t initial[NUM_HALVES];
  PairMove *moves;
  size_t numMoves, moveCapacity;
  bool isReturned; ///< what turns write; else what they read is brought
  bool isWrong;    ///< and told
  bool isLost;     ///< nobody can tell any more when a transfer ends
} Pair;

static const char notInTurn[] =
    "has not two tiles that turns take one after the other";

static bool fail(Pair *pair, MlirOperation op, const char *what) {
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

static void addView(Pair *pair, HalfView view) {
  if (!berthPointerMapInsert(&pair->viewOf, view.value.ptr, pair->numViews))
    return;
  pair->views = berthGrow(pair->views, pair->numViews, &pair->viewCapacity,
                          sizeof *pair->views);
  pair->views[pair->numViews++] = view;
}

static void addParts(Pair *pair, const HalfView *of) {
  const HalfView half = *of;
  for (MlirOpOperand use = mlirValueGetFirstUse(half.value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    if (mlirOperationGetNumResults(op) != 1 ||
        !mlirValueEqual(berthValueViewed(mlirOperationGetResult(op, 0)),
                        half.value))
      continue;
    HalfView view = half;
    view.value = mlirOperationGetResult(op, 0);
    view.isWhole &= berthSubViewGet(op, &part)
                        ? hasAllFrom(&part, mlirValueGetType(half.value), 0)
                        : berthOpIs(op, BERTH_OP_CAST);
    addView(pair, view);
    addParts(pair, &view);
  }
}

static bool findViews(Pair *pair) {
  MlirValue both = mlirOperationGetResult(pair->alloc, 0);
  MlirType type = mlirValueGetType(both);
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) < 1 ||
      mlirShapedTypeGetDimSize(type, 0) != NUM_HALVES)
    return fail(pair, pair->alloc, notInTurn);
  for (MlirOpOperand use = mlirValueGetFirstUse(both);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    if (berthOpIsFree(op))
      continue;
    if (!berthSubViewGet(op, &part) || !isConstant(&part.sizes[0], 1) ||
        !hasAllFrom(&part, type, 1))
      return fail(pair, op, "uses two tiles otherwise than one by one");
    HalfView view = {.value = mlirOperationGetResult(op, 0),
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

static MlirValue initialOf(const BerthTurnLoop *loop, intptr_t carried) {
  enum { kFirstInitial = 3 };
  return mlirOperationGetOperand(loop->op, kFirstInitial + carried);
}

static MlirValue yieldedOf(const BerthTurnLoop *loop, intptr_t carried) {
  return mlirOperationGetOperand(berthBlockGetLast(loop->body), carried);
}

/// The number of what the loop carries, or -1; the value may be null.
static intptr_t carriedOf(const BerthTurnLoop *loop, MlirValue value) {
  bool isArgument =
      !mlirValueIsNull(value) && mlirValueIsABlockArgument(value) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(value), loop->body);
  return isArgument ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

/// Finds the loop of which some number is carried.
static void findLoop(Pair *pair) {
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

/// The two numbers are carried, are 0 and 1, and swap.
static bool findNumbers(Pair *pair, intptr_t first) {
  const BerthTurnLoop *loop = &pair->loop;
  intptr_t other = first < 0 ? -1 : carriedOf(loop, yieldedOf(loop, first));
  bool isRight =
      other >= 0 && other != first &&
      carriedOf(loop, yieldedOf(loop, other)) == first &&
      berthValueIsConstant(initialOf(loop, first), &pair->initial[HERE]) &&
      berthValueIsConstant(initialOf(loop, other), &pair->initial[THERE]) &&
      pair->initial[HERE] + pair->initial[THERE] == 1 &&
      pair->initial[HERE] * pair->initial[THERE] == 0;
  pair->numbers[HERE] = first;
  pair->numbers[THERE] = other;
  return isRight || fail(pair, loop->op, notInTurn);
}

static void turnAround(Pair *pair) {
  intptr_t number = pair->numbers[HERE];
  int64_t initial = pair->initial[HERE];
  pair->numbers[HERE] = pair->numbers[THERE];
  pair->initial[HERE] = pair->initial[THERE];
  pair->numbers[THERE] = number;
  pair->initial[THERE] = initial;
}

/// The half that the view shows, or -1.
static int halfOf(const Pair *pair, const HalfView *view, Where where) {
  const BerthTurnLoop *loop = &pair->loop;
  bool isNumber = mlirValueIsNull(view->number);
  for (int half = 0; half < NUM_HALVES; ++half) {
    bool isIt = false;
    if (where == BEFORE)
      isIt = isNumber && view->constant == pair->initial[half];
    else if (where == IN)
      isIt = !isNumber && carriedOf(loop, view->number) == pair->numbers[half];
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

/// What a marked op does between one of the two and `*slice`; `*view`: of that.
static BerthMoveKind pairMove(const Pair *pair, MlirOperation op, bool *isFill,
                              const HalfView **view, MlirValue *slice) {
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

static Where whereIs(const Pair *pair, MlirOperation op) {
  MlirOperation loop = pair->loop.op;
  if (mlirOperationIsNull(loop))
    return BEFORE;
  if (!mlirOperationIsNull(berthTopInBlock(op, pair->loop.body)))
    return IN;
  return berthStandsBefore(berthTopInBlock(op, pair->block), loop) ? BEFORE
                                                                   : BEHIND;
}

static MlirWalkResult collectMove(MlirOperation op, void *userData) {
  Pair *pair = userData;
  const HalfView *view;
  PairMove move = {.op = op};
  BerthMoveKind kind = pairMove(pair, op, &move.isFill, &view, &move.slice);
  if (kind != BERTH_MOVE_COPY && kind != BERTH_MOVE_START)
    return MlirWalkResultAdvance;
  pair->moves = berthGrow(pair->moves, pair->numMoves, &pair->moveCapacity,
                          sizeof *pair->moves);
  pair->moves[pair->numMoves++] = move;
  return MlirWalkResultAdvance;
}

/// All of them, once it is known where they stand. The other tile of a turn is
/// the one that moves.
static bool findMoves(Pair *pair) {
  mlirOperationWalk(pair->tiles->function, collectMove, pair, MlirWalkPreOrder);
  if (pair->numMoves == 0)
    return fail(pair, pair->alloc, notInTurn);
  pair->isReturned = !pair->moves[0].isFill;
  bool hasLoop = !mlirOperationIsNull(pair->loop.op);
  pair->block =
      mlirOperationGetBlock(hasLoop ? pair->loop.op : pair->moves[0].op);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    PairMove *move = &pair->moves[i];
    MlirValue slice;
    bool isFill;
    const HalfView *view;
    pairMove(pair, move->op, &isFill, &view, &slice);
    move->where = whereIs(pair, move->op);
    if (move->where == IN && pair->numbers[HERE] == pair->numbers[THERE]) {
      if (!findNumbers(pair, carriedOf(&pair->loop, view->number)))
        return false;
      turnAround(pair);
    }
  }
  if (hasLoop && pair->numbers[HERE] == pair->numbers[THERE])
    return fail(pair, pair->loop.op, notInTurn);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    PairMove *move = &pair->moves[i];
    MlirValue slice;
    bool isFill;
    const HalfView *view;
    pairMove(pair, move->op, &isFill, &view, &slice);
    move->half = halfOf(pair, view, move->where);
    bool isRight =
        move->half >= 0 && view->isWhole && isFill != pair->isReturned &&
        berthTileMovesAll(move->op) &&
        berthTileIsSlice(pair->tiles->contents, pair->content, slice, isFill);
    if (!isRight)
      return fail(pair, move->op,
                  move->half < 0
                      ? "takes another tile than that of its turn"
                      : "moves between a tile and what is no slice of its "
                        "content");
  }
  return true;
}

/// True if some pass has put something in the place of a tag.
static MlirWalkResult lookForLost(MlirOperation op, void *userData) {
  Pair *pair = userData;
  BerthDma dma;
  pair->isLost |= berthOpGetDma(op, &dma) && dma.isStart &&
                  berthTileIsUsed(pair->tiles, op, pair->root) &&
                  !berthIsFreshMemory(mlirOperationGetOperand(op, dma.tag));
  return pair->isLost ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// How many turns what the loop carries is behind its variable; 0: that is not
/// seen.
static int lagOf(const BerthTurnLoop *loop, intptr_t carried) {
  enum { kMostLag = 2 };
  for (int lag = 1; lag <= kMostLag && carried >= 0; ++lag) {
    MlirValue yielded = yieldedOf(loop, carried);
    if (mlirValueEqual(yielded, loop->variable))
      return lag;
    carried = carriedOf(loop, yielded);
  }
  return 0;
}

/// True if that begins with the variable of as many turns before the first one.
static bool beginsRight(const BerthTurnLoop *loop, intptr_t carried, int lag) {
  for (; lag > 0; --lag) {
    const int64_t turn = -lag;
    BerthTurnForm before = berthTurnFormOfVariable(loop, &turn);
    BerthTurnForm initial =
        berthTurnFormOf(loop, initialOf(loop, carried), NULL);
    if (!berthTurnFormsAreEqual(&initial, &before))
      return false;
    carried = carriedOf(loop, yieldedOf(loop, carried));
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
    intptr_t carried = carriedOf(loop, value);
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
  intptr_t carried = carriedOf(loop, in);
  if (carried >= 0) {
    intptr_t wanted =
        isNext ? carriedOf(loop, yieldedOf(loop, carried)) : carried;
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

static const PairMove *moveInLoop(const Pair *pair) {
  for (size_t i = 0; i < pair->numMoves; ++i)
    if (pair->moves[i].where == IN)
      return &pair->moves[i];
  return NULL;
}

/// What comes in front of the loop comes as it would in the one or two turns
/// before the first one.
static bool checkFillSlices(Pair *pair, const PairMove *in) {
  if (!followsFrom(&pair->loop, in->slice, 0, 0))
    return fail(pair, in->op, wrongSlice);
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const PairMove *move = &pair->moves[i];
    int64_t turn = move->half == HERE ? -1 : -2;
    if (move->where != IN &&
        (move->where == BEHIND ||
         !berthSlotValuesAreLike(&pair->loop, in->slice, move->slice, turn)))
      return fail(pair, move->op, wrongSlice);
  }
  return true;
}

/// What goes out behind the loop goes where it would in the next one or two
/// turns: as many as what goes out in the loop is behind.
static bool checkReturnedSlices(Pair *pair, const PairMove *in) {
  int numBehind = 0;
  for (size_t i = 0; i < pair->numMoves; ++i) {
    const PairMove *move = &pair->moves[i];
    numBehind += move->where == BEHIND;
    if (move->where != IN && (move->where == BEFORE ||
                              !isLikeBehind(&pair->loop, in->slice, move->slice,
                                            move->half == HERE, 0)))
      return fail(pair, move->op, wrongSlice);
  }
  return followsFrom(&pair->loop, in->slice, numBehind, 0) ||
         fail(pair, in->op, wrongSlice);
}

static bool checkSlices(Pair *pair) {
  const PairMove *in = moveInLoop(pair);
  if (mlirOperationIsNull(pair->loop.op))
    return true;
  if (!in)
    return fail(pair, pair->loop.op, notInTurn);
  return pair->isReturned ? checkReturnedSlices(pair, in)
                          : checkFillSlices(pair, in);
}

//===----------------------------------------------------------------------===//
// What the two hold
//===----------------------------------------------------------------------===//

static bool isUnderWay(const Half *half) {
  return half->state == FILLING || half->state == RETURNING;
}

static void passMove(Pair *pair, Half *halves, MlirOperation op, Where where) {
  bool isFill;
  const HalfView *view;
  MlirValue slice;
  BerthMoveKind kind = pairMove(pair, op, &isFill, &view, &slice);
  int number = halfOf(pair, view, where);
  if (number < 0) {
    fail(pair, op, "takes another tile than that of its turn");
    return;
  }
  Half *half = &halves[number];
  if (kind != BERTH_MOVE_WAIT) {
    if (isUnderWay(half))
      fail(pair, op, "moves a tile that a transfer still uses");
    else if (isFill && half->state == WRITTEN)
      fail(pair, op, "loses what was written to a tile");
    else if (!isFill && half->state != WRITTEN)
      fail(pair, op, "uses a tile that may not hold its slice");
    *half = (Half){isFill ? FILLING : RETURNING, op};
  }
  // What has gone out is of another turn than what comes next.
  if (kind != BERTH_MOVE_START)
    *half = (Half){isFill ? HOLDS : EMPTY, {NULL}};
}

/// What the op, or one in it, does to one of the two.
static void passAccess(Pair *pair, Half *halves, MlirOperation top,
                       const BerthRootAccess *access, Where where) {
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
    fail(pair, op, "uses two tiles otherwise than one by one");
    return;
  }
  const HalfView *view = &pair->views[index];
  int number = halfOf(pair, view, where);
  bool hasLoop = !mlirOperationIsNull(pair->loop.op);
  int own = where == BEFORE ? THERE : HERE;
  if (number < 0 || (hasLoop && number != own)) {
    fail(pair, op, "takes another tile than that of its turn");
    return;
  }
  Half *half = &halves[number];
  bool overwrites = access->writes && !access->reads &&
                    mlirOperationEqual(op, top) && view->isWhole &&
                    berthOpFullyOverwrites(op, access->operand);
  if (half->state == FILLING || (half->state == RETURNING && access->writes))
    fail(pair, op, "touches a tile that a transfer still uses");
  else if (half->state == EMPTY && !overwrites)
    fail(pair, op, "uses a tile that may not hold its slice");
  else if (access->writes && !pair->isReturned)
    fail(pair, op, "loses what was written to a tile");
  if (access->writes)
    half->state = WRITTEN;
}

/// `top`: in the block at hand.
static void passTop(Pair *pair, Half *halves, MlirOperation top, Where where) {
  BerthTiles *tiles = pair->tiles;
  bool isFill;
  const HalfView *view;
  MlirValue slice;
  if (pairMove(pair, top, &isFill, &view, &slice) != BERTH_MOVE_NONE) {
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

/// Whatever the number of turns was.
static bool joinHalf(Half *half, const Half *other) {
  if (isUnderWay(half) || isUnderWay(other))
    return false;
  if (half->state == other->state)
    return true;
  if (half->state == WRITTEN || other->state == WRITTEN)
    return false;
  half->state = EMPTY;
  return true;
}

static void passLoop(Pair *pair, Half *halves) {
  enum { kMostRuns = 4 };
  for (int run = 0; run < kMostRuns && !pair->isWrong; ++run) {
    Half turn[NUM_HALVES] = {halves[HERE], halves[THERE]};
    Half before[NUM_HALVES] = {halves[HERE], halves[THERE]};
    for (MlirOperation op = mlirBlockGetFirstOperation(pair->loop.body);
         !mlirOperationIsNull(op) && !pair->isWrong;
         op = mlirOperationGetNextInBlock(op))
      passTop(pair, turn, op, IN);
    bool isRight = joinHalf(&halves[HERE], &turn[THERE]) &&
                   joinHalf(&halves[THERE], &turn[HERE]);
    if (!pair->isWrong && !isRight)
      fail(pair, pair->loop.op, notInTurn);
    if (before[HERE].state == halves[HERE].state &&
        before[THERE].state == halves[THERE].state)
      break;
  }
}

static bool isUsedInside(const Pair *pair, MlirOperation op);

/// From the first op in the block that has to do with them to the last one.
typedef struct Span {
  MlirOperation first, last;
} Span;

static Span findSpan(const Pair *pair) {
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

static void checkHalves(Pair *pair, const Span *span) {
  Half halves[NUM_HALVES] = {{EMPTY, {NULL}}, {EMPTY, {NULL}}};
  Where where = BEFORE;
  for (MlirOperation op = span->first; !pair->isWrong;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationEqual(op, pair->loop.op)) {
      passLoop(pair, halves);
      where = BEHIND;
    } else {
      passTop(pair, halves, op, where);
    }
    if (mlirOperationEqual(op, span->last))
      break;
  }
  for (int half = 0; half < NUM_HALVES && !pair->isWrong; ++half) {
    if (isUnderWay(&halves[half]))
      fail(pair, span->last, "ends a tile that a transfer still uses");
    else if (halves[half].state == WRITTEN)
      fail(pair, span->last, "loses what was written to a tile");
  }
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

typedef struct PairUse {
  const Pair *pair;
  bool found;
} PairUse;

static MlirWalkResult lookForPair(MlirOperation op, void *userData) {
  PairUse *use = userData;
  bool isFill;
  const HalfView *view;
  MlirValue slice;
  use->found =
      pairMove(use->pair, op, &isFill, &view, &slice) != BERTH_MOVE_NONE ||
      (!berthOpIsFree(op) &&
       berthTileIsUsed(use->pair->tiles, op, use->pair->root));
  return use->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isUsedInside(const Pair *pair, MlirOperation op) {
  PairUse use = {pair, false};
  mlirOperationWalk(op, lookForPair, &use, MlirWalkPreOrder);
  return use.found;
}

/// All uses are in the block of the moves, or in what that holds; frees are
/// outside of the loop, and behind all of it where they are in the block.
static MlirWalkResult checkPlace(MlirOperation op, void *userData) {
  Pair *pair = userData;
  if (!mlirValueIsNull(berthViewGetSource(op)) ||
      !berthTileIsUsed(pair->tiles, op, pair->root))
    return MlirWalkResultAdvance;
  bool isInside = !mlirOperationIsNull(berthTopInBlock(op, pair->block));
  if (berthOpIsFree(op)
          ? isInside &&
                (whereIs(pair, op) == IN ||
                 !mlirBlockEqual(mlirOperationGetBlock(op), pair->block))
          : !isInside)
    fail(pair, op, "uses two tiles outside of the block of their loop");
  return MlirWalkResultAdvance;
}

typedef struct Others {
  Pair *pair;
  BerthTileBeside beside;
} Others;

/// Ops but for the moves of the two.
static MlirWalkResult checkOther(MlirOperation op, void *userData) {
  Others *others = userData;
  Pair *pair = others->pair;
  bool isFill;
  const HalfView *view;
  MlirValue slice;
  if (pairMove(pair, op, &isFill, &view, &slice) == BERTH_MOVE_NONE &&
      berthTileIsTouchedBeside(pair->tiles, &others->beside, op))
    fail(pair, op, "touches a slice that a tile holds");
  return MlirWalkResultAdvance;
}

static void checkOthers(Pair *pair, const Span *span) {
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
static bool checkFrees(Pair *pair, const Span *span) {
  MlirValue both = mlirOperationGetResult(pair->alloc, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(both);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation last = berthTopInBlock(span->last, mlirOperationGetBlock(op));
    if (berthOpIsFree(op) &&
        (mlirOperationIsNull(last) || !berthStandsBefore(last, op)))
      return fail(pair, op, "ends a tile that a transfer still uses");
  }
  return true;
}

void berthVerifyTileTurns(BerthTiles *tiles, uint32_t root) {
  MlirOperation alloc = tiles->allocs[root];
  Pair pair = {.tiles = tiles,
               .root = root,
               .alloc = alloc,
               .number = berthTileNumber(alloc),
               .initial = {0, 1}};
  pair.content = berthTileContent(tiles->contents, pair.number);
  bool goesOn = findViews(&pair);
  if (goesOn) {
    findLoop(&pair);
    mlirOperationWalk(tiles->function, lookForLost, &pair, MlirWalkPreOrder);
    goesOn = !pair.isLost && findMoves(&pair) && checkSlices(&pair);
  }
  if (goesOn)
    mlirOperationWalk(tiles->function, checkPlace, &pair, MlirWalkPreOrder);
  if (goesOn && !pair.isWrong) {
    Span span = findSpan(&pair);
    if (checkFrees(&pair, &span)) {
      checkHalves(&pair, &span);
      checkOthers(&pair, &span);
    }
  }
  berthPointerMapFree(&pair.viewOf);
  free(pair.views);
  free(pair.moves);
}
