//===- TurnForms.c - Numbers as functions of a loop's turn ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Turns/TurnForms.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Turns/CarriedRings.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// How deep sums are looked into.
enum { kMostDepth = 32 };

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Numbers without sign may lie on both sides of the largest one with a sign.
static int64_t countUnsigned(const BerthTurnLoop *turns) {
  MlirType type = mlirValueGetType(turns->variable);
  if (!turns->isUnsigned || !turns->hasLower || !turns->hasUpper ||
      !turns->hasStep || turns->stepNumber <= 0 || !mlirTypeIsAInteger(type) ||
      mlirIntegerTypeGetWidth(type) > 32)
    return -1;
  int64_t mask = (INT64_C(1) << mlirIntegerTypeGetWidth(type)) - 1;
  int64_t way = (turns->upperNumber & mask) - (turns->lowerNumber & mask);
  return way > 0 ? (way - 1) / turns->stepNumber + 1 : 0;
}

BerthTurnLoop berthTurnLoopOf(MlirOperation loop) {
  enum { kLower, kUpper, kStep };
  MlirValue bounds[2];
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  BerthTurnLoop turns = {.op = loop,
                         .body = body,
                         .variable = mlirBlockGetArgument(body, 0),
                         .lower = mlirOperationGetOperand(loop, kLower),
                         .upper = mlirOperationGetOperand(loop, kUpper),
                         .step = mlirOperationGetOperand(loop, kStep),
                         .count = -1};
  turns.isUnsigned =
      berthRegionGetCondition(loop, 0, bounds) == BERTH_RUNS_WHEN_LESS_UNSIGNED;
  turns.hasLower = berthValueIsConstant(turns.lower, &turns.lowerNumber);
  turns.hasUpper = berthValueIsConstant(turns.upper, &turns.upperNumber);
  turns.hasStep = berthValueIsConstant(turns.step, &turns.stepNumber);
  if (berthLoopGetRanges(loop, range) == 1)
    turns.count = range[0].count;
  else
    turns.count = countUnsigned(&turns);
  return turns;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static const BerthTurnForm unknown = {.isKnown = false};

static BerthTurnForm numberForm(int64_t number) {
  BerthTurnForm form = {.isKnown = true};
  form.terms[BERTH_TERM_NUMBER] = number;
  return form;
}

/// Adds a value from outside of the loop, so many times.
static bool addOuter(BerthTurnForm *form, MlirValue value, int64_t factor) {
  int k = 0;
  while (k < form->numOuter && !berthIsSameValue(form->outer[k], value))
    ++k;
  if (k == BERTH_MOST_OUTER_VALUES)
    return false;
  if (k == form->numOuter) {
    form->outer[form->numOuter] = value;
    form->factors[form->numOuter++] = 0;
  }
  if (__builtin_add_overflow(form->factors[k], factor, &form->factors[k]))
    return false;
  if (form->factors[k] == 0) {
    form->outer[k] = form->outer[--form->numOuter];
    form->factors[k] = form->factors[form->numOuter];
  }
  return true;
}

/// a + b * factor
static BerthTurnForm sum(const BerthTurnForm *a, const BerthTurnForm *b,
                         int64_t factor) {
  if (!a->isKnown || !b->isKnown || a->modulus || b->modulus)
    return unknown;
  BerthTurnForm result = *a;
  int64_t more;
  for (int i = 0; i < BERTH_NUM_TURN_TERMS; ++i)
    if (__builtin_mul_overflow(b->terms[i], factor, &more) ||
        __builtin_add_overflow(a->terms[i], more, &result.terms[i]))
      return unknown;
  for (int k = 0; k < b->numOuter; ++k)
    if (__builtin_mul_overflow(b->factors[k], factor, &more) ||
        !addOuter(&result, b->outer[k], more))
      return unknown;
  return result;
}

bool berthTurnFormsAreEqual(const BerthTurnForm *a, const BerthTurnForm *b) {
  BerthTurnForm rest = *a, other = *b;
  rest.modulus = other.modulus = 0;
  rest = sum(&rest, &other, -1);
  bool isZero = rest.isKnown && rest.numOuter == 0;
  for (int i = 0; i < BERTH_NUM_TURN_TERMS; ++i)
    isZero = isZero && rest.terms[i] == 0;
  return isZero && a->modulus == b->modulus;
}

/// True if all terms but numbers and perhaps one other are 0.
static bool hasOnly(const BerthTurnForm *form, BerthTurnTerm term) {
  for (int i = 0; i < BERTH_TERM_NUMBER; ++i)
    if (i != (int)term && form->terms[i])
      return false;
  return form->isKnown && form->numOuter == 0;
}

bool berthTurnFormIsNumber(const BerthTurnForm *form, int64_t *number) {
  *number = form->terms[BERTH_TERM_NUMBER];
  return hasOnly(form, BERTH_TERM_NUMBER) && !form->modulus;
}

bool berthTurnFormsDistance(const BerthTurnForm *a, const BerthTurnForm *b,
                            int64_t *distance) {
  BerthTurnForm way = sum(b, a, -1);
  return berthTurnFormIsNumber(&way, distance);
}

bool berthTurnFormIsSlot(const BerthTurnForm *form, int64_t modulus,
                         int64_t *ahead) {
  *ahead = form->terms[BERTH_TERM_NUMBER];
  return hasOnly(form, BERTH_TERM_TURN) && form->terms[BERTH_TERM_TURN] == 1 &&
         form->modulus == modulus;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

typedef struct Reading {
  const BerthTurnLoop *loop;
  const int64_t *turn;
} Reading;

static BerthTurnForm read(const Reading *reading, MlirValue value, int depth);

static BerthTurnForm readBound(const BerthTurnLoop *loop, MlirValue value) {
  Reading reading = {loop, NULL};
  return read(&reading, value, 0);
}

BerthTurnForm berthTurnFormOfVariable(const BerthTurnLoop *loop,
                                      const int64_t *turn) {
  BerthTurnForm form = readBound(loop, loop->lower), way = numberForm(0);
  if (turn) {
    BerthTurnForm step = readBound(loop, loop->step);
    return sum(&form, &step, *turn);
  }
  way.terms[loop->hasStep ? BERTH_TERM_TURN : BERTH_TERM_TURN_STEP] =
      loop->hasStep ? loop->stepNumber : 1;
  return sum(&form, &way, 1);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// True for no more than the variable of a loop that counts from 0 up, or for
/// numbers of 64 bits for something that is added to it.
static bool isFromZero(const BerthTurnLoop *loop, const BerthTurnForm *form) {
  enum { kAllBits = 64 };
  MlirType type = mlirValueGetType(loop->variable);
  bool isWide =
      !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) >= kAllBits;
  int64_t number = form->terms[BERTH_TERM_NUMBER];
  int64_t factor = form->terms[BERTH_TERM_TURN];
  return !loop->isUnsigned && loop->hasLower && loop->lowerNumber == 0 &&
         (number == 0 || (isWide && number > 0 && number <= INT32_MAX)) &&
         (factor == 1 || (loop->hasStep && factor <= loop->stepNumber));
}

/// True if the form is below 0 or above what a signed number holds in no turn,
/// so that it does not matter how it is divided.
static bool isNatural(const BerthTurnLoop *loop, const BerthTurnForm *form) {
  int64_t last;
  int64_t number = form->terms[BERTH_TERM_NUMBER];
  if (hasOnly(form, BERTH_TERM_TURN) && form->terms[BERTH_TERM_TURN] > 0 &&
      isFromZero(loop, form))
    return true;
  return hasOnly(form, BERTH_TERM_TURN) && number >= 0 &&
         form->terms[BERTH_TERM_TURN] >= 0 && loop->count >= 0 &&
         !__builtin_mul_overflow(form->terms[BERTH_TERM_TURN], loop->count,
                                 &last) &&
         !__builtin_add_overflow(last, number, &last) && last <= INT32_MAX;
}

/// True if the form overflows in no turn, wherever it begins.
static bool isSmall(const BerthTurnLoop *loop, const BerthTurnForm *form) {
  BerthTurnForm way = *form;
  way.terms[BERTH_TERM_NUMBER] = 0;
  return form->terms[BERTH_TERM_NUMBER] >= INT32_MIN &&
         form->terms[BERTH_TERM_NUMBER] <= INT32_MAX && isNatural(loop, &way);
}

/// Below 0 all depends on it.
typedef enum Rounding { TO_ZERO, DOWN, UNSIGNED } Rounding;

static int64_t divideDown(int64_t number, int64_t divisor) {
  return number / divisor - (number % divisor < 0);
}

/// True for what the loop has counted since its first turn, which is below 0 in
/// none if it is taken without sign.
static bool isWay(const BerthTurnLoop *loop, const BerthTurnForm *form) {
  BerthTurnForm way = berthTurnFormOfVariable(loop, NULL);
  BerthTurnForm lower = readBound(loop, loop->lower);
  way = sum(&way, &lower, -1);
  return berthTurnFormsAreEqual(form, &way);
}

static BerthTurnForm divide(const BerthTurnLoop *loop, const BerthTurnForm *a,
                            const BerthTurnForm *b, Rounding rounding) {
  bool isUnsigned = rounding == UNSIGNED;
  int64_t divisor, number;
  if (!a->isKnown || !b->isKnown || a->modulus || b->modulus)
    return unknown;
  if (!berthTurnFormIsNumber(b, &divisor)) {
    BerthTurnForm step = readBound(loop, loop->step);
    BerthTurnForm turn = numberForm(0);
    turn.terms[BERTH_TERM_TURN] = 1;
    bool isFit = isUnsigned || (!loop->isUnsigned && loop->hasLower &&
                                loop->lowerNumber == 0);
    return isFit && berthTurnFormsAreEqual(b, &step) && isWay(loop, a)
               ? turn
               : unknown;
  }
  if (divisor <= 0)
    return unknown;
  if (berthTurnFormIsNumber(a, &number))
    return number >= 0 ? numberForm(number / divisor) : unknown;
  bool isDivided = hasOnly(a, BERTH_TERM_TURN) &&
                   a->terms[BERTH_TERM_TURN] % divisor == 0 &&
                   (isNatural(loop, a) || (isUnsigned && isWay(loop, a)) ||
                    (rounding == DOWN && isSmall(loop, a)));
  if (!isDivided)
    return unknown;
  BerthTurnForm result =
      numberForm(divideDown(a->terms[BERTH_TERM_NUMBER], divisor));
  result.terms[BERTH_TERM_TURN] = a->terms[BERTH_TERM_TURN] / divisor;
  return result;
}

static BerthTurnForm takeRemainder(const BerthTurnLoop *loop,
                                   const BerthTurnForm *a,
                                   const BerthTurnForm *b, Rounding rounding) {
  int64_t divisor, number;
  if (!a->isKnown || a->modulus || !berthTurnFormIsNumber(b, &divisor) ||
      divisor <= 0)
    return unknown;
  if (berthTurnFormIsNumber(a, &number))
    return number >= 0 ? numberForm(number % divisor) : unknown;
  bool isTurn = hasOnly(a, BERTH_TERM_TURN) && a->terms[BERTH_TERM_TURN] == 1 &&
                ((rounding == UNSIGNED && a->terms[BERTH_TERM_NUMBER] >= 0) ||
                 (rounding == DOWN && isSmall(loop, a)) || isNatural(loop, a));
  if (!isTurn)
    return unknown;
  BerthTurnForm result = *a;
  result.terms[BERTH_TERM_NUMBER] -=
      divideDown(a->terms[BERTH_TERM_NUMBER], divisor) * divisor;
  result.modulus = divisor;
  return result;
}

static BerthTurnForm multiply(const BerthTurnForm *a, const BerthTurnForm *b) {
  BerthTurnForm zero = numberForm(0);
  int64_t number;
  if (berthTurnFormIsNumber(b, &number))
    return sum(&zero, a, number);
  return berthTurnFormIsNumber(a, &number) ? sum(&zero, b, number) : unknown;
}

/// The operands of an affine map.
typedef struct MapOperands {
  MlirOperation op;
  intptr_t numDims;
} MapOperands;

static BerthTurnForm readExpr(const Reading *reading, MlirAffineExpr expr,
                              MapOperands operands, int depth);

/// Of -c times a quotient by c, which is above 0, finds that.
static bool isTakenQuotient(MlirAffineExpr expr, int64_t *divisor,
                            MlirAffineExpr *dividend) {
  if (!mlirAffineExprIsAMul(expr))
    return false;
  MlirAffineExpr quotient = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr factor = mlirAffineBinaryOpExprGetRHS(expr);
  if (!mlirAffineExprIsAFloorDiv(quotient) ||
      !mlirAffineExprIsAConstant(factor) ||
      !mlirAffineExprIsAConstant(mlirAffineBinaryOpExprGetRHS(quotient)))
    return false;
  *divisor =
      mlirAffineConstantExprGetValue(mlirAffineBinaryOpExprGetRHS(quotient));
  *dividend = mlirAffineBinaryOpExprGetLHS(quotient);
  return *divisor > 0 && mlirAffineConstantExprGetValue(factor) == -*divisor;
}

/// The terms of a sum.
typedef struct Terms {
  BerthTurnForm rest;      ///< all but a quotient that is taken from them
  MlirAffineExpr dividend; ///< of that; or null
  int64_t divisor;
} Terms;

static void addTerms(Terms *terms, const Reading *reading, MlirAffineExpr expr,
                     MapOperands operands, int depth) {
  if (depth > kMostDepth) {
    terms->rest = unknown;
  } else if (mlirAffineExprIsAAdd(expr)) {
    addTerms(terms, reading, mlirAffineBinaryOpExprGetLHS(expr), operands,
             depth + 1);
    addTerms(terms, reading, mlirAffineBinaryOpExprGetRHS(expr), operands,
             depth + 1);
  } else if (!terms->dividend.ptr &&
             isTakenQuotient(expr, &terms->divisor, &terms->dividend)) {
    return;
  } else {
    BerthTurnForm term = readExpr(reading, expr, operands, depth + 1);
    terms->rest = sum(&terms->rest, &term, 1);
  }
}

/// x - (x floordiv c) * c, which MLIR makes of remainders of sums, is one.
static BerthTurnForm readSum(const Reading *reading, MlirAffineExpr expr,
                             MapOperands operands, int depth) {
  Terms terms = {.rest = numberForm(0)};
  addTerms(&terms, reading, expr, operands, depth);
  if (!terms.dividend.ptr)
    return terms.rest;
  BerthTurnForm x = readExpr(reading, terms.dividend, operands, depth + 1);
  BerthTurnForm divisor = numberForm(terms.divisor);
  return terms.rest.isKnown && x.isKnown &&
                 berthTurnFormsAreEqual(&x, &terms.rest)
             ? takeRemainder(reading->loop, &x, &divisor, DOWN)
             : unknown;
}

static BerthTurnForm readExpr(const Reading *reading, MlirAffineExpr expr,
                              MapOperands operands, int depth) {
  MlirOperation op = operands.op;
  if (depth > kMostDepth)
    return unknown;
  if (mlirAffineExprIsAConstant(expr))
    return numberForm(mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return read(reading,
                mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(expr)),
                depth + 1);
  if (mlirAffineExprIsASymbol(expr))
    return read(
        reading,
        mlirOperationGetOperand(op, operands.numDims +
                                        mlirAffineSymbolExprGetPosition(expr)),
        depth + 1);
  if (mlirAffineExprIsAAdd(expr))
    return readSum(reading, expr, operands, depth);
  BerthTurnForm a = readExpr(reading, mlirAffineBinaryOpExprGetLHS(expr),
                             operands, depth + 1);
  BerthTurnForm b = readExpr(reading, mlirAffineBinaryOpExprGetRHS(expr),
                             operands, depth + 1);
  if (mlirAffineExprIsAMul(expr))
    return multiply(&a, &b);
  if (mlirAffineExprIsAMod(expr))
    return takeRemainder(reading->loop, &a, &b, DOWN);
  return mlirAffineExprIsACeilDiv(expr) ? unknown
                                        : divide(reading->loop, &a, &b, DOWN);
}

static BerthTurnForm readMap(const Reading *reading, MlirOperation op,
                             int depth) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return unknown;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  MapOperands operands = {op, mlirAffineMapGetNumDims(map)};
  return readExpr(reading, mlirAffineMapGetResult(map, 0), operands, depth);
}

/// A remainder stays what it is in any type that has room for it; other numbers
/// may be cut off, or lose their sign.
static BerthTurnForm readCast(const Reading *reading, MlirOperation op,
                              int depth) {
  BerthTurnForm form = read(reading, mlirOperationGetOperand(op, 0), depth + 1);
  int64_t number;
  bool isSmall = form.modulus ? form.modulus <= INT8_MAX
                              : berthTurnFormIsNumber(&form, &number) &&
                                    number >= 0 && number <= INT8_MAX;
  return isSmall ? form : unknown;
}

/// The last bits of a number are its remainder, by whatever sign.
static BerthTurnForm readMask(const BerthTurnLoop *loop, const BerthTurnForm *a,
                              const BerthTurnForm *mask) {
  int64_t bits;
  if (!berthTurnFormIsNumber(mask, &bits) || bits < 0 || bits > INT8_MAX ||
      (bits & (bits + 1)))
    return unknown;
  BerthTurnForm divisor = numberForm(bits + 1);
  return takeRemainder(loop, a, &divisor, UNSIGNED);
}

static BerthTurnForm readOp(const Reading *reading, MlirOperation op,
                            int depth) {
  if (berthOpIs(op, BERTH_OP_APPLY))
    return readMap(reading, op, depth);
  if (berthOpIs(op, BERTH_OP_SAME_NUMBER))
    return readCast(reading, op, depth);
  if (!berthOpIsArithmetic(op) || mlirOperationGetNumOperands(op) != 2)
    return unknown;
  BerthTurnForm a = read(reading, mlirOperationGetOperand(op, 0), depth + 1);
  BerthTurnForm b = read(reading, mlirOperationGetOperand(op, 1), depth + 1);
  Rounding rounding = berthOpIsUnsigned(op) ? UNSIGNED : TO_ZERO;
  if (berthOpIs(op, BERTH_OP_SUM))
    return sum(&a, &b, 1);
  if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    return sum(&a, &b, -1);
  if (berthOpIs(op, BERTH_OP_PRODUCT))
    return multiply(&a, &b);
  if (berthOpIs(op, BERTH_OP_AND))
    return readMask(reading->loop, &a, &b);
  if (berthOpIs(op, BERTH_OP_QUOTIENT))
    return divide(reading->loop, &a, &b, rounding);
  return berthOpIs(op, BERTH_OP_REMAINDER)
             ? takeRemainder(reading->loop, &a, &b, rounding)
             : unknown;
}

//===----------------------------------------------------------------------===//
// Numbers that the loop carries
//===----------------------------------------------------------------------===//

static BerthTurnForm readCarried(const Reading *reading, MlirValue value) {
  BerthCarriedRing ring;
  if (!berthCarriedRingOf(reading->loop->op, value, &ring))
    return unknown;
  if (reading->turn) {
    int64_t rest = (ring.first + *reading->turn % ring.size) % ring.size;
    return numberForm(rest < 0 ? rest + ring.size : rest);
  }
  BerthTurnForm form = numberForm(ring.first);
  form.terms[BERTH_TERM_TURN] = 1;
  form.modulus = ring.size;
  return form;
}

static bool isInLoop(const BerthTurnLoop *loop, MlirValue value) {
  MlirBlock block = mlirValueIsAOpResult(value)
                        ? mlirOperationGetBlock(mlirOpResultGetOwner(value))
                        : mlirBlockArgumentGetOwner(value);
  while (!mlirBlockIsNull(block)) {
    if (mlirBlockEqual(block, loop->body))
      return true;
    MlirOperation parent = mlirBlockGetParentOperation(block);
    block = mlirOperationIsNull(parent) ? (MlirBlock){NULL}
                                        : mlirOperationGetBlock(parent);
  }
  return false;
}

/// What nothing more is known of, but that it is one number in all turns.
static BerthTurnForm outerForm(const BerthTurnLoop *loop, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  BerthTurnForm form = numberForm(0);
  bool isOuter = (mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) &&
                 !isInLoop(loop, value) && addOuter(&form, value, 1);
  return isOuter ? form : unknown;
}

static BerthTurnForm read(const Reading *reading, MlirValue value, int depth) {
  const BerthTurnLoop *loop = reading->loop;
  int64_t number;
  if (depth > kMostDepth)
    return unknown;
  if (berthValueIsConstant(value, &number))
    return numberForm(number);
  if (mlirValueEqual(value, loop->variable))
    return berthTurnFormOfVariable(loop, reading->turn);
  BerthTurnForm form = unknown;
  if (mlirValueIsAOpResult(value))
    form = readOp(reading, mlirOpResultGetOwner(value), depth);
  else if (!mlirOperationIsNull(loop->op))
    form = readCarried(reading, value);
  return form.isKnown ? form : outerForm(loop, value);
}

BerthTurnForm berthTurnFormOf(const BerthTurnLoop *loop, MlirValue value,
                              const int64_t *turn) {
  Reading reading = {loop, turn};
  return read(&reading, value, 0);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// As arith.cmpi numbers them.
enum { kNotEqual = 1, kSignedLess = 2, kUnsignedLess = 6, kLessEqual = 7 };
enum { kGreater = 8, kGreaterEqual = 9, kSignedGreater = 4 };
enum { kSignedLessEqual = 3, kSignedGreaterEqual = 5 };

/// lower < upper, as the loop compares them
static bool readTakesTurn(const BerthTurnLoop *loop, MlirValue less,
                          MlirValue more) {
  return berthIsSameValue(less, loop->lower) &&
         berthIsSameValue(more, loop->upper);
}

/// The turns behind the one whose variable is `variable`: (upper - 1 -
/// variable) / step, without sign.
static bool readLeft(const BerthTurnLoop *loop, MlirValue value,
                     BerthTurnForm *variable) {
  MlirValue way = value;
  bool isOne = loop->hasStep && loop->stepNumber == 1;
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : (MlirOperation){NULL};
  if (!mlirOperationIsNull(op) && berthOpIs(op, BERTH_OP_QUOTIENT)) {
    MlirValue divisor = mlirOperationGetOperand(op, 1);
    int64_t number;
    bool isStep = berthIsSameValue(divisor, loop->step) ||
                  (loop->hasStep && berthValueIsConstant(divisor, &number) &&
                   number == loop->stepNumber);
    if (!isStep || !berthOpIsUnsigned(op))
      return false;
    way = mlirOperationGetOperand(op, 0);
  } else if (!isOne) {
    return false;
  }
  BerthTurnForm form = berthTurnFormOf(loop, way, NULL);
  BerthTurnForm last = readBound(loop, loop->upper);
  BerthTurnForm one = numberForm(1);
  last = sum(&last, &one, -1);
  *variable = sum(&last, &form, -1);
  return variable->isKnown;
}

/// `number` turns, and `more` that the value is the larger or the equal one.
static bool readFollows(const BerthTurnLoop *loop, MlirValue number,
                        MlirValue left, int64_t more, BerthTurnGuard *guard) {
  int64_t ahead;
  BerthTurnForm variable;
  if (!berthValueIsConstant(number, &ahead) || ahead + more < 1 ||
      !readLeft(loop, left, &variable))
    return false;
  if (guard->isFollowed && !berthTurnFormsAreEqual(&guard->variable, &variable))
    return false;
  if (!guard->isFollowed || guard->ahead < ahead + more)
    guard->ahead = ahead + more;
  guard->isFollowed = true;
  guard->variable = variable;
  return true;
}

/// factor * turn + number < bound, of small numbers: true in the turns up to
/// some one, behind which the others follow.
static bool readBelow(const BerthTurnLoop *loop, MlirValue less, MlirValue more,
                      int64_t orEqual, bool isUnsigned, BerthTurnGuard *guard) {
  enum { kSmall = 1 << 28, kLeastBits = 32 };
  BerthTurnForm form = berthTurnFormOf(loop, less, NULL);
  BerthTurnForm end = berthTurnFormOf(loop, more, NULL);
  MlirType type = mlirValueGetType(less);
  int64_t bound, number = form.terms[BERTH_TERM_NUMBER];
  int64_t factor = form.terms[BERTH_TERM_TURN];
  bool isSmall =
      !form.modulus && hasOnly(&form, BERTH_TERM_TURN) && factor > 0 &&
      factor < kSmall && number > -kSmall && number < kSmall &&
      loop->count > 0 && loop->count < kSmall &&
      factor * loop->count < kSmall && berthTurnFormIsNumber(&end, &bound) &&
      bound > -kSmall && bound < kSmall &&
      !(isUnsigned && (number < 0 || bound < 0)) &&
      (!mlirTypeIsAInteger(type) ||
       mlirIntegerTypeGetWidth(type) >= kLeastBits);
  if (!isSmall || guard->isFollowed)
    return false;
  int64_t last = bound + orEqual - 1 - number;
  last = last < 0 ? -1 : last / factor;
  guard->ahead = loop->count - 1 - last;
  guard->variable = berthTurnFormOfVariable(loop, NULL);
  guard->isFollowed = guard->ahead > 0;
  return guard->isFollowed;
}

static bool addComparison(const BerthTurnLoop *loop, MlirOperation op,
                          BerthTurnGuard *guard) {
  MlirAttribute attribute = berthAttributeOf(op, "predicate");
  int64_t predicate = mlirIntegerAttrGetValueInt(attribute);
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b = mlirOperationGetOperand(op, 1);
  int64_t zero;
  int64_t less = loop->isUnsigned ? kUnsignedLess : kSignedLess;
  int64_t greater = loop->isUnsigned ? kGreater : kSignedGreater;
  if ((predicate == less && readTakesTurn(loop, a, b)) ||
      (predicate == greater && readTakesTurn(loop, b, a))) {
    guard->takesTurn = true;
    return true;
  }
  bool isLess = predicate == kSignedLess || predicate == kSignedLessEqual ||
                predicate == kUnsignedLess || predicate == kLessEqual;
  bool hasOrder = predicate >= kSignedLess;
  bool orEqual =
      predicate == kSignedLessEqual || predicate == kSignedGreaterEqual ||
      predicate == kLessEqual || predicate == kGreaterEqual;
  if (hasOrder && readBelow(loop, isLess ? a : b, isLess ? b : a, orEqual,
                            predicate >= kUnsignedLess, guard))
    return true;
  switch (predicate) {
  case kLessEqual:
    return readFollows(loop, a, b, 0, guard);
  case kUnsignedLess:
    return readFollows(loop, a, b, 1, guard);
  case kGreaterEqual:
    return readFollows(loop, b, a, 0, guard);
  case kGreater:
    return readFollows(loop, b, a, 1, guard);
  case kNotEqual:
    return berthValueIsConstant(b, &zero) && zero == 0 &&
           readFollows(loop, b, a, 1, guard);
  default:
    return false;
  }
}

void berthTurnGuardAdd(const BerthTurnLoop *loop, MlirValue condition,
                       BerthTurnGuard *guard) {
  MlirOperation op = mlirValueIsAOpResult(condition)
                         ? mlirOpResultGetOwner(condition)
                         : (MlirOperation){NULL};
  if (!mlirOperationIsNull(op) && berthOpIs(op, BERTH_OP_AND)) {
    berthTurnGuardAdd(loop, mlirOperationGetOperand(op, 0), guard);
    berthTurnGuardAdd(loop, mlirOperationGetOperand(op, 1), guard);
  } else if (mlirOperationIsNull(op) || !berthOpIs(op, BERTH_OP_COMPARISON) ||
             !addComparison(loop, op, guard)) {
    guard->isKnown = false;
  }
}
