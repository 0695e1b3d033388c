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

static bool mayGoOn(MlirOperation op, BerthTypeTest isToken, int depth);

/// True if the op, which is given a token in that operand, does not return
/// before what the token stands for has ended. Of an op that Berth does not
/// know that is assumed, unless it may be a question only, or hands the token
/// on; without `isToken` it is not. A described op says it, or that its own
/// token ends no sooner.
static bool isWait(MlirOperation op, intptr_t operand, MlirType token,
                   BerthTypeTest isToken, int depth) {
  enum { kLongestChain = 16 };
  if (berthOpAwaits(op, operand))
    return true;
  bool isDescribed = berthOpIsDescribed(op);
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  if (isDescribed && berthOpGetRole(op, operand) != BERTH_OPERAND_VIEWED)
    return false;
  return isToken && !isLast && !berthOpWaitsForNothing(op) &&
         !returnsNumbersOnly(op) && !isGivenOtherHandle(op, token) &&
         depth < kLongestChain && (!isDescribed || returnsToldToken(op)) &&
         !mayGoOn(op, isToken, depth + 1);
}

/// True if the block that makes the token waits for it.
static bool isAwaited(MlirValue token, BerthTypeTest isToken, int depth) {
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(token));
  for (MlirOpOperand use = mlirValueGetFirstUse(token);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirBlockEqual(mlirOperationGetBlock(user), block) &&
        isWait(user, mlirOpOperandGetOperandNumber(use),
               mlirValueGetType(token), isToken, depth))
      return true;
  }
  return false;
}

static bool mayGoOn(MlirOperation op, BerthTypeTest isToken, int depth) {
  bool isFollowed = !berthOpReturnsNoPointer(op);
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    bool isOne = berthOpIsTokenResult(op, i) ||
                 (isFollowed && isToken(mlirValueGetType(result)));
    if (isOne && !isAwaited(result, isToken, depth))
      return true;
  }
  return false;
}

bool berthMayGoOn(MlirOperation op, BerthTypeTest isToken) {
  return mayGoOn(op, isToken, 0);
}

bool berthIsAwaitedInItsBlock(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (isAwaited(mlirOperationGetResult(op, i), NULL, 0))
      return true;
  return false;
}
