//===- FoldBudget.h - What folding may cost ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDBUDGET_H
#define BERTH_LIB_IR_FOLD_FOLDBUDGET_H

#include "IR/Fold/FoldOptions.h"

/// isl's operations, for all arrays of a run together.
typedef struct BerthFoldBudget {
  bool isLimited;
  uint64_t whole;
  uint64_t left;
  uint64_t spent;
  uint64_t forRings;   ///< left for what all the rest did not do for
  size_t numPairsLeft; ///< not tried together for want of operations
} BerthFoldBudget;

BerthFoldBudget berthFoldFindBudget(MlirOperation root, size_t numArrays,
                                    int64_t maxOperations);

/// isl's limit for a trial that may take `share` operations. 0 is no limit;
/// with 1 a trial runs out at once.
uint64_t berthFoldGrant(const BerthFoldBudget *budget, uint64_t share);

void berthFoldCharge(BerthFoldBudget *budget, uint64_t operations);

#endif // BERTH_LIB_IR_FOLD_FOLDBUDGET_H
