//===- Offsets.c - Bytes at offsets known at run time ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Offsets.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// What is more involved stays unproven.
enum { kDeepest = 64 };

static bool isOp(MlirValue value, BerthOpKind kind, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIs(*op, kind);
}

/// True for a value that is the second or the third operand of its op
/// (arith.select).
static bool isChoice(MlirValue value, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpGetRole(*op, 1) == BERTH_OPERAND_CHOSEN &&
         berthOpGetRole(*op, 2) == BERTH_OPERAND_CHOSEN;
}

static MlirValue operand(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

//===----------------------------------------------------------------------===//
// The bytes of a view
//===----------------------------------------------------------------------===//

static bool multiply(BerthProduct *product, MlirValue value) {
  MlirOperation op;
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return !__builtin_mul_overflow(product->constant, number,
                                   &product->constant);
  if (isOp(value, BERTH_OP_PRODUCT, &op))
    return multiply(product, operand(op, 0)) &&
           multiply(product, operand(op, 1));
  if (product->count == BERTH_MOST_FACTORS)
    return false;
  product->factors[product->count++] = value;
  return true;
}

/// A view of a view's dimensions has the same: memref.dim of a memref.view is
/// the operand.
static MlirValue resolve(MlirValue value) {
  MlirOperation dim, view;
  int64_t index;
  while (isOp(value, BERTH_OP_DIM, &dim) &&
         isOp(operand(dim, 0), BERTH_OP_VIEW, &view) &&
         berthValueIsConstant(operand(dim, 1), &index)) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
    if (index < 0 || index >= mlirShapedTypeGetRank(type) ||
        !mlirShapedTypeIsDynamicDim(type, index))
      return value;
    intptr_t position = 2;
    for (int64_t i = 0; i < index; ++i)
      position += mlirShapedTypeIsDynamicDim(type, i);
    value = operand(view, position);
  }
  return value;
}

/// Element bytes times static dimensions times the view's own operands.
static bool viewProduct(MlirOperation view, BerthProduct *product) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  BerthTypeSize size = {0, 0, 1};
  BerthSizeResult result = berthMemRefGetSize(type, view, &size);
  if (result == BERTH_SIZE_OK) {
    *product = (BerthProduct){.constant = size.bytes};
    return true;
  }
  if (result != BERTH_SIZE_DYNAMIC)
    return false;
  *product = (BerthProduct){.constant = size.elementBytes};
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i) &&
        __builtin_mul_overflow(product->constant,
                               mlirShapedTypeGetDimSize(type, i),
                               &product->constant))
      return false;
  intptr_t count = mlirOperationGetNumOperands(view);
  for (intptr_t i = 2; i < count; ++i)
    if (!multiply(product, resolve(operand(view, i))))
      return false;
  return true;
}

