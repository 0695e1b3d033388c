//===- PoolPrices.c - What bytes of full pools are worth ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PoolPrices.h"

#include "Pack/Task/Task.h"
#include "Support/Checked.h"

#include <string.h>

// Prices are whole numbers of so small a part where the bound is worked out.
enum { kRounds = 160, kPatience = 8, kBits = 20 };

typedef struct Seeker {
  const BerthTask *task;
  size_t width;   ///< of the tables, a pool
  double *prices; ///< pool, section: of a byte there
  double *best;   ///< with the largest bound so far
  double *loads;  ///< what would be there, then how much too much it is
  double *sums;
} Seeker;

int64_t berthPoolRoom(const BerthPool *pool) {
  int64_t room = pool->capacity;
  for (size_t r = 0; r < pool->numReserved; ++r) {
    BerthRange range = pool->reserved[r];
    int64_t upper = range.upper < pool->capacity ? range.upper : pool->capacity;
    if (range.lower < upper)
      room -= upper - range.lower;
  }
  return room;
}

static void sumUp(const Seeker *seeker, const double *prices) {
  for (uint32_t p = 0; p < seeker->task->numPools; ++p)
    for (uint32_t s = 0; s < seeker->task->numSections; ++s)
      seeker->sums[p * seeker->width + s + 1] =
          seeker->sums[p * seeker->width + s] + prices[p * seeker->width + s];
}

static double bytesCost(const BerthTask *task, const double *sums,
                        uint32_t item) {
  double cost = 0;
  for (uint32_t k = task->pieceBegin[item]; k < task->pieceBegin[item + 1];
       ++k) {
    const BerthPiece *piece = &task->pieces[k];
    cost += (double)(piece->high - piece->low) *
            (sums[piece->upper] - sums[piece->lower]);
  }
  return cost;
}

static double costIn(const Seeker *seeker, uint32_t item, uint32_t pool) {
  const BerthTask *task = seeker->task;
  double cost = (double)berthItemPoolCost(task, item, pool);
  if (task->pools[pool].capacity)
    cost += bytesCost(task, seeker->sums + pool * seeker->width, item);
  return cost;
}

static uint32_t choose(const Seeker *seeker, uint32_t item, double *cost) {
  uint64_t pools = seeker->task->allowedPools[item];
  uint32_t best = (uint32_t)__builtin_ctzll(pools);
  *cost = costIn(seeker, item, best);
  for (pools &= pools - 1; pools; pools &= pools - 1) {
    uint32_t pool = (uint32_t)__builtin_ctzll(pools);
    double other = costIn(seeker, item, pool);
    if (other < *cost) {
      *cost = other;
      best = pool;
    }
  }
  return best;
}

// Lets the items choose at the prices: how much too much is where, and what the
// bound is about.
static double tryPrices(Seeker *seeker) {
  const BerthTask *task = seeker->task;
  double bound = 0, cost;
  sumUp(seeker, seeker->prices);
  memset(seeker->loads, 0,
         task->numPools * seeker->width * sizeof *seeker->loads);
  for (uint32_t i = 0; i < task->numItems; ++i) {
    uint32_t pool = choose(seeker, i, &cost);
    double *loads = seeker->loads + pool * seeker->width;
    bound += cost;
    for (uint32_t k = task->pieceBegin[i]; k < task->pieceBegin[i + 1]; ++k) {
      const BerthPiece *piece = &task->pieces[k];
      loads[piece->lower] += (double)(piece->high - piece->low);
      loads[piece->upper] -= (double)(piece->high - piece->low);
    }
  }
  for (uint32_t p = 0; p < task->numPools; ++p) {
    double load = 0, room = (double)berthPoolRoom(&task->pools[p]);
    for (uint32_t s = 0; s < task->numSections; ++s) {
      double *here = &seeker->loads[p * seeker->width + s];
      load += *here;
      *here = task->pools[p].capacity ? load - room : 0;
      bound -= room * seeker->prices[p * seeker->width + s];
    }
    seeker->loads[p * seeker->width + task->numSections] = 0;
  }
  return bound;
}

// A step along what is too much, none below nothing.
static void move(Seeker *seeker, double gap) {
  size_t count = seeker->task->numPools * seeker->width;
  double square = 0;
  for (size_t k = 0; k < count; ++k)
    if (seeker->loads[k] > 0 || seeker->prices[k] > 0)
      square += seeker->loads[k] * seeker->loads[k];
  for (size_t k = 0; square > 0 && k < count; ++k) {
    double price = seeker->prices[k] + gap / square * seeker->loads[k];
    seeker->prices[k] = price > 0 ? price : 0;
  }
}

