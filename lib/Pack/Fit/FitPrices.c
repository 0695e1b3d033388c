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
  double *rents;     ///< row and section -> where the next step starts
  double *direction; ///< row and section -> the last step
  int64_t *loads;
  uint8_t *choices;
  int64_t *best; ///< the rents of the best bound
} Raise;

//===---------------------------------------------------------------------===//
// Rows
//===---------------------------------------------------------------------===//

/// A size of buffers, and how often buffers of that size are used.
typedef struct Grain {
  int64_t size;
  double touched; ///< bytes
} Grain;

/// More rows for the sizes of which most bytes are used, where the capacity is
/// no multiple of them, and where buffers of that size are a good part of all.
static void addRows(BerthFitPrices *prices, const BerthFitTask *task) {
  enum { kGrains = 32, kPart = 32 };
  Grain grains[kGrains];
  uint32_t count = 0;
  double touched = 0;
  for (uint32_t c = 0; c < task->numChains; ++c) {
    const BerthFitChain *chain = &task->chains[c];
    uint32_t at = 0;
    double bytes = (double)chain->size * (chain->end - chain->begin);
    touched += bytes;
    while (at < count && grains[at].size != chain->size)
      ++at;
    if (chain->size <= 1 || !chain->isHeld || task->room % chain->size == 0 ||
        at == kGrains)
      continue;
    if (at == count)
      grains[count++] = (Grain){.size = chain->size};
    grains[at].touched += bytes;
  }
  while (prices->numRows < BERTH_FIT_ROWS && count > 0) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
      if (grains[i].touched > grains[best].touched)
        best = i;
    if (grains[best].touched * (double)kPart < touched)
      return;
    prices->grains[prices->numRows++] = grains[best].size;
    grains[best] = grains[--count];
  }
}

bool berthFitPricesInit(BerthFitPrices *prices, const BerthFitTask *task,
                        BerthMemory *memory) {
  prices->numRows = 1;
  prices->grains[0] = 1;
  addRows(prices, task);
  size_t rows = prices->numRows;
  prices->weights = BERTH_MEMORY_NEW(memory, int64_t,
                                     (size_t)BERTH_FIT_ROWS * task->numChains);
  prices->rents = BERTH_MEMORY_NEW(memory, int64_t, rows * task->numSections);
  prices->before =
      BERTH_MEMORY_NEW(memory, int64_t, rows * (task->numSections + 1));
  prices->least = BERTH_MEMORY_NEW(
      memory, int64_t, (size_t)BERTH_FIT_NUM_PLACES * (task->numSteps + 1));
  for (uint32_t c = 0; !memory->failed && c < task->numChains; ++c)
    for (uint32_t r = 0; r < prices->numRows; ++r) {
      int64_t size = task->chains[c].size;
      prices->weights[BERTH_FIT_ROWS * c + r] = size - size % prices->grains[r];
    }
  return !memory->failed;
}

void berthFitPricesReset(BerthFitPrices *prices, const BerthFitTask *task) {
  size_t numRents = (size_t)prices->numRows * task->numSections;
  memset(prices->rents, 0, numRents * sizeof *prices->rents);
}

int64_t berthFitRent(const BerthFitPrices *prices, const BerthFitTask *task,
                     uint32_t chain, uint32_t from, uint32_t to) {
  int64_t rent = 0;
  for (uint32_t r = 0; r < prices->numRows; ++r) {
    const int64_t *before = prices->before + (task->numSections + 1) * r;
    rent = berthAddSaturating(
        rent,
        berthMultiplySaturating(prices->weights[BERTH_FIT_ROWS * chain + r],
                                before[to] - before[from]));
  }
  return rent < BERTH_FIT_NEVER ? rent : BERTH_FIT_NEVER;
}

static int64_t rentOfTile(const BerthFitPrices *prices,
                          const BerthFitTask *task, const BerthFitStep *step) {
  int64_t rent = 0;
  for (uint32_t r = 0; r < prices->numRows; ++r) {
    const int64_t *before = prices->before + (task->numSections + 1) * r;
    rent = berthAddSaturating(
        rent,
        berthMultiplySaturating(berthRoundDown(step->tile, prices->grains[r]),
                                before[step->last] - before[step->first]));
  }
  return rent < BERTH_FIT_NEVER ? rent : BERTH_FIT_NEVER;
}

