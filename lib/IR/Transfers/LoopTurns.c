//===- LoopTurns.c - Which turn of a loop a number tells of ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Transfers/LoopTurns.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool berthLoopTurnsOf(MlirOperation op, BerthLoopTurns *turns) {
  enum { kLower, kUpper, kStep };
  if (!berthOpIs(op, BERTH_OP_LOOP) || berthOpIsAffine(op))
    return false;
  MlirValue bounds[2];
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  *turns = (BerthLoopTurns){.op = op,
                            .body = body,
                            .lower = mlirOperationGetOperand(op, kLower),
                            .upper = mlirOperationGetOperand(op, kUpper),
                            .step = mlirOperationGetOperand(op, kStep),
                            .variable = mlirBlockGetArgument(body, 0),
                            .count = -1};
  turns->isUnsigned =
      berthRegionGetCondition(op, 0, bounds) == BERTH_RUNS_WHEN_LESS_UNSIGNED;
  if (berthLoopGetRanges(op, range) == 1)
    turns->count = range[0].count;
  return true;
}

static bool getMaker(MlirValue value, BerthOpKind kind, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIs(*op, kind);
}

static bool isConstant(MlirValue value, int64_t wanted) {
  int64_t constant;
  return berthValueIsConstant(value, &constant) && constant == wanted;
}

//===----------------------------------------------------------------------===//
// A value and a number
//===----------------------------------------------------------------------===//

/// base + offset, as numbers of the base's type are added up; without base a
/// number.
typedef struct Sum {
  MlirValue base;
  int64_t offset;
} Sum;

enum { kMostSums = 16, kMostOffset = 1 << 30 };

/// Takes constants off a value.
static Sum sumOf(MlirValue value) {
  Sum sum = {value, 0};
  int64_t number;
  for (int i = 0; i < kMostSums; ++i) {
    MlirOperation op;
    bool isSum = getMaker(sum.base, BERTH_OP_SUM, &op);
    if (!isSum && !getMaker(sum.base, BERTH_OP_DIFFERENCE, &op))
      break;
    bool isSecond =
        berthValueIsConstant(mlirOperationGetOperand(op, 1), &number);
    bool isFirst =
        !isSecond && isSum &&
        berthValueIsConstant(mlirOperationGetOperand(op, 0), &number);
    if ((!isSecond && !isFirst) || number > kMostOffset ||
        number < -kMostOffset)
      break;
    sum.offset += isSum ? number : -number;
    sum.base = mlirOperationGetOperand(op, isFirst);
  }
  if (berthValueIsConstant(sum.base, &number) && number <= kMostOffset &&
      number >= -kMostOffset)
    return (Sum){{NULL}, sum.offset + number};
  return sum;
}

static bool isSameBase(Sum a, Sum b) {
  return mlirValueIsNull(a.base)
             ? mlirValueIsNull(b.base)
             : !mlirValueIsNull(b.base) && berthIsSameValue(a.base, b.base);
}

/// True if the value is `of` plus `*more`.
static bool isPlus(MlirValue value, MlirValue of, int64_t *more) {
  Sum sum = sumOf(value), other = sumOf(of);
  *more = sum.offset - other.offset;
  return isSameBase(sum, other);
}

//===----------------------------------------------------------------------===//
// Numbers of turns
//===----------------------------------------------------------------------===//

static const BerthTurnNumber unknown = {.isKnown = false};

/// True if the value is what the loop has counted since its first turn, and
/// `*more`.
static bool isWay(const BerthLoopTurns *turns, MlirValue value, int64_t *more) {
  Sum sum = sumOf(value), lower = sumOf(turns->lower);
  if (mlirValueIsNull(sum.base))
    return false;
  *more = sum.offset;
  if (mlirValueEqual(sum.base, turns->variable)) {
    *more += lower.offset;
    return mlirValueIsNull(lower.base);
  }
  MlirOperation op;
  int64_t offset;
  if (!getMaker(sum.base, BERTH_OP_DIFFERENCE, &op) ||
      !isPlus(mlirOperationGetOperand(op, 0), turns->variable, &offset))
    return false;
  *more += offset;
  bool isLower = isPlus(mlirOperationGetOperand(op, 1), turns->lower, &offset);
  *more -= offset;
  return isLower;
}

