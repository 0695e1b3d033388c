//===- Blocks.h - Fewer, larger items ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What fits together without a gap is joined to blocks (Join.h). A rectangle
// cut at random comes back whole or nearly so; other tasks become smaller. What
// is left is packed as any task is.
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
