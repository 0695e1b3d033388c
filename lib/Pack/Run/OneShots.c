//===- OneShots.c - The packers that make one plan -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/OneShots.h"

#include "Pack/Run/Packers.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Hulls.h"

// Of a large task.
enum { kFitSteps = 1 << 26 };

// The features that every packer can do without: at worst holes are filled.
static uint32_t lacks(const BerthPacker *packer, const BerthTask *task) {
  return task->features & ~packer->capabilities &
         ~(uint32_t)(BERTH_CAN_CAPACITY | BERTH_CAN_HINTS | BERTH_CAN_GROUPS);
}

static bool isOneShot(const BerthPacker *packer, const BerthTask *task) {
  uint32_t holes = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_DISTANCES;
  return berthPackerTraits(packer) & BERTH_PACKER_ONE_SHOT &&
         !(lacks(packer, task) & ~holes);
}

// A budget of its own says that it may take long.
static bool isSlow(const BerthPacker *packer) { return packer->defaultSteps; }

/// What a heuristic makes of the task.
typedef struct Attempt {
  const BerthPacker *packer;
  BerthMemory arena;
  BerthAnswer answer;
  bool complete;
  bool failed; ///< memory ran out
} Attempt;

static void runHeuristic(const BerthIncumbent *incumbent, Attempt *attempt,
                         const BerthHost *host, const BerthTask *task) {
  if (!berthIncumbentCandidate(incumbent, &attempt->arena, &attempt->answer)) {
    attempt->failed = true;
    return;
  }
  BerthStatus status =
      attempt->packer->pack(attempt->packer, task, host, &attempt->answer);
  attempt->complete = status == BERTH_SUCCESS;
  attempt->failed = status == BERTH_RESOURCE;
}

// Quick ones run on a host of their own, so that they run however small the
// budget is; slow ones, and all on large tasks, spend the budget and yield to
// clock and interrupt.
static void makeAttempt(const BerthIncumbent *incumbent, Attempt *attempt) {
  const BerthPackOptions defaults = {0};
  const BerthPacker *packer = attempt->packer;
  BerthTask task = *incumbent->task;
  BerthHostState host;
  if (lacks(packer, &task) &&
      !berthTaskHulls(incumbent->task, &attempt->arena, &task)) {
    attempt->failed = true;
    return;
  }
  if (isSlow(packer) || berthTaskIsLarge(&task))
    berthHostSlice(&host, berthHostState(incumbent->host), &task,
                   &attempt->arena,
                   isSlow(packer) ? packer->defaultSteps : kFitSteps);
  else
    berthHostInit(&host, &task, &attempt->arena, 0, &defaults);
  runHeuristic(incumbent, attempt, &host.host, &task);
}

static void endAttempt(BerthIncumbent *incumbent, Attempt *attempt) {
  incumbent->failed |= attempt->failed;
  if (attempt->complete)
    berthIncumbentOffer(incumbent, &attempt->answer);
  berthMemoryFree(&attempt->arena);
}

void berthRunOneShot(BerthIncumbent *incumbent, const BerthPacker *packer) {
  Attempt attempt = {.packer = packer};
  makeAttempt(incumbent, &attempt);
  endAttempt(incumbent, &attempt);
}

/// All that are made at a time.
typedef struct Attempts {
  const BerthIncumbent *incumbent;
  Attempt *attempts;
} Attempts;

static void attemptOne(void *context, unsigned hand, uint32_t index) {
  const Attempts *attempts = context;
  (void)hand;
  makeAttempt(attempts->incumbent, &attempts->attempts[index]);
}

// One after the other, or all at a time where there are threads: then those
// behind one that is good enough are in vain.
void berthRunOneShots(BerthIncumbent *incumbent, bool slow) {
  bool stopped = incumbent->stopped;
  BerthCrew *crew =
      slow ? NULL : berthHostCrew(berthHostState(incumbent->host));
  BerthMemory arena = {0};
  Attempts attempts = {incumbent,
                       BERTH_MEMORY_NEW(&arena, Attempt, berthNumPackers)};
  uint32_t count = 0;
  incumbent->stopped = stopped && slow;
  incumbent->failed |= !attempts.attempts;
  for (size_t i = 0; attempts.attempts && i < berthNumPackers; ++i)
    if (isOneShot(berthPackers[i], incumbent->task) &&
        isSlow(berthPackers[i]) == slow)
      attempts.attempts[count++].packer = berthPackers[i];
  if (crew && !berthIncumbentDone(incumbent))
    berthCrewRun(crew, count, attemptOne, NULL, &attempts);
  for (uint32_t k = 0; k < count; ++k) {
    Attempt *attempt = &attempts.attempts[k];
    if (berthIncumbentDone(incumbent)) {
      berthMemoryFree(&attempt->arena);
      continue;
    }
    if (!crew)
      makeAttempt(incumbent, attempt);
    endAttempt(incumbent, attempt);
  }
  berthMemoryFree(&arena);
  incumbent->stopped |= stopped;
}
