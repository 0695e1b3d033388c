//===- VerifyOffsets.c - Bytes at offsets known at run time ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifyOffsets.h"

#include "IR/Build.h"
#include "IR/Collect.h"
#include "IR/Facts.h"
#include "IR/OpTable.h"
#include "IR/Same.h"
#include "Support/Grow.h"

#include <stdlib.h>

/// What is more involved stays unproven.
enum { kDeepest = 64, kMostFactors = 16 };

static bool isOp(MlirValue value, const char *name, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIsNamed(*op, name);
}

static MlirValue operand(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

//===----------------------------------------------------------------------===//
// The bytes of a view
//===----------------------------------------------------------------------===//

/// What is constant of a product, and the rest.
typedef struct Product {
  int64_t constant;
  size_t count;
  MlirValue factors[kMostFactors];
} Product;

static bool multiply(Product *product, MlirValue value) {
  MlirOperation op;
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return !__builtin_mul_overflow(product->constant, number,
                                   &product->constant);
  if (isOp(value, "arith.muli", &op))
    return multiply(product, operand(op, 0)) &&
           multiply(product, operand(op, 1));
  if (product->count == kMostFactors)
    return false;
  product->factors[product->count++] = value;
  return true;
}

/// A view of a view's dimensions has the same: memref.dim of a memref.view is
/// the operand.
static MlirValue resolve(MlirValue value) {
  MlirOperation dim, view;
  int64_t index;
  while (isOp(value, "memref.dim", &dim) &&
         isOp(operand(dim, 0), "memref.view", &view) &&
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
static bool viewProduct(MlirOperation view, Product *product) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  BerthTypeSize size = {0, 0, 1};
  BerthSizeResult result = berthMemRefGetSize(type, view, &size);
  if (result == BERTH_SIZE_OK) {
    *product = (Product){.constant = size.bytes};
    return true;
  }
  if (result != BERTH_SIZE_DYNAMIC)
    return false;
  *product = (Product){.constant = size.elementBytes};
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
  Product product;
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

/// True if a cf.assert of the condition stands in front of `op` in its block.
static bool isAsserted(MlirValue condition, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOperation it = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(it, op); it = mlirOperationGetNextInBlock(it))
    if (berthOpIsNamed(it, "cf.assert") &&
        mlirValueEqual(operand(it, 0), condition))
      return true;
  return false;
}

static int64_t predicateOf(MlirOperation compare) {
  return mlirIntegerAttrGetValueInt(berthAttributeOf(compare, "predicate"));
}

/// Canonicalization turns a negated comparison into the opposite one.
static bool isOpposite(MlirValue a, MlirValue b) {
  // Of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
  static const int64_t opposites[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
  MlirOperation first, second;
  return isOp(a, "arith.cmpi", &first) && isOp(b, "arith.cmpi", &second) &&
         opposites[predicateOf(first)] == predicateOf(second) &&
         berthIsSameValue(operand(first, 0), operand(second, 0)) &&
         berthIsSameValue(operand(first, 1), operand(second, 1));
}

/// True if the parent runs this region only when the condition is `truth`.
static bool isRegionCondition(MlirValue condition, bool truth,
                              MlirOperation parent, MlirRegion region) {
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  MlirValue values[2];
  MlirOperation op;
  switch (berthRegionGetCondition(parent, index, values)) {
  case BERTH_RUNS_WHEN_TRUE:
    return truth ? berthIsSameValue(condition, values[0])
                 : isOpposite(condition, values[0]);
  case BERTH_RUNS_WHEN_FALSE:
    return truth ? isOpposite(condition, values[0])
                 : berthIsSameValue(condition, values[0]);
  case BERTH_RUNS_WHEN_LESS: {
    const int64_t signedLess = 2;
    if (!truth || !isOp(condition, "arith.cmpi", &op))
      return false;
    return predicateOf(op) == signedLess &&
           berthIsSameValue(operand(op, 0), values[0]) &&
           berthIsSameValue(operand(op, 1), values[1]);
  }
  case BERTH_RUNS_ALWAYS:
  case BERTH_RUNS_UNKNOWN:
    return false;
  }
  return false;
}

/// True if an op around or in front of the view says that the condition is
/// `truth`.
static bool isSaid(MlirValue condition, bool truth, MlirOperation view) {
  for (MlirOperation at = view; !berthOpIsFunction(at);) {
    if (truth && isAsserted(condition, at))
      return true;
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(at));
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at))
      return false;
    if (!berthOpIsFunction(at) &&
        isRegionCondition(condition, truth, at, region))
      return true;
  }
  return false;
}

/// True if the condition is `truth` whenever the view is made.
static bool holdsAt(MlirValue condition, bool truth, MlirOperation view) {
  MlirOperation op;
  int64_t one;
  if (isSaid(condition, truth, view))
    return true;
  if (truth && isOp(condition, "arith.andi", &op))
    return holdsAt(operand(op, 0), truth, view) &&
           holdsAt(operand(op, 1), truth, view);
  return isOp(condition, "arith.xori", &op) &&
         berthValueIsConstant(operand(op, 1), &one) && one != 0 &&
         holdsAt(operand(op, 0), !truth, view);
}

