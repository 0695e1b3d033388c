//===- Spread.h - Blocks that threads run beside each other -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where threads disagree on a branch between blocks, they part until its ways
// meet again: at the first block that every way comes to (the branch's
// immediate post-dominator). The blocks up to there are the branch's *spread*:
//
//          branch on the thread id
//            /            \ .
//         ^one           ^two        the spread: these run beside each other,
//            \           /           and no barrier in them counts
//             ^together              all threads again
//
// A way that returns, or never ends, does not meet the others: then the spread
// is all that the branch can reach.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SPREAD_H
#define BERTH_LIB_IR_SPREAD_H

#include "IR/Scope.h"
#include "Support/PointerMap.h"

/// One divergent branch's blocks.
typedef struct BerthSpread {
  MlirRegion region;
  size_t numBlocks;
  MlirBlock *blocks;
} BerthSpread;

struct BerthSpreads {
  size_t count, capacity;
  BerthSpread *spreads;
  BerthPointerMap isDivergent; ///< blocks in some spread
};

/// Finds the spreads of all branches in the scope, which keeps them.
void berthScopeFindSpreads(BerthScope *scope);
void berthScopeFreeSpreads(BerthScope *scope);

/// True if threads may come to the block without each other.
bool berthBlockIsDivergent(const BerthScope *scope, MlirBlock block);

#endif // BERTH_LIB_IR_SPREAD_H
