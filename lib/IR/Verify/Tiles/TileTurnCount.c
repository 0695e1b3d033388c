//===- TileTurnCount.c - Turns that run outside of their loop -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/TileTurnCount.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isLess(const BerthTurnLoop *loop, int64_t a, int64_t b) {
  return loop->isUnsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

static bool constantsSay(const BerthTurnLoop *loop) {
  int64_t before;
  return loop->hasLower && loop->hasUpper && loop->hasStep &&
         loop->stepNumber > 0 &&
         !__builtin_sub_overflow(loop->lowerNumber, loop->stepNumber,
                                 &before) &&
         (!loop->isUnsigned || before >= 0) &&
         isLess(loop, before, loop->upperNumber);
}

/// True if it says that the variable of the turn before the first is less than
/// the loop's bound, as the loop compares them.
static bool saysSo(const BerthTurnLoop *loop, MlirValue condition, int depth) {
  // arith.cmpi's numbers of predicates.
  const int64_t less = loop->isUnsigned ? 6 : 2,
                greater = loop->isUnsigned ? 8 : 4;
  if (depth == 0 || !mlirValueIsAOpResult(condition))
    return false;
  MlirOperation op = mlirOpResultGetOwner(condition);
  if (berthOpIs(op, BERTH_OP_AND))
    return saysSo(loop, mlirOperationGetOperand(op, 0), depth - 1) ||
           saysSo(loop, mlirOperationGetOperand(op, 1), depth - 1);
  if (!berthOpIs(op, BERTH_OP_COMPARISON))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  bool isTurned = predicate == greater;
  return (isTurned || predicate == less) &&
         berthIsSameValue(mlirOperationGetOperand(op, !isTurned),
                          loop->upper) &&
         berthSlotValuesAreLike(loop, loop->variable,
                                mlirOperationGetOperand(op, isTurned), -1);
}

bool berthTileTurnsAreThere(const BerthTilePair *pair) {
  enum { kDeepest = 16 };
  const BerthTurnLoop *loop = &pair->loop;
  MlirOperation at = loop->op;
  if (constantsSay(loop))
    return true;
  while (true) {
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(at));
    at = mlirOperationGetParentOperation(at);
    if (mlirOperationIsNull(at) || berthOpIsFunction(at))
      return false;
    intptr_t index = 0;
    while (!mlirRegionEqual(mlirOperationGetRegion(at, index), region))
      ++index;
    MlirValue values[2];
    if (berthRegionGetCondition(at, index, values) == BERTH_RUNS_WHEN_TRUE &&
        saysSo(loop, values[0], kDeepest))
      return true;
  }
}
