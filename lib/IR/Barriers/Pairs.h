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

/// Slices (Slices.h) of two buffers, the lower number first.
typedef struct BerthSlicePair {
  uint32_t first;
  uint32_t second;
} BerthSlicePair;

/// What paths without barrier join.
typedef struct BerthJoins {
  /// [x * numPlaced + y]: buffers that must not share bytes, wherever they lie.
  bool *areApart;
  /// The same: buffers that may, where no two slices of theirs meet that are
  /// joined.
  bool *mayMiss;
  size_t count, capacity;
  BerthSlicePair *pairs; ///< the slices that are joined; sorted
} BerthJoins;

/// `cuts` (per node, may be NULL) are gaps to be taken as barriers.
BerthJoins berthHazardsJoined(const BerthHazards *hazards, const bool *cuts);
void berthJoinsFree(BerthJoins *joins);
bool berthJoinsEqual(const BerthJoins *a, const BerthJoins *b,
                     size_t numBuffers);

/// Keeps the pairs apart that no barrier can make safe: a pointer that got
/// away, or an access that a barrier does not order.
void berthJoinUnordered(const BerthJob *job, BerthJoins *joins);

/// True if two members of one group are among those kept apart: then there is
/// no plan.
bool berthJoinsSplitGroup(const BerthJob *job, const BerthJoins *joins);

/// True if the slices' buffers are members of one group.
bool berthPairIsGrouped(const BerthHazards *hazards, BerthSlicePair pair);

/// True if the slices have bytes in common in the plan that different threads
/// may touch (berthSlicesMeet).
bool berthPairMeets(const BerthHazards *hazards, const BerthPlan *plan,
                    BerthSlicePair pair);

/// True if the plan needs a barrier between the slices: they meet, or offsets
/// are not tried for them (berthSlicesMayMiss), and their buffers share bytes.
bool berthPairNeedsBarrier(const BerthHazards *hazards, const BerthPlan *plan,
                           BerthSlicePair pair);

/// A flag per buffer: in a loop without a barrier, fast threads write its next
/// instance while slow ones still read the last. The caller frees them.
bool *berthHazardsJoinedSelves(const BerthHazards *hazards, const bool *cuts);

/// The job's problem with these pairs kept apart and no others. Capacity in
/// bytes; 0: none. The caller destroys it.
BerthProblem *berthProblemApart(const BerthJob *job, const bool *areApart,
                                int64_t capacity);

/// The pairs that no barrier which stands already separates, wherever
/// they lie. The caller frees them.
bool *berthJoinedPairs(BerthJob *job);

#endif // BERTH_LIB_IR_BARRIERS_PAIRS_H
