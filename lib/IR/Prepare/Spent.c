//===- Spent.c - Memory that nobody needs behind an op --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What spends a value stands in the block that the value is made in: then no
// turn of a loop comes back to the value without making it anew. Each value has
// one op that spends it, so two values never are the same memory at a time.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Spent.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Prepare/HandedOn.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// An op and the value that it has to spend.
typedef struct Step {
  MlirOperation op;
  MlirValue value;
} Step;

typedef struct Proof {
  BerthSpender *spender;
  BerthSpending *spending;
  MlirType type;
  Step *steps; ///< all of them have to hold
  size_t count, capacity;
} Proof;

static bool refuse(Proof *proof, const char *reason) {
  if (!proof->spending->reason)
    proof->spending->reason = reason;
  return false;
}

/// Steps may ask for each other: time tells which of them comes first.
static void addStep(Proof *proof, MlirOperation op, MlirValue value) {
  for (size_t i = 0; i < proof->count; ++i)
    if (mlirOperationEqual(proof->steps[i].op, op) &&
        mlirValueEqual(proof->steps[i].value, value))
      return;
  proof->steps = berthGrow(proof->steps, proof->count, &proof->capacity,
                           sizeof *proof->steps);
  proof->steps[proof->count++] = (Step){op, value};
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

MlirValue berthBehindCasts(MlirValue value) {
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

static void noteAlias(MlirValue alias, bool isView, bool isWhole,
                      void *userData) {
  (void)alias;
  (void)isView;
  (void)isWhole;
  *(bool *)userData = true;
}

bool berthOnlyAccesses(BerthSpender *spender, MlirOpOperand operand,
                       BerthUse *use) {
  MlirOperation op = mlirOpOperandGetOwner(operand);
  bool isHandedOn = false;
  *use = berthClassifyUse(operand, spender->alias, &spender->summaries,
                          noteAlias, &isHandedOn);
  bool isLate = berthOpIsTransfer(op) || berthOpStartsAnyAsync(op);
  for (MlirOperation at = op;
       !mlirOperationIsNull(at) && !berthOpIsFunction(at);
       at = mlirOperationGetParentOperation(at))
    isLate |= berthOpIsAsync(at) || berthOpMayRunLater(at);
  return (use->reads || use->writes) && !use->frees && !use->goesOn &&
         !isHandedOn && !isLate && use->leak == BERTH_LEAK_NONE &&
         (berthOpIs(op, BERTH_OP_CALL) || !berthOpMayReturnPointer(op));
}

/// True for an address by which a deallocation is decided.
static bool onlyDecides(const Proof *proof, MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ADDRESS) &&
         berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), false,
                                    proof->spender->alias->root);
}

/// True if `op` stands in the block of `spender`, or in an op there, in front
/// of it.
static bool standsBefore(MlirOperation op, MlirOperation spender) {
  MlirBlock block = mlirOperationGetBlock(spender);
  MlirOperation top =
      berthAncestorInRegion(op, mlirBlockGetParentRegion(block));
  return !mlirOperationIsNull(top) &&
         mlirBlockEqual(mlirOperationGetBlock(top), block) &&
         mlirOperationIsBeforeInBlock(top, spender);
}

/// A deallocation in the op's block, behind it, goes: the memory is wanted
/// longer now. Of any other one it has to be seen that it goes.
static void noteFree(Proof *proof, MlirOperation op, MlirOperation spender) {
  bool isPlain = berthOpIs(op, BERTH_OP_FREE) &&
                 mlirBlockEqual(mlirOperationGetBlock(op),
                                mlirOperationGetBlock(spender)) &&
                 mlirOperationIsBeforeInBlock(spender, op) &&
                 !berthOpIsLoop(spender);
  if (isPlain)
    berthWorklistAdd(&proof->spending->frees, op.ptr);
  else
    proof->spending->isFreedOnSomeWay = true;
}

