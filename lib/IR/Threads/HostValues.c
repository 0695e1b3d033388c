//===- HostValues.c - What a kernel's host knows as well ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/HostValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>

/// Positions in operandSegmentSizes: of both ops the same, up to the dynamic
/// size. A gpu.launch body begins with block ids, thread ids, and the extents.
enum {
  kDependencies = 0,
  kClusters = 7,
  kDynamicSize = 10,
  kArguments = 11,
  kStream = 12,
  kFirstExtent = 6
};

static int32_t segment(MlirOperation launch, intptr_t position) {
  return mlirDenseI32ArrayGetElement(
      berthAttributeOf(launch, "operandSegmentSizes"), position);
}

BerthLaunchForm berthLaunchGetForm(MlirOperation launch) {
  bool isFunction = berthOpIs(launch, BERTH_OP_LAUNCH_FUNCTION);
  return (BerthLaunchForm){.hasClusters = segment(launch, kClusters) > 0,
                           .hasStream =
                               isFunction && segment(launch, kStream) > 0,
                           .isAsync = mlirOperationGetNumResults(launch) > 0,
                           .numDependencies = segment(launch, kDependencies)};
}

MlirValue berthLaunchGetExtent(MlirOperation launch, int extent) {
  return mlirOperationGetOperand(launch,
                                 segment(launch, kDependencies) + extent);
}

intptr_t berthLaunchGetArguments(MlirOperation launch, intptr_t *count) {
  intptr_t first = 0;
  for (intptr_t i = 0; i <= kDynamicSize; ++i)
    first += segment(launch, i);
  *count = segment(launch, kArguments);
  return first;
}

void berthLaunchAddArgument(MlirOperation launch, MlirValue argument) {
  intptr_t numArguments, count = mlirOperationGetNumOperands(launch);
  intptr_t end = berthLaunchGetArguments(launch, &numArguments) + numArguments;
  int32_t segments[kStream + 1];
  for (intptr_t i = 0; i <= kStream; ++i)
    segments[i] = segment(launch, i) + (i == kArguments);
  MlirValue *operands = berthAllocateOrDie((size_t)count + 1, sizeof *operands);
  for (intptr_t i = 0; i <= count; ++i)
    operands[i] = i == end
                      ? argument
                      : mlirOperationGetOperand(launch, i < end ? i : i - 1);
  mlirOperationSetOperands(launch, count + 1, operands);
  free(operands);
  berthSetAttribute(
      launch, "operandSegmentSizes",
      berthI32Array(mlirOperationGetContext(launch), kStream + 1, segments));
}

static MlirBlock blockOf(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

static bool isInside(MlirOperation kernel, MlirBlock block) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, kernel))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
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
  if (!isInside(kernel, blockOf(value)))
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
  intptr_t number = mlirBlockArgumentGetArgNumber(value), count;
  if (berthOpIs(host->kernel, BERTH_OP_LAUNCH))
    return berthHostExtent(host, (int)number - kFirstExtent);
  return mlirOperationGetOperand(
      host->launch, berthLaunchGetArguments(host->launch, &count) + number);
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
  if (!isInside(host->kernel, blockOf(value)))
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
