//===- Recursion.c - May two runs of a function be under way? -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global arena exists once, however many instances of its function run. The
// calls that the module shows are followed. What is called by its address, or
// by a function that is only declared, may be any function whose name somebody
// uses but to call it; one whose name nobody uses so is taken not to be called
// back.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Recursion.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/BuiltinAttributes.h"

typedef struct CallWalk {
  BerthWorklist functions; ///< that may run
  bool callsUnknown;       ///< one of them calls what is not seen
} CallWalk;

static bool hasBody(MlirOperation function) {
  return mlirOperationGetNumRegions(function) > 0 &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

static MlirWalkResult addCallee(MlirOperation op, void *userData) {
  CallWalk *walk = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee))
    return MlirWalkResultAdvance;
  if (mlirOperationIsNull(callee) || !hasBody(callee))
    walk->callsUnknown = true;
  else
    berthWorklistAdd(&walk->functions, callee.ptr);
  return MlirWalkResultAdvance;
}

static void followCalls(CallWalk *walk) {
  while (walk->functions.numPending) {
    MlirOperation function = {(void *)berthWorklistTake(&walk->functions)};
    mlirOperationWalk(function, addCallee, walk, MlirWalkPreOrder);
  }
}

//===----------------------------------------------------------------------===//
// Calls by address
//===----------------------------------------------------------------------===//

typedef struct NameWalk {
  BerthWorklist names; ///< string attributes
  CallWalk *calls;
} NameWalk;

static void addNames(MlirAttribute attribute, BerthWorklist *names) {
  intptr_t count = mlirAttributeIsAArray(attribute)
                       ? mlirArrayAttrGetNumElements(attribute)
                       : 0;
  for (intptr_t i = 0; i < count; ++i)
    addNames(mlirArrayAttrGetElement(attribute, i), names);
  if (mlirAttributeIsASymbolRef(attribute))
    berthWorklistAdd(
        names, mlirStringAttrGet(mlirAttributeGetContext(attribute),
                                 mlirSymbolRefAttrGetLeafReference(attribute))
                   .ptr);
}

static MlirWalkResult addUsedNames(MlirOperation op, void *userData) {
  NameWalk *walk = userData;
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee))
    return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i)
    addNames(mlirOperationGetAttribute(op, i).attribute, &walk->names);
  return MlirWalkResultAdvance;
}

static MlirWalkResult addNamedFunction(MlirOperation op, void *userData) {
  NameWalk *walk = userData;
  if (!berthOpIsFunction(op))
    return MlirWalkResultAdvance;
  MlirAttribute name = berthAttributeOf(op, "sym_name");
  if (!mlirAttributeIsNull(name) &&
      berthWorklistHasSeen(&walk->names, name.ptr))
    berthWorklistAdd(&walk->calls->functions, op.ptr);
  return MlirWalkResultSkip;
}

/// Follows the calls, and then those by address, if there are any.
static void followAllCalls(CallWalk *calls, MlirOperation root) {
  followCalls(calls);
  if (!calls->callsUnknown)
    return;
  NameWalk walk = {.calls = calls};
  mlirOperationWalk(root, addUsedNames, &walk, MlirWalkPreOrder);
  mlirOperationWalk(root, addNamedFunction, &walk, MlirWalkPreOrder);
  berthWorklistFree(&walk.names);
  followCalls(calls);
}

static bool endWalk(CallWalk *walk, MlirOperation function) {
  bool found = berthWorklistHasSeen(&walk->functions, function.ptr);
  berthWorklistFree(&walk->functions);
  return found;
}

bool berthFunctionIsRecursive(MlirOperation function) {
  CallWalk walk = {0};
  mlirOperationWalk(function, addCallee, &walk, MlirWalkPreOrder);
  followCalls(&walk);
  return endWalk(&walk, function);
}

bool berthFunctionMayCallItself(MlirOperation function, MlirOperation root) {
  CallWalk walk = {0};
  mlirOperationWalk(function, addCallee, &walk, MlirWalkPreOrder);
  followAllCalls(&walk, root);
  return endWalk(&walk, function);
}

//===----------------------------------------------------------------------===//
// Callers that run at once
//===----------------------------------------------------------------------===//

static bool isStart(MlirOperation op) {
  return berthOpIsParallel(op) || berthOpIsAsync(op) ||
         berthOpIs(op, BERTH_OP_LAUNCH) || berthOpIs(op, BERTH_OP_GPU_FUNCTION);
}

static MlirWalkResult addConcurrentCallee(MlirOperation op, void *userData) {
  if (!isStart(op))
    return MlirWalkResultAdvance;
  mlirOperationWalk(op, addCallee, userData, MlirWalkPreOrder);
  return MlirWalkResultSkip;
}

bool berthFunctionRunsAtOnce(MlirOperation function, MlirOperation root,
                             bool followsAddresses) {
  CallWalk walk = {0};
  mlirOperationWalk(root, addConcurrentCallee, &walk, MlirWalkPreOrder);
  if (followsAddresses)
    followAllCalls(&walk, root);
  else
    followCalls(&walk);
  return endWalk(&walk, function);
}
