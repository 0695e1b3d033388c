//===- Errands.c - Work done ahead on other threads ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Errands.h"

#include <stdatomic.h>

typedef struct Run Run;

/// What came of one.
typedef struct Errand {
  Run *run;
  uint32_t index;
  unsigned hand;
  uint64_t budget;
  uint64_t steps;
  atomic_uint_least64_t done; ///< steps, once it is at its end
  bool begun;
  bool settled;
  bool stopped; ///< in the middle
  bool failed;  ///< memory ran out
} Errand;

struct Run {
  BerthHostState *host;
  BerthErrandWork *work;
  void *context;
  uint64_t enough;        ///< steps; 0: never
  uint32_t first;         ///< of those that threads run
  atomic_uint wanted;     ///< those behind it are not
  atomic_bool over;       ///< clock or interrupt say stop
  BerthStopReason reason; ///< why; written by the caller's thread alone
  Errand errands[kBerthMostErrands];
};

//===---------------------------------------------------------------------===//
// On any thread
//===---------------------------------------------------------------------===//

// The caller's thread alone may ask the caller.
static void lookOut(Run *run) {
  if (!atomic_load(&run->over) && !berthHostLook(run->host, &run->reason))
    atomic_store(&run->over, true);
}

// Have those before it spent enough?
static bool isTooLate(const Run *run, uint32_t index) {
  uint64_t spent = 0;
  for (uint32_t k = 0; run->enough && k < index; ++k)
    spent += atomic_load(&run->errands[k].done);
  return run->enough && spent >= run->enough;
}

static bool isPointless(const Run *run, uint32_t index) {
  return atomic_load(&run->over) || index > atomic_load(&run->wanted) ||
         isTooLate(run, index);
}

static bool isUnwanted(void *userData) {
  const Errand *errand = userData;
  Run *run = errand->run;
  if (errand->hand == 0)
    lookOut(run);
  return isPointless(run, errand->index);
}

static void wantNoneBehind(Run *run, uint32_t index) {
  unsigned wanted = atomic_load(&run->wanted);
  while (index < wanted &&
         !atomic_compare_exchange_weak(&run->wanted, &wanted, index))
    ;
}

static void runErrand(Errand *errand) {
  Run *run = errand->run;
  const BerthPackOptions options = {.interrupted = isUnwanted,
                                    .userData = errand};
  BerthMemory arena = {0};
  BerthHostState state;
  berthHostInit(&state, run->host->task, &arena, errand->budget, &options);
  state.hands = 1; // no errands within errands
  errand->begun = true;
  errand->settled =
      run->work(run->context, errand->hand, errand->index, &state);
  errand->steps = state.steps;
  errand->stopped = state.stopped;
  errand->failed = state.failed;
  if (!errand->stopped)
    atomic_store(&errand->done, state.steps);
  if (errand->settled && !errand->stopped)
    wantNoneBehind(run, errand->index);
  berthMemoryFree(&arena);
}

static void runAhead(void *context, unsigned hand, uint32_t index) {
  Run *run = context;
  Errand *errand = &run->errands[index += run->first];
  errand->hand = hand;
  if (!isPointless(run, index))
    runErrand(errand);
}

//===---------------------------------------------------------------------===//
// On the caller's thread
//===---------------------------------------------------------------------===//

static void waitForOthers(void *context) { lookOut(context); }

// Runs it if it has not been, or had more steps than there were, with those
// there are. Then they are spent. False: it does not count.
static bool take(Run *run, Errand *errand) {
  BerthHostState *host = run->host;
  uint64_t left = berthHostRemaining(host);
  bool over = atomic_load(&run->over);
  if (left && !over && (!errand->begun || errand->steps >= left)) {
    errand->hand = 0;
    errand->budget = left;
    runErrand(errand);
  }
  host->failed |= errand->failed;
  host->host.step(host, errand->steps);
  if (atomic_load(&run->over) && (!errand->begun || errand->stopped))
    berthHostStop(host, run->reason);
  return !host->stopped;
}

// All from this one on, if there are threads by now.
static bool runRest(Run *run, uint32_t first, uint32_t count) {
  BerthCrew *crew = count - first > 1 && !run->host->stopped
                        ? berthHostCrew(run->host)
                        : NULL;
  if (!crew)
    return false;
  run->first = first;
  berthCrewRun(crew, count - first, runAhead, waitForOthers, run);
  return true;
}

uint32_t berthErrandsRun(BerthHostState *host, uint32_t count, uint64_t enough,
                         BerthErrandWork *work, void *context, bool *settled) {
  Run run = {.host = host, .work = work, .context = context, .enough = enough};
  uint64_t before = host->steps;
  bool ahead = false;
  *settled = false;
  atomic_init(&run.wanted, count);
  atomic_init(&run.over, false);
  for (uint32_t k = 0; k < count; ++k) {
    Errand *errand = &run.errands[k];
    errand->run = &run;
    errand->index = k;
    errand->budget = berthHostRemaining(host);
    atomic_init(&errand->done, 0);
  }
  for (uint32_t k = 0; k < count; ++k) {
    if (enough && host->steps - before >= enough)
      return k;
    if (!ahead)
      ahead = runRest(&run, k, count);
    if (!take(&run, &run.errands[k]))
      return k;
    if (run.errands[k].settled) {
      *settled = true;
      return k + 1;
    }
  }
  return count;
}