// Nothing that overflows, and nothing that may share bytes at a distance.
static bool canSeek(const BerthTask *task) {
  int64_t sum = 0;
  for (uint32_t p = 0; p < task->numPools; ++p)
    for (uint32_t i = 0; i < task->numItems; ++i)
      sum = berthAddSaturating(sum, berthItemPoolCost(task, i, p));
  return sum < INT64_MAX >> kBits && !(task->features & BERTH_CAN_DISTANCES);
}

// The bound at the best prices, rounded down to whole parts, in whole numbers.
static int64_t boundOf(const Seeker *seeker, int64_t *whole) {
  const BerthTask *task = seeker->task;
  __int128 bound = 0;
  int64_t unit = 0, least = berthTaskLeastCost(task);
  for (uint32_t p = 0; p < task->numPools; ++p) {
    int64_t *sums = whole + p * seeker->width;
    int64_t room = berthPoolRoom(&task->pools[p]);
    for (uint32_t s = 0; s < task->numSections; ++s) {
      double price = seeker->best[p * seeker->width + s] * (1 << kBits);
      int64_t part = price < 1e15 ? (int64_t)price : 0;
      sums[s + 1] = sums[s] + part;
      bound -= (__int128)room * part;
    }
  }
  for (uint32_t i = 0; i < task->numItems; ++i) {
    __int128 cheapest = -1;
    int64_t own = berthItemLeastCost(task, i);
    for (uint64_t pools = task->allowedPools[i]; pools; pools &= pools - 1) {
      uint32_t pool = (uint32_t)__builtin_ctzll(pools);
      int64_t plain = berthItemPoolCost(task, i, pool);
      __int128 cost = (__int128)plain << kBits;
      unit = berthGcd(plain - own, unit);
      for (uint32_t k = task->pieceBegin[i];
           task->pools[pool].capacity && k < task->pieceBegin[i + 1]; ++k) {
        const BerthPiece *piece = &task->pieces[k];
        const int64_t *sums = whole + pool * seeker->width;
        cost += (__int128)(piece->high - piece->low) *
                (sums[piece->upper] - sums[piece->lower]);
      }
      cheapest = cheapest < 0 || cost < cheapest ? cost : cheapest;
    }
    bound += cheapest;
  }
  bound -= (__int128)least << kBits;
  if (bound <= 0)
    return least;
  int64_t more = (int64_t)((bound + (1 << kBits) - 1) >> kBits);
  return least + berthRoundUp(more, unit ? unit : 1);
}

bool berthPoolPricesFind(BerthPoolPrices *prices, const BerthTask *task,
                         const BerthHost *host, int64_t most,
                         BerthMemory *arena) {
  Seeker seeker = {.task = task, .width = (size_t)task->numSections + 1};
  size_t count = task->numPools * seeker.width;
  seeker.prices = BERTH_MEMORY_NEW(arena, double, count);
  seeker.best = BERTH_MEMORY_NEW(arena, double, count);
  seeker.loads = BERTH_MEMORY_NEW(arena, double, count);
  seeker.sums = BERTH_MEMORY_NEW(arena, double, count);
  int64_t *whole = BERTH_MEMORY_NEW(arena, int64_t, count);
  *prices = (BerthPoolPrices){
      .task = task, .sums = seeker.sums, .bound = berthTaskLeastCost(task)};
  if (arena->failed || !canSeek(task))
    return !arena->failed;
  double largest = -1, pace = 1;
  unsigned since = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    double bound = tryPrices(&seeker);
    if (bound > largest) {
      largest = bound;
      since = 0;
      memcpy(seeker.best, seeker.prices, count * sizeof *seeker.best);
    } else if (++since == kPatience) {
      since = 0;
      pace /= 2;
      memcpy(seeker.prices, seeker.best, count * sizeof *seeker.best);
      tryPrices(&seeker);
    }
    double gap = (double)most - largest;
    move(&seeker, pace * (gap > 1 ? gap : 1));
    if (!host->step(host->context, count + task->numItems))
      break;
  }
  sumUp(&seeker, seeker.best);
  prices->bound = boundOf(&seeker, whole);
  return true;
}

double berthPoolPriceOf(const BerthPoolPrices *prices, uint32_t item,
                        uint32_t pool) {
  const BerthTask *task = prices->task;
  Seeker seeker = {.task = task,
                   .width = (size_t)task->numSections + 1,
                   .sums = prices->sums};
  return costIn(&seeker, item, pool);
}