//===----------------------------------------------------------------------===//
// At least as much as the bytes of a view
//===----------------------------------------------------------------------===//

/// True if the factors of `less` are among those of `more`, and as many.
static bool haveSameFactors(const Product *more, const Product *less) {
  bool used[kMostFactors] = {false};
  if (more->count != less->count)
    return false;
  for (size_t i = 0; i < less->count; ++i) {
    size_t k = 0;
    while (k < more->count &&
           (used[k] ||
            !berthIsSameValue(resolve(more->factors[k]), less->factors[i])))
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
  bool isRounding = isOp(value, "arith.andi", &both) &&
                    berthValueIsConstant(operand(both, 1), &keep) &&
                    isOp(operand(both, 0), "arith.addi", &sum) &&
                    berthValueIsConstant(operand(sum, 1), &add) && add >= 0 &&
                    keep == ~add;
  return isRounding ? operand(sum, 0) : (MlirValue){NULL};
}

static bool isZero(MlirValue value) {
  int64_t number;
  return berthValueIsConstant(value, &number) && number == 0;
}

/// True if `value` is the product that the view's bytes are, or more of it.
static bool isMultiple(MlirValue value, MlirOperation view) {
  Product more = {.constant = 1}, less;
  return multiply(&more, value) && viewProduct(view, &less) &&
         more.constant >= less.constant && haveSameFactors(&more, &less);
}

/// True if `value` is at least the bytes of the view, whenever that is made.
static bool covers(MlirValue value, MlirOperation view, int depth) {
  MlirOperation op;
  int64_t number;
  if (depth == 0)
    return false;
  if (berthValueIsConstant(value, &number) &&
      number >= berthViewMostBytes(view))
    return true;
  if (isMultiple(value, view))
    return true;
  if (isOp(value, "arith.maxui", &op))
    return covers(operand(op, 0), view, depth - 1) ||
           covers(operand(op, 1), view, depth - 1);
  if (isOp(value, "arith.select", &op))
    for (int i = 1; i <= 2; ++i)
      if (isZero(operand(op, 3 - i)) && holdsAt(operand(op, 0), i == 1, view) &&
          covers(operand(op, i), view, depth - 1))
        return true;
  MlirValue rounded = roundedUp(value);
  return !mlirValueIsNull(rounded) && covers(rounded, view, depth - 1);
}

//===----------------------------------------------------------------------===//
// At least the end of a view
//===----------------------------------------------------------------------===//

/// Looks into maxima and sums, which are terms' terms.
static void addTerm(BerthOffsetTerms *terms, MlirValue value) {
  if (!berthPointerMapInsert(&terms->seen, value.ptr, 1))
    return;
  MlirOperation op;
  BerthOffsetTerm term = {.value = value};
  if (isOp(value, "arith.addi", &op))
    term.kind = BERTH_TERM_SUM;
  else if (isOp(value, "arith.maxui", &op))
    term.kind = BERTH_TERM_MAXIMUM;
  if (term.kind != BERTH_TERM_OTHER) {
    term.operands[0] = operand(op, 0);
    term.operands[1] = operand(op, 1);
  }
  terms->terms = berthGrow(terms->terms, terms->count, &terms->capacity,
                           sizeof *terms->terms);
  terms->terms[terms->count++] = term;
}

BerthOffsetTerms berthOffsetTermsOf(MlirOperation view) {
  BerthOffsetTerms terms = {0};
  addTerm(&terms, operand(view, 1));
  for (size_t i = 0; i < terms.count; ++i) {
    BerthOffsetTerm term = terms.terms[i];
    if (term.kind == BERTH_TERM_OTHER)
      continue;
    addTerm(&terms, term.operands[0]);
    addTerm(&terms, term.operands[1]);
  }
  return terms;
}

void berthOffsetTermsFree(BerthOffsetTerms *terms) {
  berthPointerMapFree(&terms->seen);
  free(terms->terms);
}

BerthOffsetGoal berthOffsetGoalOf(MlirOperation view) {
  BerthOffsetGoal goal = {.view = view, .shift = operand(view, 1)};
  goal.isConstant = berthValueIsConstant(goal.shift, &goal.start);
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
  bool result = covers(value, goal->view, kDeepest);
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
    int64_t most = berthViewMostBytes(goal->view);
    if (most <= number && goal->start <= number - most)
      return true;
  }
  return goal->start == 0 && coversGoal(value, goal);
}

bool berthOffsetReachesEnd(const BerthOffsetTerms *terms,
                           BerthOffsetGoal *goal) {
  for (size_t i = 0; i < terms->count; ++i) {
    const BerthOffsetTerm *term = &terms->terms[i];
    if (term->kind == BERTH_TERM_SUM ? sumReachesEnd(term, goal)
                                     : term->kind == BERTH_TERM_OTHER &&
                                           otherReachesEnd(term->value, goal))
      return true;
  }
  return false;
}
