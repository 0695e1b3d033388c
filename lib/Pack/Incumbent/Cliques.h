//===- Cliques.h - How high items that all keep apart must be ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
#define BERTH_LIB_PACK_INCUMBENT_CLIQUES_H

#include "Pack/Incumbent/SpreadCliques.h"

/// A height that no plan is below, 0 where it has nothing to say, be it for
/// want of memory or because it would take long; `best` (in `arena`) is the
/// clique that the bound is the height of. Where alignments, pins or reserved
/// bytes leave holes, the largest few items of each clique are put in order, or
/// all, by way of `maxStates` of their sets, if that is not 0 (StackOrders.h);
/// heights from `limit` on are not told apart then.
int64_t berthBoundCliques(const BerthTask *task, BerthMemory *arena,
                          int64_t limit, uint32_t maxStates, BerthClique *best);

#endif // BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
