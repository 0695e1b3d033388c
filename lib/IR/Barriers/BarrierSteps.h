//===- BarrierSteps.h - Plans and the barriers they need ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERSTEPS_H
#define BERTH_LIB_IR_BARRIERS_BARRIERSTEPS_H

#include "IR/Barriers/Pairs.h"
#include "IR/Plan/PackJob.h"

/// A plan and the barriers that make it right.
typedef struct BerthStep {
  BerthCurvePoint point;
  BerthPlan plan;
  bool *cuts; ///< per node: a barrier goes into this gap
} BerthStep;

/// The steps found so far of which none is as cheap and as small as another, by
/// rising cost.
typedef struct BerthSteps {
  const BerthJob *job;
  const BerthHazards *hazards;
  const int64_t *prices;    ///< per node, of a barrier there
  const BerthJoins *joined; ///< pairs that need a barrier
  const bool *joinedSelves; ///< buffers whose instances need one
  const BerthJoins *apart;  ///< pairs that no barrier can separate
  int64_t lowerBound;       ///< in bytes: no barriers make a plan smaller
  BerthStep *curve;
  size_t length, capacity;
  BerthStatus status; ///< of the last packing that failed, if any
  BerthError error;
} BerthSteps;

void berthStepsFree(BerthSteps *steps);

/// Packs with these pairs kept apart, within a capacity in bytes (0: none). The
/// caller owns the plan.
BerthPacked berthStepsPackApart(BerthSteps *steps, const BerthJoins *joins,
                                int64_t capacity);

/// The same as if barriers stood in the gaps `cuts`.
BerthPacked berthStepsPack(BerthSteps *steps, const bool *cuts,
                           int64_t capacity);

/// Adds a plan, which it takes, with its cheapest barriers, unless there is a
/// step that is no worse. `cuts` are barriers known to make it right, or NULL.
void berthStepsOffer(BerthSteps *steps, BerthPlan plan, const bool *cuts);

/// The smallest plan so far.
const BerthStep *berthStepsLeast(const BerthSteps *steps);

/// Lists the gaps that a barrier may go into and that are, or are not, among
/// `cuts`: cheap ones first, of equal ones the earlier in the code. `order` has
/// room for all nodes; returns how many they are.
size_t berthGapsByPrice(const BerthSteps *steps, const bool *cuts,
                        bool areChosen, uint32_t *order);

/// The cheapest barriers that keep the instances of each buffer apart, and
/// joined pairs where they share bytes in the plan, as flags per node. Without
/// a plan, the former and the members of groups alone. The caller frees them.
bool *berthCheapestCuts(const BerthSteps *steps, const BerthPlan *plan);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERSTEPS_H
