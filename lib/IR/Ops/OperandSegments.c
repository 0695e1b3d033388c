//===- OperandSegments.c - Operands of ops that have groups of them -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OperandSegments.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

static const char name[] = "operandSegmentSizes";

intptr_t berthSegmentGetSize(MlirOperation op, intptr_t segment) {
  return mlirDenseI32ArrayGetElement(berthAttributeOf(op, name), segment);
}

intptr_t berthSegmentGetBegin(MlirOperation op, intptr_t segment) {
  intptr_t begin = 0;
  for (intptr_t i = 0; i < segment; ++i)
    begin += berthSegmentGetSize(op, i);
  return begin;
}

static void setSize(MlirOperation op, intptr_t segment, intptr_t size) {
  intptr_t count = mlirDenseArrayGetNumElements(berthAttributeOf(op, name));
  int32_t *sizes = berthAllocateOrDie((size_t)count, sizeof *sizes);
  for (intptr_t i = 0; i < count; ++i)
    sizes[i] = (int32_t)(i == segment ? size : berthSegmentGetSize(op, i));
  berthSetAttribute(op, name,
                    berthI32Array(mlirOperationGetContext(op), count, sizes));
  free(sizes);
}

void berthSegmentSet(MlirOperation op, intptr_t segment, intptr_t count,
                     const MlirValue *values) {
  intptr_t begin = berthSegmentGetBegin(op, segment);
  intptr_t end = begin + berthSegmentGetSize(op, segment);
  intptr_t numOld = mlirOperationGetNumOperands(op), numNew = 0;
  MlirValue *operands =
      berthAllocateOrDie((size_t)(numOld + count), sizeof *operands);
  for (intptr_t i = 0; i < begin; ++i)
    operands[numNew++] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < count; ++i)
    operands[numNew++] = values[i];
  for (intptr_t i = end; i < numOld; ++i)
    operands[numNew++] = mlirOperationGetOperand(op, i);
  mlirOperationSetOperands(op, numNew, operands);
  free(operands);
  setSize(op, segment, count);
}
