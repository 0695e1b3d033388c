//===- Callers.c - Callers and launches of a rewritten function -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// arena=argument gives the function a trailing argument; every caller allocates
// an arena around its call. arena=dynamic needs every launch of the kernel to
// ask for enough dynamic shared memory. CallerChecks.c has seen by now that
// both can be done.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/Callers.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OperandSegments.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Residency.h"
#include "IR/Rewrite/CallerChecks.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

typedef struct CallerWalk {
  BerthJob *job;
  MlirType arenaType;
} CallerWalk;

/// One more dictionary behind those of the first `count` arguments.
static void appendArgumentAttributes(MlirOperation op, intptr_t count,
                                     MlirAttribute attributes) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute old = berthAttributeOf(op, "arg_attrs");
  MlirAttribute *all = berthAllocateOrDie((size_t)count + 1, sizeof *all);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirAttributeIsNull(old) ? mlirDictionaryAttrGet(context, 0, NULL)
                                      : mlirArrayAttrGetElement(old, i);
  all[count] = attributes;
  berthSetAttribute(op, "arg_attrs", mlirArrayAttrGet(context, count + 1, all));
  free(all);
}

void berthAddOperand(MlirOperation op, MlirValue operand) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = berthAllocateOrDie((size_t)count + 1, sizeof *operands);
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  operands[count] = operand;
  mlirOperationSetOperands(op, count + 1, operands);
  free(operands);
  // A call's arguments may have attributes too, one dictionary each.
  MlirAttribute none =
      mlirDictionaryAttrGet(mlirOperationGetContext(op), 0, NULL);
  if (!mlirAttributeIsNull(berthAttributeOf(op, "arg_attrs")))
    appendArgumentAttributes(op, count, none);
}

/// Allocates an arena before the call, hands it over, frees it behind.
static MlirWalkResult changeCaller(MlirOperation op, void *userData) {
  CallerWalk *walk = userData;
  BerthJob *job = walk->job;
  if (!berthIsCallOf(op, job))
    return MlirWalkResultAdvance;
  BerthInsertPoint before = berthInsertBefore(op), behind = before;
  behind.before = mlirOperationGetNextInBlock(op);
  MlirValue arena = berthBuildAllocation(before, /*isOnHeap=*/true,
                                         walk->arenaType, (MlirValue){NULL},
                                         job->arenaAlignment, /*isFreed=*/true);
  berthAddOperand(op, arena);
  berthBuildDealloc(behind, arena);
  return MlirWalkResultAdvance;
}

/// The function's type with one more input.
static MlirType extendedType(MlirType type, MlirType input) {
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults) + 1, sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  types[numInputs] = input;
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + 1 + i] = mlirFunctionTypeGetResult(type, i);
  MlirType result =
      mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs + 1, types,
                          numResults, types + numInputs + 1);
  free(types);
  return result;
}

MlirValue berthAddArgument(MlirOperation function, MlirType type,
                           MlirAttribute attributes) {
  MlirType old =
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(old);
  berthSetAttribute(function, "function_type",
                    mlirTypeAttrGet(extendedType(old, type)));
  appendArgumentAttributes(function, numInputs, attributes);
  return mlirBlockInsertArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)), numInputs,
      type, mlirOperationGetLocation(function));
}

MlirValue berthAddArenaArgument(BerthJob *job) {
  MlirOperation function = job->scope.op;
  int64_t bytes = berthHasEntryHome(job) ? -1 : job->arenaSize;
  CallerWalk walk = {job, berthByteMemRef(mlirOperationGetContext(function),
                                          bytes, job->scope.space)};
  // An embedded function's callers hand over what they have (CalleeArenas.c).
  if (!job->isEmbedded)
    mlirOperationWalk(job->root, changeCaller, &walk, MlirWalkPreOrder);
  // Callers owe the arena its alignment.
  MlirContext context = mlirOperationGetContext(function);
  MlirNamedAttribute alignment =
      berthNamed(context, "llvm.align", berthI64(context, job->arenaAlignment));
  return berthAddArgument(function, walk.arenaType,
                          mlirDictionaryAttrGet(context, 1, &alignment));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

enum { kDynamicSize = 10 }; // of gpu.launch_func's segments

static MlirWalkResult raiseLaunch(MlirOperation op, void *userData) {
  BerthJob *job = userData;
  if (!berthIsLaunchOf(op, job->scope.op))
    return MlirWalkResultAdvance;
  BerthInsertPoint at = berthInsertBefore(op);
  MlirType i32 = mlirIntegerTypeGet(mlirOperationGetContext(op), 32);
  MlirValue size = berthBuildInteger(at, i32, berthLaunchBytes(job));
  // What the launch asks for may be what the arena stands for now.
  if (berthSegmentGetSize(op, kDynamicSize) && !berthStandsForDynamic(job)) {
    intptr_t position = berthSegmentGetBegin(op, kDynamicSize);
    size = berthBuildBinary(at, BERTH_NAME_MAX,
                            mlirOperationGetOperand(op, position), size);
  }
  berthSegmentSet(op, kDynamicSize, 1, &size);
  return MlirWalkResultAdvance;
}

void berthRaiseLaunches(BerthJob *job) {
  mlirOperationWalk(job->root, raiseLaunch, job, MlirWalkPreOrder);
}

static MlirWalkResult clearLaunch(MlirOperation op, void *userData) {
  if (!berthIsLaunchOf(op, *(MlirOperation *)userData) ||
      !berthSegmentGetSize(op, kDynamicSize))
    return MlirWalkResultAdvance;
  berthSegmentSet(op, kDynamicSize, 0, NULL);
  berthEmitRemark(op, BERTH_REMARK_PASSED, "berth-arena",
                  "asks for no dynamic shared memory any more: the kernel has "
                  "it in its arena");
  return MlirWalkResultAdvance;
}

void berthClearLaunches(MlirOperation root, MlirOperation kernel) {
  if (!berthUsesDynamicShared(mlirOperationGetParentOperation(kernel)))
    mlirOperationWalk(root, clearLaunch, &kernel, MlirWalkPreOrder);
}
