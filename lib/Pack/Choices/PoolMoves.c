//===- PoolMoves.c - Many items move between pools ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PoolMoves.h"

#include "Pack/Choices/PoolFits.h"
#include "Pack/Choices/PoolPrices.h"
#include "Pack/Incumbent/Inner.h"
#include "Pack/Place/Greedy.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"
#include "Support/Random.h"

#include <string.h>

enum {
  kMostItems = 20000,
  kTrialSteps = 1 << 8, ///< an item, to pack a pool of a trial
  kPartSteps = 16,      ///< an item and a section, beside packing
  kPeakSteps = 1 << 14, ///< an item, to lower the peak of one
  kMostLeaving = 64,    ///< items that make room for one
  kMostFollowing = 256,
  kPatience = 8 ///< trials an item without success, before the peaks
};

/// Who is where.
typedef struct Choice {
  uint32_t *pools;  ///< item -> pool
  int64_t *offsets; ///< of those in pools that are packed
  int64_t *loads;   ///< pool, section
  int64_t cost;
  uint64_t stale; ///< the pools that are yet to be packed
} Choice;

typedef struct Moves {
  BerthIncumbent *incumbent;
  const BerthTask *task;
  BerthHostState *state;
  BerthSolve solve;
  BerthMemory *arena;
  BerthPoolPrices prices;
  Choice now;
  Choice trial;
  uint32_t *items;   ///< room for those of a pool
  uint32_t *waiting; ///< those that would cost less elsewhere
  uint32_t numWaiting;
  uint64_t random;
} Moves;

bool berthPoolMovesCanHandle(const BerthTask *task) {
  return task->numPools > 1 && task->numItems > kBerthMaxPoolItems &&
         task->numItems <= kMostItems &&
         !(task->features & BERTH_CAN_PRICED_EDGES);
}

static bool initChoice(Choice *choice, const BerthTask *task,
                       BerthMemory *arena) {
  choice->pools = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  choice->offsets = BERTH_MEMORY_NEW(arena, int64_t, task->numItems);
  choice->loads = BERTH_MEMORY_NEW(arena, int64_t,
                                   (size_t)task->numPools * task->numSections);
  return !arena->failed;
}

static void copyChoice(const BerthTask *task, Choice *to, const Choice *from) {
  size_t n = task->numItems, s = (size_t)task->numPools * task->numSections;
  memcpy(to->pools, from->pools, n * sizeof *to->pools);
  memcpy(to->offsets, from->offsets, n * sizeof *to->offsets);
  memcpy(to->loads, from->loads, s * sizeof *to->loads);
  to->cost = from->cost;
  to->stale = from->stale;
}

static int64_t *loadsOf(const BerthTask *task, const Choice *choice,
                        uint32_t pool) {
  return choice->loads + (size_t)pool * task->numSections;
}

// Adds the bytes of the item, or takes them away.
static void addLoad(const BerthTask *task, Choice *choice, uint32_t item,
                    uint32_t pool, int64_t sign) {
  int64_t *loads = loadsOf(task, choice, pool);
  for (uint32_t k = task->pieceBegin[item]; k < task->pieceBegin[item + 1]; ++k)
    for (uint32_t s = task->pieces[k].lower; s < task->pieces[k].upper; ++s)
      loads[s] += sign * (task->pieces[k].high - task->pieces[k].low);
}

static void moveTo(Moves *moves, Choice *choice, uint32_t item, uint32_t pool) {
  const BerthTask *task = moves->task;
  uint32_t from = choice->pools[item];
  if (from == pool)
    return;
  addLoad(task, choice, item, from, -1);
  addLoad(task, choice, item, pool, 1);
  choice->cost +=
      berthItemPoolCost(task, item, pool) - berthItemPoolCost(task, item, from);
  choice->pools[item] = pool;
  choice->stale |= UINT64_C(1) << pool;
}

//===---------------------------------------------------------------------===//
// One pool
//===---------------------------------------------------------------------===//

static uint32_t itemsOf(const Moves *moves, const Choice *choice,
                        uint32_t pool) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < moves->task->numItems; ++i)
    if (choice->pools[i] == pool)
      moves->items[count++] = i;
  return count;
}

static int64_t topOf(const Moves *moves, const Choice *choice, uint32_t pool) {
  int64_t top = 0;
  for (uint32_t i = 0; i < moves->task->numItems; ++i)
    if (choice->pools[i] == pool &&
        choice->offsets[i] + moves->task->sizes[i] > top)
      top = choice->offsets[i] + moves->task->sizes[i];
  return top;
}