/// True if what the loop has counted since its first turn is no negative number
/// with a sign, either; with something `more`, too.
static bool isNatural(const BerthLoopTurns *turns, int64_t more) {
  enum { kMany = 1 << 30, kBits = 30, kMostBits = 64 };
  int64_t step, way;
  MlirType type = mlirValueGetType(turns->variable);
  bool isWide =
      !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) >= kMostBits;
  if (!turns->isUnsigned && isConstant(turns->lower, 0) && (isWide || !more))
    return true;
  return turns->count >= 0 && turns->count < kMany &&
         berthValueIsConstant(turns->step, &step) && step > 0 && step < kMany &&
         (way = turns->count * step + more) < kMany &&
         (!mlirTypeIsAInteger(type) ||
          mlirIntegerTypeGetWidth(type) > kBits + 1 ||
          way >> (mlirIntegerTypeGetWidth(type) - 1) == 0);
}

/// True if the value is the number of the turn, and `*ahead`, not below 0.
static bool isTurn(const BerthLoopTurns *turns, MlirValue value,
                   int64_t *ahead) {
  int64_t step = 0, divisor, more;
  bool hasStep = berthValueIsConstant(turns->step, &step) && step > 0;
  if (step == 1 && isWay(turns, value, ahead))
    return *ahead >= 0;
  Sum sum = sumOf(value);
  MlirOperation op;
  if (mlirValueIsNull(sum.base) ||
      !getMaker(sum.base, BERTH_OP_QUOTIENT, &op) ||
      !isWay(turns, mlirOperationGetOperand(op, 0), &more) ||
      !(berthOpIsUnsigned(op) || isNatural(turns, more)))
    return false;
  MlirValue by = mlirOperationGetOperand(op, 1);
  bool isStep =
      berthIsSameValue(by, turns->step) ||
      (hasStep && berthValueIsConstant(by, &divisor) && divisor == step);
  if (!isStep || more < 0 || (more && !hasStep))
    return false;
  *ahead = sum.offset + (more ? more / step : 0);
  return *ahead >= 0;
}

//===----------------------------------------------------------------------===//
// Carried numbers
//===----------------------------------------------------------------------===//

static bool findCarried(MlirValue value, void *userData, int64_t *number) {
  const BerthCarried *carried = userData;
  *number = carried->number;
  return mlirValueEqual(value, carried->argument);
}

BerthSmallNumbers berthKnowCarried(BerthCarried *carried) {
  return (BerthSmallNumbers){findCarried, carried};
}

static bool findNothing(MlirValue value, void *userData, int64_t *number) {
  (void)value, (void)userData, (void)number;
  return false;
}

BerthCarried berthCarriedBy(const BerthLoopTurns *turns, intptr_t argument) {
  enum { kFirstCarried = 3 };
  BerthSmallNumbers nothing = {findNothing, NULL};
  MlirValue initial =
      mlirOperationGetOperand(turns->op, kFirstCarried + argument - 1);
  BerthCarried carried = {
      .argument = mlirBlockGetArgument(turns->body, argument),
      .next = mlirOperationGetOperand(mlirBlockGetTerminator(turns->body),
                                      argument - 1)};
  carried.isKnown = berthSmallNumberOf(&nothing, initial, &carried.number);
  return carried;
}

bool berthCarryOn(BerthCarried *carried) {
  BerthSmallNumbers known = berthKnowCarried(carried);
  carried->isKnown =
      carried->isKnown &&
      berthSmallNumberOf(&known, carried->next, &carried->number);
  return carried->isKnown;
}

/// (turn + first) modulo the number of stages, where the loop carries it.
static BerthTurnNumber ringOf(const BerthLoopTurns *turns, MlirValue value) {
  enum { kMost = 64 };
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), turns->body) ||
      mlirBlockArgumentGetArgNumber(value) == 0)
    return unknown;
  BerthCarried carried =
      berthCarriedBy(turns, mlirBlockArgumentGetArgNumber(value));
  int64_t first = carried.number, size = 0;
  if (!carried.isKnown || first < 0 || first >= kMost)
    return unknown;
  for (int64_t number = first; number < kMost && !size; ++number) {
    if (!berthCarryOn(&carried))
      return unknown;
    if (carried.number == 0)
      size = number + 1;
    else if (carried.number != number + 1)
      return unknown;
  }
  for (int64_t number = 0; number < first; ++number)
    if (!size || !berthCarryOn(&carried) || carried.number != number + 1)
      return unknown;
  return size > 1 ? (BerthTurnNumber){true, true, first, size} : unknown;
}

/// Less than the largest number of any type.
enum { kMostModulus = 64, kLeastBits = 8 };

