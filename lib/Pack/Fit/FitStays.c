//===- FitStays.c - Choices as stays with offsets ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitStays.h"

#include "Support/Allocate.h"

#include <stdlib.h>

void berthFitPlanFree(BerthFitPlan *plan) {
  free(plan->stays);
  *plan = (BerthFitPlan){0};
}

int64_t berthFitStayBytes(const BerthProblemData *problem,
                          const BerthStay *stay) {
  const BerthBuffer *buffer = &problem->buffers[stay->buffer];
  for (size_t i = 0; stay->tiled && i < buffer->numUses; ++i)
    if (buffer->uses[i].tile > 0 && buffer->uses[i].lower == stay->lower)
      return buffer->uses[i].tile;
  return buffer->size;
}

BerthProblem *berthFitStaysProblem(const BerthProblemData *problem,
                                   const BerthStay *stays, size_t count) {
  BerthProblem *packing = berthProblemCreate();
  for (size_t i = 0; packing && i < count; ++i) {
    const BerthBuffer *whole = &problem->buffers[stays[i].buffer];
    BerthBuffer buffer = berthBufferDefault();
    BerthSegment life = {stays[i].lower, stays[i].upper};
    buffer.size = berthFitStayBytes(problem, &stays[i]);
    buffer.alignment = whole->alignment;
    buffer.group = stays[i].tiled ? BERTH_NONE : whole->group;
    buffer.numSegments = 1;
    buffer.segments = &life;
    berthProblemAddBuffer(packing, &buffer);
  }
  for (size_t i = 0; packing && i < problem->numReserved; ++i)
    berthProblemAddReserved(packing, problem->reserved[i]);
  if (packing)
    berthProblemSetCapacity(packing, problem->capacity);
  return packing;
}

// The stays of one chain; `bytes` is the size of its buffer.
static void addStays(const BerthFitTask *task, const BerthFitChain *chain,
                     const uint8_t *choices, int64_t bytes,
                     BerthFitPlan *plan) {
  BerthFitPlace place = BERTH_FIT_OUT;
  for (uint32_t s = chain->begin; s < chain->end; ++s) {
    const BerthFitStep *step = &task->steps[s];
    BerthFitChoice choice = (BerthFitChoice)choices[s];
    bool wanted = step->kind != BERTH_USE_WRITE;
    bool leaves = choice != BERTH_FIT_KEEP || (step->end && chain->backed);
    BerthStay *stay = plan->numStays ? &plan->stays[plan->numStays - 1] : NULL;
    if (choice == BERTH_FIT_KEEP)
      stay->upper = step->upper;
    if (place == BERTH_FIT_DIRTY && wanted && leaves &&
        choice != BERTH_FIT_MAKE) {
      stay->spilled = true;
      plan->bytesOut += bytes;
    }
    bool made = choice == BERTH_FIT_MAKE;
    bool filled = choice == BERTH_FIT_FILL && wanted;
    bool tiled = choice == BERTH_FIT_SLOW && step->tile > 0;
    if (made || tiled || choice == BERTH_FIT_FILL)
      plan->stays[plan->numStays++] = (BerthStay){.buffer = chain->buffer,
                                                  .lower = step->lower,
                                                  .upper = step->upper,
                                                  .filled = filled,
                                                  .made = made,
                                                  .tiled = tiled};
    plan->bytesIn += filled ? bytes : 0;
    plan->bytesMade += made ? bytes : 0;
    plan->cost += berthFitStepCost(task, s, place, choice, &place);
  }
}

bool berthFitStaysMake(const BerthFitTask *task,
                       const BerthProblemData *problem, const uint8_t *choices,
                       BerthFitPlan *plan) {
  berthFitPlanFree(plan);
  plan->stays = berthZeroed(task->numSteps, sizeof *plan->stays);
  if (!plan->stays)
    return false;
  for (uint32_t c = 0; c < task->numChains; ++c) {
    const BerthFitChain *chain = &task->chains[c];
    addStays(task, chain, choices, problem->buffers[chain->buffer].size, plan);
    for (uint32_t s = chain->begin; s < chain->end; ++s)
      if (choices[s] == BERTH_FIT_SLOW && !task->steps[s].end &&
          !task->steps[s].tile)
        plan->bytesAccessed += task->steps[s].bytes;
  }
  return true;
}