// Packs a pool of the choice: so that it fits, or as low as can be. There is a
// plan whatever the steps, be it one that does not fit.
static bool packPool(Moves *moves, Choice *choice, uint32_t pool, bool lowest,
                     uint64_t stepsEach) {
  uint32_t count = itemsOf(moves, choice, pool);
  BerthInner part = {0};
  BerthTask *sub = &part.task;
  const BerthHost *host = &part.slice.host;
  if (count == 0)
    return true;
  bool ready =
      berthPoolTask(moves->task, moves->items, count, pool, &part.arena, sub);
  sub->minimize = lowest || !sub->capacity;
  ready = ready && berthInnerBegin(&part, moves->state, count * stepsEach);
  if (ready) {
    // Making the part, and its bounds.
    host->step(host->context,
               kPartSteps * ((uint64_t)count + sub->numSections));
    moves->solve(&part.incumbent);
    if (!part.incumbent.complete)
      ready = !berthPackerFirstFit.pack(&berthPackerFirstFit, sub, host,
                                        &part.answer);
  }
  for (uint32_t k = 0; ready && k < count; ++k)
    choice->offsets[moves->items[k]] = part.answer.offsets[k];
  choice->stale &= ~(UINT64_C(1) << pool);
  ready &= berthInnerEnd(&part);
  moves->incumbent->failed |= !ready;
  return ready;
}

static bool fitsIn(const Moves *moves, const Choice *choice, uint32_t pool) {
  int64_t capacity = moves->task->pools[pool].capacity;
  return !capacity || topOf(moves, choice, pool) <= capacity;
}

//===---------------------------------------------------------------------===//
// A trial
//===---------------------------------------------------------------------===//

static bool isFixed(const Moves *moves, uint32_t item) {
  return moves->task->fixedOffsets[item] != BERTH_NONE;
}

static uint64_t below(Moves *moves, uint64_t bound) {
  return berthNextRandom(&moves->random) % bound;
}

// The fullest section that the item lives in, and how full that is.
static int64_t fullest(const Moves *moves, const Choice *choice, uint32_t item,
                       uint32_t pool, uint32_t *section) {
  const BerthTask *task = moves->task;
  const int64_t *loads = loadsOf(task, choice, pool);
  int64_t most = -1;
  for (uint32_t k = task->pieceBegin[item]; k < task->pieceBegin[item + 1]; ++k)
    for (uint32_t s = task->pieces[k].lower; s < task->pieces[k].upper; ++s)
      if (loads[s] > most) {
        most = loads[s];
        *section = s;
      }
  return most;
}

// Where else it may live, as cheaply as can be with room to spare; or
// UINT32_MAX.
static uint32_t elsewhere(const Moves *moves, const Choice *choice,
                          uint32_t item, uint32_t not ) {
  const BerthTask *task = moves->task;
  uint32_t best = UINT32_MAX, section = 0;
  for (uint64_t rest = task->allowedPools[item] & ~(UINT64_C(1) << not ); rest;
       rest &= rest - 1) {
    uint32_t pool = (uint32_t)__builtin_ctzll(rest);
    const BerthPool *memory = &task->pools[pool];
    if (best != UINT32_MAX && memory->cost >= task->pools[best].cost)
      continue;
    if (!memory->capacity ||
        fullest(moves, choice, item, pool, &section) + task->sizes[item] <=
            berthPoolRoom(memory))
      best = pool;
  }
  return best;
}

static bool livesIn(const BerthTask *task, uint32_t item, uint32_t section) {
  if (section < task->lowers[item] || section >= task->uppers[item])
    return false;
  for (uint32_t k = task->pieceBegin[item]; k < task->pieceBegin[item + 1]; ++k)
    if (task->pieces[k].lower <= section && section < task->pieces[k].upper)
      return true;
  return false;
}

// What the pool loses without the item, for each byte that becomes free, as the
// prices see it; now and then it is but chance.
static double lossOf(Moves *moves, uint32_t item, uint32_t pool,
                     uint32_t other) {
  double loss = berthPoolPriceOf(&moves->prices, item, other) -
                berthPoolPriceOf(&moves->prices, item, pool);
  double chance = 0.5 + (double)below(moves, 1024) / 1024;
  return loss > 0 ? loss * chance : loss / chance;
}

// Takes out of the pool what it loses least by among what lives in the section,
// but for `stays`. False: there is nothing that can go.
static bool takeOut(Moves *moves, uint32_t pool, uint32_t section,
                    uint32_t stays) {
  const BerthTask *task = moves->task;
  Choice *trial = &moves->trial;
  uint32_t best = UINT32_MAX, to = UINT32_MAX;
  double least = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    if (trial->pools[i] != pool || i == stays || isFixed(moves, i) ||
        !livesIn(task, i, section))
      continue;
    uint32_t other = elsewhere(moves, trial, i, pool);
    if (other == UINT32_MAX)
      continue;
    double loss = lossOf(moves, i, pool, other);
    if (best == UINT32_MAX || loss < least) {
      best = i;
      to = other;
      least = loss;
    }
  }
  moves->state->host.step(moves->state->host.context, task->numItems);
  if (best == UINT32_MAX)
    return false;
  moveTo(moves, trial, best, to);
  return true;
}

