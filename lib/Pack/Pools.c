//===- Pools.c - Which pool each item goes to ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Pools.h"

#include "Pack/Host.h"
#include "Pack/Overlap.h"
#include "Pack/Subtask.h"
#include "Pack/Task.h"
#include "Support/Checked.h"

#include <string.h>

enum { kRemembered = 1 << 10, kSolveSteps = 1 << 22 };

/// What is known about a set of items in a pool.
typedef struct Fit {
  uint64_t set; ///< 0: no entry
  uint32_t pool;
  int64_t lower; ///< no plan's top is below; INT64_MAX: nothing fits
  int64_t peak;  ///< of the best plan that fits; INT64_MAX: none is known
} Fit;

typedef struct PoolSearch {
  BerthIncumbent *incumbent;
  const BerthTask *task;
  const BerthHost *host;
  BerthSolve solve;
  BerthArena *arena;
  uint32_t *order;     ///< of the decisions
  int64_t *leastCosts; ///< of what comes at this place of the order, or later
  uint64_t sets[64];   ///< pool -> items
  Fit fits[64];        ///< the same, solved
  Fit *remembered;
  BerthAnswer candidate;
  BerthRange *ranges; ///< room for the conflicts of two items
  size_t room;
  bool complete; ///< nothing was left undecided
} PoolSearch;

bool berthPoolsCanHandle(const BerthTask *task) {
  return task->numPools > 1 && task->numItems <= kBerthMaxPoolItems &&
         !(task->features & BERTH_CAN_PRICED_EDGES);
}

//===---------------------------------------------------------------------===//
// One pool
//===---------------------------------------------------------------------===//

// The items of the set by themselves, in one pool.
static bool makeTask(const PoolSearch *search, uint64_t set, uint32_t pool,
                     BerthArena *arena, BerthTask *sub) {
  const uint32_t ofPools = BERTH_CAN_POOLS | BERTH_CAN_RESERVED |
                           BERTH_CAN_CAPACITY | BERTH_CAN_HINTS;
  const BerthTask *task = search->task;
  const BerthPool *memory = &task->pools[pool];
  uint32_t items[kBerthMaxPoolItems], count = 0;
  for (; set; set &= set - 1)
    items[count++] = (uint32_t)__builtin_ctzll(set);
  uint64_t *masks = BERTH_ARENA_NEW(arena, uint64_t, count);
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
  sub->features &= ~ofPools;
  sub->features |= (memory->numReserved ? BERTH_CAN_RESERVED : 0u) |
                   (memory->capacity ? BERTH_CAN_CAPACITY : 0u);
  return true;
}

// Solves it, and writes offsets to the candidate if they are wanted.
static Fit solveSet(PoolSearch *search, uint64_t set, uint32_t pool,
                    bool wanted) {
  BerthIncumbent *outer = search->incumbent, inner;
  Fit fit = {.set = set, .pool = pool, .peak = INT64_MAX};
  BerthArena arena = {0};
  BerthTask sub;
  BerthHostState slice;
  BerthAnswer answer;
  if (!makeTask(search, set, pool, &arena, &sub) ||
      !berthAnswerInit(&answer, &sub, &arena)) {
    outer->failed = true;
  } else {
    berthHostSlice(&slice, berthHostState(search->host), &sub, &arena,
                   kSolveSteps);
    berthIncumbentInit(&inner, &sub, &slice.host, &answer);
    search->solve(&inner);
    outer->failed |= inner.failed || slice.failed;
    fit.lower = inner.infeasible ? INT64_MAX : inner.lowerBound;
    if (inner.complete && inner.score.excess == 0)
      fit.peak = inner.peak;
    for (uint32_t k = 0; wanted && set; ++k, set &= set - 1)
      search->candidate.offsets[__builtin_ctzll(set)] = answer.offsets[k];
  }
  berthArenaFree(&arena);
  return fit;
}

