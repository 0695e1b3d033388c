//===- Witness.c - What needs as much as the lower bound says ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Witness.h"

#include "Pack/Task/Task.h"

#include <stdlib.h>

/// Which items, and since they may be buffers that are not live then, whole
/// groups with them.
typedef struct Witness {
  const BerthVerdict *verdict;
  BerthPlan *plan;
  bool *chosen; ///< item -> it is one of them
} Witness;

//===---------------------------------------------------------------------===//
// What is live within some time
//===---------------------------------------------------------------------===//

// Nothing of it may be occupied at the time.
static bool isEmpty(const BerthBuffer *buffer, int64_t time) {
  for (size_t g = 0; g < buffer->numGaps; ++g)
    if (buffer->gaps[g].lower <= time && time < buffer->gaps[g].upper)
      return buffer->gaps[g].windowLower == buffer->gaps[g].windowUpper;
  return false;
}

static bool isLive(const BerthBuffer *buffer, int64_t time) {
  for (size_t s = 0; s < buffer->numSegments; ++s)
    if (buffer->segments[s].lower <= time && time < buffer->segments[s].upper)
      return !isEmpty(buffer, time);
  return false;
}

static void chooseLive(Witness *witness, int64_t time) {
  const BerthProblemData *problem = witness->verdict->problem;
  const uint32_t *items = witness->verdict->reduction->itemOfBuffer;
  witness->plan->boundFrom = time;
  witness->plan->boundTo = time + 1;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    if (isLive(&problem->buffers[i], time))
      witness->chosen[items[i]] = true;
}

// Of all that is chosen, or of everything.
static void fillTimes(const Witness *witness, bool everything) {
  const BerthProblemData *problem = witness->verdict->problem;
  const uint32_t *items = witness->verdict->reduction->itemOfBuffer;
  BerthPlan *plan = witness->plan;
  plan->boundFrom = INT64_MAX;
  plan->boundTo = INT64_MIN;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t upper = buffer->segments[buffer->numSegments - 1].upper;
    if (!everything && !witness->chosen[items[i]])
      continue;
    if (buffer->segments[0].lower < plan->boundFrom)
      plan->boundFrom = buffer->segments[0].lower;
    if (upper > plan->boundTo)
      plan->boundTo = upper;
  }
}

//===---------------------------------------------------------------------===//
// The reasons
//===---------------------------------------------------------------------===//

static void chooseFullest(Witness *witness) {
  const BerthVerdict *verdict = witness->verdict;
  const BerthTask *task = &verdict->reduction->task;
  int64_t time = 0;
  uint32_t fullest = 0;
  if (verdict->reduction->conservative) {
    berthProblemLoad(verdict->problem, &time);
  } else {
    for (uint32_t s = 1; s < task->numSections; ++s)
      if (task->sectionLoads[s] > task->sectionLoads[fullest])
        fullest = s;
    time = verdict->reduction->sectionTimes[fullest];
  }
  chooseLive(witness, time);
}

static void chooseHighest(Witness *witness, int64_t top) {
  const BerthTask *task = &witness->verdict->reduction->task;
  uint32_t i = 0;
  for (; i < task->numItems && berthItemTop(task, i) != top; ++i)
    ;
  if (i < task->numItems)
    witness->chosen[i] = true;
  fillTimes(witness, false);
}

static bool isWithin(const BerthTask *task, uint32_t item, uint32_t lower,
                     uint32_t upper) {
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower < upper && lower < task->pieces[p].upper)
      return true;
  return false;
}

// Sections stand in the order of time, but for those of items that never occupy
// anything, which are the last ones.
static void chooseSections(Witness *witness, const BerthBound *bound) {
  const BerthReduction *reduction = witness->verdict->reduction;
  BerthPlan *plan = witness->plan;
  plan->boundFrom = INT64_MAX;
  plan->boundTo = INT64_MIN;
  for (uint32_t s = bound->lower; s < bound->upper; ++s) {
    int64_t time = reduction->sectionTimes[s];
    plan->boundFrom = time < plan->boundFrom ? time : plan->boundFrom;
    plan->boundTo = time >= plan->boundTo ? time + 1 : plan->boundTo;
  }
  for (uint32_t i = 0; i < reduction->task.numItems; ++i)
    if (isWithin(&reduction->task, i, bound->lower, bound->upper))
      witness->chosen[i] = true;
}

static void chooseItems(Witness *witness, const BerthBound *bound) {
  for (uint32_t k = 0; k < bound->numItems; ++k)
    if (bound->items[k] < witness->verdict->reduction->task.numItems)
      witness->chosen[bound->items[k]] = true;
  fillTimes(witness, bound->numItems == 0);
}

static void choose(Witness *witness) {
  const BerthVerdict *verdict = witness->verdict;
  const BerthTask *task = &verdict->reduction->task;
  const BerthBound *bound = &verdict->answer->bound;
  BerthPlan *plan = witness->plan;
  if (plan->lowerBound == berthTaskHighestTop(task)) {
    plan->boundReason = BERTH_BOUND_BUFFER;
    chooseHighest(witness, plan->lowerBound);
  } else if (plan->lowerBound == plan->load) {
    plan->boundReason = BERTH_BOUND_LOAD;
    chooseFullest(witness);
  } else {
    plan->boundReason = bound->reason;
    if (bound->lower < bound->upper && bound->upper <= task->numSections)
      chooseSections(witness, bound);
    else
      chooseItems(witness, bound);
  }
}

// In the order of the buffers.
static bool list(const Witness *witness) {
  BerthPlan *plan = witness->plan;
  const uint32_t *items = witness->verdict->reduction->itemOfBuffer;
  for (size_t i = 0; i < plan->numBuffers; ++i)
    plan->numBoundBuffers += witness->chosen[items[i]];
  if (!plan->numBoundBuffers)
    return true;
  plan->boundBuffers =
      malloc(plan->numBoundBuffers * sizeof *plan->boundBuffers);
  for (size_t i = 0, k = 0; plan->boundBuffers && i < plan->numBuffers; ++i)
    if (witness->chosen[items[i]])
      plan->boundBuffers[k++] = (uint32_t)i;
  return plan->boundBuffers;
}

BerthStatus berthWitnessBound(const BerthVerdict *verdict, BerthPlan *plan,
                              BerthError *error) {
  uint32_t numItems = verdict->reduction->task.numItems;
  if (!numItems)
    return BERTH_SUCCESS;
  Witness witness = {.verdict = verdict,
                     .plan = plan,
                     .chosen = calloc(numItems, sizeof(bool))};
  bool done = witness.chosen;
  if (done) {
    choose(&witness);
    done = list(&witness);
  }
  free(witness.chosen);
  return done ? BERTH_SUCCESS
              : berthErrorSet(error, BERTH_RESOURCE, "out of memory");
}