// Until the item has room.
static bool makeRoom(Moves *moves, uint32_t item, uint32_t pool, int64_t room) {
  uint32_t section = 0;
  for (unsigned left = kMostLeaving; left > 0; --left) {
    if (fullest(moves, &moves->trial, item, pool, &section) <= room)
      return true;
    if (!takeOut(moves, pool, section, item))
      return false;
  }
  return false;
}

// Items that would cost less in the pool and have room there follow, by chance.
static void letFollow(Moves *moves, uint32_t pool, int64_t room) {
  const BerthTask *task = moves->task;
  Choice *trial = &moves->trial;
  uint32_t section = 0;
  uint64_t from = moves->numWaiting ? below(moves, moves->numWaiting) : 0;
  for (uint32_t k = 0; k < moves->numWaiting && k < kMostFollowing; ++k) {
    uint32_t i = moves->waiting[(from + k) % moves->numWaiting];
    uint32_t own = trial->pools[i];
    if (own == pool || !(task->allowedPools[i] >> pool & 1) ||
        task->pools[pool].cost >= task->pools[own].cost)
      continue;
    if (fullest(moves, trial, i, pool, &section) + task->sizes[i] <= room)
      moveTo(moves, trial, i, pool);
  }
}

// What ends above the capacity goes elsewhere.
static bool sendAway(Moves *moves, uint32_t pool) {
  const BerthTask *task = moves->task;
  Choice *trial = &moves->trial;
  int64_t capacity = task->pools[pool].capacity;
  uint64_t packed = trial->stale;
  for (uint32_t i = 0; capacity && i < task->numItems; ++i) {
    if (trial->pools[i] != pool ||
        trial->offsets[i] + task->sizes[i] <= capacity)
      continue;
    uint32_t other =
        isFixed(moves, i) ? UINT32_MAX : elsewhere(moves, trial, i, pool);
    if (other == UINT32_MAX)
      return false;
    moveTo(moves, trial, i, other);
  }
  trial->stale |= packed;
  return true;
}

// Packs what has changed, but for pools without a capacity, which take
// whatever comes.
static bool packChanged(Moves *moves, uint32_t first) {
  const BerthTask *task = moves->task;
  Choice *trial = &moves->trial;
  if (!packPool(moves, trial, first, false, kTrialSteps) ||
      !sendAway(moves, first) || trial->cost > moves->now.cost)
    return false;
  for (uint32_t p = 0; p < task->numPools; ++p) {
    if (!task->pools[p].capacity || !(trial->stale >> p & 1))
      continue;
    if (!packPool(moves, trial, p, false, kTrialSteps) ||
        !fitsIn(moves, trial, p))
      return false;
  }
  return true;
}

// One of the pools where the item costs less.
static uint32_t cheaper(Moves *moves, uint32_t item) {
  const BerthTask *task = moves->task;
  uint32_t own = moves->now.pools[item], pool = UINT32_MAX;
  uint64_t seen = 0;
  for (uint64_t rest = task->allowedPools[item]; rest; rest &= rest - 1) {
    uint32_t other = (uint32_t)__builtin_ctzll(rest);
    if (berthItemPoolCost(task, item, other) <
            berthItemPoolCost(task, item, own) &&
        below(moves, ++seen) == 0)
      pool = other;
  }
  return pool;
}

// Is the choice better, or as good and another one?
static bool tryMove(Moves *moves) {
  const BerthTask *task = moves->task;
  uint32_t item = moves->waiting[below(moves, moves->numWaiting)];
  uint32_t pool = cheaper(moves, item);
  const BerthPool *memory = &task->pools[pool];
  int64_t room = memory->capacity ? berthPoolRoom(memory) : INT64_MAX;
  copyChoice(task, &moves->trial, &moves->now);
  moves->state->host.step(moves->state->host.context,
                          task->numItems +
                              (uint64_t)task->numPools * task->numSections);
  // Where all is full to the last byte little can be packed.
  room -= memory->capacity ? (int64_t)below(moves, 8) * (room / 128) : 0;
  moveTo(moves, &moves->trial, item, pool);
  if (!makeRoom(moves, item, pool, room))
    return false;
  letFollow(moves, pool, room);
  return moves->trial.cost <= moves->now.cost && packChanged(moves, pool);
}

//===---------------------------------------------------------------------===//
// The whole
//===---------------------------------------------------------------------===//

