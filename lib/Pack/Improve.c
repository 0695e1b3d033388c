//===- Improve.c - The best plan so far ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve.h"

#include <string.h>

static void updateGoal(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  bool fitting = task->capacity && !task->minimize;
  incumbent->goal = incumbent->lowerBound;
  if (fitting && task->capacity > incumbent->goal)
    incumbent->goal = task->capacity;
  if (task->capacity && incumbent->lowerBound > task->capacity)
    incumbent->infeasible = true;
}

void berthIncumbentInit(BerthIncumbent *incumbent, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer) {
  *incumbent = (BerthIncumbent){.task = task,
                                .host = host,
                                .answer = answer,
                                .peak = INT64_MAX,
                                .lowerBound = task->lowerBound};
  updateGoal(incumbent);
}

bool berthIncumbentDone(const BerthIncumbent *incumbent) {
  return incumbent->peak <= incumbent->goal || incumbent->infeasible ||
         incumbent->stopped || incumbent->failed;
}

bool berthIncumbentOffer(BerthIncumbent *incumbent, const int64_t *offsets) {
  const BerthTask *task = incumbent->task;
  int64_t peak = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t top = offsets[i] + task->sizes[i];
    peak = top > peak ? top : peak;
  }
  if (peak >= incumbent->peak)
    return false;
  incumbent->peak = peak;
  if (offsets != incumbent->answer->offsets)
    memcpy(incumbent->answer->offsets, offsets,
           task->numItems * sizeof *offsets);
  incumbent->host->report(incumbent->host->context, incumbent->answer);
  return true;
}

void berthIncumbentRaise(BerthIncumbent *incumbent, int64_t lowerBound) {
  if (lowerBound <= incumbent->lowerBound)
    return;
  incumbent->lowerBound = lowerBound;
  updateGoal(incumbent);
}

void berthIncumbentFinish(BerthIncumbent *incumbent) {
  BerthAnswer *answer = incumbent->answer;
  answer->lowerBound = incumbent->lowerBound;
  answer->infeasible = incumbent->infeasible;
  answer->stopped = BERTH_STOP_EXHAUSTED;
  if (incumbent->peak == incumbent->lowerBound)
    answer->stopped = BERTH_STOP_BOUND;
  else if (incumbent->peak <= incumbent->goal)
    answer->stopped = BERTH_STOP_FIT;
}
