//===- ViewEnds.c - Does a buffer end in its arena? -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/ViewEnds.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Offsets.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// What is more involved stays unproven.
enum { kDeepest = 256 };

static MlirValue operandOf(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

typedef struct Product {
  int64_t constant;
  size_t count;
  uint32_t factors[BERTH_MOST_FACTORS];
} Product;

/// A view, and the numbers that stand for it.
typedef struct Goal {
  BerthSizeNumbers *numbers;
  MlirOperation view;
  uint32_t shift;
  bool hasProduct; ///< `product` is the view's bytes
  Product product;
  int64_t mostBytes;
  const BerthViewAsserts *asserts;
  BerthPointerMap covering; ///< number + 1 -> is it at least the bytes?
  BerthPointerMap seen;     ///< numbers that have been looked at; +1: as keys
} Goal;

static const BerthSizeNode *nodeAt(const Goal *goal, uint32_t number) {
  return &goal->numbers->nodes[number];
}

static bool multiply(const Goal *goal, Product *product, uint32_t number) {
  const BerthSizeNode *node = nodeAt(goal, number);
  if (node->kind == BERTH_SIZE_CONSTANT)
    return !__builtin_mul_overflow(product->constant, node->constant,
                                   &product->constant);
  if (node->kind == BERTH_SIZE_PRODUCT)
    return multiply(goal, product, node->operands[0]) &&
           multiply(goal, product, node->operands[1]);
  if (product->count == BERTH_MOST_FACTORS)
    return false;
  product->factors[product->count++] = number;
  return true;
}

/// Element bytes times static dimensions times the view's own operands.
static bool findBytes(Goal *goal) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(goal->view, 0));
  BerthTypeSize size = {0, 0, 1};
  BerthSizeResult result = berthMemRefGetSize(type, goal->view, &size);
  goal->product = (Product){.constant = size.bytes};
  if (result == BERTH_SIZE_OK)
    return true;
  if (result != BERTH_SIZE_DYNAMIC)
    return false;
  goal->product.constant = size.elementBytes;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i) &&
        __builtin_mul_overflow(goal->product.constant,
                               mlirShapedTypeGetDimSize(type, i),
                               &goal->product.constant))
      return false;
  intptr_t count = mlirOperationGetNumOperands(goal->view);
  for (intptr_t i = 2; i < count; ++i)
    if (!multiply(goal, &goal->product,
                  berthSizeNumberOf(goal->numbers, operandOf(goal->view, i))))
      return false;
  return true;
}

/// True if the condition is `truth` where the region of the op runs.
static bool saysRegion(const Goal *goal, uint32_t condition, bool truth,
                       MlirOperation parent, MlirRegion region) {
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  MlirValue values[2];
  BerthRegionRuns runs = berthRegionGetCondition(parent, index, values);
  bool isLess = runs == BERTH_RUNS_WHEN_LESS;
  if (runs == BERTH_RUNS_WHEN_TRUE || runs == BERTH_RUNS_WHEN_FALSE)
    return truth == (runs == BERTH_RUNS_WHEN_TRUE) &&
           berthSizeNumberOf(goal->numbers, values[0]) == condition;
  if (!truth || (!isLess && runs != BERTH_RUNS_WHEN_LESS_UNSIGNED))
    return false;
  return berthSizeNumberOfLess(goal->numbers, isLess, values[0], values[1]) ==
         condition;
}

/// True if a cf.assert in front of `op` in its block says the condition.
static bool isAssertedBefore(const Goal *goal, uint32_t condition,
                             MlirOperation op) {
  const BerthViewAsserts *asserts = goal->asserts;
  const void *key = (const void *)(uintptr_t)(condition + 1);
  MlirBlock block = mlirOperationGetBlock(op);
  for (size_t i = berthPointerMapFind(&asserts->firstOf, key);
       i != BERTH_NOT_FOUND; i = asserts->items[i].next)
    if (mlirBlockEqual(mlirOperationGetBlock(asserts->items[i].op), block) &&
        mlirOperationIsBeforeInBlock(asserts->items[i].op, op))
      return true;
  return false;
}

static bool isSaid(const Goal *goal, uint32_t condition, bool truth) {
  MlirOperation at = goal->view;
  while (true) {
    if (truth && isAssertedBefore(goal, condition, at))
      return true;
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(at));
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at) || berthOpIsFunction(at))
      return false;
    if (saysRegion(goal, condition, truth, at, region))
      return true;
  }
}

