//===- HostValues.c - What a kernel's host knows as well ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/HostValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OperandSegments.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>

/// Positions in operandSegmentSizes: of both ops the same, up to the dynamic
/// size. A gpu.launch body begins with block ids, thread ids, and the extents.
enum {
  kDependencies = 0,
  kClusters = 7,
  kArguments = 11,
  kStream = 12,
  kFirstExtent = 6
};

BerthLaunchForm berthLaunchGetForm(MlirOperation launch) {
  bool isFunction = berthOpIs(launch, BERTH_OP_LAUNCH_FUNCTION);
  return (BerthLaunchForm){
      .hasClusters = berthSegmentGetSize(launch, kClusters) > 0,
      .hasStream = isFunction && berthSegmentGetSize(launch, kStream) > 0,
      .isAsync = mlirOperationGetNumResults(launch) > 0,
      .numDependencies = berthSegmentGetSize(launch, kDependencies)};
}

MlirValue berthLaunchGetExtent(MlirOperation launch, int extent) {
  return mlirOperationGetOperand(
      launch, berthSegmentGetSize(launch, kDependencies) + extent);
}

void berthLaunchSetDependency(MlirOperation launch, MlirValue token) {
  berthSegmentSet(launch, kDependencies, 1, &token);
}

void berthLaunchAddArgument(MlirOperation launch, MlirValue argument) {
  intptr_t first = berthSegmentGetBegin(launch, kArguments);
  intptr_t count = berthSegmentGetSize(launch, kArguments);
  MlirValue *arguments =
      berthAllocateOrDie((size_t)count + 1, sizeof *arguments);
  for (intptr_t i = 0; i < count; ++i)
    arguments[i] = mlirOperationGetOperand(launch, first + i);
  arguments[count] = argument;
  berthSegmentSet(launch, kArguments, count + 1, arguments);
  free(arguments);
}

static bool isInside(MlirOperation kernel, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return berthOpIsWithin(mlirBlockGetParentOperation(block), kernel);
}

/// Attributions are no arguments of launches.
static bool argumentIsKnown(MlirOperation kernel, MlirValue argument) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  intptr_t number = mlirBlockArgumentGetArgNumber(argument);
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(argument), entry))
    return false;
  if (berthOpIs(kernel, BERTH_OP_LAUNCH))
    return number >= kFirstExtent && number < kFirstExtent + BERTH_NUM_EXTENTS;
  return number < mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(
                      berthAttributeOf(kernel, "function_type")));
}

/// The extent that an op tells, or -1.
static int extentOf(MlirOperation op) {
  bool isIndex =
      mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (isIndex && berthOpIs(op, BERTH_OP_GRID_SIZE))
    return berthOpGetDimension(op);
  return isIndex && berthOpIs(op, BERTH_OP_BLOCK_SIZE)
             ? 3 + berthOpGetDimension(op)
             : -1;
}

bool berthHostMayKnow(MlirOperation kernel, MlirValue value,
                      const char *breakRule) {
  if (!isInside(kernel, value))
    return true;
  if (mlirValueIsABlockArgument(value))
    return argumentIsKnown(kernel, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  bool isOfThreads = berthOpIsOfThreads(op) && extentOf(op) < 0;
  return !isOfThreads || berthIsBroken(breakRule, "size-of-one-thread");
}

//===----------------------------------------------------------------------===//
// Computing it
//===----------------------------------------------------------------------===//

MlirValue berthHostExtent(BerthHostValues *host, int extent) {
  MlirValue value = berthLaunchGetExtent(host->launch, extent);
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    return value;
  MlirType index = mlirIndexTypeGet(mlirOperationGetContext(host->launch));
  return berthBuildValue(host->at, BERTH_NAME_INDEX_CAST, 1, &value, index, 0,
                         NULL);
}

static MlirValue argument(BerthHostValues *host, MlirValue value) {
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (berthOpIs(host->kernel, BERTH_OP_LAUNCH))
    return berthHostExtent(host, (int)number - kFirstExtent);
  return mlirOperationGetOperand(
      host->launch, berthSegmentGetBegin(host->launch, kArguments) + number);
}

static MlirValue makeClone(BerthHostValues *host, MlirValue value) {
  MlirOperation clone = mlirOperationClone(mlirOpResultGetOwner(value));
  intptr_t count = mlirOperationGetNumOperands(clone);
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(
        clone, i, berthHostValue(host, mlirOperationGetOperand(clone, i)));
  mlirBlockInsertOwnedOperationBefore(host->at.block, host->at.before, clone);
  return mlirOperationGetResult(clone, mlirOpResultGetResultNumber(value));
}

static MlirValue make(BerthHostValues *host, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return argument(host, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  return extentOf(op) >= 0 ? berthHostExtent(host, extentOf(op))
                           : makeClone(host, value);
}

MlirValue berthHostValue(BerthHostValues *host, MlirValue value) {
  if (!isInside(host->kernel, value))
    return value;
  size_t index = berthPointerMapFind(&host->indexOf, value.ptr);
  if (index != BERTH_NOT_FOUND)
    return host->made[index];
  MlirValue made = make(host, value);
  host->made =
      berthGrow(host->made, host->numMade, &host->capacity, sizeof *host->made);
  berthPointerMapInsert(&host->indexOf, value.ptr, host->numMade);
  host->made[host->numMade++] = made;
  return made;
}

void berthHostValuesFree(BerthHostValues *host) {
  berthPointerMapFree(&host->indexOf);
  free(host->made);
}
