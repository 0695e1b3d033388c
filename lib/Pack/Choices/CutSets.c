//===- CutSets.c - Which sets of cuts may still do ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/CutSets.h"

#include "Pack/Task/Task.h"
#include "Support/Checked.h"

enum { kMaxNodes = 1 << 17 };

BerthCutSets berthCutSetsOf(const BerthTask *task, BerthMemory *arena) {
  BerthCutSets sets = {
      .task = task, .arena = arena, .all = (UINT64_C(1) << task->numCuts) - 1};
  for (uint32_t c = 0; c < task->numCuts; ++c)
    if (task->cuts[c].price == 0)
      sets.free |= UINT64_C(1) << c;
  return sets;
}

bool berthCutSetsRefute(BerthCutSets *sets, uint64_t set) {
  if (!berthMemoryReserve(sets->arena, &sets->refuted, &sets->room,
                          sets->count + 1))
    return false;
  sets->refuted[sets->count++] = set;
  return true;
}

bool berthCutSetsHave(const BerthCutSets *sets, uint64_t set) {
  for (size_t k = 0; k < sets->count; ++k)
    if (!(set & ~sets->refuted[k]))
      return true;
  return false;
}

//===---------------------------------------------------------------------===//
// The cheapest
//===---------------------------------------------------------------------===//

typedef struct Hitting {
  const BerthCutSets *sets;
  uint64_t best;
  int64_t most; ///< what is still of interest costs at most so much
  uint32_t nodes;
  bool found;
} Hitting;

// The one that costs least; `of` is not empty.
static uint32_t cheapestOf(const BerthTask *task, uint64_t of) {
  uint32_t best = (uint32_t)__builtin_ctzll(of);
  for (of &= of - 1; of; of &= of - 1) {
    uint32_t c = (uint32_t)__builtin_ctzll(of);
    if (task->cuts[c].price < task->cuts[best].price)
      best = c;
  }
  return best;
}

// Of which cuts one has to be bought besides, as few as there are; 0: none at
// all. `atLeast` is what those have to cost that have no cut in common.
static bool findDemand(const Hitting *hitting, uint64_t bought, uint64_t banned,
                       uint64_t *demand, int64_t *atLeast) {
  const BerthCutSets *sets = hitting->sets;
  uint64_t counted = 0;
  bool any = false;
  *atLeast = 0;
  for (size_t k = 0; k < sets->count; ++k) {
    uint64_t left = sets->all & ~sets->refuted[k];
    if (left & bought)
      continue;
    left &= ~banned;
    if (!any || __builtin_popcountll(left) < __builtin_popcountll(*demand))
      *demand = left;
    any = true;
    if (!left)
      break;
    if (!(left & counted))
      *atLeast = berthAddSaturating(
          *atLeast, sets->task->cuts[cheapestOf(sets->task, left)].price);
    counted |= left;
  }
  return any;
}

static void buyMore(Hitting *hitting, uint64_t bought, uint64_t banned,
                    int64_t price) {
  const BerthTask *task = hitting->sets->task;
  uint64_t demand = 0;
  int64_t atLeast;
  if (++hitting->nodes > kMaxNodes || price > hitting->most)
    return;
  if (!findDemand(hitting, bought, banned, &demand, &atLeast)) {
    hitting->found = true;
    hitting->best = bought;
    hitting->most = price - 1;
    return;
  }
  while (demand && berthAddSaturating(price, atLeast) <= hitting->most) {
    uint32_t c = cheapestOf(task, demand);
    demand &= ~(UINT64_C(1) << c);
    buyMore(hitting, bought | UINT64_C(1) << c, banned,
            berthAddSaturating(price, task->cuts[c].price));
    banned |= UINT64_C(1) << c;
  }
}

BerthCheapest berthCutSetsCheapest(const BerthCutSets *sets, int64_t most,
                                   uint64_t *set) {
  Hitting hitting = {.sets = sets, .most = most};
  buyMore(&hitting, sets->free, 0, 0);
  *set = hitting.best;
  if (hitting.nodes > kMaxNodes)
    return BERTH_CHEAPEST_GIVEN_UP;
  return hitting.found ? BERTH_CHEAPEST_FOUND : BERTH_CHEAPEST_NONE;
}

uint64_t berthCutSetsFill(const BerthCutSets *sets, uint64_t set,
                          int64_t most) {
  uint64_t rest = sets->all & ~set;
  int64_t price = berthTaskPriceOf(sets->task, set);
  while (rest) {
    uint32_t c = cheapestOf(sets->task, rest);
    price = berthAddSaturating(price, sets->task->cuts[c].price);
    if (price > most)
      break;
    set |= UINT64_C(1) << c;
    rest &= ~(UINT64_C(1) << c);
  }
  return set;
}
