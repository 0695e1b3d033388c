//===- Conflict.c - Which items cannot fit together ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where a search has proven that nothing fits, a smaller set of items usually
// does not fit either, and says more to the user. Items are left out, first
// many at once, then one by one; what is still refuted without them was not
// needed. If every single item turned out to be needed, that is, the rest fits
// without it, the set is irreducible. (Deletion filter: Chinneck and Dravnieks
// 1991.)
//
//===---------------------------------------------------------------------===//

#include "Pack/Gaps.h"
#include "Pack/Host.h"
#include "Pack/Improve.h"
#include "Pack/Search.h"
#include "Pack/Subtask.h"

#include <string.h>

enum { kRounds = 4, kNodes = 20000, kSteps = 1 << 26 };

typedef enum Verdict { VERDICT_FITS, VERDICT_REFUTED, VERDICT_UNKNOWN } Verdict;

// Do these items fit by themselves?
static Verdict decide(const BerthTask *whole, BerthHostState *parent,
                      const uint32_t *items, uint32_t count) {
  BerthArena arena = {0};
  BerthTask sub;
  BerthHostState slice;
  BerthAnswer answer;
  BerthIncumbent incumbent;
  Verdict verdict = VERDICT_UNKNOWN;
  if (berthSubtask(whole, items, count, 0, whole->numSections, &arena, &sub) &&
      berthAnswerInit(&answer, &sub, &arena)) {
    berthHostSlice(&slice, parent, &sub, &arena, 0);
    berthIncumbentInit(&incumbent, &sub, &slice.host, &answer);
    if (!berthIncumbentDone(&incumbent)) {
      if (berthSearchCanHandle(&sub))
        berthImproveBySearch(&incumbent, &arena, 0, kRounds);
      else
        berthImproveByGaps(&incumbent, &arena, kNodes);
    }
    verdict = incumbent.infeasible                ? VERDICT_REFUTED
              : incumbent.peak <= whole->capacity ? VERDICT_FITS
                                                  : VERDICT_UNKNOWN;
  }
  berthArenaFree(&arena);
  return verdict;
}

// Tries to do without `chunk` items at a time; returns how many are left. Is
// each of those left known to be needed?
static uint32_t filter(const BerthTask *whole, BerthHostState *host,
                       uint32_t *items, uint32_t count, uint32_t chunk,
                       uint32_t *trial, bool *allNeeded) {
  *allNeeded = true;
  for (uint32_t at = 0; at < count && !host->stopped;) {
    uint32_t out = chunk < count - at ? chunk : count - at;
    memcpy(trial, items, at * sizeof *trial);
    memcpy(trial + at, items + at + out, (count - at - out) * sizeof *trial);
    Verdict verdict =
        count == out ? VERDICT_FITS : decide(whole, host, trial, count - out);
    if (verdict == VERDICT_REFUTED) {
      count -= out;
      memcpy(items, trial, count * sizeof *items);
    } else {
      *allNeeded &= verdict == VERDICT_FITS;
      at += out;
    }
  }
  *allNeeded &= !host->stopped;
  return count;
}

static bool canExplain(const BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  return incumbent->infeasible && task->capacity && task->numPools == 1 &&
         task->lowerBound <= task->capacity &&
         !(task->features & BERTH_CAN_PRICED_EDGES) &&
         (berthSearchCanHandle(task) || berthGapsCanHandle(task));
}

void berthExplainInfeasible(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  BerthAnswer *answer = incumbent->answer;
  uint32_t count = task->numItems;
  if (!canExplain(incumbent))
    return;
  BerthArena arena = {0};
  BerthHostState slice;
  uint32_t *trial = BERTH_ARENA_NEW(&arena, uint32_t, count);
  answer->conflict = incumbent->host->allocate(incumbent->host->context,
                                               count * sizeof(uint32_t));
  if (!trial || !answer->conflict) {
    incumbent->failed = true;
    berthArenaFree(&arena);
    return;
  }
  for (uint32_t i = 0; i < count; ++i)
    answer->conflict[i] = i;
  berthHostSlice(&slice, berthHostState(incumbent->host), task, &arena, kSteps);
  bool allNeeded = false;
  for (uint32_t chunk = (count + 1) / 2; !slice.stopped; chunk /= 2) {
    count =
        filter(task, &slice, answer->conflict, count, chunk, trial, &allNeeded);
    if (chunk == 1)
      break;
  }
  answer->numConflict = count;
  answer->conflictIrreducible = allNeeded;
  berthArenaFree(&arena);
}
