//===- MBarriers.c - What ops do with the mbarriers of a group ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's C API knows no type of nvgpu. What is asked of these, their text
// tells: !nvgpu.mbarrier.group<memorySpace = ..., num_barriers = 2>, where one
// mbarrier need not be told.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/MBarriers.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static BerthMBarrierUse useOfLoad(MlirOperation load) {
  enum { kGroup = 1, kFirstCoordinate = 3 };
  enum { kCoordinates = 3, kMask = 5, kPredicate = 6 };
  MlirAttribute sizes = berthAttributeOf(load, "operandSegmentSizes");
  intptr_t number =
      kFirstCoordinate + mlirDenseI32ArrayGetElement(sizes, kCoordinates);
  intptr_t predicate = number + 1 + mlirDenseI32ArrayGetElement(sizes, kMask);
  bool hasPredicate = mlirDenseI32ArrayGetElement(sizes, kPredicate) > 0;
  return (BerthMBarrierUse){BERTH_MBARRIER_LOAD, kGroup, number, -1,
                            hasPredicate ? predicate : -1};
}

bool berthOpGetMBarrierUse(MlirOperation op, BerthMBarrierUse *use) {
  enum { kGroup, kCount, kNumber, kPredicate, kNumberOfWait = 3 };
  BerthMBarrier barrier;
  if (berthOpStartsAsync(op, BERTH_ASYNC_LOAD)) {
    *use = useOfLoad(op);
    return true;
  }
  bool isInit = berthOpIs(op, BERTH_OP_MBARRIER_INIT);
  if (isInit || berthOpIs(op, BERTH_OP_MBARRIER_EXPECT)) {
    bool hasPredicate = mlirOperationGetNumOperands(op) > kPredicate;
    *use = (BerthMBarrierUse){
        isInit ? BERTH_MBARRIER_INIT : BERTH_MBARRIER_EXPECT, kGroup, kNumber,
        kCount, hasPredicate ? kPredicate : -1};
    return true;
  }
  *use = (BerthMBarrierUse){BERTH_MBARRIER_WAIT, kGroup, kNumberOfWait, kCount,
                            -1};
  return berthOpAwaitsMBarrier(op, &barrier);
}

//===----------------------------------------------------------------------===//
// The type
//===----------------------------------------------------------------------===//

static const char nameOfGroup[] = "!nvgpu.mbarrier.group<";
static const char nameOfCount[] = ", num_barriers = ";

int64_t berthCountMBarriers(MlirType type) {
  BerthText text = {0};
  int64_t count = 0;
  berthTextAppendType(&text, type);
  if (strncmp(text.data, nameOfGroup, sizeof nameOfGroup - 1) == 0) {
    const char *at = strstr(text.data, nameOfCount);
    count = 1;
    if (at) {
      at += sizeof nameOfCount - 1;
      count = berthTextTakeNumber(&at, &count) ? count : 0;
    }
  }
  berthTextFree(&text);
  return count;
}

MlirType berthMBarriersWith(MlirType type, int64_t count) {
  BerthText old = {0}, text = {0};
  berthTextAppendType(&old, type);
  const char *at = strstr(old.data, nameOfCount);
  size_t length = at ? (size_t)(at - old.data) : strlen(old.data) - 1;
  berthTextAppendBytes(&text, old.data, length);
  berthTextAppend(&text, "%s%lld>", nameOfCount, (long long)count);
  MlirType result = mlirTypeParseGet(mlirTypeGetContext(type),
                                     mlirStringRefCreateFromCString(text.data));
  berthTextFree(&old);
  berthTextFree(&text);
  return result;
}

bool berthOpMakesMBarriers(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_STATIC_SHARED) &&
         mlirOperationGetNumResults(op) == 1 &&
         berthCountMBarriers(mlirValueGetType(mlirOperationGetResult(op, 0)));
}
