//===- Calls.c - What called functions do, for the verifier ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flow-insensitive: the union over the whole body of what may be done to each
// argument. Looking into a function finds its aliases with the verifier's own
// propagation, the arguments being the roots.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Calls.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Access.h"
#include "Support/Grow.h"

#include <stdlib.h>

static const BerthCalleeArgument worst = {true, true, true};

typedef struct BodyWalk {
  const BerthViews *views;
  BerthCalleeArgument *arguments;
  BerthRootAccesses accesses;
} BodyWalk;

static void addReturned(BodyWalk *walk, MlirOperation op) {
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i) {
    const BerthRootSet *set =
        berthViewsFind(walk->views, mlirOperationGetOperand(op, i));
    for (size_t k = 0; set && k < set->count; ++k)
      walk->arguments[set->ids[k]].isReturned = true;
  }
}

static MlirWalkResult addOp(MlirOperation op, void *userData) {
  BodyWalk *walk = userData;
  if (berthOpIsReturn(op))
    addReturned(walk, op);
  berthRootAccessesOf(&walk->accesses, walk->views, op, false);
  for (size_t i = 0; i < walk->accesses.count; ++i) {
    const BerthRootAccess *access = &walk->accesses.items[i];
    walk->arguments[access->root].isRead |= access->reads;
    walk->arguments[access->root].isWritten |= access->writes;
  }
  return MlirWalkResultAdvance;
}

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
  MlirStringRef number = mlirStringRefCreateFromCString("berth.buffer");
  MlirOpOperand use = mlirValueGetFirstUse(argument);
  bool isUsed = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIsNamed(op, "memref.view") ||
        mlirAttributeIsNull(mlirOperationGetAttributeByName(op, number)))
      return false;
  }
  return isUsed;
}

/// While a function is looked into, calls of it see the worst.
static void lookInto(BerthCallees *callees, MlirOperation function,
                     size_t first, size_t count) {
  BerthArena memory = {0};
  BerthViews views = berthViewsOfArguments(function, callees, &memory);
  BerthCalleeArgument *found = berthAllocateOrDie(count, sizeof *found);
  BodyWalk walk = {.views = &views, .arguments = found};
  mlirOperationWalk(function, addOp, &walk, MlirWalkPreOrder);
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (size_t i = 0; i < count; ++i) {
    found[i].isRead &= !isArena(mlirBlockGetArgument(entry, (intptr_t)i));
    callees->arguments[first + i] = found[i];
  }
  free(found);
  berthRootAccessesFree(&walk.accesses);
  berthViewsFree(&views);
  berthArenaFree(&memory);
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
  if (mlirBlockIsNull(entry) || index < 0 ||
      berthCalleeIsHidden(callee, callees->root) ||
      index >= mlirBlockGetNumArguments(entry))
    return worst;
  size_t first = berthPointerMapFind(&callees->firstOf, callee.ptr);
  if (first == BERTH_NOT_FOUND) {
    size_t count = (size_t)mlirBlockGetNumArguments(entry);
    first = reserveArguments(callees, count);
    berthPointerMapInsert(&callees->firstOf, callee.ptr, first);
    lookInto(callees, callee, first, count);
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
