//===- Bounds.h - What no plan can be below ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Lower bounds beyond the load. Each looks at what is live in one section, or
// in a few, and bounds the whole from below, as leaving items and times out
// only makes a problem easier:
//
//   alignments  items at multiples of A take their sizes rounded up to A, all
//               but the topmost one
//   fixed       what is not pinned must go into the holes between pinned items
//               and reserved bytes; holes that not even the smallest fits into
//               are lost
//   releases    no item lies below the first hole that is large enough for it;
//               those of a section are stacked in that order (one machine with
//               release dates)
//   sums        the peak of a plan that is pushed down is a sum of sizes, one
//               item resting on the other: the least such sum at or above what
//               is known already
//   cliques     items that all keep apart, be it for being live together, all
//               or two by two, or for an edge, stand one above the other, in
//               some order; the one that leaves the fewest holes is looked for,
//               round pins and reserved bytes and at their alignments
//   windows     exact search refutes a height for the items of a short window
//               round the fullest section
//
// All are for a single pool.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_BOUNDS_H
#define BERTH_LIB_PACK_INCUMBENT_BOUNDS_H

#include "Pack/Incumbent/Incumbent.h"

/// Each returns a height that no plan is below, 0 where it has nothing to say,
/// be it for want of memory, which `arena` knows, or because it would take
/// long.
/// `*alignment` is the one that the sizes were rounded up to; `*why` names what
/// needs that height, in `arena`.
int64_t berthBoundAlignments(const BerthTask *task, BerthMemory *arena,
                             int64_t *alignment, BerthBound *why);
int64_t berthBoundFixed(const BerthTask *task, BerthMemory *arena,
                        BerthBound *why);
int64_t berthBoundReleases(const BerthTask *task, BerthMemory *arena,
                           BerthBound *why);
int64_t berthBoundSums(const BerthTask *task, BerthMemory *arena,
                       int64_t known);

/// Raises the bound by all of the above, but for sums where a proof log is
/// wanted, as it knows nothing of them.
void berthRaiseBounds(BerthIncumbent *incumbent);

/// Looks longer at the orders of cliques with holes, at `maxStates` sets of
/// items of each, and for cliques that no one section holds.
void berthRaiseByOrders(BerthIncumbent *incumbent, uint32_t maxStates);

#endif // BERTH_LIB_PACK_INCUMBENT_BOUNDS_H