static BerthTurnNumber remainderOf(const BerthLoopTurns *turns,
                                   MlirOperation op) {
  int64_t modulus, ahead;
  bool isMask = berthOpIs(op, BERTH_OP_AND);
  if (!berthValueIsConstant(mlirOperationGetOperand(op, 1), &modulus))
    return unknown;
  modulus += isMask;
  bool isRight = modulus > 0 && modulus <= kMostModulus &&
                 (!isMask || !(modulus & (modulus - 1))) &&
                 isTurn(turns, mlirOperationGetOperand(op, 0), &ahead) &&
                 (isMask || berthOpIsUnsigned(op) || isNatural(turns, ahead));
  return isRight ? (BerthTurnNumber){true, true, ahead, modulus} : unknown;
}

BerthTurnNumber berthTurnNumberOf(const BerthLoopTurns *turns,
                                  MlirValue value) {
  int64_t number;
  MlirOperation op;
  if (berthValueIsConstant(value, &number))
    return (BerthTurnNumber){true, false, number, 0};
  // A remainder by a small number is as large in all types but the smallest.
  while (getMaker(value, BERTH_OP_SAME_NUMBER, &op)) {
    value = mlirOperationGetOperand(op, 0);
    MlirType type = mlirValueGetType(value);
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < kLeastBits)
      return unknown;
  }
  if (getMaker(value, BERTH_OP_REMAINDER, &op) ||
      getMaker(value, BERTH_OP_AND, &op))
    return remainderOf(turns, op);
  BerthTurnNumber ring = ringOf(turns, value);
  if (ring.isKnown)
    return ring;
  return isTurn(turns, value, &number)
             ? (BerthTurnNumber){true, true, number, 0}
             : unknown;
}

bool berthIsSameTurn(BerthTurnNumber a, BerthTurnNumber b) {
  return a.isKnown && b.isKnown && a.hasTurn == b.hasTurn && a.ahead == b.ahead;
}

//===----------------------------------------------------------------------===//
// Turns that follow
//===----------------------------------------------------------------------===//

/// True if the value is the number of turns behind the one whose variable is
/// `variable`: (upper - 1 - variable) / step. It is one without sign.
static bool isLeft(const BerthLoopTurns *turns, MlirValue value,
                   MlirValue variable) {
  MlirOperation op;
  int64_t step, divisor, first, second;
  bool isOne = isConstant(turns->step, 1);
  if (getMaker(value, BERTH_OP_QUOTIENT, &op)) {
    MlirValue by = mlirOperationGetOperand(op, 1);
    bool isStep = berthIsSameValue(by, turns->step) ||
                  (berthValueIsConstant(turns->step, &step) &&
                   berthValueIsConstant(by, &divisor) && step == divisor);
    if (!isStep || !berthOpIsUnsigned(op))
      return false;
    value = mlirOperationGetOperand(op, 0);
  } else if (!isOne) {
    return false;
  }
  Sum sum = sumOf(value), upper = sumOf(turns->upper), from = sumOf(variable);
  if (mlirValueIsNull(sum.base))
    return false;
  if (getMaker(sum.base, BERTH_OP_DIFFERENCE, &op) &&
      isPlus(mlirOperationGetOperand(op, 0), turns->upper, &first) &&
      isPlus(mlirOperationGetOperand(op, 1), variable, &second))
    return sum.offset + first - second == -1;
  // What is left of one bound, if the other one is a number.
  return mlirValueIsNull(from.base) && isSameBase(sum, upper) &&
         sum.offset - upper.offset + from.offset == -1;
}

/// As arith.cmpi numbers them.
enum { kNotEqual = 1, kSignedLess = 2, kSignedLessEqual = 3 };
enum { kSignedGreater = 4, kSignedGreaterEqual = 5 };
enum { kLess = 6, kLessEqual = 7, kGreater = 8, kGreaterEqual = 9 };

