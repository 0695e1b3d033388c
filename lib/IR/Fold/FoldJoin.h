//===- FoldJoin.h - Arrays that fold together --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDJOIN_H
#define BERTH_LIB_IR_FOLD_FOLDJOIN_H

#include "IR/Fold/FoldTrial.h"

/// Same block, same kind of allocation, same element type and memory space.
bool berthFoldAreAlike(MlirValue a, MlirValue b);

/// From the first op of the block that touches it to the last; throughout if
/// that is not known.
BerthSegment berthFoldLifeOf(const BerthFoldNest *nest);

/// Joins the trials of neighbours of one block while that saves cells. The
/// budget counts the pairs that were left for want of operations. What is left
/// for joining comes back.
/// Of arrays in the order of the code.
void berthFoldJoinAll(BerthFoldTrial *trials, size_t count,
                      const MlirValue *arrays, BerthFoldBlocks *blocks,
                      const BerthFoldPassOptions *options);

#endif // BERTH_LIB_IR_FOLD_FOLDJOIN_H