int64_t berthViewMostBytes(MlirOperation view) {
  MlirAttribute claimed = berthAttributeOf(view, BERTH_UPPER_BOUND);
  if (!mlirAttributeIsNull(claimed) && mlirAttributeIsAInteger(claimed))
    return mlirIntegerAttrGetValueInt(claimed);
  BerthProduct product;
  if (!viewProduct(view, &product))
    return INT64_MAX;
  int64_t most = product.constant;
  for (size_t i = 0; i < product.count; ++i) {
    int64_t bound;
    if (!berthValueGetUpperBound(product.factors[i], &bound) ||
        __builtin_mul_overflow(most, bound, &most))
      return INT64_MAX;
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Conditions that hold wherever a view is
//===----------------------------------------------------------------------===//

/// The assert that stands first in its block replaces a later one.
static void noteAssert(BerthAsserts *asserts, MlirValue condition,
                       MlirOperation op) {
  size_t first = berthPointerMapFind(&asserts->firstOf, condition.ptr);
  for (size_t i = first; i != BERTH_NOT_FOUND; i = asserts->items[i].next) {
    BerthAssert *known = &asserts->items[i];
    if (!mlirBlockEqual(mlirOperationGetBlock(known->op),
                        mlirOperationGetBlock(op)))
      continue;
    if (mlirOperationIsBeforeInBlock(op, known->op))
      known->op = op;
    return;
  }
  asserts->items = berthGrow(asserts->items, asserts->count, &asserts->capacity,
                             sizeof *asserts->items);
  asserts->items[asserts->count] = (BerthAssert){op, first};
  berthPointerMapSet(&asserts->firstOf, condition.ptr, asserts->count++);
}

static size_t firstAssert(BerthAsserts *asserts, MlirValue condition) {
  bool isNew = berthPointerMapInsert(&asserts->asked, condition.ptr, 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(condition);
       isNew && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (berthOpIs(mlirOpOperandGetOwner(use), BERTH_OP_ASSERT))
      noteAssert(asserts, condition, mlirOpOperandGetOwner(use));
  return berthPointerMapFind(&asserts->firstOf, condition.ptr);
}

void berthAssertsFree(BerthAsserts *asserts) {
  berthPointerMapFree(&asserts->asked);
  berthPointerMapFree(&asserts->firstOf);
  berthSizeNumbersFree(&asserts->numbers);
  free(asserts->items);
}

/// True if a cf.assert of the condition stands in front of `op` in its block.
static bool isAsserted(BerthAsserts *asserts, MlirValue condition,
                       MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  for (size_t i = firstAssert(asserts, condition); i != BERTH_NOT_FOUND;
       i = asserts->items[i].next)
    if (mlirBlockEqual(mlirOperationGetBlock(asserts->items[i].op), block))
      return mlirOperationIsBeforeInBlock(asserts->items[i].op, op);
  return false;
}

static int64_t predicateOf(MlirOperation compare) {
  return mlirIntegerAttrGetValueInt(berthAttributeOf(compare, "predicate"));
}

/// True if both are surely equal, be one made of a buffer's dimension and the
/// other of what that is.
static bool areEqual(BerthAsserts *asserts, MlirValue a, MlirValue b) {
  return mlirValueEqual(a, b) || berthSizeNumberOf(&asserts->numbers, a) ==
                                     berthSizeNumberOf(&asserts->numbers, b);
}

/// Canonicalization turns a negated comparison into the opposite one.
static bool isOpposite(BerthAsserts *asserts, MlirValue a, MlirValue b) {
  // Of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
  static const int64_t opposites[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
  MlirOperation first, second;
  return isOp(a, BERTH_OP_COMPARISON, &first) &&
         isOp(b, BERTH_OP_COMPARISON, &second) &&
         opposites[predicateOf(first)] == predicateOf(second) &&
         areEqual(asserts, operand(first, 0), operand(second, 0)) &&
         areEqual(asserts, operand(first, 1), operand(second, 1));
}

/// True if the condition is that the one is less than the other. Where the
/// first is constant, folding turns the comparison around.
static bool isLess(BerthAsserts *asserts, MlirValue condition, bool isSigned,
                   const MlirValue *pair) {
  // Of arith.cmpi's numbers of predicates.
  const int64_t less = isSigned ? 2 : 6, greater = isSigned ? 4 : 8;
  MlirOperation op;
  if (!isOp(condition, BERTH_OP_COMPARISON, &op))
    return false;
  bool isTurned = predicateOf(op) == greater;
  return (isTurned || predicateOf(op) == less) &&
         areEqual(asserts, operand(op, isTurned), pair[0]) &&
         areEqual(asserts, operand(op, !isTurned), pair[1]);
}

/// True if the parent runs this region only when the condition is `truth`.
static bool isRegionCondition(BerthAsserts *asserts, MlirValue condition,
                              bool truth, MlirOperation parent,
                              MlirRegion region) {
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  MlirValue values[2];
  BerthRegionRuns runs = berthRegionGetCondition(parent, index, values);
  switch (runs) {
  case BERTH_RUNS_WHEN_TRUE:
    return truth ? areEqual(asserts, condition, values[0])
                 : isOpposite(asserts, condition, values[0]);
  case BERTH_RUNS_WHEN_FALSE:
    return truth ? isOpposite(asserts, condition, values[0])
                 : areEqual(asserts, condition, values[0]);
  case BERTH_RUNS_WHEN_LESS:
  case BERTH_RUNS_WHEN_LESS_UNSIGNED:
    return truth &&
           isLess(asserts, condition, runs == BERTH_RUNS_WHEN_LESS, values);
  case BERTH_RUNS_ALWAYS:
  case BERTH_RUNS_UNKNOWN:
    return false;
  }
  return false;
}

/// True if an op around or in front of the view says that the condition is
/// `truth`.
static bool isSaid(const BerthOffsetGoal *goal, MlirValue condition,
                   bool truth) {
  for (MlirOperation at = goal->view; !berthOpIsFunction(at);) {
    if (truth && isAsserted(goal->asserts, condition, at))
      return true;
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(at));
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at))
      return false;
    if (!berthOpIsFunction(at) &&
        isRegionCondition(goal->asserts, condition, truth, at, region))
      return true;
  }
  return false;
}

/// True if the condition compares constants, and is `truth`: loops become
/// branches, and their bounds no longer stand around what they run.
static bool isConstantly(MlirValue condition, bool truth) {
  MlirOperation op;
  int64_t a, b;
  if (!isOp(condition, BERTH_OP_COMPARISON, &op) ||
      !mlirTypeIsAIndex(mlirValueGetType(operand(op, 0))) ||
      !berthValueIsConstant(operand(op, 0), &a) ||
      !berthValueIsConstant(operand(op, 1), &b))
    return false;
  bool isBelow = (uint64_t)a<(uint64_t)b, isAbove = (uint64_t)a>(uint64_t) b;
  const bool results[] = {a == b,  a != b,   a<b, a <= b, a> b, a >= b,
                          isBelow, !isAbove, isAbove,           !isBelow};
  return results[predicateOf(op)] == truth;
}

/// True if the condition is `truth` whenever the view is made.
static bool holdsAt(const BerthOffsetGoal *goal, MlirValue condition,
                    bool truth) {
  MlirOperation op;
  int64_t one;
  if (isConstantly(condition, truth) || isSaid(goal, condition, truth))
    return true;
  if (truth && isOp(condition, BERTH_OP_AND, &op))
    return holdsAt(goal, operand(op, 0), truth) &&
           holdsAt(goal, operand(op, 1), truth);
  return isOp(condition, BERTH_OP_XOR, &op) &&
         berthValueIsConstant(operand(op, 1), &one) && one != 0 &&
         holdsAt(goal, operand(op, 0), !truth);
}

//===----------------------------------------------------------------------===//
// At least as much as the bytes of a view
//===----------------------------------------------------------------------===//

/// True if the factors of `less` are among those of `more`, and as many.
static bool haveSameFactors(BerthAsserts *asserts, const BerthProduct *more,
                            const BerthProduct *less) {
  bool used[BERTH_MOST_FACTORS] = {false};
  if (more->count != less->count)
    return false;
  for (size_t i = 0; i < less->count; ++i) {
    size_t k = 0;
    while (k < more->count &&
           (used[k] || !areEqual(asserts, more->factors[k], less->factors[i])))
      ++k;
    if (k == more->count)
      return false;
    used[k] = true;
  }
  return true;
}

/// (x + mask) & ~mask, which is x or more: x; else null.
static MlirValue roundedUp(MlirValue value) {
  MlirOperation both, sum;
  int64_t keep, add;
  bool isRounding = isOp(value, BERTH_OP_AND, &both) &&
                    berthValueIsConstant(operand(both, 1), &keep) &&
                    isOp(operand(both, 0), BERTH_OP_SUM, &sum) &&
                    berthValueIsConstant(operand(sum, 1), &add) && add >= 0 &&
                    keep == ~add;
  return isRounding ? operand(sum, 0) : (MlirValue){NULL};
}

static bool isZero(MlirValue value) {
  int64_t number;
  return berthValueIsConstant(value, &number) && number == 0;
}

/// True if `value` is the product that the view's bytes are, or more of it.
static bool isMultiple(const BerthOffsetGoal *goal, MlirValue value) {
  BerthProduct more = {.constant = 1};
  return goal->hasProduct && multiply(&more, value) &&
         more.constant >= goal->product.constant &&
         haveSameFactors(goal->asserts, &more, &goal->product);
}

/// Bounds of values are dear to find.
static int64_t mostBytesOf(BerthOffsetGoal *goal) {
  if (goal->mostBytes < 0)
    goal->mostBytes = berthViewMostBytes(goal->view);
  return goal->mostBytes;
}

/// True if `value` is at least the bytes of the view, whenever that is made.
static bool covers(BerthOffsetGoal *goal, MlirValue value, int depth) {
  MlirOperation op;
  int64_t number;
  if (depth == 0)
    return false;
  if (berthValueIsConstant(value, &number) && number >= mostBytesOf(goal))
    return true;
  if (isMultiple(goal, value))
    return true;
  if (isOp(value, BERTH_OP_UNSIGNED_MAX, &op))
    return covers(goal, operand(op, 0), depth - 1) ||
           covers(goal, operand(op, 1), depth - 1);
  if (isChoice(value, &op))
    for (int i = 1; i <= 2; ++i)
      if (isZero(operand(op, 3 - i)) &&
          covers(goal, operand(op, i), depth - 1) &&
          holdsAt(goal, operand(op, 0), i == 1))
        return true;
  MlirValue rounded = roundedUp(value);
  return !mlirValueIsNull(rounded) && covers(goal, rounded, depth - 1);
}

//===----------------------------------------------------------------------===//
// At least the end of a view
//===----------------------------------------------------------------------===//

BerthOffsetTerm berthOffsetTermOf(MlirValue value) {
  MlirOperation op;
  BerthOffsetTerm term = {.value = value};
  if (isOp(value, BERTH_OP_SUM, &op))
    term.kind = BERTH_TERM_SUM;
  else if (isOp(value, BERTH_OP_UNSIGNED_MAX, &op))
    term.kind = BERTH_TERM_MAXIMUM;
  if (term.kind != BERTH_TERM_OTHER) {
    term.operands[0] = operand(op, 0);
    term.operands[1] = operand(op, 1);
  }
  return term;
}

BerthOffsetGoal berthOffsetGoalOf(MlirOperation view, BerthAsserts *asserts) {
  BerthOffsetGoal goal = {.asserts = asserts,
                          .view = view,
                          .shift = operand(view, 1),
                          .mostBytes = -1};
  goal.isConstant = berthValueIsConstant(goal.shift, &goal.start);
  goal.hasProduct = viewProduct(view, &goal.product);
  return goal;
}

void berthOffsetGoalFree(BerthOffsetGoal *goal) {
  berthPointerMapFree(&goal->covering);
}

/// Many offsets hold the same sum.
static bool coversGoal(MlirValue value, BerthOffsetGoal *goal) {
  size_t known = berthPointerMapFind(&goal->covering, value.ptr);
  if (known != BERTH_NOT_FOUND)
    return known != 0;
  bool result = covers(goal, value, kDeepest);
  berthPointerMapInsert(&goal->covering, value.ptr, result);
  return result;
}

static bool isAtLeastStart(MlirValue value, BerthOffsetGoal *goal) {
  int64_t number;
  return mlirValueEqual(value, goal->shift) ||
         (goal->isConstant && berthValueIsConstant(value, &number) &&
          number >= goal->start);
}

/// offset + size
static bool sumReachesEnd(const BerthOffsetTerm *sum, BerthOffsetGoal *goal) {
  for (int i = 0; i < 2; ++i)
    if (isAtLeastStart(sum->operands[i], goal) &&
        coversGoal(sum->operands[1 - i], goal))
      return true;
  return false;
}

/// A constant, or the size of a view at offset 0, to which nothing was added.
static bool otherReachesEnd(MlirValue value, BerthOffsetGoal *goal) {
  int64_t number;
  if (!goal->isConstant)
    return false;
  if (berthValueIsConstant(value, &number)) {
    int64_t most = mostBytesOf(goal);
    if (most <= number && goal->start <= number - most)
      return true;
  }
  return goal->start == 0 && coversGoal(value, goal);
}

bool berthOffsetTermReachesEnd(const BerthOffsetTerm *term,
                               BerthOffsetGoal *goal) {
  switch (term->kind) {
  case BERTH_TERM_SUM:
    return sumReachesEnd(term, goal);
  case BERTH_TERM_OTHER:
    return otherReachesEnd(term->value, goal);
  case BERTH_TERM_MAXIMUM:
    break;
  }
  return false;
}
