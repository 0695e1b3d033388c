//===- TurnParity.c - Waits for the phase of their turn -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parity is computed, whatever the ops are, for what it follows from: the
// last bit of the turn's number, or a number that the loop carries.
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnParity.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Transfers/LoopTurns.h"
#include "IR/Transfers/SmallNumbers.h"
#include "mlir-c/BuiltinTypes.h"

/// What is known of the turn at hand: its last bit.
typedef struct Turn {
  const BerthLoopTurns *turns;
  int64_t bit;
} Turn;

static bool isBit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static bool isOne(MlirValue value, int64_t one) {
  int64_t number;
  return berthValueIsConstant(value, &number) && number == one;
}

/// True for ops that leave the last bit of operand 0, and no other.
static bool leavesLastBit(MlirOperation op, MlirValue value) {
  bool isCut =
      berthOpIs(op, BERTH_OP_TRUNCATION) || berthOpIs(op, BERTH_OP_SAME_NUMBER);
  if (isCut)
    return isBit(value);
  return mlirOperationGetNumOperands(op) == 2 &&
         ((berthOpIs(op, BERTH_OP_AND) &&
           isOne(mlirOperationGetOperand(op, 1), 1)) ||
          (berthOpIs(op, BERTH_OP_REMAINDER) && berthOpIsUnsigned(op) &&
           isOne(mlirOperationGetOperand(op, 1), 2)));
}

/// The last bit of the turn, and what is cut off it.
static bool findLastBit(MlirValue value, void *userData, int64_t *number) {
  const Turn *turn = userData;
  BerthTurnNumber of = berthTurnNumberOf(turn->turns, value);
  if (of.isKnown && of.hasTurn && of.modulus == 2) {
    *number = (of.ahead + turn->bit) & 1;
    return true;
  }
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!leavesLastBit(op, value))
    return false;
  MlirValue whole = mlirOperationGetOperand(op, 0);
  while (!isBit(whole) && mlirValueIsAOpResult(whole) &&
         (berthOpIs(op = mlirOpResultGetOwner(whole), BERTH_OP_TRUNCATION) ||
          berthOpIs(op, BERTH_OP_SAME_NUMBER)))
    whole = mlirOperationGetOperand(op, 0);
  of = berthTurnNumberOf(turn->turns, whole);
  *number = (of.ahead + turn->bit) & 1;
  return !isBit(whole) && of.isKnown && of.hasTurn && of.modulus % 2 == 0;
}

static bool isParityOfTurn(const BerthLoopTurns *turns, MlirValue parity) {
  for (int64_t bit = 0; bit < 2; ++bit) {
    Turn turn = {turns, bit};
    BerthSmallNumbers known = {findLastBit, &turn};
    int64_t number;
    if (!berthSmallNumberOf(&known, parity, &number) || number != bit)
      return false;
  }
  return true;
}

/// What the loop carries in its first turn, then in its second, and the same
/// again in the third: with parities 0 and 1.
static bool isTurned(const BerthLoopTurns *turns, MlirValue parity,
                     intptr_t argument) {
  BerthCarried carried = berthCarriedBy(turns, argument);
  BerthSmallNumbers known = berthKnowCarried(&carried);
  int64_t number, first = carried.number;
  if (!carried.isKnown)
    return false;
  for (int64_t turn = 0; turn < 2; ++turn)
    if (!berthSmallNumberOf(&known, parity, &number) || number != turn ||
        !berthCarryOn(&carried))
      return false;
  return carried.number == first;
}

bool berthWaitsForPhaseOfTurn(MlirOperation loop, MlirOperation wait) {
  BerthMBarrierUse use;
  BerthLoopTurns turns;
  if (!berthOpGetMBarrierUse(wait, &use) || use.role != BERTH_MBARRIER_WAIT ||
      !berthLoopTurnsOf(loop, &turns))
    return false;
  MlirValue parity = mlirOperationGetOperand(wait, use.count);
  if (isParityOfTurn(&turns, parity))
    return true;
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(turns.body); ++i)
    if (isTurned(&turns, parity, i))
      return true;
  return false;
}
