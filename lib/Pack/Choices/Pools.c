//===- Pools.c - Which pool each item goes to ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/Pools.h"

#include "Pack/Choices/PoolFits.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"

typedef struct PoolSearch {
  BerthIncumbent *incumbent;
  const BerthTask *task;
  const BerthHost *host;
  BerthPoolFits memory;
  uint64_t sets[64];     ///< pool -> items
  BerthPoolFit fits[64]; ///< the same, solved
  BerthAnswer candidate;
  bool complete; ///< nothing was left undecided
} PoolSearch;

bool berthPoolsCanHandle(const BerthTask *task) {
  return task->numPools > 1 && task->numItems <= kBerthMaxPoolItems &&
         !(task->features & BERTH_CAN_PRICED_EDGES);
}

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
    const BerthPoolFit *fit = &search->fits[pool];
    fits &= fit->solved || !fit->set;
    search->complete &= !fit->set || (fit->solved && fit->peak == fit->lower);
  }
  for (uint32_t pool = 0; fits && pool < task->numPools; ++pool) {
    uint64_t set = search->sets[pool];
    for (uint64_t rest = set; rest; rest &= rest - 1)
      search->candidate.pools[__builtin_ctzll(rest)] = pool;
    if (set)
      berthPoolPlace(&search->memory, set, pool, search->candidate.offsets);
  }
  if (fits)
    berthIncumbentOffer(search->incumbent, &search->candidate);
}

static bool isOver(PoolSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  uint32_t work = search->task->numItems;
  incumbent->failed |= search->memory.failed;
  incumbent->stopped |= !search->host->step(search->host->context, work);
  return incumbent->stopped || incumbent->failed;
}

static void decide(PoolSearch *search, uint32_t at, int64_t cost);

static void tryPool(PoolSearch *search, uint32_t at, int64_t cost,
                    uint32_t pool) {
  BerthPoolFits *memory = &search->memory;
  uint32_t item = memory->order[at];
  uint64_t others = search->sets[pool];
  BerthPoolFit before = search->fits[pool];
  int64_t here =
      berthAddSaturating(cost, berthItemPoolCost(search->task, item, pool));
  int64_t atLeast = berthAddSaturating(here, memory->leastCosts[at + 1]);
  if (!isPromising(search, atLeast) ||
      !berthPoolPinStands(memory, others, item, pool))
    return;
  search->sets[pool] = others | UINT64_C(1) << item;
  search->fits[pool] = berthPoolFit(memory, search->sets[pool], pool);
  if (!search->fits[pool].refuted && isPromising(search, atLeast))
    decide(search, at + 1, here);
  search->fits[pool] = before;
  search->sets[pool] = others;
}

// The next item of the order goes to the cheapest pool, then to others.
static void decide(PoolSearch *search, uint32_t at, int64_t cost) {
  const BerthTask *task = search->task;
  if (isOver(search) || berthIncumbentDone(search->incumbent))
    return;
  if (at == task->numItems) {
    takePlan(search);
    return;
  }
  uint64_t left = task->allowedPools[search->memory.order[at]];
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

void berthImproveByPools(BerthIncumbent *incumbent, const BerthHost *host,
                         BerthSolve solve) {
  BerthMemory arena = {0};
  PoolSearch search = {.incumbent = incumbent,
                       .task = incumbent->task,
                       .host = host,
                       .complete = true};
  bool before = incumbent->stopped;
  incumbent->failed |=
      !berthPoolFitsInit(&search.memory, search.task, host, solve, &arena) ||
      !berthIncumbentCandidate(incumbent, &arena, &search.candidate);
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
  berthMemoryFree(&arena);
}
