//===- Fit.h - What must leave a memory that is too small ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Two memories: a fast one of a given capacity, and a slow one that holds
// everything. Where the fast one overflows, buffers leave it between their
// uses and come back, each at a price a byte. A fit plan says which, and gives
// every stay (a *stay*) its offset in the fast memory.
//
//   bytes ^  capacity
//         |--------------------------
//         | +-------+   +--+           a: used at 0, 4 and 9; out between
//         | |a      |   |a |              4 and 9: one spill, one fill
//         | ++-+----+---+--+
//         |  |b         |              b: used at 1 and 8, stays
//         +--+----------+----> time
//
// The model, in full, is in docs/fit.md:
// - A buffer's content lives through its segments; `uses` says when it is
//   touched. In a segment without a use at its start it is made there, unless
//   it is `backed`. Between two uses it is in the fast memory all the time or
//   not at all.
// - Bringing it in is a fill; it costs unless the use overwrites it all. Taking
//   it out is a spill; it costs only if it was written since it last left, and
//   only where the old content is wanted again. Either may cost something
//   however little moves (`move`).
// - Where a use says what making its content again costs (`make`), that can be
//   done instead: then nothing has to be filled, or to have been spilled.
// - `backed` content (an argument, a constant) lies in the slow memory at the
//   start, and must lie there at the end if it was written.
// - A use needs the buffer in the fast memory, or (`access` > 0) is served from
//   the slow one at a price a byte. One that names a `tile` may be served from
//   the slow one, and not otherwise, through so many bytes of the fast memory
//   at the price of its `slices`.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_FIT_H
#define BERTH_C_FIT_H

#include "berth-c/Pack.h"

BERTH_EXTERN_C_BEGIN

/// What the moves of one buffer cost: more in a loop than in front of it, less
/// where its content is made again instead of read.
typedef struct BerthFitPrice {
  int64_t fill;   ///< of bringing all of it in
  int64_t spill;  ///< of taking all of it out
  int64_t access; ///< of a byte touched in the slow memory; BERTH_NONE: it has
                  ///< to be in the fast one
} BerthFitPrice;

/// Zero means the default. Prices are per byte, at most 2^20, but that of a
/// move as such, at most 2^40.
typedef struct BerthFitOptions {
  int64_t fill;   ///< price of bringing in; default 1
  int64_t spill;  ///< price of taking out; default 1
  int64_t access; ///< price of touching in the slow memory; 0: not possible
  /// What each fill and each spill costs besides its bytes: a latency, counted
  /// in what could be moved meanwhile.
  int64_t move;
  const char *policy; ///< NULL: search; else one of berthFitPolicyName
  uint64_t steps;     ///< work of the search; default 400,000,000
  /// NULL, or what counts instead of the four prices: one for each buffer of
  /// the problem. Their zeros are zeros.
  const BerthFitPrice *prices;
} BerthFitOptions;

/// A stay in the fast memory, during the times [lower, upper), or one of the
/// tile through which a use is served.
typedef struct BerthStay {
  uint32_t buffer;
  int64_t lower;
  int64_t upper;
  int64_t offset;
  bool filled;  ///< its content is read from the slow memory at `lower`
  bool spilled; ///< its content is written to the slow memory at `upper`
  bool made;    ///< its content is made again at `lower`
  bool tiled;   ///< it holds no more than the tile of the one use in it
} BerthStay;

/// The stays are sorted by buffer, then time, and belong to the plan.
typedef struct BerthFitPlan {
  size_t numStays;
  BerthStay *stays;
  int64_t cost;      ///< all moves and accesses at their prices
  int64_t costBound; ///< no plan costs less, wherever its offsets are
  int64_t bytesIn;
  int64_t bytesOut;
  int64_t bytesAccessed; ///< served from the slow memory
  int64_t bytesMade;     ///< made again
  int64_t peak;          ///< highest top of any stay
  int64_t peakBound;     ///< no plan of these stays has a smaller peak
  /// OPTIMAL: the cost is proven least. INFEASIBLE: there is no plan, for
  /// `needed` is above the capacity. BUDGET: no offsets were found. Without a
  /// plan there are no stays, and the cost is 0.
  BerthPlanStatus status;
  int64_t tightTime;  ///< when the uses of one time need most ...
  int64_t tightBytes; ///< ... and how much that is; 0 where any use may be
                      ///< served from the slow memory
  int64_t needed;     ///< no smaller capacity has a plan: `tightBytes`, or more
                      ///< where alignment and reserved bytes take some; a bound
  uint64_t steps;     ///< of the search
} BerthFitPlan;

/// Finds what must leave the problem's capacity, which has to be set, at the
/// least cost found, then offsets with as low a peak as possible. Never costs
/// more than any of the policies. A buffer with a group has one offset in all
/// of its stays. Pools, groups of several, edges, pins and windows are refused
/// (BERTH_INVALID), as is a problem in which no buffer has uses: then
/// nothing says what may leave. Every plan is verified (berthFitVerify) before
/// it is returned; free it with berthFitPlanFree.
BERTH_EXPORT BerthStatus berthFit(const BerthProblemData *problem,
                                  const BerthFitOptions *options,
                                  BerthFitPlan *plan, BerthError *error);

/// What the stay takes of the fast memory: its buffer's size, or a tile's.
BERTH_EXPORT int64_t berthFitStayBytes(const BerthProblemData *problem,
                                       const BerthStay *stay);

/// Frees what the plan owns and zeroes it.
BERTH_EXPORT void berthFitPlanFree(BerthFitPlan *plan);

/// Checks a plan with code of its own: that each use is served, that content
/// is filled or made again where it is wanted and spilled where it would be
/// lost, that stays do not share bytes, alignment, reserved ranges and
/// capacity, and that the figures are what the stays make them.
BERTH_EXPORT BerthStatus berthFitVerify(const BerthProblemData *problem,
                                        const BerthFitOptions *options,
                                        const BerthFitPlan *plan,
                                        BerthError *error);

/// The eviction policies that the search is measured against: "furthest-use",
/// "least-recent" and "largest".
BERTH_EXPORT size_t berthFitPolicyCount(void);
BERTH_EXPORT const char *berthFitPolicyName(size_t index);

BERTH_EXTERN_C_END

#endif // BERTH_C_FIT_H
