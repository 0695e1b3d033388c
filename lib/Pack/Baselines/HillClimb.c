//===- HillClimb.c - Swapping what lies beneath the peak -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// TVM's hill climb (USMP): first fit by decreasing size, then again and again
// with two items of the order swapped. What is swapped is looked for beneath a
// topmost item: a neighbour that was placed before it, and another such or,
// more often, an item that was placed before any of its neighbours and meets
// that. A worse plan is kept now and then, ever more rarely.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"
#include "Pack/Task/Host.h"

#include <string.h>

enum { kAttempts = 500, kDraws = 32 };

typedef struct Climb {
  const BerthTask *task;
  const BerthHost *host;
  uint32_t *order;
  uint32_t *position; ///< item -> place in the order
  uint32_t *near;     ///< room for neighbours
  uint32_t *far;
  size_t mostNear;     ///< neighbours of any item, at least 1
  uint32_t swapped[2]; ///< places that were swapped last
  uint64_t random;
} Climb;

static uint64_t randomBelow(Climb *climb, uint64_t bound) {
  climb->random ^= climb->random << 13;
  climb->random ^= climb->random >> 7;
  climb->random ^= climb->random << 17;
  return (climb->random >> 11) % bound;
}

static void swapPlaces(Climb *climb, uint32_t a, uint32_t b) {
  uint32_t first = climb->order[a], second = climb->order[b];
  climb->order[a] = second;
  climb->order[b] = first;
  climb->position[second] = a;
  climb->position[first] = b;
}

// Once the host says stop, there are none.
static size_t neighbours(Climb *climb, uint32_t item, uint32_t *out) {
  if (!climb->host->step(climb->host->context, 0))
    return 0;
  size_t count = climb->host->neighbours(climb->host->context, item, out,
                                         climb->task->numItems);
  climb->host->step(climb->host->context, count);
  return count;
}

static bool comesBefore(const Climb *climb, uint32_t a, uint32_t b) {
  return climb->position[a] < climb->position[b];
}

// One of the items that end at the peak of their pool.
static uint32_t topmost(Climb *climb, const BerthAnswer *answer) {
  int64_t peaks[64] = {0};
  uint32_t chosen = 0, count = 0;
  for (uint32_t i = 0; i < climb->task->numItems; ++i) {
    int64_t top = answer->offsets[i] + climb->task->sizes[i];
    if (top > peaks[answer->pools[i]])
      peaks[answer->pools[i]] = top;
  }
  for (uint32_t i = 0; i < climb->task->numItems; ++i)
    if (answer->offsets[i] + climb->task->sizes[i] == peaks[answer->pools[i]] &&
        randomBelow(climb, ++count) == 0)
      chosen = i;
  return chosen;
}

// One of all pairs (a neighbour, what is placed before that and meets it), each
// as likely as any other: pairs are drawn from a table of `mostNear` columns
// until one is there. UINT32_MAX where none was found.
static uint32_t drawSecond(Climb *climb, size_t numNear) {
  for (unsigned tries = 0; tries < kDraws; ++tries) {
    uint32_t through = climb->near[randomBelow(climb, numNear)];
    size_t count = neighbours(climb, through, climb->far);
    size_t at = randomBelow(climb, climb->mostNear);
    if (at < count && comesBefore(climb, climb->far[at], through))
      return climb->far[at];
  }
  return UINT32_MAX;
}

// The neighbours that are placed before `item` go to the front.
static size_t earlierFirst(const Climb *climb, uint32_t item, uint32_t *near,
                           size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t other = near[i];
    if (!comesBefore(climb, other, item))
      continue;
    near[i] = near[kept];
    near[kept++] = other;
  }
  return kept;
}

