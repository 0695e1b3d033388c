//===- Divergence.h - Where threads part and meet again ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of one region. Threads that part at a branch meet again at the
// first block that all ways from it to the region's end go through, its
// immediate post-dominator. In the blocks between, the branch's *spread*, they
// run beside each other:
//
//            split            cond_br on the thread id
//           +--+--+
//           v     v
//         left   right        the spread: side by side
//           v     v  v
//           middle   |        not yet: one way goes round it
//              v     v
//                join         all threads again
//
// A split whose ways need not meet (one of them returns, or never ends) spreads
// over all that follows it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_DIVERGENCE_H
#define BERTH_LIB_IR_VERIFY_RUNS_DIVERGENCE_H

#include "IR/Verify/Runs/Control.h"
#include "Support/BumpMemory.h"

typedef struct BerthBlocks {
  BerthMemory *memory;
  BerthBlockList list;
  size_t words;     ///< of a row of bits, one bit per block
  uint64_t *meets;  ///< rows: the blocks that all ways from it go through
  uint64_t *beside; ///< rows: blocks in a spread together with it
  bool *isSplit;    ///< threads part at its end
  bool *isSpread;   ///< stands in some spread
  bool *isJoin;     ///< threads meet here
} BerthBlocks;

BerthBlocks berthBlocksOf(MlirRegion region, BerthMemory *memory);
void berthBlocksFree(BerthBlocks *blocks);

/// Threads part at the end of this block, which they did not so far. True if
/// some of them may leave the region without the others.
bool berthBlocksSplit(BerthBlocks *blocks, size_t block);

/// True if some threads may be in the one block while others are in the other.
bool berthBlocksAreBeside(const BerthBlocks *blocks, size_t a, size_t b);

#endif // BERTH_LIB_IR_VERIFY_RUNS_DIVERGENCE_H
