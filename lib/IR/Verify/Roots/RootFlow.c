//===- RootFlow.c - What a use of a value makes of its roots ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/RootFlow.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Offsets.h"
#include "mlir-c/BuiltinTypes.h"

/// The value at hand, by copy: the table of sets may move.
typedef struct Step {
  BerthViews *views;
  MlirValue value;
  const uint32_t *ids;
  size_t count;
  bool isWhole;
} Step;

static void tell(const Step *step, MlirValue to, bool isWhole) {
  berthViewsAddRoots(step->views, to, step->ids, step->count, isWhole);
}

static void tellPointer(const Step *step, MlirValue to) {
  if (berthTypeMayPoint(mlirValueGetType(to)))
    tell(step, to, false);
}

bool berthMayHoldAddress(MlirType type) {
  if (mlirTypeIsAVector(type))
    return berthMayHoldAddress(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAComplex(type))
    return berthMayHoldAddress(mlirComplexTypeGetElementType(type));
  return berthTypeMayPoint(type) || mlirTypeIsAIndex(type) ||
         mlirTypeIsAFloat(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1);
}

/// True for bits that are neither pointer nor integer: an address gets there
/// from an integer only, as by a bitcast.
static bool isFloating(MlirType type) {
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type);
}

enum { kLastBit = 63 };

/// `returned`: the op is a call, and its function has made these results of the
/// value, a bit each; 0: it is none.
static void tellResults(const Step *step, MlirOperation op, bool evenIntegers,
                        uint64_t returned) {
  if (berthOpReturnsNoPointer(op))
    return;
  bool isOfNumber =
      returned || !berthTypeMayPoint(mlirValueGetType(step->value));
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i) {
    if (returned && !(returned >> (i < kLastBit ? i : kLastBit) & 1))
      continue;
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    bool isAddress =
        evenIntegers && !berthTypeMayPoint(type) && berthMayHoldAddress(type) &&
        (isOfNumber || !isFloating(type)) &&
        !berthFeedsOnlyDeallocation(result, true, step->views->callees->root);
    if (isAddress)
      tell(step, result, false);
    else
      tellPointer(step, result);
  }
}

static void followRegionEdge(const BerthRegionEdge *edge, void *userData) {
  const Step *step = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    if (mlirValueEqual(edge->forwarded[i], step->value))
      tell(step, edge->received[i], false);
}

static void followBranch(MlirValue forwarded, MlirValue received,
                         void *userData) {
  const Step *step = userData;
  if (!mlirValueIsNull(forwarded) && mlirValueEqual(forwarded, step->value))
    tell(step, received, false);
}

/// The arguments of a block that an op runs or goes to we know not how.
static void tellArguments(const Step *step, MlirBlock block) {
  intptr_t numArguments =
      mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < numArguments; ++i)
    tellPointer(step, mlirBlockGetArgument(block, i));
}

static void tellRegionArguments(const Step *step, MlirOperation op) {
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < numRegions; ++i)
    tellArguments(step, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)));
}

/// The last op of a region hands its operands on to the op around it.
static void followTerminator(const Step *step, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || berthOpIsFunction(parent))
    return;
  if (!berthOpGetRegionEdges(parent, followRegionEdge, (void *)step))
    tellResults(step, parent, true, 0);
}

