//===- DropMemRef.c - Less for a bufferization.dealloc --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/DropMemRef.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

/// What operands there are: memrefs to free, a condition for each, memrefs to
/// retain.
enum { kMemRefs, kConditions, kRetained, kSegments };

/// Nothing is freed any more, so nothing that is retained takes ownership.
static void eraseEmptyDealloc(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    mlirValueReplaceAllUsesOfWith(
        result,
        berthBuildInteger(berthInsertBefore(op), mlirValueGetType(result), 0));
  }
  mlirOperationDestroy(op);
}

void berthDeallocDropMemRef(MlirOperation op, intptr_t index) {
  intptr_t numMemRefs = berthDeallocNumMemRefs(op);
  if (numMemRefs == 1) {
    eraseEmptyDealloc(op);
    return;
  }
  intptr_t count = mlirOperationGetNumOperands(op), kept = 0;
  MlirValue *operands = berthAllocateOrDie((size_t)count, sizeof *operands);
  for (intptr_t i = 0; i < count; ++i)
    if (i != index && i != numMemRefs + index)
      operands[kept++] = mlirOperationGetOperand(op, i);
  mlirOperationSetOperands(op, kept, operands);
  free(operands);
  int32_t left = (int32_t)numMemRefs - 1;
  int32_t segments[kSegments] = {left, left,
                                 (int32_t)(kept - 2 * (numMemRefs - 1))};
  berthSetAttribute(
      op, "operandSegmentSizes",
      berthI32Array(mlirOperationGetContext(op), kSegments, segments));
}
