//===- Blocks.h - Fewer, larger items ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A plan without waste is a rectangle cut into items, and a cut can be undone:
//
//   stack    +---+    row    +---+---+    pinwheel    +---+-------+
//            | b |           |   |   |                |   |   c   |
//            +---+           | a | b |                | d +---+---+
//            | a |           |   |   |                |   | e |   |
//            +---+           +---+---+                +---+---+ b |
//                                                     |   a   |   |
//                                                     +-------+---+
//
//   stack: the same lifetime. Row: b begins where a ends, of the same size.
//   Pinwheel: c and e begin where d ends, and d is as high as both; b begins
//   where a and e end, and is as high as both; a begins with d, c ends with b.
//
// What is joined is a block, and blocks join in turn, as stacks only as far as
// a row asks for it: where {a, b} ends {c, d, e} may begin, if a = c and
// b = d + e. A row is right if no other has its sizes, which is the likelier
// the larger they are; so it goes from large sizes to small ones.
//
// A rectangle cut at random comes back whole or nearly so; other tasks become
// smaller. What is left is packed as any task is.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_BLOCKS_H
#define BERTH_LIB_PACK_IMPROVE_BLOCKS_H

#include "Pack/Incumbent/Incumbent.h"

/// Joins the hulls of the items and lets `solve` pack the blocks, if these are
/// at most half as many as the items. Handles every feature but prices: where
/// the task is more than hulls, the plan is an order in which the items are
/// placed anew.
void berthImproveByBlocks(BerthIncumbent *incumbent, const BerthHost *host,
                          BerthSolve solve);

#endif // BERTH_LIB_PACK_IMPROVE_BLOCKS_H
