//===- FitPrices.c - What a byte of each time is worth -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitPrices.h"

#include "Support/Checked.h"

#include <math.h>
#include <string.h>

/// Rents of all capacity stay below this; a relaxation that could earn more
/// would be a bad one anyway.
#define MOST_EARNED 0x1p56

typedef struct Raise {
  const BerthFitTask *task;
  BerthFitPrices *prices;
  BerthMemory memory;
  double *rents;     ///< section -> where the next step starts
  double *direction; ///< section -> the last step
  int64_t *loads;
  uint8_t *choices;
  int64_t *best; ///< the rents of the best bound
} Raise;

bool berthFitPricesInit(BerthFitPrices *prices, const BerthFitTask *task,
                        BerthMemory *memory) {
  prices->rents = BERTH_MEMORY_NEW(memory, int64_t, task->numSections);
  prices->before = BERTH_MEMORY_NEW(memory, int64_t, task->numSections + 1);
  prices->least = BERTH_MEMORY_NEW(
      memory, int64_t, (size_t)BERTH_FIT_NUM_PLACES * (task->numSteps + 1));
  return !memory->failed;
}

static int64_t rentOf(const BerthFitPrices *prices, int64_t size, uint32_t from,
                      uint32_t to) {
  int64_t rent =
      berthMultiplySaturating(size, prices->before[to] - prices->before[from]);
  return rent < BERTH_FIT_NEVER ? rent : BERTH_FIT_NEVER;
}

int64_t berthFitPay(const BerthFitPrices *prices, const BerthFitTask *task,
                    uint32_t index, BerthFitPlace place,
                    BerthFitChoice choice) {
  const BerthFitStep *step = &task->steps[index];
  const BerthFitChain *chain = &task->chains[step->chain];
  BerthFitPlace next = BERTH_FIT_OUT;
  int64_t cost = berthFitStepCost(task, index, place, choice, &next);
  if (cost == BERTH_FIT_NEVER)
    return cost;
  int64_t pay = cost * task->scale;
  uint32_t from = berthFitHoldsGap(choice) ? step->before : step->first;
  uint32_t to = berthFitHoldsStep(step, choice) ? step->last : step->first;
  pay = berthAddSaturating(pay, rentOf(prices, chain->size, from, to));
  if (index + 1 < chain->end)
    pay = berthAddSaturating(
        pay, prices->least[BERTH_FIT_NUM_PLACES * (index + 1) + next]);
  return pay < BERTH_FIT_NEVER ? pay : BERTH_FIT_NEVER;
}

static BerthFitChoice cheapest(const BerthFitPrices *prices,
                               const BerthFitTask *task, uint32_t step,
                               BerthFitPlace place, int64_t *pay) {
  BerthFitChoice best = BERTH_FIT_KEEP;
  *pay = BERTH_FIT_NEVER;
  for (int choice = BERTH_FIT_KEEP; choice < BERTH_FIT_NUM_CHOICES; ++choice) {
    int64_t other =
        berthFitPay(prices, task, step, place, (BerthFitChoice)choice);
    if (other < *pay) {
      *pay = other;
      best = (BerthFitChoice)choice;
    }
  }
  return best;
}

// Fills in what follows from the rents.
static void evaluate(BerthFitPrices *prices, const BerthFitTask *task) {
  int64_t earned = 0, paid = 0;
  prices->before[0] = 0;
  for (uint32_t k = 0; k < task->numSections; ++k) {
    prices->before[k + 1] = prices->before[k] + prices->rents[k];
    earned += prices->rents[k] * task->capacities[k];
  }
  for (uint32_t s = task->numSteps; s-- > 0;)
    for (int place = 0; place < BERTH_FIT_NUM_PLACES; ++place)
      cheapest(prices, task, s, (BerthFitPlace)place,
               &prices->least[BERTH_FIT_NUM_PLACES * s + (unsigned)place]);
  for (uint32_t c = 0; c < task->numChains; ++c)
    paid = berthAddSaturating(
        paid, prices->least[BERTH_FIT_NUM_PLACES * task->chains[c].begin +
                            BERTH_FIT_OUT]);
  prices->bound = paid - earned;
}

void berthFitPricesChoose(const BerthFitPrices *prices,
                          const BerthFitTask *task, uint8_t *choices) {
  for (uint32_t c = 0; c < task->numChains; ++c) {
    BerthFitPlace place = BERTH_FIT_OUT;
    for (uint32_t s = task->chains[c].begin; s < task->chains[c].end; ++s) {
      int64_t pay;
      BerthFitChoice choice = cheapest(prices, task, s, place, &pay);
      choices[s] = (uint8_t)choice;
      berthFitStepCost(task, s, place, choice, &place);
    }
  }
}

