//===- Calls.c - What called functions do, for the verifier ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Calls.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// A function without a body that can be seen is taken to keep nothing: all
/// that a program calls would hold its buffers forever else. One with a body
/// that must not be looked into may.
static const BerthCalleeArgument unseen = {true, true, UINT64_MAX, false};
static const BerthCalleeArgument worst = {true, true, UINT64_MAX, true};

/// Makes room for a function's arguments; returns the first one's index.
static size_t reserveArguments(BerthCallees *callees, size_t count) {
  size_t first = callees->count;
  for (size_t i = 0; i < count; ++i) {
    callees->arguments =
        berthGrow(callees->arguments, callees->count, &callees->capacity,
                  sizeof *callees->arguments);
    callees->arguments[callees->count++] = unseen;
  }
  return first;
}

/// True for a view through which nothing is read.
static bool isOnlyWritten(MlirOperation view) {
  MlirValue value = mlirOperationGetResult(view, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    BerthEffects effects;
    if (!berthOpSumEffects(mlirOpOperandGetOwner(use), value, &effects) ||
        effects.onValue != BERTH_EFFECT_WRITE)
      return false;
  }
  return true;
}

/// An arena that the function is handed: of the argument itself there is no use
/// but numbered views, and such as poison goes through. Each of the former is a
/// buffer that the function makes, so what was there before is not read; that
/// it is not is checked in there.
static bool isArena(MlirValue argument) {
  MlirOpOperand use = mlirValueGetFirstUse(argument);
  bool isUsed = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!berthViewIsBuffer(mlirOpOperandGetOwner(use)) &&
        !(berthOpIs(mlirOpOperandGetOwner(use), BERTH_OP_VIEW) &&
          isOnlyWritten(mlirOpOperandGetOwner(use))))
      return false;
  return isUsed;
}

/// Functions that call each other are done when the first of them is (Tarjan's
/// strongly connected components).
static void closeCycle(BerthCallees *callees, size_t own) {
  const BerthPending *pending = callees->pending;
  bool isCycle = false, keepsAll = false;
  for (size_t p = own; p < callees->numPending; ++p) {
    isCycle |= pending[p].isCalled;
    for (size_t i = 0; i < pending[p].count; ++i)
      keepsAll |= callees->arguments[pending[p].first + i].isKept;
  }
  for (size_t p = own; isCycle && keepsAll && p < callees->numPending; ++p)
    for (size_t i = 0; i < pending[p].count; ++i)
      callees->arguments[pending[p].first + i].isKept = true;
  callees->numPending = own;
}

/// While a function is looked into, calls of it see the worst, but that it
/// keeps nothing. What it hands to itself it keeps if it keeps any argument.
static void lookInto(BerthCallees *callees, MlirOperation function,
                     MlirBlock entry, size_t first) {
  size_t count = (size_t)mlirBlockGetNumArguments(entry);
  size_t own = callees->numPending, outer = callees->inside;
  BerthCalleeArgument *found = berthAllocateOrDie(count, sizeof *found);
  callees->pending = berthGrow(callees->pending, own, &callees->maxPending,
                               sizeof *callees->pending);
  callees->pending[callees->numPending++] =
      (BerthPending){first, count, own, false};
  callees->inside = own;
  callees->lookInto(callees, function, found);
  callees->inside = outer;
  for (size_t i = 0; i < count; ++i) {
    found[i].isRead &= !isArena(mlirBlockGetArgument(entry, (intptr_t)i));
    callees->arguments[first + i] = found[i];
  }
  free(found);
  size_t lowest = callees->pending[own].lowest;
  if (lowest == own)
    closeCycle(callees, own);
  else if (lowest < callees->pending[outer].lowest)
    callees->pending[outer].lowest = lowest;
}

/// Notes a call of the function, if it is pending.
static void noteCall(BerthCallees *callees, size_t first) {
  for (size_t p = 0; p < callees->numPending; ++p) {
    BerthPending *inside = &callees->pending[callees->inside];
    if (callees->pending[p].first != first)
      continue;
    callees->pending[p].isCalled = true;
    inside->lowest = p < inside->lowest ? p : inside->lowest;
  }
}

