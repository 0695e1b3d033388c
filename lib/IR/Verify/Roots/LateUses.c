//===- LateUses.c - What may use buffers behind an op ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/LateUses.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/RootFlow.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Addresses that go
//===----------------------------------------------------------------------===//

/// An op given two pointers into one buffer may store the one through the
/// other.
static bool isGivenTwice(MlirOperation op, MlirValue value) {
  intptr_t count = mlirOperationGetNumOperands(op), times = 0;
  for (intptr_t i = 0; i < count; ++i)
    times += mlirValueEqual(mlirOperationGetOperand(op, i), value);
  return times > 1 && !mlirTypeIsAShaped(mlirValueGetType(value));
}

/// An op that writes, but not through this value, may write the value.
static BerthLateKind lateUseByEffects(MlirOperation op, MlirValue value,
                                      const BerthEffects *effects) {
  bool isStored = effects->onValue ? (effects->onValue & BERTH_EFFECT_WRITE) &&
                                         isGivenTwice(op, value)
                                   : effects->anywhere & BERTH_EFFECT_WRITE;
  return isStored ? BERTH_LATE_KEEPER : BERTH_LATE_NONE;
}

static bool handsOn(MlirOperation op) {
  return !mlirValueIsNull(berthViewGetSource(op)) ||
         berthOpIsRegionBranch(op) || mlirOperationGetNumSuccessors(op) > 0 ||
         berthOpIsReturn(op) || berthOpIs(op, BERTH_OP_FREE_LISTED) ||
         mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// A kernel that was given a stream to run on: its last operand, if it has one.
static bool runsOnStream(MlirOperation op) {
  MlirAttribute counts = berthAttributeOf(op, "operandSegmentSizes");
  return berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION) &&
         !mlirAttributeIsNull(counts) &&
         mlirDenseI32ArrayGetElement(
             counts, mlirDenseArrayGetNumElements(counts) - 1) != 0;
}

BerthLateKind berthLateUseOf(const BerthViews *views, MlirOperation op,
                             intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  MlirType type = mlirValueGetType(value);
  BerthDma dma;
  MlirOperation callee;
  BerthEffects effects;
  if (!berthMayHoldAddress(type) || berthOpGetDma(op, &dma))
    return BERTH_LATE_NONE;
  if (berthOpLetsEscape(op) || runsOnStream(op))
    return BERTH_LATE_HOLDER;
  bool isNumber = !berthTypeMayPoint(type);
  if (!berthOpIsDescribed(op) && berthOpGetCallee(op, &callee)) {
    intptr_t index = berthCallGetArgument(op, operand);
    if (berthCalleesGetArgument(views->callees, callee, index).isKept ||
        (!isNumber && index >= 0 && berthUnseenMayKeep(views->callees, op)))
      return BERTH_LATE_KEEPER;
    bool isSeen = !mlirOperationIsNull(callee) && index >= 0 &&
                  !mlirBlockIsNull(mlirRegionGetFirstBlock(
                      mlirOperationGetRegion(callee, 0)));
    return isNumber && !isSeen ? BERTH_LATE_HOLDER : BERTH_LATE_NONE;
  }
  if (handsOn(op))
    return BERTH_LATE_NONE;
  if (berthOpSumEffects(op, value, &effects))
    return lateUseByEffects(op, value, &effects);
  if (!isNumber && berthUnseenMayKeep(views->callees, op))
    return BERTH_LATE_KEEPER;
  // Nobody knows what it makes of a number that is an address.
  return isNumber ? BERTH_LATE_HOLDER : BERTH_LATE_NONE;
}

//===----------------------------------------------------------------------===//
// Work that goes on
//===----------------------------------------------------------------------===//

/// What an op returns that is no value of its own may stand for what it does.
static bool isHandle(MlirType type) {
  return berthTypeMayPoint(type) && !mlirTypeIsAShaped(type);
}

/// True if nothing tells that the op is done when it returns.
static bool isUnknown(MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  if (!berthOpIsDescribed(op) && berthOpGetCallee(op, &callee))
    return berthFunctionIsUnseen(callee);
  return !handsOn(op) && !berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

/// True if the result stands for something under way.
static bool isToken(MlirOperation op, intptr_t result) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, result));
  return berthOpIsTokenResult(op, result) ||
         (!berthOpReturnsNoPointer(op) && isHandle(type) &&
          (isUnknown(op) || berthTypeIsToken(type)));
}

