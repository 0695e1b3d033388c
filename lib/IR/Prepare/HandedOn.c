//===- HandedOn.c - Buffers that a loop's turns hand on -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/HandedOn.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Points.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// scf.for, affine.for: what it begins with are the last operands.
static bool isFor(MlirOperation op, BerthTurnTaker *taker) {
  if (!berthOpIs(op, BERTH_OP_LOOP))
    return false;
  intptr_t numCarried = mlirOperationGetNumResults(op);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  *taker = (BerthTurnTaker){.loop = op,
                            .first = body,
                            .second = body,
                            .firstArgument = 1,
                            .firstInitial =
                                mlirOperationGetNumOperands(op) - numCarried,
                            .numCarried = numCarried,
                            .yield = berthBlockGetLast(body)};
  return true;
}

static MlirBlock onlyBlock(MlirOperation op, intptr_t region) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  bool isOne = !mlirBlockIsNull(block) &&
               mlirBlockIsNull(mlirBlockGetNextInRegion(block));
  return isOne ? block : (MlirBlock){NULL};
}

static bool isNamed(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

/// scf.while: the first region ends with a condition and what is handed on.
static bool isWhile(MlirOperation op, BerthTurnTaker *taker) {
  if (!isNamed(op, BERTH_NAME_WHILE) || mlirOperationGetNumRegions(op) != 2)
    return false;
  MlirBlock first = onlyBlock(op, 0), second = onlyBlock(op, 1);
  if (mlirBlockIsNull(first) || mlirBlockIsNull(second))
    return false;
  *taker = (BerthTurnTaker){.loop = op,
                            .isWhile = true,
                            .first = first,
                            .second = second,
                            .numCarried = mlirOperationGetNumOperands(op),
                            .yield = berthBlockGetLast(second),
                            .condition = berthBlockGetLast(first)};
  intptr_t numResults = mlirOperationGetNumResults(op);
  return mlirBlockGetNumArguments(first) == taker->numCarried &&
         mlirOperationGetNumOperands(taker->yield) == taker->numCarried &&
         mlirBlockGetNumArguments(second) == numResults &&
         mlirOperationGetNumOperands(taker->condition) == numResults + 1;
}

bool berthIsTurnTaker(MlirOperation op, BerthTurnTaker *taker) {
  return isFor(op, taker) || isWhile(op, taker);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// A value that holds a buffer made so many turns ago.
typedef struct Name {
  MlirValue value;
  int age;
} Name;

typedef struct Search {
  const BerthTurnTaker *taker;
  const BerthMakers *makers;
  const BerthAliasOptions *alias;
  BerthCallSummaries *summaries;
  BerthHandedOn *result;
  Name *names;
  size_t count, capacity;
} Search;

static bool isTerminator(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

static void noteAlias(MlirValue alias, bool isView, bool isWhole,
                      void *userData) {
  (void)alias;
  (void)isView;
  (void)isWhole;
  *(bool *)userData = true;
}

/// True if all that the op does with the value is to read or write through it,
/// at its place. A called function is looked into, if it is there.
static bool onlyAccesses(const Search *search, MlirOpOperand use) {
  bool isHandedOn = false;
  BerthUse is = berthClassifyUse(use, search->alias, search->summaries,
                                 noteAlias, &isHandedOn);
  bool keeps =
      is.frees || is.goesOn || isHandedOn || is.leak != BERTH_LEAK_NONE;
  return ((is.reads || is.writes) && !keeps) ||
         berthIsBroken(search->alias->breakRule, "kept-instances");
}

/// True for a deallocation, or an address by which one is decided.
static bool onlyFrees(const Search *search, MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FREE) ||
         (berthOpIs(op, BERTH_OP_ADDRESS) &&
          berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), false,
                                     search->alias->root));
}