/// A view of which all results are memory of the value's, or numbers.
static bool isView(MlirOperation op, MlirValue value) {
  MlirValue source = berthViewGetSource(op);
  if (mlirValueIsNull(source) || !mlirValueEqual(source, value))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

/// Looks at all uses of the value and its views, and counts those by the op
/// that spends it.
static bool lookAtUses(Proof *proof, MlirValue value, MlirOperation spender,
                       int *count) {
  bool isAnywhere =
      berthIsBroken(proof->spender->alias->breakRule, "spent-arguments");
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthUse is;
    if (mlirOperationEqual(op, spender))
      ++*count;
    else if (berthOpIsFree(op) || berthOpIs(op, BERTH_OP_FREE_LISTED))
      noteFree(proof, op, spender);
    else if (onlyDecides(proof, op))
      proof->spending->isFreedOnSomeWay = true;
    else if (isView(op, value)) {
      if (!lookAtUses(proof, mlirOperationGetResult(op, 0), spender, count))
        return false;
    } else if (!berthOnlyAccesses(proof->spender, use, &is))
      return refuse(proof, "somebody else may get hold of the argument");
    else if (!standsBefore(op, spender) && !isAnywhere)
      return refuse(proof, "a caller uses the argument again");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Where memory comes from
//===----------------------------------------------------------------------===//

bool berthArgumentIsUpdated(MlirOperation function, intptr_t index) {
  MlirAttribute all = berthAttributeOf(function, "arg_attrs");
  if (mlirAttributeIsNull(all) || index >= mlirArrayAttrGetNumElements(all))
    return false;
  MlirAttribute flag = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, index),
      mlirStringRefCreateFromCString(BERTH_UPDATED));
  return !mlirAttributeIsNull(flag) &&
         (!mlirAttributeIsABool(flag) || mlirBoolAttrGetValue(flag));
}

/// What a loop hands on is what it begins with, or what a turn has handed on.
static bool comesFromLoop(Proof *proof, const BerthTurnTaker *taker,
                          intptr_t index) {
  if (taker->isWhile || index < 0)
    return refuse(proof, "a caller has it from an op that is not followed");
  addStep(proof, taker->loop,
          mlirOperationGetOperand(taker->loop, taker->firstInitial + index));
  addStep(proof, taker->yield, mlirOperationGetOperand(taker->yield, index));
  return true;
}

static bool comesFromFork(Proof *proof, MlirOperation fork, intptr_t index) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(fork); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(fork, i));
    if (mlirBlockIsNull(block))
      return refuse(proof, "a caller has it from an op that is not followed");
    MlirOperation end = berthBlockGetLast(block);
    if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) <= index)
      return refuse(proof, "a caller has it from an op that is not followed");
    addStep(proof, end, mlirOperationGetOperand(end, index));
  }
  return true;
}

typedef struct ReturnWalk {
  Proof *proof;
  intptr_t index;
} ReturnWalk;

static void addReturn(MlirOperation end, void *userData) {
  const ReturnWalk *walk = userData;
  addStep(walk->proof, end, mlirOperationGetOperand(end, walk->index));
}

static bool comesFromCall(Proof *proof, MlirOperation call, intptr_t index) {
  MlirOperation callee = {NULL};
  if (!berthOpIs(call, BERTH_OP_CALL) || !berthOpGetCallee(call, &callee) ||
      berthFunctionIsUnseen(callee) ||
      berthCalleeIsHidden(callee, proof->spender->alias->root))
    return refuse(proof, "a caller has it from a function that is not seen");
  if (berthFunctionIsCoroutine(callee) || berthCallsReturnTwice(callee))
    return refuse(proof, "a caller has it from a function that may return "
                         "a second time");
  ReturnWalk walk = {proof, index};
  berthForEachReturn(callee, addReturn, &walk);
  return true;
}

static bool comesFromOp(Proof *proof, MlirOperation op, intptr_t index) {
  BerthTurnTaker taker;
  if (berthOpIs(op, BERTH_OP_ALLOC)) {
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)),
                       proof->type))
      return refuse(proof, "a caller's memory may be laid out otherwise");
    berthWorklistAdd(&proof->spending->makers, op.ptr);
    return true;
  }
  if (berthOpIs(op, BERTH_OP_CALL))
    return comesFromCall(proof, op, index);
  if (berthIsTurnTaker(op, &taker))
    return comesFromLoop(proof, &taker, index);
  if (berthOpIsFork(op))
    return comesFromFork(proof, op, index);
  return refuse(proof, "a caller's argument is no memory of its own");
}

static bool comesFromCallers(Proof *proof, MlirOperation function,
                             MlirValue argument) {
  intptr_t index = mlirBlockArgumentGetArgNumber(argument);
  if (berthArgumentIsUpdated(function, index)) {
    if (!mlirTypeEqual(mlirValueGetType(argument), proof->type))
      return refuse(proof, "a caller's memory may be laid out otherwise");
    proof->spending->isOfCaller = true;
    return true;
  }
  BerthCallSites sites = berthFindCallSites(proof->spender->known, function);
  bool isKnown = !sites.isOpen && !sites.obstacle;
  for (size_t i = 0; isKnown && i < sites.count; ++i)
    addStep(proof, sites.calls[i],
            mlirOperationGetOperand(sites.calls[i], index));
  free(sites.calls);
  return isKnown ||
         refuse(proof, "a caller's argument comes from callers that are not "
                       "seen, and is not marked berth.updated");
}

