//===- BarrierSteps.h - Bytes against barriers ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERSTEPS_H
#define BERTH_LIB_IR_BARRIERSTEPS_H

#include "IR/Hazards.h"

/// Packs the job of `hazards` and chooses the barriers to insert. The job's
/// plan, barriers and curve are the result.
void berthPackInserting(const BerthHazards *hazards);

//===---------------------------------------------------------------------===//
// What it needs of Barriers.c
//===---------------------------------------------------------------------===//

/// joined[x * numPlaced + y]: some path without barrier joins accesses of x and
/// y. `cuts` (per node, may be NULL) are gaps to be taken as barriers. The
/// caller frees it.
bool *berthHazardsJoined(const BerthHazards *hazards, const bool *cuts);

/// Adds the pairs that no barrier can make safe: a pointer that got away, or an
/// access that a barrier does not order.
void berthJoinUnordered(const BerthJob *job, bool *joined);

/// In a loop without a barrier, fast threads write the next instance of a
/// buffer while slow ones still read the last. `cuts` are the barriers that
/// could be there.
bool berthHazardsOverlapItself(const BerthHazards *hazards, size_t x,
                               const bool *cuts);

/// A fresh problem with these pairs kept apart, packed. Capacity in bytes; 0:
/// none.
void berthPackApart(BerthJob *job, const bool *joined, int64_t capacity);

#endif // BERTH_LIB_IR_BARRIERSTEPS_H
