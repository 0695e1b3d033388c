//===- Allocations.c - Memory that Berth takes and gives back -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Allocations.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"

MlirNamedAttribute berthManualDeallocation(MlirContext context) {
  return berthNamed(context, "bufferization.manual_deallocation",
                    mlirUnitAttrGet(context));
}

//===----------------------------------------------------------------------===//
// Memory of a device
//===----------------------------------------------------------------------===//

MlirType berthDeviceTokenType(MlirContext context) {
  return mlirTypeParseGet(context,
                          mlirStringRefCreateFromCString("!gpu.async.token"));
}

MlirValue berthBuildDeviceWait(BerthInsertPoint at, intptr_t count,
                               const MlirValue *tokens, bool isAsync) {
  MlirType token = berthDeviceTokenType(mlirLocationGetContext(at.location));
  MlirOperation wait = berthBuild(at, BERTH_NAME_DEVICE_WAIT, count, tokens,
                                  isAsync, &token, 0, NULL);
  return isAsync ? mlirOperationGetResult(wait, 0) : (MlirValue){NULL};
}

MlirValue berthBuildDeviceAllocation(BerthInsertPoint at, MlirType type,
                                     bool isAsync) {
  MlirContext context = mlirTypeGetContext(type);
  int32_t segments[] = {isAsync, 0, 0};
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 3, segments)),
      berthManualDeallocation(context)};
  MlirType results[] = {type, berthDeviceTokenType(context)};
  MlirValue start = {NULL};
  if (isAsync)
    start = berthBuildDeviceWait(at, 0, NULL, true);
  MlirOperation alloc = berthBuild(at, BERTH_NAME_DEVICE_ALLOC, isAsync, &start,
                                   1 + isAsync, results, 2, attributes);
  if (isAsync) {
    MlirValue end = mlirOperationGetResult(alloc, 1);
    berthBuildDeviceWait(at, 1, &end, false);
  }
  return mlirOperationGetResult(alloc, 0);
}

static void buildDeviceDealloc(BerthInsertPoint at, MlirValue value,
                               bool isAsync) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirNamedAttribute manual = berthManualDeallocation(context);
  MlirType token = berthDeviceTokenType(context);
  if (!isAsync) {
    berthBuild(at, BERTH_NAME_DEVICE_DEALLOC, 1, &value, 0, NULL, 1, &manual);
    return;
  }
  MlirValue operands[] = {berthBuildDeviceWait(at, 0, NULL, true), value};
  MlirValue end = berthBuildValue(at, BERTH_NAME_DEVICE_DEALLOC, 2, operands,
                                  token, 1, &manual);
  berthBuildDeviceWait(at, 1, &end, false);
}

//===----------------------------------------------------------------------===//
// All memory
//===----------------------------------------------------------------------===//

void berthBuildDealloc(BerthInsertPoint at, MlirValue value) {
  MlirOperation alloc = {NULL};
  if (mlirValueIsAOpResult(value))
    alloc = mlirOpResultGetOwner(value);
  if (!mlirOperationIsNull(alloc) && berthOpIs(alloc, BERTH_OP_DEVICE_ALLOC)) {
    buildDeviceDealloc(at, value, mlirOperationGetNumResults(alloc) > 1);
    return;
  }
  MlirNamedAttribute manual =
      berthManualDeallocation(mlirTypeGetContext(mlirValueGetType(value)));
  berthBuild(at, BERTH_NAME_DEALLOC, 1, &value, 0, NULL, 1, &manual);
}

/// Functions return; what ends the body of another op goes to nobody else.
static bool isExit(MlirOperation terminator, bool isFunction) {
  return isFunction ? berthOpIsReturn(terminator)
                    : mlirOperationGetNumSuccessors(terminator) == 0;
}

void berthDeallocAtExits(MlirRegion body, MlirValue value) {
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  bool isFunction = berthOpIsFunction(mlirBlockGetParentOperation(entry));

  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation terminator = berthBlockGetLast(block);
    if (!mlirOperationIsNull(terminator) && isExit(terminator, isFunction))
      berthBuildDealloc(berthInsertBefore(terminator), value);
  }
}

int64_t berthArenaAlignment(bool isOnHeap, MlirAttribute space,
                            int64_t needed) {
  enum { kLineOfCache = 64 };
  bool isHostHeap = isOnHeap && mlirAttributeIsNull(space);
  return isHostHeap && needed < kLineOfCache ? kLineOfCache : needed;
}

MlirValue berthBuildAllocation(BerthInsertPoint at, bool isOnHeap,
                               MlirType type, MlirValue size, int64_t alignment,
                               bool isFreed) {
  MlirContext context = mlirTypeGetContext(type);
  int32_t numSizes = !mlirValueIsNull(size);
  int32_t segments[] = {numSizes, 0};
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "alignment", berthI64(context, alignment)),
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 2, segments)),
      berthManualDeallocation(context)};
  return berthBuildValue(at, isOnHeap ? BERTH_NAME_ALLOC : BERTH_NAME_ALLOCA,
                         numSizes, &size, type, isFreed ? 3 : 2, attributes);
}
