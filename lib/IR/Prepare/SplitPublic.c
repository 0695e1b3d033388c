//===- SplitPublic.c - Wrappers of functions that get frames --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/SplitPublic.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PrivateNames.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/ScopeKind.h"

#include <stdlib.h>

static bool isCall(MlirOperation op) { return berthOpIs(op, BERTH_OP_CALL); }

static MlirOperation calleeOf(MlirOperation op) {
  MlirOperation callee = {NULL};
  return isCall(op) && berthOpGetCallee(op, &callee) ? callee
                                                     : (MlirOperation){NULL};
}

static MlirStringRef nameOf(MlirOperation function) {
  return mlirStringAttrGetValue(berthAttributeOf(function, "sym_name"));
}

static MlirOperation functionAround(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op));
  return op;
}

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

typedef struct Search {
  const BerthCollectOptions *options;
  BerthWorklist called; ///< by plain calls, not their own
  BerthWorklist named;
  BerthWorklist found; ///< to be split
} Search;

static MlirWalkResult addCalled(MlirOperation op, void *userData) {
  Search *search = userData;
  MlirOperation callee = calleeOf(op);
  if (!mlirOperationIsNull(callee) &&
      !mlirOperationEqual(callee, functionAround(op)))
    berthWorklistAdd(&search->called, callee.ptr);
  return MlirWalkResultAdvance;
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

static MlirWalkResult findMemory(MlirOperation op, void *userData) {
  BerthEffects effects;
  bool *found = userData;
  *found = isCall(op) || (berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
                          effects.anywhere & BERTH_EFFECT_ALLOCATE);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirWalkResult addFunction(MlirOperation op, void *userData) {
  Search *search = userData;
  if (!berthOpIs(op, BERTH_OP_FUNCTION))
    return MlirWalkResultAdvance;
  bool isMeant =
      !berthFunctionIsUnseen(op) &&
      berthWorklistHasSeen(&search->called, op.ptr) &&
      (!isPrivate(op) || berthWorklistHasSeen(&search->named, op.ptr)) &&
      berthScopeOf(op, search->options).kind == BERTH_SCOPE_FUNCTION &&
      !berthFunctionIsCoroutine(op) && !berthFunctionIsRecursive(op);
  bool hasMemory = false;
  if (isMeant)
    mlirOperationWalk(op, findMemory, &hasMemory, MlirWalkPreOrder);
  if (hasMemory)
    berthWorklistAdd(&search->found, op.ptr);
  return MlirWalkResultSkip;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

typedef struct Redirection {
  BerthPointerMap numberOf; ///< function -> its number
  const BerthSplitFunctions *split;
  bool toWrapper;
} Redirection;

static MlirWalkResult redirect(MlirOperation op, void *userData) {
  const Redirection *redirection = userData;
  MlirOperation callee = calleeOf(op);
  size_t number = mlirOperationIsNull(callee)
                      ? BERTH_NOT_FOUND
                      : berthPointerMapFind(&redirection->numberOf, callee.ptr);
  if (number == BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  const BerthSplitFunction *item = &redirection->split->items[number];
  MlirOperation to = redirection->toWrapper ? item->wrapper : item->inner;
  berthSetAttribute(
      op, "callee",
      mlirFlatSymbolRefAttrGet(mlirOperationGetContext(op), nameOf(to)));
  return MlirWalkResultAdvance;
}

/// The function's code in a private function behind it; it stays empty.
static MlirOperation moveCode(MlirOperation function) {
  MlirOperation inner = mlirOperationClone(function);
  berthNamePrivately(inner, function, "_in_frame");
  mlirRegionTakeBody(mlirOperationGetRegion(inner, 0),
                     mlirOperationGetRegion(function, 0));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(function), function,
                                     inner);
  return inner;
}

static void buildWrapper(MlirOperation function, MlirOperation inner) {
  MlirLocation location = mlirOperationGetLocation(function);
  MlirType type =
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), block);
  MlirValue *values =
      berthAllocateOrDie((size_t)(numInputs + numResults), sizeof *values);
  MlirType *types = berthAllocateOrDie((size_t)numResults, sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i)
    values[i] = mlirBlockAddArgument(block, mlirFunctionTypeGetInput(type, i),
                                     location);
  for (intptr_t i = 0; i < numResults; ++i)
    types[i] = mlirFunctionTypeGetResult(type, i);
  BerthInsertPoint at = {block, {NULL}, location};
  // Names are of any length, and end where the string says.
  BerthText name = {0};
  berthTextAppend(&name, "%.*s", (int)nameOf(inner).length, nameOf(inner).data);
  MlirOperation call =
      berthBuildCall(at, name.data, numInputs, values, numResults, types);
  berthTextFree(&name);
  for (intptr_t i = 0; i < numResults; ++i)
    values[i] = mlirOperationGetResult(call, i);
  berthBuild(at, BERTH_NAME_RETURN, numResults, values, 0, NULL, 0, NULL);
  free(values);
  free(types);
}

void berthSplitPublic(MlirOperation root, const BerthCollectOptions *options,
                      BerthBackup *backup, BerthSplitFunctions *split) {
  Search search = {.options = options};
  mlirOperationWalk(root, addCalled, &search, MlirWalkPreOrder);
  berthAddNamedFunctions(root, isCall, &search.named);
  mlirOperationWalk(root, addFunction, &search, MlirWalkPreOrder);
  // The backup is a copy: ops stay where they are.
  if (search.found.numPending)
    berthBackupTake(backup, root);
  Redirection redirection = {.split = split};
  for (size_t i = 0; i < search.found.numPending; ++i) {
    MlirOperation function = {(void *)search.found.pending[i]};
    split->items = berthGrow(split->items, split->count, &split->capacity,
                             sizeof *split->items);
    berthPointerMapInsert(&redirection.numberOf, function.ptr, split->count);
    split->items[split->count++] =
        (BerthSplitFunction){function, moveCode(function)};
  }
  if (split->count)
    mlirOperationWalk(root, redirect, &redirection, MlirWalkPreOrder);
  for (size_t i = 0; i < split->count; ++i)
    buildWrapper(split->items[i].wrapper, split->items[i].inner);
  berthPointerMapFree(&redirection.numberOf);
  berthWorklistFree(&search.called);
  berthWorklistFree(&search.named);
  berthWorklistFree(&search.found);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// A frame is one more argument.
static bool hasFrame(const BerthSplitFunction *item) {
  return !mlirAttributeEqual(berthAttributeOf(item->inner, "function_type"),
                             berthAttributeOf(item->wrapper, "function_type"));
}

void berthJoinUnframed(MlirOperation root, const BerthSplitFunctions *split) {
  Redirection redirection = {.split = split, .toWrapper = true};
  for (size_t i = 0; i < split->count; ++i)
    if (!hasFrame(&split->items[i])) {
      mlirRegionTakeBody(mlirOperationGetRegion(split->items[i].wrapper, 0),
                         mlirOperationGetRegion(split->items[i].inner, 0));
      berthPointerMapInsert(&redirection.numberOf, split->items[i].inner.ptr,
                            i);
    }
  if (redirection.numberOf.count)
    mlirOperationWalk(root, redirect, &redirection, MlirWalkPreOrder);
  for (size_t i = 0; i < split->count; ++i)
    if (!hasFrame(&split->items[i]))
      mlirOperationDestroy(split->items[i].inner);
  berthPointerMapFree(&redirection.numberOf);
}

void berthSplitFunctionsFree(BerthSplitFunctions *split) { free(split->items); }
