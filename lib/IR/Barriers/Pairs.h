//===- Pairs.h - Which pairs of buffers need a barrier ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_PAIRS_H
#define BERTH_LIB_IR_BARRIERS_PAIRS_H

#include "IR/Hazards/Hazards.h"

/// The hazards of the job's buffers. A buffer whose instances no barrier can
/// keep apart is rejected, and the problem made again without it.
BerthHazards berthFindHazards(BerthJob *job);

/// joined[x * numPlaced + y]: some path without barrier joins accesses of x and
/// y. `cuts` (per node, may be NULL) are gaps to be taken as barriers. The
/// caller frees it.
bool *berthHazardsJoined(const BerthHazards *hazards, const bool *cuts);

/// Adds the pairs that no barrier can make safe: a pointer that got away, or an
/// access that a barrier does not order.
void berthJoinUnordered(const BerthJob *job, bool *joined);

/// A flag per buffer: in a loop without a barrier, fast threads write its next
/// instance while slow ones still read the last. The caller frees them.
bool *berthHazardsJoinedSelves(const BerthHazards *hazards, const bool *cuts);

/// The job's problem with these pairs kept apart and no others. Capacity in
/// bytes; 0: none. The caller destroys it.
BerthProblem *berthProblemApart(const BerthJob *job, const bool *joined,
                                int64_t capacity);

/// The pairs that no barrier which stands already separates. The caller frees
/// them.
bool *berthJoinedPairs(BerthJob *job);

#endif // BERTH_LIB_IR_BARRIERS_PAIRS_H