/// True for a view whose first result is all that points anywhere.
static bool isView(MlirOperation op, MlirOpOperand use) {
  MlirValue source = berthViewGetSource(op);
  if (mlirValueIsNull(source) ||
      !mlirValueEqual(source, mlirOpOperandGetValue(use)))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// From the allocation on
//===----------------------------------------------------------------------===//

/// A name that is older on another way is followed once more.
static void addName(Search *search, MlirValue value, int age) {
  for (size_t i = 0; i < search->count; ++i)
    if (mlirValueEqual(search->names[i].value, value) &&
        search->names[i].age >= age)
      return;
  search->names = berthGrow(search->names, search->count, &search->capacity,
                            sizeof *search->names);
  search->names[search->count++] = (Name){value, age};
}

static void notePlace(BerthHandedOn *result, intptr_t index, int age) {
  for (size_t i = 0; i < result->numPlaces; ++i)
    if (result->places[i].index == index) {
      if (result->places[i].age < age)
        result->places[i].age = age;
      return;
    }
  result->places = berthGrow(result->places, result->numPlaces,
                             &result->capacity, sizeof *result->places);
  result->places[result->numPlaces++] = (BerthCarriedPlace){index, age};
}

/// What a turn hands on is a turn older in the next one, and behind the loop,
/// where the allocation has not been made once more.
static bool addCarried(Search *search, intptr_t index, int age) {
  const BerthTurnTaker *taker = search->taker;
  BerthHandedOn *result = search->result;
  if (age > BERTH_MOST_TURNS_BACK)
    return false;
  notePlace(result, index, age);
  addName(search,
          mlirBlockGetArgument(taker->first, taker->firstArgument + index),
          age);
  if (!taker->isWhile)
    addName(search, mlirOperationGetResult(taker->loop, index), age);
  return true;
}

/// What scf.while hands on to its second region is as old there.
static void addPassed(Search *search, intptr_t index, int age) {
  addName(search, mlirBlockGetArgument(search->taker->second, index), age);
  addName(search, mlirOperationGetResult(search->taker->loop, index), age);
}

/// True if the op comes ahead of the allocation in a turn, or instead of it, or
/// behind the loop where a turn is cut off ahead of it.
static bool comesBeforeAlloc(const BerthTurnTaker *taker, MlirOperation op,
                             MlirOperation alloc) {
  while (true) {
    MlirBlock block = mlirOperationGetBlock(alloc);
    MlirOperation top =
        berthAncestorInRegion(op, mlirBlockGetParentRegion(block));
    if (!mlirOperationIsNull(top)) // equal: in another branch
      return mlirOperationEqual(top, alloc) ||
             mlirOperationIsBeforeInBlock(top, alloc);
    if (mlirBlockEqual(block, taker->first))
      return !taker->isWhile;
    if (mlirBlockEqual(block, taker->second))
      return true;
    alloc = mlirBlockGetParentOperation(block);
  }
}

static bool comesBefore(const Search *search, MlirOperation op) {
  bool isBefore = true;
  for (int i = 0; i < search->makers->count; ++i)
    isBefore &= comesBeforeAlloc(search->taker, op, search->makers->allocs[i]);
  return isBefore;
}

static void noteAccess(Search *search, MlirOperation op, int age) {
  int turnsBack = age - comesBefore(search, op);
  if (turnsBack > search->result->turnsBack)
    search->result->turnsBack = turnsBack;
}

/// True if one of the allocations stands in the block, or in an op there.
static bool makesIn(const Search *search, MlirBlock block) {
  for (int i = 0; i < search->makers->count; ++i) {
    MlirOperation op = search->makers->allocs[i];
    for (; !mlirOperationEqual(op, search->taker->loop);
         op = mlirOperationGetParentOperation(op))
      if (mlirBlockEqual(mlirOperationGetBlock(op), block))
        return true;
  }
  return false;
}

static bool makes(const Search *search, MlirOperation fork) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(fork); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(fork, i));
    if (!mlirBlockIsNull(block) && makesIn(search, block))
      return true;
  }
  return false;
}

/// What a branch hands on. One that makes no buffer, where another one does,
/// leaves all as old as if there had been no turn.
static bool followBranch(Search *search, MlirOperation op, intptr_t operand,
                         int age) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation fork = mlirBlockGetParentOperation(block);
  bool isLess = makes(search, fork) && !makesIn(search, block);
  if (isLess && age == 0)
    return false;
  addName(search, mlirOperationGetResult(fork, operand), age - isLess);
  return true;
}

