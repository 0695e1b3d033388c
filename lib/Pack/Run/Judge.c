//===- Judge.c - What a plan has proven ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Judge.h"

#include "Pack/Choices/ConflictSet.h"
#include "Pack/Problem/Plan.h"
#include "Pack/Run/Witness.h"
#include "Pack/Task/Task.h"
#include "Support/Sort.h"

#include <stdlib.h>

//===---------------------------------------------------------------------===//
// Places and figures
//===---------------------------------------------------------------------===//

static void expand(const BerthVerdict *verdict, BerthPlan *plan) {
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    uint32_t item = verdict->reduction->itemOfBuffer[i];
    plan->offsets[i] = verdict->answer->offsets[item];
    plan->pools[i] = verdict->answer->pools[item];
  }
  for (size_t i = 0; i < plan->numCuts; ++i)
    plan->cutsBought[i] = verdict->answer->cutsBought[i];
}

static bool mayClaim(const BerthVerdict *verdict, uint32_t capability) {
  return (verdict->packer->capabilities & capability) &&
         !verdict->reduction->conservative;
}

static void fillFigures(const BerthVerdict *verdict, BerthPlan *plan) {
  const BerthTask *task = &verdict->reduction->task;
  BerthFigures figures = berthPlanMeasure(verdict->problem, plan);
  plan->peak = figures.peak;
  plan->price = figures.price;
  plan->poolCost = figures.poolCost;
  plan->hintDistance = figures.hintDistance;
  // Budgets end a run at the step that meets them: one that ended by itself
  // needs one more than it used.
  plan->steps = verdict->state->steps + !verdict->state->stopped;
  plan->packer = verdict->packer->name;
  if (verdict->reduction->conservative) {
    // Hulls and whole buffers bound the task, not the problem.
    plan->load = berthProblemLoad(verdict->problem, NULL);
    int64_t top = berthTaskHighestTop(task);
    plan->lowerBound = top > plan->load ? top : plan->load;
  } else {
    plan->load = task->load;
    plan->lowerBound = task->lowerBound;
  }
  if (mayClaim(verdict, BERTH_CAN_PROVE) &&
      verdict->answer->lowerBound > plan->lowerBound)
    plan->lowerBound = verdict->answer->lowerBound;
}

//===---------------------------------------------------------------------===//
// Levels
//===---------------------------------------------------------------------===//

// A level is proven where its figure meets an absolute bound, or where a packer
// that may says so.
static uint32_t provenLevels(const BerthVerdict *verdict,
                             const BerthPlan *plan) {
  uint32_t levels =
      mayClaim(verdict, BERTH_CAN_PROVE) ? verdict->answer->provenLevels : 0;
  if (plan->poolCost == berthTaskLeastCost(&verdict->reduction->task))
    levels |= BERTH_LEVEL_POOL_COST;
  if (plan->peak == plan->lowerBound)
    levels |= BERTH_LEVEL_PEAK;
  if (plan->price == 0)
    levels |= BERTH_LEVEL_PRICE;
  if (plan->hintDistance == 0)
    levels |= BERTH_LEVEL_HINTS;
  return levels;
}

//===---------------------------------------------------------------------===//
// Capacity
//===---------------------------------------------------------------------===//

static bool fits(const BerthProblemData *problem, const BerthPlan *plan) {
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    int64_t capacity = problem->numPools
                           ? problem->pools[plan->pools[i]].capacity
                           : problem->capacity;
    if (capacity && plan->offsets[i] + problem->buffers[i].size > capacity)
      return false;
  }
  return true;
}

// Writes the buffers of these items to the plan.
static BerthStatus fillConflict(const BerthVerdict *verdict,
                                const uint32_t *items, uint32_t count,
                                BerthMemory *arena, BerthPlan *plan,
                                BerthError *error) {
  uint32_t numItems = verdict->reduction->task.numItems;
  bool *chosen = BERTH_MEMORY_NEW(arena, bool, numItems);
  plan->conflict = malloc((plan->numBuffers + 1) * sizeof *plan->conflict);
  if (!chosen || !plan->conflict)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  for (uint32_t i = 0; i < count; ++i)
    if (items[i] < numItems)
      chosen[items[i]] = true;
  for (uint32_t i = 0; i < plan->numBuffers; ++i)
    if (chosen[verdict->reduction->itemOfBuffer[i]])
      plan->conflict[plan->numConflict++] = i;
  return BERTH_SUCCESS;
}

// Nothing fits where the load, or one item, is larger than all memory, or where
// fixed items cannot stay within their pools; a packer may know more.
static BerthStatus explain(const BerthVerdict *verdict, BerthPlan *plan,
                           BerthError *error) {
  const BerthTask *task = &verdict->reduction->task;
  int64_t capacity = berthTaskCapacity(task);
  const BerthAnswer *answer = verdict->answer;
  bool claimed = mayClaim(verdict, BERTH_CAN_INFEASIBLE) && answer->infeasible;
  const BerthReduction *reduction = verdict->reduction;
  plan->status = BERTH_PLAN_BUDGET;
  if (!claimed && plan->lowerBound <= capacity && !reduction->numMisfits)
    return BERTH_SUCCESS;
  plan->status = BERTH_PLAN_INFEASIBLE;
  BerthMemory arena = {0};
  uint32_t *items = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  uint32_t count = 0;
  BerthStatus status = BERTH_SUCCESS;
  if (items && claimed && answer->numConflict) {
    plan->conflictIrreducible = answer->conflictIrreducible;
    status = fillConflict(verdict, answer->conflict, answer->numConflict,
                          &arena, plan, error);
  } else if (items && !reduction->conservative &&
             berthLoadConflict(task, &arena, items, &count)) {
    plan->conflictIrreducible = berthLoadConflictIsIrreducible(task, count);
    status = fillConflict(verdict, items, count, &arena, plan, error);
  } else if (items && reduction->numMisfits) {
    status = fillConflict(verdict, reduction->misfits, reduction->numMisfits,
                          &arena, plan, error);
  }
  berthMemoryFree(&arena);
  return status;
}

//===---------------------------------------------------------------------===//
// The verdict
//===---------------------------------------------------------------------===//

static BerthStopReason stopReason(const BerthVerdict *verdict,
                                  const BerthPlan *plan) {
  if (plan->peak == plan->lowerBound)
    return BERTH_STOP_BOUND;
  if (verdict->state->stopped)
    return verdict->state->reason;
  return verdict->answer->stopped;
}

BerthStatus berthJudge(const BerthVerdict *verdict, BerthPlan *plan,
                       BerthError *error) {
  const uint32_t needed =
      BERTH_LEVEL_POOL_COST | BERTH_LEVEL_PEAK | BERTH_LEVEL_PRICE;
  expand(verdict, plan);
  fillFigures(verdict, plan);
  plan->stopped = stopReason(verdict, plan);
  plan->provenLevels = provenLevels(verdict, plan);
  BerthStatus status = berthWitnessBound(verdict, plan, error);
  if (status)
    return status;
  if (!fits(verdict->problem, plan))
    return explain(verdict, plan, error);
  plan->status = (plan->provenLevels & needed) == needed ? BERTH_PLAN_OPTIMAL
                                                         : BERTH_PLAN_FEASIBLE;
  return BERTH_SUCCESS;
}
