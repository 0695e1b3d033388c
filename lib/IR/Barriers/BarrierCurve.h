//===- BarrierCurve.h - Bytes against barriers ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H
#define BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H

#include "IR/Hazards/Hazards.h"

/// Packs the job of `hazards` and chooses the barriers to insert. The job's
/// plan, barriers and curve are the result.
void berthPackInserting(const BerthHazards *hazards);

//===---------------------------------------------------------------------===//
// Steps: BarrierCurve.c keeps them, and finds some; BarrierSearch.c finds the
// others
//===---------------------------------------------------------------------===//

/// A plan and the barriers that make it right.
typedef struct BerthStep {
  BerthCurvePoint point;
  BerthPlan plan;
  bool *cuts; ///< per node: a barrier goes into this gap
} BerthStep;

/// The steps found so far of which none is as cheap and as small as another, by
/// rising cost.
typedef struct BerthSteps {
  BerthJob *job;
  const BerthHazards *hazards;
  const int64_t *prices; ///< per node, of a barrier there
  const bool *joined;    ///< pairs that need a barrier
  const bool *apart;     ///< pairs that no barrier can separate
  int64_t lowerBound;    ///< in bytes: no barriers make a plan smaller
  BerthStep *curve;
  size_t length, capacity;
} BerthSteps;

/// Packs as if barriers stood in the gaps `cuts`, within a capacity in bytes
/// (0: none). False if that failed, as the job's status tells.
bool berthStepsPack(const BerthSteps *steps, const bool *cuts,
                    int64_t capacity);

/// Adds the job's plan with its cheapest barriers, unless there is a step that
/// is no worse. `cuts` are barriers known to make it right.
void berthStepsOffer(BerthSteps *steps, const bool *cuts);

/// The smallest plan so far.
const BerthStep *berthStepsLeast(const BerthSteps *steps);

/// True if the job's plan is one, within the capacity that was asked for.
bool berthPlanFits(const BerthJob *job);

/// Looks for the cheapest barriers of a smallest plan and of all sizes above.
/// False if it was given up before it was through. Steps are there already.
bool berthStepsSearch(BerthSteps *steps);

//===---------------------------------------------------------------------===//
// What they need of Barriers.c
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

/// The job's problem with these pairs kept apart and no others. Capacity in
/// bytes; 0: none.
void berthKeepApart(BerthJob *job, const bool *joined, int64_t capacity);

/// The same, packed.
void berthPackApart(BerthJob *job, const bool *joined, int64_t capacity);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H