/// True for the end of a branch in a turn, whose operands its op returns.
static bool endsBranch(const Search *search, MlirOperation op) {
  MlirOperation fork = mlirOperationGetParentOperation(op);
  if (!isTerminator(op) ||
      mlirOperationGetNumOperands(op) != mlirOperationGetNumResults(fork))
    return false;
  int depth = 0;
  for (; !mlirOperationIsNull(fork) && berthOpIsFork(fork); ++depth)
    fork = mlirOperationGetParentOperation(fork);
  return depth && mlirOperationEqual(fork, search->taker->loop);
}

static bool followUse(Search *search, MlirOpOperand use, int age) {
  const BerthTurnTaker *taker = search->taker;
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t operand = (intptr_t)mlirOpOperandGetOperandNumber(use);
  if (mlirOperationEqual(op, taker->yield))
    return addCarried(search, operand, age + 1);
  if (taker->isWhile && mlirOperationEqual(op, taker->condition)) {
    addPassed(search, operand - 1, age);
    return true;
  }
  if (onlyFrees(search, op)) {
    search->result->isFreed = true;
    return true;
  }
  if (endsBranch(search, op))
    return followBranch(search, op, operand, age);
  if (isTerminator(op) || berthOpIsTransfer(op))
    return false;
  if (isView(op, use)) {
    addName(search, mlirOperationGetResult(op, 0), age);
    return true;
  }
  noteAccess(search, op, age);
  return !berthOpMayReturnPointer(op) && onlyAccesses(search, use);
}

static bool followName(Search *search, Name name) {
  for (MlirOpOperand use = mlirValueGetFirstUse(name.value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!followUse(search, use, name.age))
      return false;
  return true;
}

bool berthFollowHandedOn(const BerthTurnTaker *taker, const BerthMakers *makers,
                         const BerthAliasOptions *alias,
                         BerthCallSummaries *summaries, BerthHandedOn *result) {
  *result = (BerthHandedOn){0};
  Search search = {.taker = taker,
                   .makers = makers,
                   .alias = alias,
                   .summaries = summaries,
                   .result = result};
  for (int i = 0; i < makers->count; ++i)
    addName(&search, mlirOperationGetResult(makers->allocs[i], 0), 0);
  bool isKnown = true;
  for (size_t i = 0; isKnown && i < search.count; ++i)
    isKnown = followName(&search, search.names[i]);
  free(search.names);
  return isKnown;
}

void berthHandedOnFree(BerthHandedOn *handedOn) { free(handedOn->places); }

//===----------------------------------------------------------------------===//
// What a loop begins with
//===----------------------------------------------------------------------===//

/// True if the op, or what it is in, stands in front of the loop in its block.
static bool standsBefore(MlirOperation op, MlirOperation loop) {
  MlirBlock block = mlirOperationGetBlock(loop);
  MlirOperation top =
      berthAncestorInRegion(op, mlirBlockGetParentRegion(block));
  return !mlirOperationIsNull(top) &&
         mlirBlockEqual(mlirOperationGetBlock(top), block) &&
         mlirOperationIsBeforeInBlock(top, loop);
}

static bool followInitial(Search *search, MlirValue value, int *count) {
  MlirOperation loop = search->taker->loop;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, loop)) {
      ++*count;
    } else if (onlyFrees(search, op)) {
      search->result->isFreed = true;
    } else if (isTerminator(op) || berthOpIsTransfer(op)) {
      return false;
    } else if (isView(op, use)) {
      if (!followInitial(search, mlirOperationGetResult(op, 0), count))
        return false;
    } else if (!standsBefore(op, loop) || berthOpMayReturnPointer(op) ||
               !onlyAccesses(search, use)) {
      return false;
    }
  }
  return true;
}

bool berthIsUsedUpTo(MlirOperation loop, MlirValue value,
                     const BerthAliasOptions *alias,
                     BerthCallSummaries *summaries, bool *isFreed) {
  BerthTurnTaker taker = {.loop = loop};
  BerthHandedOn result = {0};
  Search search = {.taker = &taker,
                   .alias = alias,
                   .summaries = summaries,
                   .result = &result};
  int count = 0;
  bool isUnused = followInitial(&search, value, &count);
  *isFreed = result.isFreed;
  return isUnused && count == 1;
}