static bool isLast(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// Whatever else code that is not seen is given may hold the pointer from then
/// on: a box, a storage, a queue.
static void tellHandles(const Step *step, MlirOperation op) {
  MlirOperation callee;
  bool isCall = berthOpGetCallee(op, &callee);
  intptr_t count = mlirOperationGetNumOperands(op);
  bool isHandle = !mlirTypeIsAShaped(mlirValueGetType(step->value)) &&
                  berthTypeMayPoint(mlirValueGetType(step->value));
  for (intptr_t i = 0; i < count && !isHandle; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool isCallee = isCall && berthCallGetArgument(op, i) < 0;
    if (!isCallee && !mlirTypeIsAShaped(mlirValueGetType(operand)))
      tellPointer(step, operand);
  }
}

static bool isWithoutBody(MlirOperation callee) {
  return mlirOperationIsNull(callee) || mlirBlockIsNull(mlirRegionGetFirstBlock(
                                            mlirOperationGetRegion(callee, 0)));
}

static void followCall(const Step *step, MlirOperation op, MlirOperation callee,
                       intptr_t operand) {
  BerthCalleeArgument argument = berthCalleesGetArgument(
      step->views->callees, callee, berthCallGetArgument(op, operand));
  // What another op calls it may return otherwise.
  if (argument.returned)
    tellResults(step, op, true,
                berthOpIs(op, BERTH_OP_CALL) ? argument.returned : UINT64_MAX);
  if (isWithoutBody(callee))
    tellHandles(step, op);
}

/// What an op returns that reads nothing through the value may be made of the
/// address itself, even an integer.
static bool mayMakeAddresses(MlirOperation op, MlirValue value) {
  BerthEffects effects;
  return !berthOpResultsAreShapes(op) &&
         (!berthOpSumEffects(op, value, &effects) || !effects.onValue);
}

/// True if a view's only user gives it its layout: then that is as whole.
static bool isFlatForm(MlirOperation view, MlirOperation user) {
  MlirValue result = mlirOperationGetResult(view, 0);
  MlirOpOperand first = mlirValueGetFirstUse(result);
  return berthOpIs(view, BERTH_OP_VIEW) &&
         berthOpIs(user, BERTH_OP_REINTERPRET) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

/// Views of an arena have roots of their own, not that of the arena as a whole.
static bool isOwnRoot(const Step *step, MlirOperation op) {
  const BerthRoot *root = &step->views->roots[step->ids[0]];
  return berthOpIs(op, BERTH_OP_VIEW) &&
         berthViewsIsOneArena(root->arena, step->value) && root->isBase;
}

static bool followView(const Step *step, MlirOperation op) {
  MlirValue source = berthViewGetSource(op);
  if (mlirValueIsNull(source) || !mlirValueEqual(source, step->value))
    return false;
  if (isOwnRoot(step, op))
    return true;
  bool isWhole = berthViewIsWhole(op);
  if (mlirValueIsAOpResult(source))
    isWhole |= isFlatForm(mlirOpResultGetOwner(source), op);
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (berthTypeMayPoint(mlirValueGetType(result)))
      tell(step, result, isWhole && step->isWhole);
  }
  return true;
}

/// Code that runs asynchronously is waited for through the op's results.
static void tellAsyncAncestors(const Step *step, MlirOperation op) {
  op = mlirOperationGetParentOperation(op);
  for (; !mlirOperationIsNull(op) && !berthOpIsFunction(op);
       op = mlirOperationGetParentOperation(op))
    if (berthOpIsAsync(op))
      tellResults(step, op, false, 0);
}

static void followUse(Step *step, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  tellAsyncAncestors(step, op);
  if (followView(step, op))
    return;
  MlirOperation callee;
  if (!berthOpIsDescribed(op) && berthOpGetCallee(op, &callee)) {
    followCall(step, op, callee, mlirOpOperandGetOperandNumber(use));
    return;
  }
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    if (!berthBranchGetOperands(op, i, followBranch, step))
      tellArguments(step, mlirOperationGetSuccessor(op, i));
  bool isBranch = berthOpGetRegionEdges(op, followRegionEdge, step);
  if (!isBranch)
    tellRegionArguments(step, op);
  if (isLast(op))
    followTerminator(step, op);
  if (!isBranch && numSuccessors == 0)
    tellResults(step, op,
                mayMakeAddresses(op, step->value) || berthOpLetsEscape(op), 0);
}

void berthViewsPropagate(BerthViews *views) {
  while (views->numPending) {
    BerthRootSet *set = &views->sets[views->pending[--views->numPending]];
    set->isPending = false;
    Step step = {views, set->value, set->ids, set->count, set->isWhole};
    for (MlirOpOperand use = mlirValueGetFirstUse(step.value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      followUse(&step, use);
  }
}
