//===- PoolFits.c - What a set of items needs in a pool ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PoolFits.h"

#include "Pack/Incumbent/Inner.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Overlap.h"
#include "Pack/Task/Subtask.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

enum { kRemembered = 1 << 10, kSolveSteps = 1 << 22 };

//===---------------------------------------------------------------------===//
// One pool
//===---------------------------------------------------------------------===//

bool berthPoolTask(const BerthTask *task, const uint32_t *items, uint32_t count,
                   uint32_t pool, BerthMemory *arena, BerthTask *sub) {
  const uint32_t ofPools = BERTH_CAN_POOLS | BERTH_CAN_RESERVED |
                           BERTH_CAN_CAPACITY | BERTH_CAN_HINTS;
  const BerthPool *memory = &task->pools[pool];
  uint64_t *masks = BERTH_MEMORY_NEW(arena, uint64_t, count);
  if (!masks ||
      !berthSubtask(task, items, count, 0, task->numSections, arena, sub))
    return false;
  for (uint32_t k = 0; k < count; ++k)
    masks[k] = 1;
  sub->poolMasks = sub->allowedPools = masks;
  sub->numPools = 1;
  sub->pools = memory;
  sub->capacity = memory->capacity;
  sub->minimize = true;
  sub->proofFile = task->proofFile;
  sub->features &= ~ofPools;
  sub->features |= (memory->numReserved ? BERTH_CAN_RESERVED : 0u) |
                   (memory->capacity ? BERTH_CAN_CAPACITY : 0u);
  return true;
}

static bool makeTask(const BerthPoolFits *fits, uint64_t set, uint32_t pool,
                     BerthMemory *arena, BerthTask *sub) {
  uint32_t items[kBerthMaxPoolItems], count = 0;
  for (; set; set &= set - 1)
    items[count++] = (uint32_t)__builtin_ctzll(set);
  return berthPoolTask(fits->task, items, count, pool, arena, sub);
}

// No height will do, be there a capacity or not.
static bool isHopeless(const BerthIncumbent *inner) {
  return inner->lowerBound == INT64_MAX && !inner->complete &&
         !inner->task->capacity;
}

/// What may be wanted of a solution.
typedef struct Wishes {
  int64_t *offsets;
  BerthProofLog *tree;
  int64_t *refuted;
} Wishes;

static void grant(const Wishes *wishes, const BerthIncumbent *inner,
                  uint64_t set) {
  for (uint32_t k = 0; wishes->offsets && set; ++k, set &= set - 1)
    wishes->offsets[__builtin_ctzll(set)] = inner->answer->offsets[k];
  if (!wishes->tree)
    return;
  *wishes->refuted =
      isHopeless(inner) ? INT64_MAX : berthIncumbentRefuted(inner);
  berthIncumbentWriteTree(inner, wishes->tree);
}

static BerthPoolFit solveSet(BerthPoolFits *fits, uint64_t set, uint32_t pool,
                             const Wishes *wishes) {
  BerthPoolFit fit = {.set = set, .pool = pool};
  BerthInner part = {0};
  const BerthIncumbent *inner = &part.incumbent;
  bool made = makeTask(fits, set, pool, &part.arena, &part.task) &&
              berthInnerBegin(&part, berthHostState(fits->host), kSolveSteps);
  if (made) {
    fits->solve(&part.incumbent);
    fit.lower = inner->lowerBound;
    fit.refuted = inner->infeasible || isHopeless(inner);
    fit.solved = inner->complete && inner->score.excess == 0;
    fit.peak = inner->peak;
    grant(wishes, inner, set);
  }
  fits->failed |= !berthInnerEnd(&part) || !made;
  return fit;
}

BerthPoolFit berthPoolFit(BerthPoolFits *fits, uint64_t set, uint32_t pool) {
  uint64_t hash = (set + pool) * UINT64_C(0x9E3779B97F4A7C15);
  BerthPoolFit *entry = &fits->remembered[hash >> 54];
  _Static_assert(kRemembered == 1 << 10, "as many as the hash has bits");
  if (entry->set != set || entry->pool != pool)
    *entry = solveSet(fits, set, pool, &(Wishes){0});
  return *entry;
}

