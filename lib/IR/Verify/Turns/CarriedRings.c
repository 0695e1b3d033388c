//===- CarriedRings.c - Stages whose number a loop carries ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Turns/CarriedRings.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isMadeBy(MlirValue value, BerthOpKind kind, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIs(*op, kind);
}

static bool isOneMore(MlirValue value, MlirValue than) {
  MlirOperation op;
  int64_t one;
  return isMadeBy(value, BERTH_OP_SUM, &op) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), than) &&
         berthValueIsConstant(mlirOperationGetOperand(op, 1), &one) && one == 1;
}

/// True if the condition tells, by its truth or else by being false, that one
/// more than `value` is `*size`, or above.
static bool saysEnd(MlirValue condition, MlirValue value, int64_t *size,
                    bool *byTruth) {
  enum { kEq, kNe, kSlt, kSge = 5, kUlt, kUge = 9 };
  MlirOperation op;
  if (!isMadeBy(condition, BERTH_OP_COMPARISON, &op) ||
      !berthValueIsConstant(mlirOperationGetOperand(op, 1), size))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  *byTruth = predicate == kEq || predicate == kSge || predicate == kUge;
  MlirValue compared = mlirOperationGetOperand(op, 0);
  *size += mlirValueEqual(compared, value);
  return (*byTruth || predicate == kNe || predicate == kSlt ||
          predicate == kUlt) &&
         (mlirValueEqual(compared, value) || isOneMore(compared, value));
}

/// 0 up to the size, and anew: what `value` is in the next turn.
static bool isNextInRing(MlirValue next, MlirValue value, int64_t *size) {
  MlirOperation op;
  int64_t zero;
  bool byTruth;
  if (isMadeBy(next, BERTH_OP_REMAINDER, &op))
    return isOneMore(mlirOperationGetOperand(op, 0), value) &&
           berthValueIsConstant(mlirOperationGetOperand(op, 1), size);
  if (isMadeBy(next, BERTH_OP_AND, &op)) {
    bool isMask = isOneMore(mlirOperationGetOperand(op, 0), value) &&
                  berthValueIsConstant(mlirOperationGetOperand(op, 1), size) &&
                  *size > 0 && *size <= INT8_MAX && !(*size & (*size + 1));
    *size += isMask;
    return isMask;
  }
  if (!isMadeBy(next, BERTH_OP_SELECT, &op) ||
      !saysEnd(mlirOperationGetOperand(op, 0), value, size, &byTruth))
    return false;
  MlirValue begun = mlirOperationGetOperand(op, byTruth ? 1 : 2);
  MlirValue more = mlirOperationGetOperand(op, byTruth ? 2 : 1);
  return berthValueIsConstant(begun, &zero) && zero == 0 &&
         isOneMore(more, value);
}

bool berthCarriedRingOf(MlirOperation loop, MlirValue value,
                        BerthCarriedRing *ring) {
  enum { kFirstCarried = 3, kMost = 64 };
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body))
    return false;
  intptr_t number = mlirBlockArgumentGetArgNumber(value) - 1;
  if (number < 0)
    return false;
  MlirValue initial = mlirOperationGetOperand(loop, kFirstCarried + number);
  MlirValue next =
      mlirOperationGetOperand(mlirBlockGetTerminator(body), number);
  return berthValueIsConstant(initial, &ring->first) &&
         isNextInRing(next, value, &ring->size) && ring->size > 1 &&
         ring->size <= kMost && ring->first >= 0 && ring->first < ring->size;
}
