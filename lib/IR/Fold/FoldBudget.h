//===- FoldBudget.h - What folding may cost ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDBUDGET_H
#define BERTH_LIB_IR_FOLD_FOLDBUDGET_H

#include "IR/Fold/FoldOptions.h"

/// isl's operations for one array, or for the arrays of a block together. None
/// depends on what stands elsewhere, so an array folds in company as it does
/// alone, and a run takes as long as its arrays do one by one.
typedef struct BerthFoldBudget {
  bool isLimited;
  uint64_t whole;
  uint64_t left;
  uint64_t spent;
  uint64_t forRing;    ///< for what all the rest did not do for
  uint64_t share;      ///< of a pair of arrays; 0: not known yet
  size_t numPairsLeft; ///< not tried together for want of operations
} BerthFoldBudget;

BerthFoldBudget berthFoldBudgetOfArray(int64_t maxOperations);

/// isl's limit for a trial that may take `share` operations. 0 is no limit;
/// with 1 a trial runs out at once.
uint64_t berthFoldGrant(const BerthFoldBudget *budget, uint64_t share);

void berthFoldCharge(BerthFoldBudget *budget, uint64_t operations);

/// A budget for each block, for its arrays together.
typedef struct BerthFoldBlocks BerthFoldBlocks;

BerthFoldBlocks *berthFoldBlocksCreate(int64_t maxOperations);
void berthFoldBlocksDestroy(BerthFoldBlocks *blocks);

/// An array of the block has taken so many operations by itself.
void berthFoldAddToJoint(BerthFoldBlocks *blocks, MlirBlock block,
                         uint64_t apart);

/// Valid until another block comes.
BerthFoldBudget *berthFoldJointBudget(BerthFoldBlocks *blocks, MlirBlock block);

#endif // BERTH_LIB_IR_FOLD_FOLDBUDGET_H