static void listWaiting(Moves *moves) {
  moves->numWaiting = 0;
  for (uint32_t i = 0; i < moves->task->numItems; ++i)
    if (!isFixed(moves, i) && cheaper(moves, i) != UINT32_MAX)
      moves->waiting[moves->numWaiting++] = i;
}

static void swapChoices(Moves *moves) {
  Choice swap = moves->now;
  moves->now = moves->trial;
  moves->trial = swap;
}

// Packs what is not yet packed, and hands the plan over.
static void offer(Moves *moves, BerthAnswer *candidate) {
  const BerthTask *task = moves->task;
  Choice *now = &moves->now;
  for (uint32_t p = 0; p < task->numPools; ++p)
    if (now->stale >> p & 1 && !packPool(moves, now, p, true, kTrialSteps))
      return;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    candidate->offsets[i] = now->offsets[i];
    candidate->pools[i] = now->pools[i];
  }
  berthIncumbentOffer(moves->incumbent, candidate);
}

static bool isOver(const Moves *moves) {
  return moves->state->stopped || moves->incumbent->failed ||
         moves->now.cost <= moves->incumbent->leastPoolCost;
}

// Until nothing has been won for long.
static void lowerCost(Moves *moves, BerthAnswer *candidate) {
  uint64_t patience = (uint64_t)kPatience * moves->task->numItems, since = 0;
  int64_t offered = moves->now.cost;
  listWaiting(moves);
  while (!isOver(moves) && moves->numWaiting && since++ < patience) {
    int64_t before = moves->now.cost;
    if (!tryMove(moves))
      continue;
    swapChoices(moves);
    listWaiting(moves);
    if (moves->now.cost < before)
      since = 0;
  }
  if (moves->now.cost < offered)
    offer(moves, candidate);
}

// The same choice, each pool packed as low as can be.
static void lowerPeaks(Moves *moves, BerthAnswer *candidate,
                       uint64_t stepsEach) {
  const BerthTask *task = moves->task;
  for (uint32_t p = 0; p < task->numPools && !moves->state->stopped; ++p) {
    copyChoice(task, &moves->trial, &moves->now);
    if (packPool(moves, &moves->trial, p, true, stepsEach) &&
        topOf(moves, &moves->trial, p) < topOf(moves, &moves->now, p))
      swapChoices(moves);
  }
  offer(moves, candidate);
}

// Begins at the best plan.
static void begin(Moves *moves) {
  const BerthTask *task = moves->task;
  const BerthAnswer *answer = moves->incumbent->answer;
  moves->now.cost = moves->incumbent->score.poolCost;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    moves->now.pools[i] = answer->pools[i];
    moves->now.offsets[i] = answer->offsets[i];
    addLoad(task, &moves->now, i, answer->pools[i], 1);
  }
}

static bool init(Moves *moves) {
  uint32_t n = moves->task->numItems;
  BerthMemory *arena = moves->arena;
  moves->items = BERTH_MEMORY_NEW(arena, uint32_t, n);
  moves->waiting = BERTH_MEMORY_NEW(arena, uint32_t, n);
  return initChoice(&moves->now, moves->task, arena) &&
         initChoice(&moves->trial, moves->task, arena) &&
         berthPoolPricesFind(&moves->prices, moves->task, &moves->state->host,
                             moves->incumbent->score.poolCost, arena);
}

// A log holds nothing of prices.
static void raiseCost(Moves *moves) {
  BerthIncumbent *incumbent = moves->incumbent;
  if (!moves->task->proofFile && moves->prices.bound > incumbent->leastPoolCost)
    incumbent->leastPoolCost = moves->prices.bound;
}

static void improve(Moves *moves, BerthAnswer *candidate) {
  begin(moves);
  for (uint64_t steps = kPeakSteps; !moves->state->stopped; steps *= 2) {
    lowerCost(moves, candidate);
    lowerPeaks(moves, candidate, steps);
    if (moves->incumbent->failed || berthIncumbentDone(moves->incumbent))
      return;
  }
}

void berthImproveByPoolMoves(BerthIncumbent *incumbent, const BerthHost *host,
                             BerthSolve solve) {
  BerthMemory arena = {0};
  BerthAnswer candidate;
  Moves moves = {.incumbent = incumbent,
                 .task = incumbent->task,
                 .state = berthHostState(host),
                 .solve = solve,
                 .arena = &arena,
                 .random = incumbent->task->seed};
  if (!incumbent->complete || incumbent->score.excess > 0)
    return;
  if (init(&moves) && berthIncumbentCandidate(incumbent, &arena, &candidate)) {
    raiseCost(&moves);
    improve(&moves, &candidate);
  }
  incumbent->failed |= arena.failed;
  if (incumbent->score.poolCost <= incumbent->leastPoolCost)
    incumbent->answer->provenLevels |= BERTH_LEVEL_POOL_COST;
  berthMemoryFree(&arena);
}