/// True if the condition is `truth` whenever the view is made.
static bool holds(const Goal *goal, uint32_t condition, bool truth, int depth) {
  int64_t number;
  if (depth == 0)
    return false;
  if (isSaid(goal, condition, truth))
    return true;
  if (berthSizeIsConstant(goal->numbers, condition, &number))
    return (number != 0) == truth;
  BerthSizeNode node = *nodeAt(goal, condition);
  if (node.kind == BERTH_SIZE_AND && truth)
    return holds(goal, node.operands[0], true, depth - 1) &&
           holds(goal, node.operands[1], true, depth - 1);
  return node.kind == BERTH_SIZE_XOR &&
         berthSizeIsConstant(goal->numbers, node.operands[1], &number) &&
         number == 1 && holds(goal, node.operands[0], !truth, depth - 1);
}

/// True if the view stands where a constant would have to be another one.
static bool isNeverMade(const Goal *goal) {
  return isSaid(goal, berthSizeNumberOfConstant(goal->numbers, 0), true) ||
         isSaid(goal, berthSizeNumberOfConstant(goal->numbers, 1), false);
}

static bool isZero(const Goal *goal, uint32_t number) {
  int64_t constant;
  return berthSizeIsConstant(goal->numbers, number, &constant) && constant == 0;
}

/// True if the number is the product that the view's bytes are, or more of it.
static bool isMultiple(const Goal *goal, uint32_t number) {
  Product more = {.constant = 1};
  bool used[BERTH_MOST_FACTORS] = {false};
  if (!goal->hasProduct || !multiply(goal, &more, number) ||
      more.constant < goal->product.constant ||
      more.count != goal->product.count)
    return false;
  for (size_t i = 0; i < more.count; ++i) {
    size_t k = 0;
    while (k < more.count &&
           (used[k] || more.factors[k] != goal->product.factors[i]))
      ++k;
    if (k == more.count)
      return false;
    used[k] = true;
  }
  return true;
}

/// (x + mask) & ~mask, which is x or more: x.
static bool isRounding(const Goal *goal, uint32_t number, uint32_t *inside) {
  const BerthSizeNode *both = nodeAt(goal, number);
  int64_t keep, add;
  if (both->kind != BERTH_SIZE_AND ||
      !berthSizeIsConstant(goal->numbers, both->operands[1], &keep))
    return false;
  const BerthSizeNode *sum = nodeAt(goal, both->operands[0]);
  *inside = sum->operands[0];
  return sum->kind == BERTH_SIZE_SUM &&
         berthSizeIsConstant(goal->numbers, sum->operands[1], &add) &&
         add >= 0 && keep == ~add;
}

static bool covers(Goal *goal, uint32_t number, int depth);

static bool findCovers(Goal *goal, uint32_t number, int depth) {
  int64_t constant;
  uint32_t inside;
  if (depth == 0)
    return false;
  if (berthSizeIsConstant(goal->numbers, number, &constant) &&
      constant >= goal->mostBytes)
    return true;
  if (isMultiple(goal, number))
    return true;
  BerthSizeNode node = *nodeAt(goal, number);
  if (node.kind == BERTH_SIZE_MAXIMUM || node.kind == BERTH_SIZE_SUM)
    return covers(goal, node.operands[0], depth - 1) ||
           covers(goal, node.operands[1], depth - 1);
  for (int i = 1; node.kind == BERTH_SIZE_CHOICE && i <= 2; ++i)
    if (isZero(goal, node.operands[3 - i]) &&
        covers(goal, node.operands[i], depth - 1) &&
        holds(goal, node.operands[0], i == 1, kDeepest))
      return true;
  return isRounding(goal, number, &inside) && covers(goal, inside, depth - 1);
}

/// True if the number is at least the bytes of the view, whenever that is made.
/// Many numbers are made of the same ones.
static bool covers(Goal *goal, uint32_t number, int depth) {
  const void *key = (const void *)(uintptr_t)(number + 1);
  size_t known = berthPointerMapFind(&goal->covering, key);
  if (known != BERTH_NOT_FOUND)
    return known != 0;
  bool result = findCovers(goal, number, depth);
  berthPointerMapInsert(&goal->covering, key, result);
  return result;
}