// Swaps two items beneath the peak, or nothing where the dice find no pair.
static void disturb(Climb *climb, const BerthAnswer *answer) {
  uint32_t top = topmost(climb, answer);
  size_t numNear = neighbours(climb, top, climb->near);
  size_t numFirst = earlierFirst(climb, top, climb->near, numNear);
  climb->swapped[0] = climb->swapped[1] = 0;
  if (numFirst == 0)
    return;
  uint32_t first = climb->near[randomBelow(climb, numFirst)], second = first;
  for (unsigned tries = 0; second == first && tries < 8; ++tries) {
    second =
        randomBelow(climb, 100) > 25 ? drawSecond(climb, numNear) : UINT32_MAX;
    if (second == UINT32_MAX)
      second = climb->near[randomBelow(climb, numFirst)];
  }
  climb->swapped[0] = climb->position[first];
  climb->swapped[1] = climb->position[second];
  swapPlaces(climb, climb->swapped[0], climb->swapped[1]);
}

static void copyPlaces(const BerthTask *task, BerthAnswer *to,
                       const BerthAnswer *from) {
  memcpy(to->offsets, from->offsets, task->numItems * sizeof *to->offsets);
  memcpy(to->pools, from->pools, task->numItems * sizeof *to->pools);
}

// Accepts what is better, and what is worse by a fraction f with a chance of
// f / (2 * attempts so far).
static bool accepts(Climb *climb, int64_t current, int64_t trial,
                    unsigned attempt) {
  if (trial < current)
    return true;
  double worse = (double)(trial - current) / (double)trial;
  return (double)randomBelow(climb, 10000) <
         5000.0 * worse / (double)(attempt + 1);
}

static bool climbAll(Climb *climb, BerthAnswer *kept, BerthAnswer *answer) {
  const BerthTask *task = climb->task;
  const BerthHost *host = climb->host;
  int64_t current = 0, best = 0; // of the first attempt on
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    BerthMemory arena = {0};
    BerthAnswer trial;
    bool placed = berthAnswerInit(&trial, task, &arena) &&
                  berthPlaceInOrder(climb->order, BERTH_FIT_FIRST, task, host,
                                    &trial, &arena);
    int64_t peak = placed ? berthAnswerPeak(task, &trial) : INT64_MAX;
    bool first = attempt == 0;
    if (placed && (first || peak < best)) {
      best = peak;
      copyPlaces(task, answer, &trial);
      host->report(host->context, answer);
    }
    if (placed && (first || accepts(climb, current, peak, attempt))) {
      current = peak;
      copyPlaces(task, kept, &trial);
    } else {
      swapPlaces(climb, climb->swapped[0], climb->swapped[1]);
    }
    berthMemoryFree(&arena);
    if (!placed)
      return false;
    if (best <= task->lowerBound || !host->step(host->context, 1))
      break;
    disturb(climb, kept);
  }
  return true;
}

static BerthStatus packHillClimb(const BerthPacker *self, const BerthTask *task,
                                 const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kStart = {
      .keys = {BERTH_KEY_SIZE_DOWN, BERTH_KEY_CONFLICTS_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  Climb climb = {.task = task,
                 .host = host,
                 .random = task->seed + UINT64_C(0x9E3779B97F4A7C15)};
  climb.order = berthGreedyOrder(&kStart, task, host, &arena);
  climb.position = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  climb.near = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  climb.far = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  BerthAnswer kept; // the plan that is climbed from
  bool done = berthAnswerInit(&kept, task, &arena) && !arena.failed;
  for (uint32_t i = 0; done && i < task->numItems; ++i)
    climb.position[climb.order[i]] = i;
  climb.mostNear = 1;
  for (uint32_t i = 0; done && i < task->numItems; ++i) {
    size_t count = neighbours(&climb, i, climb.near);
    climb.mostNear = count > climb.mostNear ? count : climb.mostNear;
  }
  done = done && climbAll(&climb, &kept, answer);
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerHillClimb = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "hill-climb",
    .summary = "first fit by size, then 500 swaps in the order beneath the "
               "peak (TVM's USMP)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES,
    .defaultSteps = UINT64_C(1) << 27,
    .pack = packHillClimb};
