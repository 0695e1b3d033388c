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
#include "IR/Verify/Claims/ViewEnds.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Roots/SizeNumbers.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue operandOf(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

static MlirOperation functionAround(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op))
    op = mlirOperationGetParentOperation(op);
  return op;
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
static bool liesWithin(const BerthViewAsserts *asserts, MlirOperation call,
                       MlirValue memory) {
  if (!mlirValueIsAOpResult(memory) ||
      !berthOpIs(mlirOpResultGetOwner(memory), BERTH_OP_VIEW))
    return true;
  MlirOperation view = mlirOpResultGetOwner(memory);
  MlirValue arena = operandOf(view, 0);
  uint32_t length;
  return isFrame(arena) ||
         (findLength(asserts->numbers, call, arena, &length) &&
          berthViewEndsWithin(asserts, view, length) &&
          liesWithin(asserts, call, arena));
}

/// All views of the frame end within what the call brings.
static void checkViews(FrameWalk *walk, BerthSizeNumbers *numbers,
                       uint32_t length, MlirOperation call) {
  BerthViewAsserts asserts = berthViewAssertsOf(numbers, walk->function);
  for (MlirOpOperand use = mlirValueGetFirstUse(walk->frame);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!berthOpIs(view, BERTH_OP_VIEW)) {
      report(walk, view,
             "uses an arena that its function is given, and is no view of it",
             (MlirOperation){NULL}, NULL);
      continue;
    }
    if (!berthViewEndsWithin(&asserts, view, length))
      report(
          walk, call,
          "hands a frame to a function that has a buffer there of which it is "
          "not proved that it ends in it",
          view, "this buffer");
  }
  berthViewAssertsFree(&asserts);
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
  BerthViewAsserts own = berthViewAssertsOf(&numbers, functionAround(call));
  if (!findLength(&numbers, call, memory, &length))
    report(walk, call,
           "hands a function memory for its buffers of which nothing tells the "
           "size",
           (MlirOperation){NULL}, NULL);
  else if (!liesWithin(&own, call, memory))
    report(walk, call,
           "hands over a part of an arena of which it is not proved that it "
           "ends in that arena",
           mlirOpResultGetOwner(memory), "this part");
  else
    checkViews(walk, &numbers, length, call);
  berthViewAssertsFree(&own);
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