static Fit lookUp(PoolSearch *search, uint64_t set, uint32_t pool) {
  uint64_t hash = (set + pool) * UINT64_C(0x9E3779B97F4A7C15);
  Fit *entry = &search->remembered[hash >> 54];
  _Static_assert(kRemembered == 1 << 10, "as many as the hash has bits");
  if (entry->set != set || entry->pool != pool)
    *entry = solveSet(search, set, pool, false);
  return *entry;
}

//===---------------------------------------------------------------------===//
// Pins
//===---------------------------------------------------------------------===//

static bool overlap(const BerthTask *task, uint32_t i, uint32_t j) {
  int64_t a = task->fixedOffsets[i], b = task->fixedOffsets[j];
  return a < b + task->sizes[j] && b < a + task->sizes[i];
}

// Do two pinned items get into each other's way?
static bool collide(PoolSearch *search, uint32_t i, uint32_t j) {
  const BerthTask *task = search->task;
  if (!overlap(task, i, j))
    return false;
  size_t count = berthItemConflicts(task, i, j, &search->ranges, &search->room,
                                    search->arena);
  int64_t difference = task->fixedOffsets[j] - task->fixedOffsets[i];
  search->incumbent->failed |= count == SIZE_MAX;
  for (size_t k = 0; count != SIZE_MAX && k < count; ++k)
    if (search->ranges[k].lower < difference &&
        difference < search->ranges[k].upper)
      return true;
  return false;
}

static bool pinStands(PoolSearch *search, uint32_t item, uint32_t pool) {
  const BerthTask *task = search->task;
  const BerthPool *memory = &task->pools[pool];
  int64_t low = task->fixedOffsets[item], high = low + task->sizes[item];
  if (low == BERTH_NONE)
    return true;
  for (size_t r = 0; r < memory->numReserved; ++r)
    if (low < memory->reserved[r].upper && memory->reserved[r].lower < high)
      return false;
  for (uint64_t set = search->sets[pool]; set; set &= set - 1) {
    uint32_t other = (uint32_t)__builtin_ctzll(set);
    if (task->fixedOffsets[other] != BERTH_NONE && collide(search, item, other))
      return false;
  }
  return true;
}

//===---------------------------------------------------------------------===//
// All pools
//===---------------------------------------------------------------------===//

static int64_t sumOfLowers(const PoolSearch *search) {
  int64_t sum = 0;
  for (uint32_t pool = 0; pool < search->task->numPools; ++pool)
    sum = berthAddSaturating(sum, search->fits[pool].lower);
  return sum;
}

// Can what comes of this be better than the best plan known?
static bool isPromising(const PoolSearch *search, int64_t cost) {
  const BerthScore *best = &search->incumbent->score;
  if (best->excess > 0 || cost != best->poolCost)
    return best->excess > 0 || cost < best->poolCost;
  return sumOfLowers(search) < best->peak;
}

// All items have their pools: the plan, if there is one.
static void takePlan(PoolSearch *search) {
  const BerthTask *task = search->task;
  bool fits = true;
  for (uint32_t pool = 0; pool < task->numPools; ++pool) {
    fits &= search->fits[pool].peak < INT64_MAX;
    search->complete &= search->fits[pool].peak == search->fits[pool].lower;
  }
  for (uint32_t pool = 0; fits && pool < task->numPools; ++pool) {
    uint64_t set = search->sets[pool];
    for (uint64_t rest = set; rest; rest &= rest - 1)
      search->candidate.pools[__builtin_ctzll(rest)] = pool;
    if (set)
      solveSet(search, set, pool, true);
  }
  if (fits)
    berthIncumbentOffer(search->incumbent, &search->candidate);
}

static bool isOver(PoolSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  uint32_t work = search->task->numItems;
  incumbent->stopped |= !search->host->step(search->host->context, work);
  return incumbent->stopped || incumbent->failed;
}

static void decide(PoolSearch *search, uint32_t at, int64_t cost);

