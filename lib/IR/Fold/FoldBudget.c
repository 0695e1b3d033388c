//===- FoldBudget.c - What folding may cost -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldBudget.h"

/// isl's operations for all arrays of a run together. It takes about 1.5 us for
/// one, so by default the pass takes 0.2 s, and for each op about three times
/// what reading and printing it does. A simple array takes up to 72000 with all
/// that is tried, so a few arrays get as much each: 0.5 s.
enum {
  OperationsForAll = 100000,
  OperationsForEachOp = 10,
  OperationsForArray = 72000,
  OperationsForArrays = 360000
};

/// An array that ran out may be tried as a ring of rows, which takes few
/// operations: for all, one in so many of the whole budget more.
enum { RingPart = 2 };

static MlirWalkResult countOp(MlirOperation op, void *userData) {
  (void)op;
  ++*(uint64_t *)userData;
  return MlirWalkResultAdvance;
}

/// A run on one op among others (a function of a module) gets its part only.
static uint64_t countNeighbours(MlirOperation root) {
  MlirBlock block = mlirOperationGetBlock(root);
  if (mlirBlockIsNull(block))
    return 1;
  uint64_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

/// What an array needs, for a few of them; a part of that is for each
/// neighbour.
static uint64_t operationsForArrays(size_t numArrays, uint64_t neighbours) {
  uint64_t most = OperationsForArrays / neighbours;
  return numArrays < most / OperationsForArray
             ? numArrays * (uint64_t)OperationsForArray
             : most;
}

BerthFoldBudget berthFoldFindBudget(MlirOperation root, size_t numArrays,
                                    int64_t maxOperations) {
  BerthFoldBudget budget = {.isLimited = maxOperations != 0,
                            .whole = (uint64_t)maxOperations};
  if (maxOperations == BERTH_FOLD_AUTOMATIC) {
    uint64_t numOps = 0;
    mlirOperationWalk(root, countOp, &numOps, MlirWalkPreOrder);
    uint64_t neighbours = countNeighbours(root),
             forAll = OperationsForAll / neighbours,
             forArrays = operationsForArrays(numArrays, neighbours);
    budget.whole = (forAll > forArrays ? forAll : forArrays) +
                   OperationsForEachOp * numOps;
  }
  budget.left = budget.whole;
  budget.forRings = budget.whole / RingPart;
  return budget;
}

uint64_t berthFoldGrant(const BerthFoldBudget *budget, uint64_t share) {
  if (!budget->isLimited)
    return 0;
  uint64_t granted = share < budget->left ? share : budget->left;
  return granted ? granted : 1;
}

void berthFoldCharge(BerthFoldBudget *budget, uint64_t operations) {
  budget->spent += operations;
  budget->left -= operations < budget->left ? operations : budget->left;
}
