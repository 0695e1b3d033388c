//===- KnownCalls.c - Functions all of whose calls are known --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/KnownCalls.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Arrival.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

MlirType berthFunctionGetType(MlirOperation function) {
  return mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool isCall(MlirOperation op) { return berthOpIs(op, BERTH_OP_CALL); }

BerthKnownCalls berthKnownCallsCreate(MlirOperation root,
                                      const BerthCollectOptions *options) {
  BerthKnownCalls known = {.root = root, .options = options};
  berthAddNamedFunctions(root, isCall, &known.named);
  return known;
}

void berthKnownCallsFree(BerthKnownCalls *known) {
  berthWorklistFree(&known->named);
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

static bool isOfHost(MlirOperation function,
                     const BerthCollectOptions *options) {
  return !mlirOperationIsNull(function) &&
         berthOpIs(function, BERTH_OP_FUNCTION) &&
         berthScopeOf(function, options).kind == BERTH_SCOPE_FUNCTION;
}

typedef struct SiteWalk {
  const BerthKnownCalls *known;
  BerthCallSites *sites;
} SiteWalk;

static void addSite(MlirOperation call, void *userData) {
  SiteWalk *walk = userData;
  BerthCallSites *sites = walk->sites;
  // Upstream cannot lower a memref beside a call's argument attributes.
  if (!mlirAttributeIsNull(berthAttributeOf(call, "arg_attrs")) ||
      !mlirAttributeIsNull(berthAttributeOf(call, "res_attrs")))
    sites->obstacle = "a call of it has attributes on its arguments or results";
  else if (!isOfHost(berthEnclosingScope(call), walk->known->options))
    sites->obstacle = "a call of it stands in code that threads run";
  sites->calls = berthGrow(sites->calls, sites->count, &sites->capacity,
                           sizeof *sites->calls);
  sites->calls[sites->count++] = call;
}

/// An op of which nobody knows whether it hands values to the caller.
static bool endsStrangely(MlirOperation function) {
  for (MlirBlock block =
           mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (mlirOperationIsNull(last) ||
        (!berthOpIsReturn(last) && mlirOperationGetNumOperands(last) &&
         !mlirOperationGetNumSuccessors(last)))
      return true;
  }
  return false;
}

/// Why the function stays as it is, whoever calls it.
static const char *obstacleInside(const BerthKnownCalls *known,
                                  MlirOperation function) {
  if (!isOfHost(function, known->options))
    return "threads run it";
  if (berthFunctionIsRecursive(function))
    return "it is part of a recursion";
  if (berthFunctionIsCoroutine(function))
    return "it is a coroutine";
  return endsStrangely(function) ? "it ends in an op that nobody knows" : NULL;
}

BerthCallSites berthFindCallSites(const BerthKnownCalls *known,
                                  MlirOperation function) {
  BerthCallSites sites = {0};
  SiteWalk walk = {known, &sites};
  sites.isOpen =
      !isPrivate(function) ||
      !mlirAttributeIsNull(berthAttributeOf(function, BERTH_C_INTERFACE));
  bool isComplete = berthForEachCallSite(function, known->root, addSite, &walk);
  if (berthFunctionIsUnseen(function))
    sites.obstacle = "it has no body here";
  else if (berthWorklistHasSeen(&known->named, function.ptr) ||
           (!isComplete && !sites.isOpen))
    sites.obstacle = "its name is used by an op that is no plain call";
  else if (!sites.count && !sites.isOpen)
    sites.obstacle = "nobody calls it";
  else if (!sites.obstacle)
    sites.obstacle = obstacleInside(known, function);
  return sites;
}

//===----------------------------------------------------------------------===//
// Returns
//===----------------------------------------------------------------------===//

void berthForEachReturn(MlirOperation function, BerthReturnCallback callback,
                        void *userData) {
  for (MlirBlock block =
           mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (berthOpIsReturn(last))
      callback(last, userData);
  }
}

static void lookAtReturn(MlirOperation end, void *userData) {
  BerthReturned *returned = userData;
  MlirValue value = mlirOperationGetOperand(end, returned->index);
  if (mlirValueIsNull(returned->value))
    returned->value = value;
  returned->isOne &= mlirValueEqual(returned->value, value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    returned->isTwice |= i != returned->index &&
                         mlirValueEqual(mlirOperationGetOperand(end, i), value);
}

BerthReturned berthFindReturned(MlirOperation function, intptr_t index) {
  BerthReturned returned = {.index = index, .isOne = true};
  berthForEachReturn(function, lookAtReturn, &returned);
  return returned;
}

bool berthIsTold(MlirOperation alloc) {
  static const char prefix[] = "berth.";
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(alloc); ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetAttribute(alloc, i).name);
    if (name.length >= strlen(prefix) &&
        memcmp(name.data, prefix, strlen(prefix)) == 0)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Changing them
//===----------------------------------------------------------------------===//

static void dropOperand(MlirOperation end, void *userData) {
  const intptr_t *index = userData;
  intptr_t count = mlirOperationGetNumOperands(end);
  MlirValue *operands = berthAllocateOrDie((size_t)count, sizeof *operands);
  for (intptr_t i = 0; i + 1 < count; ++i)
    operands[i] = mlirOperationGetOperand(end, i + (i >= *index));
  mlirOperationSetOperands(end, count - 1, operands);
  free(operands);
}

static void dropResult(MlirOperation function, intptr_t index) {
  MlirType type = berthFunctionGetType(function);
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults), sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i + 1 < numResults; ++i)
    types[numInputs + i] = mlirFunctionTypeGetResult(type, i + (i >= index));
  MlirType less = mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs,
                                      types, numResults - 1, types + numInputs);
  free(types);
  berthSetAttribute(function, "function_type", mlirTypeAttrGet(less));
}

