//===- FoldJoin.h - Arrays that fold together --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDJOIN_H
#define BERTH_LIB_IR_FOLD_FOLDJOIN_H

#include "IR/Fold/FoldTrial.h"

/// Joins the trials of neighbours of one block while that saves cells. The
/// budget counts the pairs that were left for want of operations.
void berthFoldJoinAll(BerthFoldTrial *trials, size_t count,
                      BerthFoldBudget *budget,
                      const BerthFoldPassOptions *options);

#endif // BERTH_LIB_IR_FOLD_FOLDJOIN_H
