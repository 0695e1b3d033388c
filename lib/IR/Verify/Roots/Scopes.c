//===- Scopes.c - What is checked together --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Scopes.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Runs/Arrival.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Memory that threads share
//===----------------------------------------------------------------------===//

static bool isInGpuModule(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (berthOpIs(op, BERTH_OP_GPU_MODULE))
      return true;
  return false;
}

bool berthIsSharedByThreads(MlirType type, MlirOperation function,
                            const BerthVerifyOptions *options) {
  if (!mlirTypeIsAMemRef(type))
    return false;
  bool isTold = isInGpuModule(function) ||
                berthIsOfThreads(function, options) ||
                berthIsToldKernel(function, options);
  bool isOfThreads = isTold || berthIsKernel(function, options);
  switch (berthSpaceGetUse(mlirMemRefTypeGetMemorySpace(type))) {
  case BERTH_SPACE_THREAD:
    return false;
  case BERTH_SPACE_WORKGROUP:
  case BERTH_SPACE_TENSOR:
    return true;
  case BERTH_SPACE_PERHAPS_WORKGROUP:
    return isOfThreads || (options->ofThreads && options->ofThreads->count);
  case BERTH_SPACE_UNKNOWN:
    // That other memory of the function may be a workgroup's says nothing of
    // this: numbers of spaces may be those of levels.
    return isTold && options->forThreads;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static bool isFunctionOrLaunch(MlirOperation op) {
  return berthOpIsFunction(op) || berthOpIs(op, BERTH_OP_LAUNCH);
}

bool berthIsVerifyScope(MlirOperation op) {
  return (isFunctionOrLaunch(op) || berthOpIsParallel(op)) &&
         !berthFunctionIsUnseen(op);
}

/// The innermost function, launch or, if `orParallel`, parallel op around an
/// op.
static MlirOperation scopeAround(MlirOperation op, bool orParallel) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !isFunctionOrLaunch(op) &&
         !(orParallel && berthOpIsParallel(op)));
  return op;
}

MlirAttribute berthViewNumber(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_VIEW)
             ? berthAttributeOf(op, BERTH_BUFFER_NUMBER)
             : (MlirAttribute){NULL};
}

BerthViewPlace berthViewPlace(MlirOperation view,
                              const BerthVerifyOptions *options) {
  MlirValue arena = mlirOperationGetOperand(view, 0);
  BerthViewPlace place = {.scope = scopeAround(view, false)};
  if (mlirOperationIsNull(place.scope) ||
      berthIsSharedByThreads(mlirValueGetType(arena), place.scope, options))
    return place;
  MlirOperation home = berthIsFreshMemory(arena)
                           ? scopeAround(mlirOpResultGetOwner(arena), true)
                           : place.scope;
  MlirOperation op = scopeAround(view, true);
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, home) &&
         !isFunctionOrLaunch(op)) {
    place.sharedBy = op;
    op = scopeAround(op, true);
  }
  place.scope = op;
  return place;
}

MlirOperation berthPlacedScope(MlirOperation alloc,
                               const BerthVerifyOptions *options) {
  MlirOperation function = scopeAround(alloc, false);
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  bool isShared = !mlirOperationIsNull(function) &&
                  berthIsSharedByThreads(type, function, options);
  return isShared ? function : scopeAround(alloc, true);
}