void berthDropReturned(MlirOperation function, intptr_t index) {
  berthForEachReturn(function, dropOperand, &index);
  dropResult(function, index);
}

MlirOperation berthDropCallResult(MlirOperation call, intptr_t index,
                                  MlirValue instead) {
  BerthInsertPoint at = berthInsertBefore(call);
  intptr_t numOperands = mlirOperationGetNumOperands(call);
  intptr_t numResults = mlirOperationGetNumResults(call);
  intptr_t numAttributes = mlirOperationGetNumAttributes(call);
  MlirValue *operands =
      berthAllocateOrDie((size_t)numOperands, sizeof *operands);
  MlirType *types = berthAllocateOrDie((size_t)numResults, sizeof *types);
  MlirNamedAttribute *attributes =
      berthAllocateOrDie((size_t)numAttributes, sizeof *attributes);
  for (intptr_t i = 0; i < numOperands; ++i)
    operands[i] = mlirOperationGetOperand(call, i);
  for (intptr_t i = 0; i + 1 < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(call, i + (i >= index)));
  for (intptr_t i = 0; i < numAttributes; ++i)
    attributes[i] = mlirOperationGetAttribute(call, i);
  MlirOperation changed =
      berthBuild(at, BERTH_NAME_CALL, numOperands, operands, numResults - 1,
                 types, numAttributes, attributes);
  for (intptr_t i = 0; i < numResults; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(call, i),
        i == index ? instead
                   : mlirOperationGetResult(changed, i - (i > index)));
  mlirOperationDestroy(call);
  free(operands);
  free(types);
  free(attributes);
  return changed;
}

static MlirAttribute without(MlirAttribute list, intptr_t index) {
  intptr_t count = mlirArrayAttrGetNumElements(list);
  MlirAttribute *elements = berthAllocateOrDie((size_t)count, sizeof *elements);
  for (intptr_t i = 0; i + 1 < count; ++i)
    elements[i] = mlirArrayAttrGetElement(list, i + (i >= index));
  MlirAttribute less =
      mlirArrayAttrGet(mlirAttributeGetContext(list), count - 1, elements);
  free(elements);
  return less;
}

void berthDropArgument(MlirOperation function, intptr_t index) {
  MlirType type = berthFunctionGetType(function);
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults), sizeof *types);
  for (intptr_t i = 0; i + 1 < numInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i + (i >= index));
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + i] = mlirFunctionTypeGetResult(type, i);
  MlirType less = mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs - 1,
                                      types, numResults, types + numInputs);
  free(types);
  berthSetAttribute(function, "function_type", mlirTypeAttrGet(less));
  MlirAttribute attributes = berthAttributeOf(function, "arg_attrs");
  if (!mlirAttributeIsNull(attributes))
    berthSetAttribute(function, "arg_attrs", without(attributes, index));
  mlirBlockEraseArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)),
      (unsigned)index);
}

void berthDropCallOperand(MlirOperation call, intptr_t index,
                          MlirValue instead) {
  MlirValue value = mlirOperationGetOperand(call, index);
  intptr_t count = mlirOperationGetNumOperands(call);
  MlirValue *operands = berthAllocateOrDie((size_t)count, sizeof *operands);
  for (intptr_t i = 0; i + 1 < count; ++i)
    operands[i] = mlirOperationGetOperand(call, i + (i >= index));
  mlirOperationSetOperands(call, count - 1, operands);
  free(operands);
  mlirValueReplaceAllUsesOfWith(value, instead);
  mlirOperationDestroy(mlirOpResultGetOwner(value));
}
