//===- Host.c - What a packer may ask of Berth ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 199309L // clock_gettime

#include "Pack/Task/Host.h"

#include <string.h>
#include <time.h>

// Between two looks at the clock; a step is some tens of nanoseconds.
enum { kPollInterval = 1 << 14 };

// What is done in so few steps is done before a thread has begun.
enum { kWorthAThread = 1 << 14 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

//===---------------------------------------------------------------------===//
// Conflict queries
//===---------------------------------------------------------------------===//

static bool prepareQueries(BerthHostState *state) {
  if (!state->found) {
    state->found =
        BERTH_MEMORY_NEW(state->arena, uint32_t, state->task->numItems);
    if (!state->found ||
        !berthOverlapInit(&state->full, state->task, true, state->arena))
      state->failed = true;
  }
  return !state->failed;
}

static size_t neighbours(void *context, uint32_t i, uint32_t *out,
                         size_t capacity) {
  BerthHostState *state = context;
  const BerthTask *task = state->task;
  if (!prepareQueries(state))
    return 0;
  size_t hulls = berthOverlapQuery(&state->full, task->lowers[i],
                                   task->uppers[i], state->found);
  size_t count = 0;
  for (size_t at = 0; at < hulls; ++at) {
    uint32_t j = state->found[at];
    if (j == i || !berthItemsMeet(task, i, j))
      continue;
    if (count < capacity)
      out[count] = j;
    ++count;
  }
  for (uint32_t at = task->hardBegin[i]; at < task->hardBegin[i + 1]; ++at) {
    uint32_t j = task->hardEdges[at];
    if (berthItemsMeet(task, i, j))
      continue;
    if (count < capacity)
      out[count] = j;
    ++count;
  }
  return count;
}

static size_t conflicts(void *context, uint32_t i, uint32_t j, BerthRange *out,
                        size_t capacity) {
  BerthHostState *state = context;
  size_t count = berthItemConflicts(state->task, i, j, &state->ranges,
                                    &state->rangeRoom, state->arena);
  if (count == SIZE_MAX) {
    state->failed = true;
    return 0;
  }
  memcpy(out, state->ranges,
         (count < capacity ? count : capacity) * sizeof *out);
  return count;
}

//===---------------------------------------------------------------------===//
// Steps
//===---------------------------------------------------------------------===//

static bool stop(BerthHostState *state, BerthStopReason reason) {
  if (!state->stopped) {
    state->stopped = true;
    state->reason = reason;
  }
  return false;
}

// Looks at what is not reproducible: the caller's interrupt and the clock.
static bool look(const BerthHostState *state, BerthStopReason *reason) {
  const BerthPackOptions *options = state->options;
  if (options->interrupted && options->interrupted(options->userData)) {
    *reason = BERTH_STOP_INTERRUPT;
    return false;
  }
  if (state->deadline > 0 && now() >= state->deadline) {
    *reason = BERTH_STOP_TIME;
    return false;
  }
  if (options->progress)
    options->progress(options->userData, state->bestPeak,
                      state->task->lowerBound, state->steps);
  return true;
}

static bool poll(BerthHostState *state) {
  BerthStopReason reason;
  state->nextPoll = state->steps + kPollInterval;
  return look(state, &reason) || stop(state, reason);
}

// A step count at which a run was stopped, given as the budget, stops the next
// run at the same call: both compare the same sum.
static bool step(void *context, uint64_t count) {
  BerthHostState *state = context;
  if (state->stopped)
    return false;
  state->steps += count;
  if (state->parent && !step(state->parent, count))
    return stop(state, state->parent->reason);
  if (state->steps >= state->budget)
    return stop(state, BERTH_STOP_STEPS);
  if (!state->parent && state->steps >= state->nextPoll)
    return poll(state);
  return true;
}

bool berthHostPoll(BerthHostState *state) {
  if (state->stopped)
    return false;
  if (!state->parent)
    return poll(state);
  return berthHostPoll(state->parent) || stop(state, state->parent->reason);
}

bool berthHostLook(const BerthHostState *state, BerthStopReason *reason) {
  while (state->parent)
    state = state->parent;
  return look(state, reason);
}

void berthHostStop(BerthHostState *state, BerthStopReason reason) {
  for (; state; state = state->parent)
    stop(state, reason);
}

uint64_t berthHostRemaining(const BerthHostState *state) {
  uint64_t own = state->stopped ? 0 : state->budget - state->steps;
  if (!state->parent)
    return own;
  uint64_t parent = berthHostRemaining(state->parent);
  return own < parent ? own : parent;
}

//===---------------------------------------------------------------------===//
// Threads
//===---------------------------------------------------------------------===//

BerthCrew *berthHostCrew(BerthHostState *state) {
  while (state->parent)
    state = state->parent;
  if (!state->crew && state->hands > 1 && state->steps >= kWorthAThread)
    state->crew = berthCrewCreate(state->hands);
  return state->crew;
}

unsigned berthHostHands(const BerthHostState *state) {
  while (state->parent)
    state = state->parent;
  return state->hands < kBerthMostHands ? state->hands : kBerthMostHands;
}

void berthHostEnd(BerthHostState *state) {
  berthCrewDestroy(state->crew);
  state->crew = NULL;
}

//===---------------------------------------------------------------------===//
// Memory and answers
//===---------------------------------------------------------------------===//

static void *allocate(void *context, size_t bytes) {
  BerthHostState *state = context;
  return berthMemoryAllocate(state->arena, bytes, 1);
}

bool berthAnswerInit(BerthAnswer *answer, const BerthTask *task,
                     BerthMemory *arena) {
  *answer = (BerthAnswer){.version = BERTH_PACKER_ABI,
                          .size = sizeof(BerthAnswer),
                          .stopped = BERTH_STOP_EXHAUSTED,
                          .bound = {.reason = BERTH_BOUND_STATED}};
  answer->offsets = BERTH_MEMORY_NEW(arena, int64_t, task->numItems);
  answer->pools = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  answer->cutsBought = BERTH_MEMORY_NEW(arena, uint8_t, task->numCuts);
  if (!answer->offsets || !answer->pools || !answer->cutsBought) {
    *answer = (BerthAnswer){0};
    return false;
  }
  for (uint32_t i = 0; i < task->numItems; ++i)
    answer->offsets[i] = BERTH_NONE;
  return true;
}

bool berthAnswerIsComplete(const BerthTask *task, const BerthAnswer *answer) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (answer->offsets[i] < 0 || answer->pools[i] >= task->numPools ||
        answer->offsets[i] > INT64_MAX - task->sizes[i])
      return false;
  return true;
}

