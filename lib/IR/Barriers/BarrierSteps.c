//===- BarrierSteps.c - Plans and the barriers they need -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierSteps.h"
#include "IR/Barriers/BarrierCuts.h"
#include "IR/Barriers/PackApart.h"
#include "IR/Ops/OrDie.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The barriers that a plan needs
//===----------------------------------------------------------------------===//

bool *berthCheapestCuts(const BerthSteps *steps, const BerthPlan *plan) {
  BerthToCut toCut = {.selves = steps->joinedSelves};
  for (size_t i = 0; i < steps->joined->count; ++i) {
    BerthSlicePair pair = steps->joined->pairs[i];
    if (plan ? !berthPairNeedsBarrier(steps->hazards, plan, pair)
             : !berthPairIsGrouped(steps->hazards, pair))
      continue;
    toCut.pairs = berthGrow(toCut.pairs, toCut.count, &toCut.capacity,
                            sizeof *toCut.pairs);
    toCut.pairs[toCut.count++] = pair;
  }
  bool *cuts = berthAllocateOrDie(steps->hazards->graph.numNodes, sizeof *cuts);
  berthFindCuts(steps->hazards, &toCut, cuts);
  free(toCut.pairs);
  return cuts;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

BerthPacked berthStepsPackApart(BerthSteps *steps, const BerthJoins *joins,
                                int64_t capacity) {
  BerthPacked packed =
      berthPackApart(steps->hazards, joins, capacity, berthPackTrial);
  if (packed.status != BERTH_SUCCESS) {
    steps->status = packed.status;
    steps->error = packed.error;
  }
  return packed;
}

BerthPacked berthStepsPack(BerthSteps *steps, const bool *cuts,
                           int64_t capacity) {
  BerthJoins joins = berthHazardsJoined(steps->hazards, cuts);
  berthJoinUnordered(steps->job, &joins);
  BerthPacked packed = berthStepsPackApart(steps, &joins, capacity);
  berthJoinsFree(&joins);
  return packed;
}

static BerthCurvePoint pointOf(const BerthSteps *steps, const BerthPlan *plan,
                               const bool *cuts) {
  BerthCurvePoint point = {.bytes = plan->peak};
  for (uint32_t n = 0; n < steps->hazards->graph.numNodes; ++n)
    if (cuts[n]) {
      point.barriers += berthCutNeedsBarrier(steps->hazards, n);
      point.cost += steps->prices[n];
    }
  return point;
}

static bool isNoBetter(const BerthCurvePoint *a, const BerthCurvePoint *b) {
  return a->cost >= b->cost && a->bytes >= b->bytes;
}

static void freeStep(BerthStep *step) {
  berthPlanFree(&step->plan);
  free(step->cuts);
}

/// Keeps the curve to points of which none is as cheap and as small as another,
/// by rising cost. False if the step is not among them.
static bool addToCurve(BerthSteps *steps, BerthStep step) {
  size_t kept = 0;
  for (size_t i = 0; i < steps->length; ++i)
    if (isNoBetter(&step.point, &steps->curve[i].point))
      return false;
  for (size_t i = 0; i < steps->length; ++i)
    if (!isNoBetter(&steps->curve[i].point, &step.point))
      steps->curve[kept++] = steps->curve[i];
    else
      freeStep(&steps->curve[i]);
  steps->curve =
      berthGrow(steps->curve, kept, &steps->capacity, sizeof *steps->curve);
  size_t k = kept++;
  for (; k > 0 && steps->curve[k - 1].point.cost > step.point.cost; --k)
    steps->curve[k] = steps->curve[k - 1];
  steps->curve[k] = step;
  steps->length = kept;
  return true;
}

void berthStepsOffer(BerthSteps *steps, BerthPlan plan, const bool *cuts) {
  BerthStep step = {.plan = plan, .cuts = berthCheapestCuts(steps, &plan)};
  step.point = pointOf(steps, &plan, step.cuts);
  // They are the cheapest unless the search for them was given up.
  if (cuts && pointOf(steps, &plan, cuts).cost < step.point.cost) {
    memcpy(step.cuts, cuts, steps->hazards->graph.numNodes);
    step.point = pointOf(steps, &plan, cuts);
  }
  if (plan.peak == steps->lowerBound) {
    step.plan.status = BERTH_PLAN_OPTIMAL;
    step.plan.lowerBound = steps->lowerBound;
  }
  if (!addToCurve(steps, step))
    freeStep(&step);
}

const BerthStep *berthStepsLeast(const BerthSteps *steps) {
  return &steps->curve[steps->length - 1];
}

void berthStepsFree(BerthSteps *steps) {
  for (size_t i = 0; i < steps->length; ++i)
    freeStep(&steps->curve[i]);
  free(steps->curve);
}

size_t berthGapsByPrice(const BerthSteps *steps, const bool *cuts,
                        bool areChosen, uint32_t *order) {
  const BerthHazards *hazards = steps->hazards;
  size_t count = 0;
  for (uint32_t node = 0; node < hazards->graph.numNodes; ++node)
    if (hazards->isCuttable[node] && cuts[node] == areChosen)
      order[count++] = node;
  uint32_t *scratch = berthAllocateOrDie(count, sizeof *scratch);
  berthSortByKey(order, scratch, count, (const uint64_t *)steps->prices);
  free(scratch);
  return count;
}
