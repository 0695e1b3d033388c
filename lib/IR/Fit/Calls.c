//===- Calls.c - Functions for memory that is elsewhere -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Calls.h"
#include "IR/Facts/Facts.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PrivateNames.h"
#include "IR/Ops/Recursion.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static MlirStringRef nameOf(MlirOperation function) {
  return mlirStringAttrGetValue(berthAttributeOf(function, "sym_name"));
}

static MlirType typeOf(MlirOperation function) {
  return mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
}

static bool givesTypesOf(MlirOperation call, MlirOperation function) {
  MlirType type = typeOf(function);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (!mlirTypeEqual(mlirFunctionTypeGetInput(type, i),
                       mlirValueGetType(mlirOperationGetOperand(call, i))))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The value and its views, in another memory.
static void retype(MlirValue value, MlirAttribute space) {
  MlirType type = mlirValueGetType(value);
  mlirValueSetType(value,
                   berthMemRefWith(type, mlirMemRefTypeGetLayout(type), space));
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue viewed = berthViewGetSource(op);
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value))
      retype(mlirOperationGetResult(op, 0), space);
  }
}

static void retypeFunction(MlirOperation copy, MlirOperation call) {
  MlirType old = typeOf(copy);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(copy, 0));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t numResults = mlirFunctionTypeGetNumResults(old);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults) + 1, sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i) {
    types[i] = mlirValueGetType(mlirOperationGetOperand(call, i));
    if (!mlirTypeEqual(types[i], mlirFunctionTypeGetInput(old, i)))
      retype(mlirBlockGetArgument(entry, i),
             mlirMemRefTypeGetMemorySpace(types[i]));
  }
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + i] = mlirFunctionTypeGetResult(old, i);
  berthSetAttribute(copy, "function_type",
                    mlirTypeAttrGet(mlirFunctionTypeGet(
                        mlirOperationGetContext(copy), numInputs, types,
                        numResults, types + numInputs)));
  free(types);
}

/// At the end of the module: what walks over that comes there yet.
static MlirOperation makeCopy(MlirOperation original, MlirOperation call,
                              BerthFitCopies *copies) {
  MlirOperation copy = mlirOperationClone(original);
  mlirBlockAppendOwnedOperation(mlirOperationGetBlock(original), copy);
  berthNamePrivately(copy, original, "_elsewhere");
  retypeFunction(copy, call);
  copies->items = berthGrow(copies->items, copies->count, &copies->capacity,
                            sizeof *copies->items);
  copies->items[copies->count++] = (BerthFitCopy){original, copy};
  berthFitRetypeCalls(copy, copies);
  return copy;
}

static MlirOperation copyFor(MlirOperation original, MlirOperation call,
                             BerthFitCopies *copies) {
  for (size_t i = 0; i < copies->count; ++i)
    if (mlirOperationEqual(copies->items[i].original, original) &&
        givesTypesOf(call, copies->items[i].copy))
      return copies->items[i].copy;
  return makeCopy(original, call, copies);
}

static MlirWalkResult retypeCall(MlirOperation op, void *userData) {
  MlirOperation callee = berthFitCalleeOf(op);
  if (mlirOperationIsNull(callee) || givesTypesOf(op, callee))
    return MlirWalkResultAdvance;
  MlirOperation copy = copyFor(callee, op, userData);
  berthSetAttribute(
      op, "callee",
      mlirFlatSymbolRefAttrGet(mlirOperationGetContext(op), nameOf(copy)));
  return MlirWalkResultAdvance;
}

void berthFitRetypeCalls(MlirOperation scope, BerthFitCopies *copies) {
  mlirOperationWalk(scope, retypeCall, copies, MlirWalkPreOrder);
}

//===----------------------------------------------------------------------===//
// Originals
//===----------------------------------------------------------------------===//

static MlirWalkResult addCalled(MlirOperation op, void *userData) {
  MlirOperation callee = berthFitCalleeOf(op);
  if (!mlirOperationIsNull(callee))
    berthWorklistAdd(userData, callee.ptr);
  return MlirWalkResultAdvance;
}

static bool isPlainCall(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_CALL);
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

/// One that has not gone yet: the copies list each original as often as it has
/// copies.
static bool dropOne(MlirOperation root, const BerthFitCopies *copies,
                    BerthWorklist *gone) {
  BerthWorklist used = {0};
  mlirOperationWalk(root, addCalled, &used, MlirWalkPreOrder);
  berthAddNamedFunctions(root, isPlainCall, &used);
  MlirOperation found = {NULL};
  for (size_t i = 0; i < copies->count && mlirOperationIsNull(found); ++i) {
    MlirOperation original = copies->items[i].original;
    if (!berthWorklistHasSeen(gone, original.ptr) && isPrivate(original) &&
        !berthWorklistHasSeen(&used, original.ptr))
      found = original;
  }
  berthWorklistFree(&used);
  if (mlirOperationIsNull(found))
    return false;
  berthWorklistAdd(gone, found.ptr);
  mlirOperationDestroy(found);
  return true;
}

void berthFitDropOriginals(MlirOperation root, const BerthFitCopies *copies) {
  BerthWorklist gone = {0};
  while (copies->count && dropOne(root, copies, &gone))
    ;
  berthWorklistFree(&gone);
}

void berthFitCopiesFree(BerthFitCopies *copies) {
  free(copies->items);
  *copies = (BerthFitCopies){0};
}