BerthPoolFit berthPoolPlace(BerthPoolFits *fits, uint64_t set, uint32_t pool,
                            int64_t *offsets) {
  return solveSet(fits, set, pool, &(Wishes){.offsets = offsets});
}

BerthPoolFit berthPoolRefute(BerthPoolFits *fits, uint64_t set, uint32_t pool,
                             BerthProofLog *tree, int64_t *refuted) {
  return solveSet(fits, set, pool, &(Wishes){.tree = tree, .refuted = refuted});
}

//===---------------------------------------------------------------------===//
// Pins
//===---------------------------------------------------------------------===//

static bool overlap(const BerthTask *task, uint32_t i, uint32_t j) {
  int64_t a = task->fixedOffsets[i], b = task->fixedOffsets[j];
  return a < b + task->sizes[j] && b < a + task->sizes[i];
}

// Do two pinned items get into each other's way?
static bool collide(BerthPoolFits *fits, uint32_t i, uint32_t j) {
  const BerthTask *task = fits->task;
  if (!overlap(task, i, j))
    return false;
  size_t count =
      berthItemConflicts(task, i, j, &fits->ranges, &fits->room, fits->arena);
  int64_t difference = task->fixedOffsets[j] - task->fixedOffsets[i];
  fits->failed |= count == SIZE_MAX;
  for (size_t k = 0; count != SIZE_MAX && k < count; ++k)
    if (fits->ranges[k].lower < difference &&
        difference < fits->ranges[k].upper)
      return true;
  return false;
}

bool berthPoolPinStands(BerthPoolFits *fits, uint64_t set, uint32_t item,
                        uint32_t pool) {
  const BerthTask *task = fits->task;
  const BerthPool *memory = &task->pools[pool];
  int64_t low = task->fixedOffsets[item], high = low + task->sizes[item];
  if (low == BERTH_NONE)
    return true;
  for (size_t r = 0; r < memory->numReserved; ++r)
    if (low < memory->reserved[r].upper && memory->reserved[r].lower < high)
      return false;
  for (; set; set &= set - 1) {
    uint32_t other = (uint32_t)__builtin_ctzll(set);
    if (task->fixedOffsets[other] != BERTH_NONE && collide(fits, item, other))
      return false;
  }
  return true;
}

//===---------------------------------------------------------------------===//
// In which order to decide
//===---------------------------------------------------------------------===//

// Pinned items first, then those with few pools, then large ones.
static uint32_t *orderItems(const BerthTask *task, BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, task->numItems, arena))
    return NULL;
  for (uint32_t i = 0; i < task->numItems; ++i)
    sorting.keys[i] = berthKeyDescending(task->sizes[i]);
  berthSort(&sorting);
  for (uint32_t i = 0; i < task->numItems; ++i) {
    bool loose = task->fixedOffsets[i] == BERTH_NONE;
    unsigned pools = (unsigned)__builtin_popcountll(task->allowedPools[i]);
    sorting.keys[i] = (uint64_t)loose << 32 | pools;
  }
  return berthSort(&sorting);
}

bool berthPoolFitsInit(BerthPoolFits *fits, const BerthTask *task,
                       const BerthHost *host, BerthSolve solve,
                       BerthMemory *arena) {
  uint32_t n = task->numItems;
  *fits = (BerthPoolFits){
      .task = task, .host = host, .solve = solve, .arena = arena};
  fits->order = orderItems(task, arena);
  fits->leastCosts = BERTH_MEMORY_NEW(arena, int64_t, n + 1);
  fits->remembered = BERTH_MEMORY_NEW(arena, BerthPoolFit, kRemembered);
  if (arena->failed)
    return false;
  for (uint32_t at = n; at-- > 0;)
    fits->leastCosts[at] = berthAddSaturating(
        fits->leastCosts[at + 1], berthItemLeastCost(task, fits->order[at]));
  return true;
}
