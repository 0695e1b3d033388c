//===- Plan.c - A plan's memory and figures ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Problem/Plan.h"

#include "Support/Checked.h"

#include <stdlib.h>

BerthStatus berthPlanInit(BerthPlan *plan, const BerthProblemData *problem,
                          BerthError *error) {
  size_t n = problem->numBuffers, cuts = problem->numCuts;
  *plan = (BerthPlan){.numBuffers = n, .numCuts = cuts};
  plan->offsets = malloc((n + 1) * sizeof *plan->offsets);
  plan->pools = calloc(n + 1, sizeof *plan->pools);
  plan->cutsBought = calloc(cuts + 1, sizeof *plan->cutsBought);
  if (!plan->offsets || !plan->pools || !plan->cutsBought) {
    berthPlanFree(plan);
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  }
  for (size_t i = 0; i < n; ++i)
    plan->offsets[i] = BERTH_NONE;
  return BERTH_SUCCESS;
}

void berthPlanFree(BerthPlan *plan) {
  free(plan->offsets);
  free(plan->pools);
  free(plan->cutsBought);
  free(plan->conflict);
  free(plan->boundBuffers);
  *plan = (BerthPlan){0};
}

static int64_t poolCost(const BerthProblemData *problem, const BerthPlan *plan,
                        size_t index) {
  if (problem->numPools == 0)
    return 0;
  const BerthBuffer *buffer = &problem->buffers[index];
  int64_t cost = problem->pools[plan->pools[index]].cost;
  return berthMultiplySaturating(
      berthMultiplySaturating(buffer->size, buffer->weight), cost);
}

static int64_t hintDistance(const BerthBuffer *buffer, int64_t offset) {
  if (buffer->hint == BERTH_NONE)
    return 0;
  int64_t distance =
      offset > buffer->hint ? offset - buffer->hint : buffer->hint - offset;
  return berthMultiplySaturating(distance, buffer->weight);
}

BerthFigures berthPlanMeasure(const BerthProblemData *problem,
                              const BerthPlan *plan) {
  BerthFigures figures = {0};
  int64_t peaks[64] = {0};
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    int64_t *peak = &peaks[plan->pools[i]];
    int64_t top = plan->offsets[i] + problem->buffers[i].size;
    *peak = top > *peak ? top : *peak;
    figures.poolCost =
        berthAddSaturating(figures.poolCost, poolCost(problem, plan, i));
    figures.hintDistance = berthAddSaturating(
        figures.hintDistance,
        hintDistance(&problem->buffers[i], plan->offsets[i]));
  }
  for (size_t i = 0; i < 64; ++i)
    figures.peak = berthAddSaturating(figures.peak, peaks[i]);
  for (size_t i = 0; i < problem->numCuts; ++i)
    if (plan->cutsBought[i])
      figures.price = berthAddSaturating(figures.price, problem->cuts[i].price);
  return figures;
}
