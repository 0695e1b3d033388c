//===- Tokens.c - What stands for work that goes on -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/Tokens.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

bool berthTypeIsHandle(MlirType type) {
  return berthTypeMayPoint(type) && !mlirTypeIsAShaped(type);
}

bool berthReturnsHandle(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthTypeIsHandle(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/// Then it may be a question only.
static bool returnsNumbersOnly(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
      return false;
  }
  return count > 0;
}

/// Then it may put the token into that, a group or a queue.
static bool isGivenOtherHandle(MlirOperation op, MlirType token) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (berthTypeIsHandle(type) && !mlirTypeEqual(type, token))
      return true;
  }
  return false;
}

static bool returnsToldToken(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpIsTokenResult(op, i))
      return true;
  return false;
}

/// What is asked of the users of tokens.
typedef struct Question {
  BerthTypeTest isToken; ///< NULL: only what is known to wait ends anything
  bool anyUse;           ///< a broken rule: who is given it waits
} Question;

static bool mayGoOn(MlirOperation op, const Question *question, int depth);

/// True if nothing says what the op does, not even that it does nothing.
static bool isUnknown(MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  if (berthOpIsRegionBranch(op))
    return false;
  if (berthOpGetCallee(op, &callee))
    return berthFunctionIsUnseen(callee);
  return !berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

static bool isGivenOneHandle(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), handles = 0;
  for (intptr_t i = 0; i < count; ++i)
    handles +=
        berthTypeIsHandle(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return handles == 1;
}

/// True if the op may be taken for a wait, or for one that waits before its own
/// token comes. Of a token that is known as one that is said of waits; where
/// Berth's own table knows it, the type's own dialect waits, too. Of any other
/// handle nobody can say what waits for it: an unknown op does, unless it may
/// only choose one of several.
static bool mayWaitFor(MlirOperation op, MlirValue token) {
  MlirType type = mlirValueGetType(token);
  if (berthTypeIsToken(type))
    return !berthTypeIsToldToken(type) && berthOpIsOfDialectOf(op, type);
  return !berthValueIsToldToken(token) && isUnknown(op) &&
         (!berthReturnsHandle(op) || isGivenOneHandle(op));
}

/// True if the op, which is given a token in that operand, does not return
/// before what the token stands for has ended, or returns one that does not end
/// before. A described op says it. Others have to be taken for waits, may not
/// just ask, and do not hand the token on.
static bool isWait(MlirOperation op, intptr_t operand, MlirValue token,
                   const Question *question, int depth) {
  enum { kLongestChain = 16 };
  if (berthOpAwaits(op, operand))
    return !berthOpGetUnit(op); // else the unit waits, and the program goes on
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  if (!question->isToken || isLast || depth >= kLongestChain)
    return false;
  if (berthOpIsDescribed(op))
    return berthOpGetRole(op, operand) == BERTH_OPERAND_VIEWED &&
           returnsToldToken(op) && !mayGoOn(op, question, depth + 1);
  return (mayWaitFor(op, token) || question->anyUse) &&
         !berthOpWaitsForNothing(op) && !returnsNumbersOnly(op) &&
         !isGivenOtherHandle(op, mlirValueGetType(token)) &&
         !mayGoOn(op, question, depth + 1);
}

/// True if the block that makes the token waits for it.
static bool isAwaited(MlirValue token, const Question *question, int depth) {
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(token));
  for (MlirOpOperand use = mlirValueGetFirstUse(token);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirBlockEqual(mlirOperationGetBlock(user), block) &&
        isWait(user, mlirOpOperandGetOperandNumber(use), token, question,
               depth))
      return true;
  }
  return false;
}

static bool mayGoOn(MlirOperation op, const Question *question, int depth) {
  bool isFollowed = !berthOpReturnsNoPointer(op);
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    bool isOne = berthOpIsTokenResult(op, i) ||
                 (isFollowed && question->isToken(mlirValueGetType(result)));
    if (isOne && !isAwaited(result, question, depth))
      return true;
  }
  return false;
}

bool berthMayGoOn(MlirOperation op, BerthTypeTest isToken, bool anyUse) {
  const Question question = {isToken, anyUse};
  return mayGoOn(op, &question, 0);
}

bool berthIsAwaitedInItsBlock(MlirOperation op) {
  const Question question = {0};
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (isAwaited(mlirOperationGetResult(op, i), &question, 0))
      return true;
  return false;
}