//===---------------------------------------------------------------------===//
// What chains pay
//===---------------------------------------------------------------------===//

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
  pay = berthAddSaturating(pay,
                           berthFitRent(prices, task, step->chain, from, to));
  if (choice == BERTH_FIT_SLOW && step->tile)
    pay = berthAddSaturating(pay, rentOfTile(prices, task, step));
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
  for (uint32_t r = 0; r < prices->numRows; ++r) {
    const int64_t *rents = prices->rents + task->numSections * r;
    int64_t *before = prices->before + (task->numSections + 1) * r;
    before[0] = 0;
    for (uint32_t k = 0; k < task->numSections; ++k) {
      before[k + 1] = before[k] + rents[k];
      earned += rents[k] * berthFitCapacity(prices, task, r, k);
    }
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
  uint32_t n = raise->task->numSections * raise->prices->numRows;
  raise->rents = BERTH_MEMORY_NEW(memory, double, n);
  raise->direction = BERTH_MEMORY_NEW(memory, double, n);
  raise->loads =
      BERTH_MEMORY_NEW(memory, int64_t, raise->task->numSections + 1);
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
  uint32_t numRents = task->numSections * raise->prices->numRows;
  double earned = 0;
  for (uint32_t i = 0; i < numRents; ++i) {
    uint32_t k = i % task->numSections;
    double most =
        (double)(task->capacities[k] > task->needs[k] ? task->capacities[k]
                                                      : task->needs[k]);
    earned += raise->rents[i] * (most + 1);
  }
  double shrink = earned > MOST_EARNED ? MOST_EARNED / earned : 1.0;
  for (uint32_t i = 0; i < numRents; ++i)
    raise->prices->rents[i] = (int64_t)(raise->rents[i] * shrink);
}

// One step along the excess of the loads, blended with the step before.
static void step(Raise *raise, double length) {
  const BerthFitTask *task = raise->task;
  const BerthFitPrices *prices = raise->prices;
  uint32_t numRents = task->numSections * prices->numRows;
  double square = 0;
  berthFitPricesChoose(prices, task, raise->choices);
  for (uint32_t r = 0; r < prices->numRows; ++r) {
    berthFitLoads(task, raise->choices, prices->grains[r], raise->loads);
    for (uint32_t k = 0; k < task->numSections; ++k) {
      uint32_t i = task->numSections * r + k;
      double excess =
          (double)(raise->loads[k] - berthFitCapacity(prices, task, r, k));
      if (raise->rents[i] <= 0 && excess < 0)
        excess = 0; // the rent cannot fall
      raise->direction[i] = excess + 0.8 * raise->direction[i];
      square += raise->direction[i] * raise->direction[i];
    }
  }
  if (square <= 0)
    return;
  for (uint32_t i = 0; i < numRents; ++i) {
    double rent = raise->rents[i] + length / square * raise->direction[i];
    raise->rents[i] = rent > 0 ? rent : 0;
  }
}

bool berthFitPricesRaise(BerthFitPrices *prices, const BerthFitTask *task,
                         int64_t known, unsigned rounds) {
  Raise raise = {.task = task, .prices = prices};
  uint32_t numRents = task->numSections * prices->numRows;
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
      memcpy(raise.best, prices->rents, numRents * sizeof *raise.best);
    }
    if (patience == 15) {
      factor /= 2;
      patience = 0;
      for (uint32_t i = 0; i < numRents; ++i) {
        raise.rents[i] = (double)raise.best[i];
        raise.direction[i] = 0;
      }
      memcpy(prices->rents, raise.best, numRents * sizeof *raise.best);
      evaluate(prices, task);
    }
  }
  if (ok) {
    memcpy(prices->rents, raise.best, numRents * sizeof *raise.best);
    evaluate(prices, task);
  }
  berthMemoryFree(&raise.memory);
  return ok;
}