/// Nothing is below 0.
static bool isAtLeastShift(const Goal *goal, uint32_t number) {
  int64_t constant, shift;
  return number == goal->shift || isZero(goal, goal->shift) ||
         (berthSizeIsConstant(goal->numbers, number, &constant) &&
          berthSizeIsConstant(goal->numbers, goal->shift, &shift) &&
          shift >= 0 && constant >= shift);
}

/// True if the number itself is at least the end of the view.
static bool isEnd(Goal *goal, uint32_t number) {
  int64_t constant, shift;
  BerthSizeNode node = *nodeAt(goal, number);
  if (goal->mostBytes == 0 && isAtLeastShift(goal, number))
    return true;
  for (int i = 0; node.kind == BERTH_SIZE_SUM && i < 2; ++i)
    if (isAtLeastShift(goal, node.operands[i]) &&
        covers(goal, node.operands[1 - i], kDeepest))
      return true;
  if (!berthSizeIsConstant(goal->numbers, goal->shift, &shift) || shift < 0)
    return false;
  if (berthSizeIsConstant(goal->numbers, number, &constant) &&
      goal->mostBytes <= constant && shift <= constant - goal->mostBytes)
    return true;
  return shift == 0 && covers(goal, number, kDeepest);
}

/// True if the number, or one that it is a maximum or a sum of, is at least the
/// end of the view.
static bool reachesEnd(Goal *goal, uint32_t number, int depth) {
  const void *key = (const void *)(uintptr_t)(number + 1);
  if (depth == 0 || !berthPointerMapInsert(&goal->seen, key, 1))
    return false;
  if (isEnd(goal, number))
    return true;
  BerthSizeNode node = *nodeAt(goal, number);
  bool isMore = node.kind == BERTH_SIZE_MAXIMUM || node.kind == BERTH_SIZE_SUM;
  return isMore && (reachesEnd(goal, node.operands[0], depth - 1) ||
                    reachesEnd(goal, node.operands[1], depth - 1));
}

//===----------------------------------------------------------------------===//
// Asserts
//===----------------------------------------------------------------------===//

static MlirWalkResult noteAssert(MlirOperation op, void *userData) {
  BerthViewAsserts *asserts = userData;
  if (!berthOpIs(op, BERTH_OP_ASSERT))
    return MlirWalkResultAdvance;
  uint32_t number = berthSizeNumberOf(asserts->numbers, operandOf(op, 0));
  const void *key = (const void *)(uintptr_t)(number + 1);
  BerthViewAssert noted = {op, berthPointerMapFind(&asserts->firstOf, key)};
  asserts->items = berthGrow(asserts->items, asserts->count, &asserts->capacity,
                             sizeof *asserts->items);
  asserts->items[asserts->count] = noted;
  berthPointerMapSet(&asserts->firstOf, key, asserts->count++);
  return MlirWalkResultAdvance;
}

BerthViewAsserts berthViewAssertsOf(BerthSizeNumbers *numbers,
                                    MlirOperation function) {
  BerthViewAsserts asserts = {.numbers = numbers};
  mlirOperationWalk(function, noteAssert, &asserts, MlirWalkPreOrder);
  return asserts;
}

void berthViewAssertsFree(BerthViewAsserts *asserts) {
  free(asserts->items);
  berthPointerMapFree(&asserts->firstOf);
}

bool berthViewEndsWithin(const BerthViewAsserts *asserts, MlirOperation view,
                         uint32_t length) {
  BerthSizeNumbers *numbers = asserts->numbers;
  Goal goal = {.numbers = numbers,
               .asserts = asserts,
               .view = view,
               .mostBytes = berthViewMostBytes(view)};
  goal.shift = berthSizeNumberOf(numbers, operandOf(view, 1));
  goal.hasProduct = findBytes(&goal);
  if (goal.hasProduct && goal.product.count == 0 &&
      goal.product.constant < goal.mostBytes)
    goal.mostBytes = goal.product.constant;
  bool result = isNeverMade(&goal) || reachesEnd(&goal, length, 4 * kDeepest);
  berthPointerMapFree(&goal.seen);
  berthPointerMapFree(&goal.covering);
  return result;
}
