//===- Calls.c - What called functions do, for the verifier ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Calls.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"

#include <stdlib.h>

/// A function without a body that can be seen is taken to keep nothing: all
/// that a program calls would hold its buffers forever else. One with a body
/// that must not be looked into may.
static const BerthCalleeArgument unseen = {true, true, true, false};
static const BerthCalleeArgument worst = {true, true, true, true};

/// Makes room for a function's arguments; returns the first one's index.
static size_t reserveArguments(BerthCallees *callees, size_t count) {
  size_t first = callees->count;
  for (size_t i = 0; i < count; ++i) {
    callees->arguments =
        berthGrow(callees->arguments, callees->count, &callees->capacity,
                  sizeof *callees->arguments);
    callees->arguments[callees->count++] = worst;
  }
  return first;
}

/// An arena that the function is handed: of the argument itself there is no use
/// but numbered views. Each of these is a buffer that the function makes, so
/// what was there before is not read; that it is not is checked in there.
static bool isArena(MlirValue argument) {
  MlirOpOperand use = mlirValueGetFirstUse(argument);
  bool isUsed = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!berthViewIsBuffer(mlirOpOperandGetOwner(use)))
      return false;
  return isUsed;
}

/// While a function is looked into, calls of it see the worst. What it hands to
/// itself it keeps if it keeps any argument.
static void lookInto(BerthCallees *callees, MlirOperation function,
                     MlirBlock entry, size_t first) {
  size_t count = (size_t)mlirBlockGetNumArguments(entry);
  BerthCalleeArgument *found = berthAllocateOrDie(count, sizeof *found);
  MlirOperation outer = callees->inside;
  bool outerCallsItself = callees->callsItself, keepsAll = false;
  callees->inside = function;
  callees->callsItself = false;
  callees->lookInto(callees, function, found);
  for (size_t i = 0; i < count; ++i)
    keepsAll |= found[i].isKept && callees->callsItself;
  callees->inside = outer;
  callees->callsItself = outerCallsItself;
  for (size_t i = 0; i < count; ++i) {
    found[i].isRead &= !isArena(mlirBlockGetArgument(entry, (intptr_t)i));
    found[i].isKept |= keepsAll;
    callees->arguments[first + i] = found[i];
  }
  free(found);
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
  bool isInside = mlirOperationEqual(callee, callees->inside);
  callees->callsItself |= isInside;
  if (isInside || mlirBlockIsNull(entry) || index < 0 ||
      index >= mlirBlockGetNumArguments(entry))
    return unseen;
  size_t first = berthPointerMapFind(&callees->firstOf, callee.ptr);
  if (first == BERTH_NOT_FOUND) {
    first = reserveArguments(callees, (size_t)mlirBlockGetNumArguments(entry));
    berthPointerMapInsert(&callees->firstOf, callee.ptr, first);
    lookInto(callees, callee, entry, first);
  }
  return callees->arguments[first + (size_t)index];
}

void berthCalleesFree(BerthCallees *callees) {
  free(callees->arguments);
  berthPointerMapFree(&callees->firstOf);
}

/// The argument that an operand becomes in the function it is handed to; null
/// if it is not known to be one.
static MlirValue argumentOf(MlirOpOperand use, MlirOperation *callee) {
  MlirValue none = {NULL};
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (!berthOpGetCallee(op, callee))
    return none;
  MlirBlock entry = entryOf(*callee);
  intptr_t index = berthCallGetArgument(op, mlirOpOperandGetOperandNumber(use));
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
    MlirValue argument = argumentOf(use, &callee);
    if (mlirValueIsNull(argument) || !isArena(argument))
      return false;
    if (mlirValueIsNull(first))
      first = argument;
    else if (!mlirValueEqual(first, argument))
      return false;
  }
  return !mlirValueIsNull(first);
}