static bool comesFromBlock(Proof *proof, MlirValue argument) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  BerthTurnTaker taker;
  intptr_t index = mlirBlockArgumentGetArgNumber(argument);
  MlirRegion region = mlirBlockGetParentRegion(block);
  if (!mlirBlockEqual(block, mlirRegionGetFirstBlock(region)))
    return refuse(proof, "a caller has it from a branch between blocks");
  if (berthOpIs(parent, BERTH_OP_FUNCTION))
    return comesFromCallers(proof, parent, argument);
  if (berthIsTurnTaker(parent, &taker))
    return comesFromLoop(proof, &taker, index - taker.firstArgument);
  return refuse(proof, "a caller has it from an op that is not followed");
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static MlirBlock blockOf(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

static bool isOfHost(const Proof *proof, MlirOperation op) {
  MlirOperation function = berthEnclosingScope(op);
  return !mlirOperationIsNull(function) &&
         berthOpIs(function, BERTH_OP_FUNCTION) &&
         berthScopeOf(function, proof->spender->known->options).kind ==
             BERTH_SCOPE_FUNCTION &&
         !berthFunctionIsCoroutine(function) &&
         !berthCallsReturnTwice(function);
}

static bool take(Proof *proof, Step step) {
  MlirValue base = berthBehindCasts(step.value);
  int count = 0;
  if (!mlirTypeIsAMemRef(mlirValueGetType(base)) || !isOfHost(proof, step.op))
    return refuse(proof, "a caller's code is not followed");
  if (!mlirBlockEqual(blockOf(base), mlirOperationGetBlock(step.op)) &&
      !berthIsBroken(proof->spender->alias->breakRule, "spent-arguments"))
    return refuse(proof, "a caller may come back to the argument");
  if (!lookAtUses(proof, base, step.op, &count))
    return false;
  if (count != 1)
    return refuse(proof, "a caller hands over the argument twice");
  return mlirValueIsABlockArgument(base)
             ? comesFromBlock(proof, base)
             : comesFromOp(proof, mlirOpResultGetOwner(base),
                           mlirOpResultGetResultNumber(base));
}

bool berthProveSpent(BerthSpender *spender, MlirOperation op, intptr_t operand,
                     MlirType type, BerthSpending *spending) {
  Proof proof = {.spender = spender, .spending = spending, .type = type};
  addStep(&proof, op, mlirOperationGetOperand(op, operand));
  bool isProved = !spending->reason;
  for (size_t i = 0; isProved && i < proof.count; ++i)
    isProved = take(&proof, proof.steps[i]);
  free(proof.steps);
  return isProved;
}

/// True if all uses of the value stand behind the call, but one of them.
static bool isUsedBehind(MlirValue value, MlirOperation call) {
  int count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation top = berthAncestorInRegion(
        op, mlirBlockGetParentRegion(mlirOperationGetBlock(call)));
    bool isBehind = !mlirOperationIsNull(top) &&
                    mlirBlockEqual(mlirOperationGetBlock(top),
                                   mlirOperationGetBlock(call)) &&
                    !mlirOperationEqual(top, call) &&
                    mlirOperationIsBeforeInBlock(call, top);
    if (mlirOperationEqual(op, call))
      ++count;
    else if (!isBehind)
      return false;
  }
  return count == 1;
}

bool berthIsFreshAt(BerthSpender *spender, MlirOperation call,
                    intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(call, operand);
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation alloc = mlirOpResultGetOwner(value);
  return berthOpIs(alloc, BERTH_OP_ALLOC) && !berthIsTold(alloc) &&
         mlirBlockEqual(mlirOperationGetBlock(alloc),
                        mlirOperationGetBlock(call)) &&
         !berthMemoryMayBeShared(alloc, mlirValueGetType(value),
                                 spender->known->options) &&
         isUsedBehind(value, call);
}

void berthSpendingFree(BerthSpending *spending) {
  berthWorklistFree(&spending->frees);
  berthWorklistFree(&spending->makers);
}
