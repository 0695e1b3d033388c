//===- WholeBarrier.c - Barriers that all threads of a block meet at ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/WholeBarrier.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"

#include <stdint.h>

/// A named barrier: its number, and how many threads open it.
typedef struct Named {
  int64_t number;
  int64_t count;
} Named;

static bool readNamed(MlirOperation op, Named *named) {
  MlirValue number;
  MlirValue count = berthBarrierGetCount(op);
  return !mlirValueIsNull(count) && berthOpIsPartOfBarrier(op, &number) &&
         !mlirValueIsNull(number) &&
         berthValueIsConstant(number, &named->number) &&
         berthValueIsConstant(count, &named->count);
}

typedef struct OtherUses {
  Named named;
  bool found;
} OtherUses;

/// What a called function does nobody looks at.
static MlirWalkResult visitOther(MlirOperation op, void *userData) {
  OtherUses *uses = userData;
  MlirValue number;
  MlirOperation callee;
  Named other;
  int64_t value;
  if (readNamed(op, &other))
    uses->found |=
        other.number == uses->named.number && other.count != uses->named.count;
  else if (berthOpIsPartOfBarrier(op, &number))
    uses->found |= mlirValueIsNull(number) ||
                   !berthValueIsConstant(number, &value) ||
                   value == uses->named.number;
  uses->found |= berthOpGetCallee(op, &callee);
  return uses->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The op in front of this one; null: none.
static MlirOperation previousInBlock(MlirOperation op) {
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  MlirOperation previous = {NULL};
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    previous = at;
  return previous;
}

bool berthOpEndsClusterBarrier(MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_CLUSTER_WAIT))
    return false;
  MlirOperation previous = previousInBlock(op);
  return !mlirOperationIsNull(previous) &&
         berthOpIs(previous, BERTH_OP_CLUSTER_ARRIVE);
}

bool berthBarrierOrdersTensors(MlirOperation barrier) {
  MlirOperation before = previousInBlock(barrier);
  MlirOperation after = mlirOperationGetNextInBlock(barrier);
  return !mlirOperationIsNull(before) && !mlirOperationIsNull(after) &&
         berthOpIsTensorFence(before, true) &&
         berthOpIsTensorFence(after, false);
}

bool berthOpIsWholeBarrier(MlirOperation op) {
  OtherUses uses = {0};
  if (berthOpIsBarrier(op) || berthOpEndsClusterBarrier(op))
    return true;
  if (!readNamed(op, &uses.named))
    return false;
  MlirOperation kernel = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(kernel) && !berthOpIsFunction(kernel) &&
         !berthOpIs(kernel, BERTH_OP_LAUNCH))
    kernel = mlirOperationGetParentOperation(kernel);
  int64_t shape[3];
  if (mlirOperationIsNull(kernel) || !berthBlockShape(kernel, shape) ||
      uses.named.count != shape[0] * shape[1] * shape[2])
    return false;
  mlirOperationWalk(kernel, visitOther, &uses, MlirWalkPreOrder);
  return !uses.found;
}
