//===- ConflictSet.h - Which items cannot fit together -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_CONFLICTSET_H
#define BERTH_LIB_PACK_CHOICES_CONFLICTSET_H

#include "Pack/Incumbent/Incumbent.h"

/// An item that ends above all capacities together, or the largest items of the
/// fullest section, until they exceed them; written to `items`, which has room
/// for all. False where there are none, or memory ran out.
bool berthLoadConflict(const BerthTask *task, BerthMemory *arena,
                       uint32_t *items, uint32_t *count);

/// Without the smallest of those the rest does not exceed the capacity, and
/// they are all live together. So where the task has nothing that may leave
/// holes, they can be stacked once any one of the `count` is taken away.
bool berthLoadConflictIsIrreducible(const BerthTask *task, uint32_t count);

/// Where it is proven that nothing fits: names items that cannot fit together,
/// as few as the budget allows, unless the load has as good an answer, or the
/// caller of the run wants none. Pools
/// are searched by asking `solveOne` about single ones; it may be NULL for a
/// packer that knows no pools.
void berthExplainInfeasible(BerthIncumbent *incumbent, BerthSolve solveOne);

#endif // BERTH_LIB_PACK_CHOICES_CONFLICTSET_H
