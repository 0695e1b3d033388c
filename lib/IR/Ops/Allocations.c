//===- Allocations.c - Memory that Berth takes and gives back -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Allocations.h"
#include "IR/Facts/Facts.h"

/// Tells the deallocation passes that run after Berth to leave an op alone.
static MlirNamedAttribute manualDeallocation(MlirContext context) {
  return berthNamed(context, "bufferization.manual_deallocation",
                    mlirUnitAttrGet(context));
}

void berthBuildDealloc(BerthInsertPoint at, MlirValue value) {
  MlirNamedAttribute manual =
      manualDeallocation(mlirTypeGetContext(mlirValueGetType(value)));
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
      manualDeallocation(context)};
  return berthBuildValue(at, isOnHeap ? BERTH_NAME_ALLOC : BERTH_NAME_ALLOCA,
                         numSizes, &size, type, isFreed ? 3 : 2, attributes);
}
