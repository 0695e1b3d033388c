//===- Divergence.h - Blocks that threads run beside each other ----- C ---===//
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

#ifndef BERTH_LIB_IR_THREADS_DIVERGENCE_H
#define BERTH_LIB_IR_THREADS_DIVERGENCE_H

#include "IR/Facts/Facts.h"

/// One divergent branch's blocks.
typedef struct BerthSpread {
  MlirRegion region;
  size_t numBlocks;
  MlirBlock *blocks; ///< owned
  MlirBlock meeting; ///< where all threads are together again; may be null
} BerthSpread;

/// The blocks of one region, for any number of questions.
typedef struct BerthRegionBlocks BerthRegionBlocks;
BerthRegionBlocks *berthRegionBlocksCreate(MlirRegion region);
void berthRegionBlocksFree(BerthRegionBlocks *blocks);

/// The spread of the branch that ends `block`; the caller frees its `blocks`.
BerthSpread berthSpreadOf(BerthRegionBlocks *blocks, MlirBlock block);

#endif // BERTH_LIB_IR_THREADS_DIVERGENCE_H