int64_t berthAnswerPeak(const BerthTask *task, const BerthAnswer *answer) {
  int64_t peaks[64] = {0}, sum = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t top = answer->offsets[i] + task->sizes[i];
    uint32_t pool = answer->pools[i];
    if (top > peaks[pool])
      peaks[pool] = top;
  }
  for (uint32_t pool = 0; pool < task->numPools; ++pool)
    sum += peaks[pool];
  return sum;
}

// Keeps a copy of the last complete plan; whether it is better is the packer's
// to say, as the objective has several levels. What is no plan is passed over.
static void report(void *context, const BerthAnswer *answer) {
  BerthHostState *state = context;
  const BerthTask *task = state->task;
  if (!berthAnswerIsComplete(task, answer))
    return;
  if (!state->best.offsets &&
      !berthAnswerInit(&state->best, task, state->arena)) {
    state->failed = true;
    return;
  }
  memcpy(state->best.offsets, answer->offsets,
         task->numItems * sizeof *answer->offsets);
  memcpy(state->best.pools, answer->pools,
         task->numItems * sizeof *answer->pools);
  if (task->numCuts)
    memcpy(state->best.cutsBought, answer->cutsBought, task->numCuts);
  state->bestPeak = berthAnswerPeak(task, answer);
  if (!state->parent && state->options->progress)
    state->options->progress(state->options->userData, state->bestPeak,
                             task->lowerBound, state->steps);
}

static void initTable(BerthHostState *state) {
  state->host = (BerthHost){.version = BERTH_PACKER_ABI,
                            .size = sizeof(BerthHost),
                            .context = state,
                            .neighbours = neighbours,
                            .conflicts = conflicts,
                            .step = step,
                            .allocate = allocate,
                            .report = report};
}

void berthHostInit(BerthHostState *state, const BerthTask *task,
                   BerthMemory *arena, uint64_t budget,
                   const BerthPackOptions *options) {
  *state = (BerthHostState){.task = task,
                            .arena = arena,
                            .budget = budget ? budget : UINT64_MAX,
                            .nextPoll = kPollInterval,
                            .options = options,
                            .hands = task->threads > 1 ? task->threads : 1,
                            .bestPeak = INT64_MAX};
  if (options->timeLimit > 0)
    state->deadline = now() + options->timeLimit;
  initTable(state);
}

void berthHostSlice(BerthHostState *slice, BerthHostState *parent,
                    const BerthTask *task, BerthMemory *arena,
                    uint64_t budget) {
  *slice = (BerthHostState){.task = task,
                            .arena = arena,
                            .budget = budget ? budget : UINT64_MAX,
                            .stopped = parent->stopped,
                            .reason = parent->reason,
                            .parent = parent,
                            .options = parent->options,
                            .bestPeak = INT64_MAX};
  initTable(slice);
}

BerthHostState *berthHostState(const BerthHost *host) { return host->context; }
