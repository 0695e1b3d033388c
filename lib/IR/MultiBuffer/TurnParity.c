//===- TurnParity.c - Waits for the phase of their turn -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnParity.h"
#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"

static bool isConstant(MlirValue value, int64_t wanted) {
  int64_t constant;
  return berthValueIsConstant(value, &constant) && constant == wanted;
}

/// The truth is 1 or -1 as a number of one bit.
static bool isTrue(MlirValue value) {
  int64_t constant;
  return berthValueIsConstant(value, &constant) && (constant & 1);
}

static bool getMaker(MlirValue value, BerthOpKind kind, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIs(*op, kind);
}

/// %parity = false, then %parity xor true
static bool isTurned(MlirOperation loop, MlirValue parity) {
  enum { kFirstCarried = 3 };
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  if (!mlirValueIsABlockArgument(parity) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(parity), body))
    return false;
  intptr_t number = mlirBlockArgumentGetArgNumber(parity) - 1;
  MlirOperation turn;
  MlirValue next =
      number < 0
          ? parity
          : mlirOperationGetOperand(mlirBlockGetTerminator(body), number);
  if (number < 0 || !getMaker(next, BERTH_OP_XOR, &turn) ||
      !isConstant(mlirOperationGetOperand(loop, kFirstCarried + number), 0))
    return false;
  MlirValue a = mlirOperationGetOperand(turn, 0);
  MlirValue b = mlirOperationGetOperand(turn, 1);
  return (mlirValueEqual(a, parity) && isTrue(b)) ||
         (mlirValueEqual(b, parity) && isTrue(a));
}

/// The loop's variable, less where that begins.
static bool isWay(const BerthSlotTurns *turns, MlirValue value) {
  MlirOperation op;
  if (mlirValueEqual(value, turns->variable))
    return isConstant(turns->lower, 0);
  return getMaker(value, BERTH_OP_DIFFERENCE, &op) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), turns->variable) &&
         berthIsSameValue(mlirOperationGetOperand(op, 1), turns->lower);
}

/// The number of the turn. It is the way without sign through the step; with
/// sign, too, where that begins at 0.
static bool isTurn(const BerthSlotTurns *turns, MlirValue value) {
  MlirOperation op;
  int64_t step, divisor;
  if (isWay(turns, value))
    return isConstant(turns->step, 1);
  if (!getMaker(value, BERTH_OP_QUOTIENT, &op))
    return false;
  MlirValue by = mlirOperationGetOperand(op, 1);
  bool isStep = berthIsSameValue(by, turns->step) ||
                (berthValueIsConstant(by, &divisor) &&
                 berthValueIsConstant(turns->step, &step) && step == divisor);
  bool isNatural = berthOpIsUnsigned(op) ||
                   (!turns->isUnsigned && isConstant(turns->lower, 0));
  return isStep && isNatural && isWay(turns, mlirOperationGetOperand(op, 0));
}

/// The number of the turn, modulo 2.
static bool isRest(const BerthSlotTurns *turns, MlirValue value) {
  MlirOperation op;
  if (getMaker(value, BERTH_OP_REMAINDER, &op))
    return isConstant(mlirOperationGetOperand(op, 1), 2) &&
           (berthOpIsUnsigned(op) ||
            (!turns->isUnsigned && isConstant(turns->lower, 0))) &&
           isTurn(turns, mlirOperationGetOperand(op, 0));
  return getMaker(value, BERTH_OP_AND, &op) &&
         isConstant(mlirOperationGetOperand(op, 1), 1) &&
         isTurn(turns, mlirOperationGetOperand(op, 0));
}

/// As one bit: of a wider number the last one is left.
static bool isRestAsBit(const BerthSlotTurns *turns, MlirValue value) {
  MlirOperation op;
  if (getMaker(value, BERTH_OP_SAME_NUMBER, &op) ||
      getMaker(value, BERTH_OP_TRUNCATION, &op)) {
    MlirValue number = mlirOperationGetOperand(op, 0);
    return isTurn(turns, number) || isRest(turns, number) ||
           isRestAsBit(turns, number);
  }
  if (!getMaker(value, BERTH_OP_COMPARISON, &op))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  int64_t other = predicate == BERTH_EQUAL ? 1 : 0;
  return (predicate == BERTH_EQUAL || predicate == BERTH_NOT_EQUAL) &&
         isRest(turns, mlirOperationGetOperand(op, 0)) &&
         isConstant(mlirOperationGetOperand(op, 1), other);
}

bool berthWaitsForPhaseOfTurn(MlirOperation loop, MlirOperation wait) {
  BerthMBarrierUse use;
  if (!berthOpGetMBarrierUse(wait, &use) || use.role != BERTH_MBARRIER_WAIT)
    return false;
  MlirValue parity = mlirOperationGetOperand(wait, use.count);
  BerthSlotTurns turns = berthSlotTurnsOf(loop, NULL);
  return isTurned(loop, parity) || isRestAsBit(&turns, parity);
}
