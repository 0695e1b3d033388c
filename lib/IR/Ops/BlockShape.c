//===- BlockShape.c - How many threads a workgroup has --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/BlockShape.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"

/// An array of up to three numbers; what is left out is 1.
static bool readShape(MlirAttribute attribute, int64_t shape[3]) {
  if (mlirAttributeIsNull(attribute) ||
      !mlirAttributeIsADenseI32Array(attribute))
    return false;
  intptr_t count = mlirDenseArrayGetNumElements(attribute);
  for (intptr_t i = 0; i < 3; ++i)
    shape[i] = i < count ? mlirDenseI32ArrayGetElement(attribute, i) : 1;
  return count >= 1 && count <= 3 && shape[0] > 0 && shape[1] > 0 &&
         shape[2] > 0;
}

/// Behind tokens and the three sizes of the grid.
static bool shapeOfLaunch(MlirOperation launch, int64_t shape[3]) {
  MlirAttribute segments = berthAttributeOf(launch, "operandSegmentSizes");
  intptr_t first = mlirDenseI32ArrayGetElement(segments, 0) + 3;
  for (intptr_t i = 0; i < 3; ++i)
    if (!berthValueIsConstant(mlirOperationGetOperand(launch, first + i),
                              &shape[i]) ||
        shape[i] < 1)
      return false;
  return true;
}

bool berthBlockShape(MlirOperation kernel, int64_t shape[3]) {
  static const char *const names[] = {"known_block_size",
                                      "gpu.known_block_size", "nvvm.reqntid",
                                      "rocdl.reqd_work_group_size"};
  if (berthOpIs(kernel, BERTH_OP_LAUNCH))
    return shapeOfLaunch(kernel, shape);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (readShape(berthAttributeOf(kernel, names[i]), shape))
      return true;
  return false;
}