static void tryPool(PoolSearch *search, uint32_t at, int64_t cost,
                    uint32_t pool) {
  uint32_t item = search->order[at];
  Fit before = search->fits[pool];
  int64_t here =
      berthAddSaturating(cost, berthItemPoolCost(search->task, item, pool));
  int64_t atLeast = berthAddSaturating(here, search->leastCosts[at + 1]);
  if (!isPromising(search, atLeast) || !pinStands(search, item, pool))
    return;
  search->sets[pool] |= UINT64_C(1) << item;
  search->fits[pool] = lookUp(search, search->sets[pool], pool);
  if (search->fits[pool].lower < INT64_MAX && isPromising(search, atLeast))
    decide(search, at + 1, here);
  search->fits[pool] = before;
  search->sets[pool] &= ~(UINT64_C(1) << item);
}

// The next item of the order goes to the cheapest pool, then to others.
static void decide(PoolSearch *search, uint32_t at, int64_t cost) {
  const BerthTask *task = search->task;
  if (isOver(search))
    return;
  if (at == task->numItems) {
    takePlan(search);
    return;
  }
  uint64_t left = task->allowedPools[search->order[at]];
  while (left && !search->incumbent->failed) {
    uint32_t best = (uint32_t)__builtin_ctzll(left);
    for (uint64_t rest = left & (left - 1); rest; rest &= rest - 1) {
      uint32_t pool = (uint32_t)__builtin_ctzll(rest);
      if (task->pools[pool].cost < task->pools[best].cost)
        best = pool;
    }
    tryPool(search, at, cost, best);
    left &= ~(UINT64_C(1) << best);
  }
}

// Pinned items first, then those with few pools, then large ones.
static bool comesBefore(const BerthTask *task, uint32_t i, uint32_t j) {
  bool pinned = task->fixedOffsets[i] != BERTH_NONE;
  int pools = __builtin_popcountll(task->allowedPools[i]);
  if (pinned != (task->fixedOffsets[j] != BERTH_NONE))
    return pinned;
  if (pools != __builtin_popcountll(task->allowedPools[j]))
    return pools < __builtin_popcountll(task->allowedPools[j]);
  return task->sizes[i] > task->sizes[j];
}

static bool init(PoolSearch *search) {
  const BerthTask *task = search->task;
  uint32_t n = task->numItems;
  search->order = BERTH_ARENA_NEW(search->arena, uint32_t, n);
  search->leastCosts = BERTH_ARENA_NEW(search->arena, int64_t, n + 1);
  search->remembered = BERTH_ARENA_NEW(search->arena, Fit, kRemembered);
  if (search->arena->failed ||
      !berthIncumbentCandidate(search->incumbent, search->arena,
                               &search->candidate))
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t at = i;
    for (; at > 0 && comesBefore(task, i, search->order[at - 1]); --at)
      search->order[at] = search->order[at - 1];
    search->order[at] = i;
  }
  for (uint32_t at = n; at-- > 0;)
    search->leastCosts[at] =
        berthAddSaturating(search->leastCosts[at + 1],
                           berthItemLeastCost(task, search->order[at]));
  return true;
}

void berthImproveByPools(BerthIncumbent *incumbent, const BerthHost *host,
                         BerthSolve solve) {
  BerthArena arena = {0};
  PoolSearch search = {.incumbent = incumbent,
                       .task = incumbent->task,
                       .host = host,
                       .solve = solve,
                       .arena = &arena,
                       .complete = true};
  bool before = incumbent->stopped;
  incumbent->failed |= !init(&search);
  if (!incumbent->failed)
    decide(&search, 0, 0);
  bool complete = search.complete && !isOver(&search);
  incumbent->stopped = before; // a slice is the caller's business
  if (complete && incumbent->score.excess > 0) {
    incumbent->infeasible = true;
  } else if (complete) {
    incumbent->settled = true;
    incumbent->answer->provenLevels |= BERTH_LEVEL_POOL_COST | BERTH_LEVEL_PEAK;
  }
  berthArenaFree(&arena);
}