static bool returnsToken(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (isToken(op, i))
      return true;
  return false;
}

/// True in a region of a described op: the description says what all of it
/// does.
static bool isPartOfDescribed(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIsDescribed(op));
  return !mlirOperationIsNull(op);
}

bool berthOpGoesOn(MlirOperation op, bool unknownEnds) {
  return berthOpIsAsync(op) ||
         (!berthOpIsRegionBranch(op) && returnsToken(op) &&
          !isPartOfDescribed(op)) ||
         (!unknownEnds && berthOpMayRunLater(op));
}

/// An op that answers with a number may only ask.
static bool mayOnlyAsk(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
      return false;
  }
  return count > 0;
}

/// One that is given handles of several types may only put the one into the
/// other: a token into a group.
static bool mayOnlyKeep(MlirOperation op) {
  MlirType first = {NULL};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!isHandle(type))
      continue;
    if (mlirTypeIsNull(first))
      first = type;
    else if (!mlirTypeEqual(first, type))
      return true;
  }
  return false;
}

/// Which of several tokens its own one comes behind, nobody says.
static bool mayChoose(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), given = 0;
  for (intptr_t i = 0; i < count; ++i)
    given += isHandle(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return given > 1 && returnsToken(op);
}

/// True if nothing forbids to believe that the undescribed op ends what the
/// token stands for, be it before its own token comes. Tokens known as such are
/// waited for by ops that are known to: by description, or, of MLIR's types,
/// those of their dialects. A handle that is a token by guess only may be
/// waited for by a guess: an op of which nothing is known.
static bool mayEnd(MlirOperation op, MlirValue token) {
  MlirType type = mlirValueGetType(token);
  if (berthOpIsDescribed(op) || berthOpWaitsForNothing(op) || mayOnlyAsk(op) ||
      mayOnlyKeep(op) || mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
    return false;
  if (berthTypeIsToken(type))
    return berthOpIsOfDialectOf(op, type) && !berthTypeIsToldToken(type);
  return !berthValueIsToldToken(token) && isUnknown(op) && !mayChoose(op);
}

/// True if the user returns no sooner than what the token stands for has ended.
static bool isWaitFor(MlirOpOperand use, bool unknownEnds) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (berthOpAwaits(user, mlirOpOperandGetOperandNumber(use)))
    return berthOpGetUnit(user) == 0; // else the program does not wait
  return (mayEnd(user, mlirOpOperandGetValue(use)) &&
          !berthOpGoesOn(user, unknownEnds));
}

/// True if the user's own token comes no sooner than this one.
static bool joinsToken(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (berthOpIsDescribed(user))
    return returnsToken(user) &&
           berthOpGetRole(user, mlirOpOperandGetOperandNumber(use)) ==
               BERTH_OPERAND_VIEWED;
  return returnsToken(user) && mayEnd(user, mlirOpOperandGetValue(use));
}

/// True if the wait is given a token of `start`, or of an op that waits for one
/// before it begins. `depth` ends long chains.
static bool isWaitedForBy(MlirOperation start, MlirOperation wait,
                          bool unknownEnds, int depth) {
  intptr_t count = mlirOperationGetNumResults(start);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue token = mlirOperationGetResult(start, i);
    if (!isHandle(mlirValueGetType(token)) && !berthOpIsTokenResult(start, i))
      continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(token);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if ((mlirOperationEqual(user, wait) && isWaitFor(use, unknownEnds)) ||
          (depth > 0 && joinsToken(use) &&
           isWaitedForBy(user, wait, unknownEnds, depth - 1)))
        return true;
    }
  }
  return false;
}

bool berthEndsWork(MlirOperation wait, MlirOperation start, bool unknownEnds) {
  enum { kLongestChain = 16 };
  return isWaitedForBy(start, wait, unknownEnds, kLongestChain);
}

bool berthOutlivesBlock(MlirOperation op, bool unknownEnds) {
  if (!berthOpGoesOn(op, unknownEnds))
    return false;
  for (MlirOperation next = mlirOperationGetNextInBlock(op);
       !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next))
    if (berthEndsWork(next, op, unknownEnds))
      return false;
  return true;
}
