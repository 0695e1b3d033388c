//===- FrameEnds.c - Frames are as long as what lies there ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/FrameEnds.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Offsets.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Roots/SizeNumbers.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// What is more involved stays unproven.
enum { kDeepest = 256 };

static MlirValue operandOf(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

static MlirOperation functionAround(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op))
    op = mlirOperationGetParentOperation(op);
  return op;
}

//===----------------------------------------------------------------------===//
// One view in an arena of a given length
//===----------------------------------------------------------------------===//

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
  BerthPointerMap seen; ///< numbers that have been looked at; +1: as keys
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
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    if (berthOpIs(at, BERTH_OP_ASSERT) &&
        berthSizeNumberOf(goal->numbers, operandOf(at, 0)) == condition)
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

/// True if the number is at least the bytes of the view, whenever that is made.
static bool covers(const Goal *goal, uint32_t number, int depth) {
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

static bool isAtLeastShift(const Goal *goal, uint32_t number) {
  int64_t constant, shift;
  return number == goal->shift ||
         (berthSizeIsConstant(goal->numbers, number, &constant) &&
          berthSizeIsConstant(goal->numbers, goal->shift, &shift) &&
          shift >= 0 && constant >= shift);
}

/// True if the number itself is at least the end of the view.
static bool isEnd(const Goal *goal, uint32_t number) {
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

static bool endsWithin(BerthSizeNumbers *numbers, MlirOperation view,
                       uint32_t length) {
  Goal goal = {
      .numbers = numbers, .view = view, .mostBytes = berthViewMostBytes(view)};
  goal.shift = berthSizeNumberOf(numbers, operandOf(view, 1));
  goal.hasProduct = findBytes(&goal);
  if (goal.hasProduct && goal.product.count == 0 &&
      goal.product.constant < goal.mostBytes)
    goal.mostBytes = goal.product.constant;
  bool result = isNeverMade(&goal) || reachesEnd(&goal, length, 4 * kDeepest);
  berthPointerMapFree(&goal.seen);
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

typedef struct FrameWalk {
  MlirOperation root;
  BerthClaimCallback callback;
  void *userData;
  // Of the function at hand:
  MlirOperation function;
  MlirValue frame;
} FrameWalk;

static void report(const FrameWalk *walk, MlirOperation op, const char *why,
                   MlirOperation other, const char *note) {
  walk->callback(op, why, other, note, walk->userData);
}

/// memref<?xi8>, which no type tells the length of.
static bool isOfUnknownLength(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 1 &&
         mlirShapedTypeIsDynamicDim(type, 0);
}

static bool hasBuffers(MlirValue memory) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (berthViewIsBuffer(mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/// How long the memory is that a call uses. False if nothing tells.
static bool findLength(BerthSizeNumbers *numbers, MlirOperation call,
                       MlirValue memory, uint32_t *length) {
  MlirType type = mlirValueGetType(memory);
  BerthTypeSize size = {0, 0, 1};
  if (!isOfUnknownLength(type)) {
    if (!mlirTypeIsAMemRef(type) ||
        berthMemRefGetSize(type, call, &size) != BERTH_SIZE_OK)
      return false;
    *length = berthSizeNumberOfConstant(numbers, size.bytes);
    return true;
  }
  if (!mlirValueIsAOpResult(memory))
    return false;
  MlirOperation op = mlirOpResultGetOwner(memory);
  bool isView = berthOpIs(op, BERTH_OP_VIEW);
  if (!isView && !berthOpIsPlainAllocation(op))
    return false;
  *length = berthSizeNumberOf(numbers, operandOf(op, isView ? 2 : 0));
  return true;
}

/// True for an argument of a function that is checked as a frame itself.
static bool isFrame(MlirValue memory) {
  if (!mlirValueIsABlockArgument(memory) ||
      !isOfUnknownLength(mlirValueGetType(memory)))
    return false;
  MlirBlock block = mlirBlockArgumentGetOwner(memory);
  MlirOperation function = mlirBlockGetParentOperation(block);
  return berthOpIsFunction(function) && hasBuffers(memory) &&
         mlirBlockEqual(block, mlirRegionGetFirstBlock(
                                   mlirOperationGetRegion(function, 0)));
}

/// What a call hands over has to lie in its arena.
static bool liesWithin(BerthSizeNumbers *numbers, MlirOperation call,
                       MlirValue memory) {
  if (!mlirValueIsAOpResult(memory) ||
      !berthOpIs(mlirOpResultGetOwner(memory), BERTH_OP_VIEW))
    return true;
  MlirOperation view = mlirOpResultGetOwner(memory);
  MlirValue arena = operandOf(view, 0);
  uint32_t length;
  return isFrame(arena) || (findLength(numbers, call, arena, &length) &&
                            endsWithin(numbers, view, length) &&
                            liesWithin(numbers, call, arena));
}

/// All views of the frame end within what the call brings.
static void checkViews(FrameWalk *walk, BerthSizeNumbers *numbers,
                       uint32_t length, MlirOperation call) {
  for (MlirOpOperand use = mlirValueGetFirstUse(walk->frame);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!berthOpIs(view, BERTH_OP_VIEW)) {
      report(walk, view,
             "uses an arena that its function is given, and is no view of it",
             (MlirOperation){NULL}, NULL);
      continue;
    }
    if (!endsWithin(numbers, view, length))
      report(
          walk, call,
          "hands a frame to a function that has a buffer there of which it is "
          "not proved that it ends in it",
          view, "this buffer");
  }
}

static void checkCall(FrameWalk *walk, MlirOperation call, MlirValue memory) {
  MlirBlock entry = mlirBlockArgumentGetOwner(walk->frame);
  BerthSizeNumbers numbers = {0};
  uint32_t length;
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i) {
    intptr_t index = berthCallGetArgument(call, i);
    if (index >= 0 && index < mlirBlockGetNumArguments(entry))
      berthSizeNumbersGive(&numbers, mlirBlockGetArgument(entry, index),
                           operandOf(call, i));
  }
  memory = berthSizeBehindCasts(&numbers, memory);
  if (!findLength(&numbers, call, memory, &length))
    report(walk, call,
           "hands a function memory for its buffers of which nothing tells the "
           "size",
           (MlirOperation){NULL}, NULL);
  else if (!liesWithin(&numbers, call, memory))
    report(walk, call,
           "hands over a part of an arena of which it is not proved that it "
           "ends in that arena",
           mlirOpResultGetOwner(memory), "this part");
  else
    checkViews(walk, &numbers, length, call);
  berthSizeNumbersFree(&numbers);
}

static MlirWalkResult visitCall(MlirOperation op, void *userData) {
  FrameWalk *walk = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee) ||
      !mlirOperationEqual(callee, walk->function))
    return MlirWalkResultAdvance;
  if (mlirOperationEqual(functionAround(op), callee)) {
    report(walk, op,
           "calls the function around, which has its buffers in an arena that "
           "it is given",
           (MlirOperation){NULL}, NULL);
    return MlirWalkResultAdvance;
  }
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthCallGetArgument(op, i) ==
        mlirBlockArgumentGetArgNumber(walk->frame))
      checkCall(walk, op, operandOf(op, i));
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirAttributeIsAString(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

typedef struct Mention {
  MlirAttribute name;
  MlirOperation function;
  MlirOperation op;
  MlirOperation found; ///< that names the function, and is no call of it
} Mention;

static void addMention(MlirAttribute attribute, void *userData) {
  Mention *mention = userData;
  MlirOperation callee;
  bool isCall = berthOpGetCallee(mention->op, &callee) &&
                mlirOperationEqual(callee, mention->function);
  if (!isCall && mlirStringRefEqual(mlirStringAttrGetValue(attribute),
                                    mlirStringAttrGetValue(mention->name)))
    mention->found = mention->op;
}

static MlirWalkResult findMention(MlirOperation op, void *userData) {
  Mention *mention = userData;
  mention->op = op;
  berthOpForEachName(op, addMention, mention);
  return mlirOperationIsNull(mention->found) ? MlirWalkResultAdvance
                                             : MlirWalkResultInterrupt;
}

static void checkFrame(FrameWalk *walk, MlirOperation function,
                       MlirValue frame) {
  Mention mention = {.name = berthAttributeOf(function, "sym_name"),
                     .function = function};
  bool isHidden =
      isPrivate(function) && mlirOperationEqual(function, walk->root);
  // Who calls a public function from elsewhere has to know what it needs; what
  // Berth gives a frame is private.
  if (isPrivate(function))
    mlirOperationWalk(walk->root, findMention, &mention, MlirWalkPreOrder);
  walk->function = function;
  walk->frame = frame;
  if (isHidden || !mlirOperationIsNull(mention.found))
    report(walk, function,
           "has its buffers in an arena that it is given, and may be called "
           "from where nobody sees how long that is",
           mention.found, "by this");
  else
    mlirOperationWalk(walk->root, visitCall, walk, MlirWalkPreOrder);
}

static MlirWalkResult visitFunction(MlirOperation op, void *userData) {
  if (!berthOpIsFunction(op))
    return MlirWalkResultAdvance;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  intptr_t count = mlirBlockIsNull(entry) ? 0 : mlirBlockGetNumArguments(entry);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (isOfUnknownLength(mlirValueGetType(argument)) && hasBuffers(argument))
      checkFrame(userData, op, argument);
  }
  return MlirWalkResultAdvance;
}

void berthVerifyFrameEnds(MlirOperation root, BerthClaimCallback callback,
                          void *userData) {
  FrameWalk walk = {.root = root, .callback = callback, .userData = userData};
  mlirOperationWalk(root, visitFunction, &walk, MlirWalkPreOrder);
}
