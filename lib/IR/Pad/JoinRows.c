//===- JoinRows.c - Several rows of a buffer as one -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/JoinRows.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

static bool isUsedOnce(MlirOperation op, MlirValue value) {
  intptr_t times = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    times += mlirValueEqual(mlirOperationGetOperand(op, i), value);
  return times == 1;
}

/// Where the op has its subscripts of the buffer, one a dimension; -1: it is
/// not told so by them alone.
static intptr_t firstSubscript(MlirOperation op, intptr_t operand) {
  BerthSubscripts subscripts;
  return berthSubscriptsOf(op, operand, &subscripts) && !subscripts.isMap
             ? subscripts.first
             : -1;
}

bool berthRowsMayBeJoined(const BerthBufferInfo *info) {
  MlirType type = mlirValueGetType(info->value);
  if (mlirShapedTypeGetRank(type) != 2)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(info->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIsFree(op) &&
        (!isUsedOnce(op, info->value) ||
         firstSubscript(op, mlirOpOperandGetOperandNumber(use)) < 0))
      return false;
  }
  return true;
}

/// Two subscripts of an op, from the operand `first` on.
static void tellAnew(MlirOperation op, intptr_t first, int64_t joined,
                     int64_t length, const char *breakRule) {
  BerthInsertPoint at = berthInsertBefore(op);
  MlirValue row = mlirOperationGetOperand(op, first);
  MlirValue column = mlirOperationGetOperand(op, first + 1);
  MlirValue count = berthBuildIndex(at, joined);
  MlirValue part = berthBuildBinary(at, BERTH_NAME_REMAINDER, row, count);
  MlirValue begin = berthBuildBinary(at, BERTH_NAME_MULTIPLY, part,
                                     berthBuildIndex(at, length));
  row = berthBuildBinary(at, BERTH_NAME_DIVIDE, row, count);
  if (!berthIsBroken(breakRule, "rows-begin-anew"))
    column = berthBuildBinary(at, BERTH_NAME_ADD, begin, column);
  mlirOperationSetOperand(op, first, row);
  mlirOperationSetOperand(op, first + 1, column);
}

void berthJoinRows(BerthBufferInfo *info, int64_t joined,
                   const char *breakRule) {
  MlirType type = mlirValueGetType(info->value);
  int64_t length = mlirShapedTypeGetDimSize(type, 1);
  int64_t shape[2] = {mlirShapedTypeGetDimSize(type, 0) / joined,
                      length * joined};
  for (MlirOpOperand use = mlirValueGetFirstUse(info->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIsFree(op))
      tellAnew(op, firstSubscript(op, mlirOpOperandGetOperandNumber(use)),
               joined, length, breakRule);
  }
  mlirValueSetType(info->value, mlirMemRefTypeContiguousGet(
                                    mlirShapedTypeGetElementType(type), 2,
                                    shape, mlirMemRefTypeGetMemorySpace(type)));
  berthSetAttribute(info->alloc, BERTH_JOINED,
                    berthI64(mlirTypeGetContext(type), length));
}