int64_t berthFitPricesBound(const BerthFitPrices *prices,
                            const BerthFitTask *task) {
  int64_t bound = prices->bound;
  if (bound <= 0)
    return 0;
  return berthRoundUp((bound + task->scale - 1) / task->scale, task->unit);
}

//===---------------------------------------------------------------------===//
// Subgradient steps
//===---------------------------------------------------------------------===//

static bool start(Raise *raise) {
  BerthMemory *memory = &raise->memory;
  uint32_t n = raise->task->numSections;
  raise->rents = BERTH_MEMORY_NEW(memory, double, n);
  raise->direction = BERTH_MEMORY_NEW(memory, double, n);
  raise->loads = BERTH_MEMORY_NEW(memory, int64_t, n + 1);
  raise->choices = BERTH_MEMORY_NEW(memory, uint8_t, raise->task->numSteps);
  raise->best = BERTH_MEMORY_NEW(memory, int64_t, n);
  if (memory->failed)
    return false;
  for (uint32_t k = 0; k < n; ++k) {
    raise->best[k] = raise->prices->rents[k];
    raise->rents[k] = (double)raise->best[k];
  }
  evaluate(raise->prices, raise->task);
  return true;
}

// Whole rents near those of `raise`, small enough that no sum overflows.
static void roundRents(Raise *raise) {
  const BerthFitTask *task = raise->task;
  double earned = 0;
  for (uint32_t k = 0; k < task->numSections; ++k) {
    double most =
        (double)(task->capacities[k] > task->needs[k] ? task->capacities[k]
                                                      : task->needs[k]);
    earned += raise->rents[k] * (most + 1);
  }
  double shrink = earned > MOST_EARNED ? MOST_EARNED / earned : 1.0;
  for (uint32_t k = 0; k < task->numSections; ++k)
    raise->prices->rents[k] = (int64_t)(raise->rents[k] * shrink);
}

// One step along the excess of the loads, blended with the step before.
static void step(Raise *raise, double length) {
  const BerthFitTask *task = raise->task;
  double square = 0;
  berthFitPricesChoose(raise->prices, task, raise->choices);
  berthFitLoads(task, raise->choices, raise->loads);
  for (uint32_t k = 0; k < task->numSections; ++k) {
    double excess = (double)(raise->loads[k] - task->capacities[k]);
    if (raise->rents[k] <= 0 && excess < 0)
      excess = 0; // the rent cannot fall
    raise->direction[k] = excess + 0.6 * raise->direction[k];
    square += raise->direction[k] * raise->direction[k];
  }
  if (square <= 0)
    return;
  for (uint32_t k = 0; k < task->numSections; ++k) {
    double rent = raise->rents[k] + length / square * raise->direction[k];
    raise->rents[k] = rent > 0 ? rent : 0;
  }
}

bool berthFitPricesRaise(BerthFitPrices *prices, const BerthFitTask *task,
                         int64_t known, unsigned rounds) {
  Raise raise = {.task = task, .prices = prices};
  bool ok = start(&raise);
  double factor = 1.0;
  double target = (double)known * (double)task->scale;
  int64_t best = prices->bound;
  unsigned patience = 0;
  for (unsigned round = 0; ok && round < rounds && factor > 1e-5; ++round) {
    double distance = target - (double)prices->bound;
    if (distance <= 0)
      break;
    step(&raise, factor * distance);
    roundRents(&raise);
    evaluate(prices, task);
    bool better = prices->bound > best;
    // A rise of nothing is none: only a real one buys patience.
    patience = (double)(prices->bound - best) > 1e-5 * (target - (double)best)
                   ? 0
                   : patience + 1;
    if (better) {
      best = prices->bound;
      memcpy(raise.best, prices->rents, task->numSections * sizeof *raise.best);
    }
    if (patience == 15) {
      factor /= 2;
      patience = 0;
      for (uint32_t k = 0; k < task->numSections; ++k) {
        raise.rents[k] = (double)raise.best[k];
        raise.direction[k] = 0;
      }
      memcpy(prices->rents, raise.best, task->numSections * sizeof *raise.best);
      evaluate(prices, task);
    }
  }
  if (ok) {
    memcpy(prices->rents, raise.best, task->numSections * sizeof *raise.best);
    evaluate(prices, task);
  }
  berthMemoryFree(&raise.memory);
  return ok;
}