static MlirBlock entryOf(MlirOperation function) {
  MlirBlock none = {NULL};
  if (mlirOperationIsNull(function) || mlirOperationGetNumRegions(function) < 1)
    return none;
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

BerthCalleeArgument berthCalleesGetArgument(BerthCallees *callees,
                                            MlirOperation callee,
                                            intptr_t index) {
  MlirBlock entry = entryOf(callee);
  if (berthCalleeIsHidden(callee, callees->root))
    return worst;
  if (mlirBlockIsNull(entry) || index < 0 ||
      index >= mlirBlockGetNumArguments(entry))
    return unseen;
  size_t first = berthPointerMapFind(&callees->firstOf, callee.ptr);
  if (first == BERTH_NOT_FOUND) {
    first = reserveArguments(callees, (size_t)mlirBlockGetNumArguments(entry));
    berthPointerMapInsert(&callees->firstOf, callee.ptr, first);
    lookInto(callees, callee, entry, first);
  } else {
    noteCall(callees, first);
  }
  return callees->arguments[first + (size_t)index];
}

//===----------------------------------------------------------------------===//
// Calls of what is not seen
//===----------------------------------------------------------------------===//

typedef struct NameWalk {
  bool separates;
  BerthPointerMap names;
  MlirAttribute called; ///< by the op at hand, or null
} NameWalk;

static void addName(MlirAttribute name, void *userData) {
  NameWalk *walk = userData;
  if (!mlirAttributeEqual(name, walk->called))
    berthPointerMapInsert(&walk->names, name.ptr, 1);
}

static MlirWalkResult addNames(MlirOperation op, void *userData) {
  NameWalk *walk = userData;
  MlirOperation callee;
  bool isCall = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee);
  walk->called =
      isCall ? berthAttributeOf(callee, "sym_name") : (MlirAttribute){NULL};
  walk->separates |= berthOpSeparates(op);
  berthOpForEachName(op, addName, walk);
  return MlirWalkResultAdvance;
}

typedef struct UnseenWalk {
  BerthCallees *callees;
  const BerthPointerMap *names;
} UnseenWalk;

/// Kernels are launched, not called.
static MlirWalkResult addUnseen(MlirOperation op, void *userData) {
  UnseenWalk *walk = userData;
  if (!berthOpIsFunction(op))
    return MlirWalkResultAdvance;
  MlirBlock entry = entryOf(op);
  MlirAttribute name = berthAttributeOf(op, "sym_name");
  bool mayBe = !mlirBlockIsNull(entry) && !mlirAttributeIsNull(name) &&
               mlirAttributeIsNull(berthAttributeOf(op, "gpu.kernel")) &&
               berthPointerMapFind(walk->names, name.ptr) != BERTH_NOT_FOUND;
  intptr_t count = mayBe ? mlirBlockGetNumArguments(entry) : 0;
  for (intptr_t i = 0; i < count && !walk->callees->unseenKeep; ++i)
    walk->callees->unseenKeep =
        berthCalleesGetArgument(walk->callees, op, i).isKept;
  return MlirWalkResultSkip;
}

void berthCalleesFindUnseen(BerthCallees *callees) {
  NameWalk names = {0};
  mlirOperationWalk(callees->root, addNames, &names, MlirWalkPreOrder);
  callees->separates = names.separates;
  UnseenWalk walk = {callees, &names.names};
  mlirOperationWalk(callees->root, addUnseen, &walk, MlirWalkPreOrder);
  berthPointerMapFree(&names.names);
}

static bool isGivenFunction(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

bool berthCallsUnseen(MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  if (berthOpGetCallee(op, &callee))
    return mlirBlockIsNull(entryOf(callee));
  return !berthOpIsRegionBranch(op) &&
         !berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
         berthOpNamesSymbol(op);
}

bool berthUnseenMayKeep(const BerthCallees *callees, MlirOperation op) {
  if (!berthCallsUnseen(op) || berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    return false;
  MlirOperation callee, root = callees->root;
  bool isCall = berthOpGetCallee(op, &callee);
  // In a pass on a part of the program the function may stand outside.
  bool isPart = !berthOpIs(root, BERTH_OP_GPU_MODULE) &&
                !mlirOperationIsNull(mlirOperationGetParentOperation(root));
  bool hasName = !isCall || mlirOperationIsNull(callee) || isGivenFunction(op);
  return callees->unseenKeep || (isPart && hasName);
}

void berthCalleesFree(BerthCallees *callees) {
  berthPointerMapFree(&callees->usesOf);
  free(callees->uses);
  free(callees->arguments);
  free(callees->pending);
  berthPointerMapFree(&callees->firstOf);
}

/// The argument that an operand becomes in the function it is handed to; null
/// if it is not known to be one.
static MlirValue argumentOf(MlirOperation op, intptr_t operand,
                            MlirOperation *callee) {
  MlirValue none = {NULL};
  if (!berthOpGetCallee(op, callee))
    return none;
  MlirBlock entry = entryOf(*callee);
  intptr_t index = berthCallGetArgument(op, operand);
  if (mlirBlockIsNull(entry) || index < 0 ||
      index >= mlirBlockGetNumArguments(entry))
    return none;
  return mlirBlockGetArgument(entry, index);
}

bool berthIsHandedOver(MlirOperation view) {
  if (mlirOperationIsNull(view))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(view, 0));
  MlirValue first = {NULL};
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation callee;
    MlirValue argument =
        argumentOf(mlirOpOperandGetOwner(use),
                   mlirOpOperandGetOperandNumber(use), &callee);
    if (mlirValueIsNull(argument) || !isArena(argument))
      return false;
    if (mlirValueIsNull(first))
      first = argument;
    else if (!mlirValueEqual(first, argument))
      return false;
  }
  return !mlirValueIsNull(first);
}

bool berthTakesArena(MlirOperation call, intptr_t operand) {
  MlirOperation callee;
  MlirValue argument = argumentOf(call, operand, &callee);
  return !mlirValueIsNull(argument) && isArena(argument);
}
