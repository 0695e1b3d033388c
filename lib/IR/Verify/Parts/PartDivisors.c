//===- PartDivisors.c - Divisions by 0 in sizes and places ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartDivisors.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Parts/PartResolve.h"
#include "mlir-c/BuiltinAttributes.h"

typedef struct Divisions {
  BerthPartCase *given;
  BerthPointerMap seen; ///< values, and those that are not looked at
  MlirOperation found;
  bool isOnHost;
} Divisions;

/// A division, or a remainder: all that computes, and yet not everywhere.
static bool mayDivideByZero(MlirOperation op) {
  return berthOpOnlyComputes(op) && !berthOpIsSpeculatable(op);
}

/// Without sign: the larger one of two is more if one of them is.
static bool isMoreThanZero(BerthPartCase *given, BerthSum sum) {
  uint32_t unknown;
  if (berthPartIsExact(given, sum) && berthPartLeastSum(given, sum) >= 1)
    return true;
  if (!berthSumIsUnknown(sum, &unknown))
    return false;
  const BerthUnknown found = *berthPartUnknownOf(given->numbers, unknown);
  return found.kind == BERTH_UNKNOWN_LARGEST &&
         (isMoreThanZero(given, found.operands[0]) ||
          isMoreThanZero(given, found.operands[1]));
}

static bool isDividedByMore(BerthPartCase *given, MlirOperation op) {
  return berthOpIs(op, BERTH_OP_QUOTIENT) && berthOpIsUnsigned(op) &&
         isMoreThanZero(
             given, berthPartResolve(
                        given, berthPartSum(given->numbers,
                                            mlirOperationGetOperand(op, 1))));
}

/// True if whatever the op computes ends in what is asserted, or in the size of
/// a block.
static bool isForBlocksAlone(MlirOperation op, int *stepsLeft) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use) && --*stepsLeft > 0;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      bool isBlock =
          berthOpIs(user, BERTH_OP_DEVICE_ALLOC) &&
          !mlirAttributeIsNull(berthAttributeOf(user, BERTH_PER_THREAD));
      if (!isBlock && !berthOpIs(user, BERTH_OP_ASSERT) &&
          !(berthOpOnlyComputes(user) && isForBlocksAlone(user, stepsLeft)))
        return false;
    }
  return true;
}

static void search(Divisions *divisions, MlirValue value) {
  enum { kSteps = 1000 };
  int steps = kSteps;
  if (mlirValueIsABlockArgument(value) ||
      !mlirOperationIsNull(divisions->found) ||
      !berthPointerMapInsert(&divisions->seen, value.ptr, 0))
    return;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirOperation kernel = divisions->given->numbers->kernel;
  if ((!divisions->isOnHost && !berthOpIsWithin(op, kernel)) ||
      !berthOpOnlyComputes(op))
    return;
  if (mayDivideByZero(op) && !isDividedByMore(divisions->given, op) &&
      (!divisions->isOnHost || isForBlocksAlone(op, &steps)))
    divisions->found = op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    search(divisions, mlirOperationGetOperand(op, i));
}

/// The op's operands from `first` on, `count` of them.
static void searchOperands(Divisions *divisions, MlirOperation op,
                           intptr_t first, intptr_t count) {
  for (intptr_t i = first; i < first + count; ++i)
    search(divisions, mlirOperationGetOperand(op, i));
}

static void leaveOut(Divisions *divisions, MlirOperation op, intptr_t first,
                     intptr_t count) {
  for (intptr_t i = first; i < first + count; ++i)
    berthPointerMapInsert(&divisions->seen, mlirOperationGetOperand(op, i).ptr,
                          0);
}

/// Sizes are the program's own.
static void searchCast(Divisions *divisions, MlirOperation cast) {
  MlirAttribute segments = berthAttributeOf(cast, "operandSegmentSizes");
  intptr_t offsets = mlirDenseI32ArrayGetElement(segments, 1);
  intptr_t sizes = mlirDenseI32ArrayGetElement(segments, 2);
  intptr_t strides = mlirDenseI32ArrayGetElement(segments, 3);
  leaveOut(divisions, cast, 1 + offsets, sizes);
  searchOperands(divisions, cast, 1, offsets);
  searchOperands(divisions, cast, 1 + offsets + sizes, strides);
}

MlirOperation berthPartDivisionInKernel(BerthPartCase *given,
                                        MlirOperation view,
                                        MlirOperation part) {
  Divisions divisions = {.given = given};
  intptr_t count = mlirOperationGetNumOperands(view);
  if (mlirOperationIsNull(part))
    leaveOut(&divisions, view, 2, count - 2);
  else if (berthOpIs(part, BERTH_OP_REINTERPRET))
    searchCast(&divisions, part);
  searchOperands(&divisions, view, 1, count - 1);
  berthPointerMapFree(&divisions.seen);
  return divisions.found;
}

MlirOperation berthPartDivisionOnHost(BerthPartCase *given) {
  Divisions divisions = {.given = given, .isOnHost = true};
  MlirOperation alloc = given->numbers->alloc;
  searchOperands(&divisions, alloc, 0, mlirOperationGetNumOperands(alloc));
  berthPointerMapFree(&divisions.seen);
  return divisions.found;
}