/// The turns that follow where the variable and something more is below a
/// bound: numbers all of them, none of which overflows.
static int64_t followersBelow(const BerthLoopTurns *turns, MlirValue sum,
                              MlirValue bound, int64_t more, bool isUnsigned) {
  enum { kLeastBits = 32 };
  Sum of = sumOf(sum);
  int64_t lower, upper, step, below;
  MlirType type = mlirValueGetType(turns->variable);
  if (mlirValueIsNull(of.base) || !mlirValueEqual(of.base, turns->variable) ||
      turns->isUnsigned ||
      (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < kLeastBits))
    return 0;
  bool areNumbers = berthValueIsConstant(turns->lower, &lower) &&
                    berthValueIsConstant(turns->upper, &upper) &&
                    berthValueIsConstant(turns->step, &step) &&
                    berthValueIsConstant(bound, &below) && step > 0 &&
                    step <= kMostOffset && lower >= -kMostOffset / 2 &&
                    upper <= kMostOffset / 2 && below <= kMostOffset / 2 &&
                    below >= -kMostOffset / 2 &&
                    of.offset <= kMostOffset / 2 &&
                    of.offset >= -kMostOffset / 2;
  if (!areNumbers || (isUnsigned && (lower + of.offset < 0 || below < 0)))
    return 0;
  int64_t way = upper - (below + more) + of.offset;
  return way > 0 ? way / step : 0;
}

/// `number` turns and `more` at least follow.
static int64_t followersOf(const BerthLoopTurns *turns, MlirValue number,
                           MlirValue left, int64_t more, MlirValue variable) {
  int64_t constant;
  return berthValueIsConstant(number, &constant) && constant >= 0 &&
                 isLeft(turns, left, variable)
             ? constant + more
             : 0;
}

static int64_t followersByComparison(const BerthLoopTurns *turns,
                                     MlirOperation op, MlirValue variable) {
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b = mlirOperationGetOperand(op, 1);
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  int64_t below = 0;
  bool isUnsigned = predicate >= kLess;
  if (mlirValueEqual(variable, turns->variable))
    switch (predicate) {
    case kSignedLess:
    case kLess:
      below = followersBelow(turns, a, b, 0, isUnsigned);
      break;
    case kSignedLessEqual:
    case kLessEqual:
      below = followersBelow(turns, a, b, 1, isUnsigned);
      break;
    case kSignedGreater:
    case kGreater:
      below = followersBelow(turns, b, a, 0, isUnsigned);
      break;
    case kSignedGreaterEqual:
    case kGreaterEqual:
      below = followersBelow(turns, b, a, 1, isUnsigned);
      break;
    default:
      break;
    }
  if (below)
    return below;
  switch (predicate) {
  case kLessEqual:
    return followersOf(turns, a, b, 0, variable);
  case kLess:
    return followersOf(turns, a, b, 1, variable);
  case kGreaterEqual:
    return followersOf(turns, b, a, 0, variable);
  case kGreater:
    return followersOf(turns, b, a, 1, variable);
  case kNotEqual:
    return isConstant(b, 0) ? followersOf(turns, b, a, 1, variable) : 0;
  default:
    return 0;
  }
}

/// Each part of a condition that is true is true.
static int64_t followers(const BerthLoopTurns *turns, MlirValue condition,
                         MlirValue variable) {
  MlirOperation op;
  if (getMaker(condition, BERTH_OP_AND, &op)) {
    int64_t a = followers(turns, mlirOperationGetOperand(op, 0), variable);
    int64_t b = followers(turns, mlirOperationGetOperand(op, 1), variable);
    return a > b ? a : b;
  }
  return getMaker(condition, BERTH_OP_COMPARISON, &op)
             ? followersByComparison(turns, op, variable)
             : 0;
}

int64_t berthTurnsThatFollow(const BerthLoopTurns *turns, MlirValue condition) {
  return followers(turns, condition, turns->variable);
}

/// lower < upper, as the loop compares them.
static bool saysAny(const BerthLoopTurns *turns, MlirValue condition) {
  MlirOperation op;
  if (getMaker(condition, BERTH_OP_AND, &op))
    return saysAny(turns, mlirOperationGetOperand(op, 0)) ||
           saysAny(turns, mlirOperationGetOperand(op, 1));
  if (!getMaker(condition, BERTH_OP_COMPARISON, &op))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  bool isLess = predicate == (turns->isUnsigned ? kLess : kSignedLess);
  bool isGreater = predicate == (turns->isUnsigned ? kGreater : kSignedGreater);
  MlirValue lower = mlirOperationGetOperand(op, isGreater);
  MlirValue upper = mlirOperationGetOperand(op, !isGreater);
  return (isLess || isGreater) && berthIsSameValue(lower, turns->lower) &&
         berthIsSameValue(upper, turns->upper);
}

int64_t berthTurnsThatCome(const BerthLoopTurns *turns, MlirValue condition) {
  return saysAny(turns, condition)
             ? 1 + followers(turns, condition, turns->lower)
             : 0;
}
