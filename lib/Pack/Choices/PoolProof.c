//===- PoolProof.c - Why no choice of pools is better --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PoolProof.h"

#include "Pack/Choices/CutSets.h"
#include "Pack/Choices/HardEdges.h"
#include "Pack/Choices/PoolFits.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"

enum { kSteps = 1 << 26 };

/// What no plan is to have; INT64_MAX: whatever it is.
typedef struct Limits {
  int64_t peak;
  int64_t price;
  int64_t poolCost;
} Limits;

typedef struct PoolRefuter {
  BerthPoolFits memory;
  const BerthTask *task;
  const BerthHost *host;
  const Limits *limits;
  BerthProofLog *log;
  uint64_t sets[64];     ///< pool -> items
  BerthPoolFit fits[64]; ///< the same, solved
} PoolRefuter;

//===---------------------------------------------------------------------===//
// Leaves
//===---------------------------------------------------------------------===//

// Does it take no search to see it?
static bool isPlain(const BerthIncumbent *incumbent, const Limits *limits) {
  const BerthTask *task = incumbent->task;
  return incumbent->leastPoolCost > limits->poolCost ||
         task->lowerBound > limits->peak ||
         task->lowerBound > berthTaskCapacity(task);
}

// Nothing can be in that pool, as what is pinned there says.
static void failByPins(BerthProofLog *log, uint32_t pool) {
  berthProofHeight(log, pool, INT64_MAX);
  berthProofFail(log);
  berthProofFail(log);
}

// Says why nothing in the pool ends below its bound.
static bool writeHeight(PoolRefuter *refuter, uint32_t pool) {
  BerthProofLog tree = {0};
  int64_t refuted = 0;
  BerthPoolFit fit = berthPoolRefute(&refuter->memory, refuter->sets[pool],
                                     pool, &tree, &refuted);
  berthProofHeight(refuter->log, pool, refuted);
  berthProofAppend(refuter->log, &tree);
  berthProofFree(&tree);
  return fit.refuted || (!refuter->fits[pool].refuted &&
                         fit.lower >= refuter->fits[pool].lower);
}

// One pool that cannot hold its items will do, else it takes them all.
static bool writeHeights(PoolRefuter *refuter) {
  bool written = true;
  for (uint32_t pool = 0; pool < refuter->task->numPools; ++pool)
    if (refuter->fits[pool].refuted)
      return writeHeight(refuter, pool);
  for (uint32_t pool = 0; pool < refuter->task->numPools; ++pool)
    if (refuter->fits[pool].set)
      written &= writeHeight(refuter, pool);
  return written;
}

static bool isTooHigh(const PoolRefuter *refuter) {
  int64_t sum = 0;
  for (uint32_t pool = 0; pool < refuter->task->numPools; ++pool) {
    if (refuter->fits[pool].refuted)
      return true;
    sum = berthAddSaturating(sum, refuter->fits[pool].lower);
  }
  return sum > refuter->limits->peak;
}

//===---------------------------------------------------------------------===//
// The tree
//===---------------------------------------------------------------------===//

static bool refute(PoolRefuter *refuter, uint32_t at, int64_t cost);

static bool refuteIn(PoolRefuter *refuter, uint32_t at, int64_t cost,
                     uint32_t pool) {
  BerthPoolFits *memory = &refuter->memory;
  uint32_t item = memory->order[at];
  uint64_t others = refuter->sets[pool];
  BerthPoolFit before = refuter->fits[pool];
  bool stands = berthPoolPinStands(memory, others, item, pool);
  bool refuted = true;
  refuter->sets[pool] = others | UINT64_C(1) << item;
  cost = berthAddSaturating(cost, berthItemPoolCost(refuter->task, item, pool));
  if (stands) {
    refuter->fits[pool] = berthPoolFit(memory, refuter->sets[pool], pool);
    refuted = refute(refuter, at + 1, cost);
  } else {
    failByPins(refuter->log, pool);
  }
  refuter->fits[pool] = before;
  refuter->sets[pool] = others;
  return refuted;
}

// The items of the order before this place have their pools. False: there may
// be a plan.
static bool refute(PoolRefuter *refuter, uint32_t at, int64_t cost) {
  const BerthTask *task = refuter->task;
  int64_t least = berthAddSaturating(cost, refuter->memory.leastCosts[at]);
  if (!refuter->host->step(refuter->host->context, task->numItems) ||
      refuter->memory.failed)
    return false;
  bool tooDear = least > refuter->limits->poolCost;
  if (tooDear || isTooHigh(refuter)) {
    bool written = tooDear || writeHeights(refuter);
    berthProofFail(refuter->log);
    return written;
  }
  if (at == task->numItems)
    return false;
  uint32_t item = refuter->memory.order[at];
  bool refuted = true;
  berthProofChoose(refuter->log, item);
  for (uint64_t left = task->allowedPools[item]; left && refuted;
       left &= left - 1)
    refuted = refuteIn(refuter, at, cost, (uint32_t)__builtin_ctzll(left));
  return refuted;
}

//===---------------------------------------------------------------------===//
// Cases
//===---------------------------------------------------------------------===//

typedef struct PoolProver {
  BerthIncumbent *incumbent;
  BerthSolve solve;
  BerthProofLog *book;
  uint8_t *bought;
} PoolProver;

// Wherever the first of them lies, the edge to the second cannot hold.
static void writeClash(const BerthTask *task, const BerthEdge *edge,
                       BerthProofLog *log) {
  berthProofChoose(log, edge->first);
  for (uint64_t left = task->allowedPools[edge->first]; left;
       left &= left - 1) {
    if (edge->second != edge->first)
      berthProofChoose(log, edge->second);
    failByPins(log, (uint32_t)__builtin_ctzll(left));
  }
}

static bool refuteBySearch(PoolProver *prover, const BerthTask *rest,
                           const Limits *limits, BerthMemory *arena) {
  BerthIncumbent *incumbent = prover->incumbent;
  BerthHostState slice;
  PoolRefuter refuter = {.task = rest, .limits = limits, .log = prover->book};
  if (rest->numItems > kBerthMaxPoolItems)
    return false;
  berthHostSlice(&slice, berthHostState(incumbent->host), rest, arena, kSteps);
  refuter.host = &slice.host;
  bool refuted = berthPoolFitsInit(&refuter.memory, rest, &slice.host,
                                   prover->solve, arena) &&
                 refute(&refuter, 0, 0);
  incumbent->failed |= arena->failed || refuter.memory.failed || slice.failed;
  return refuted && !incumbent->failed;
}

// The tree of a case: nothing is within the limits with these cuts bought.
static bool refuteCase(PoolProver *prover, const Limits *limits) {
  BerthIncumbent *incumbent = prover->incumbent;
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  BerthTask rest;
  BerthClash clash;
  bool refuted = true;
  if (isPlain(incumbent, limits))
    berthProofFail(prover->book);
  else if (berthHardenEdges(task, prover->bought, &arena, &rest, &clash))
    refuted = refuteBySearch(prover, &rest, limits, &arena);
  else if (clash.edge)
    writeClash(task, clash.edge, prover->book);
  else
    incumbent->failed = true;
  berthMemoryFree(&arena);
  return refuted;
}

static bool refuteSet(PoolProver *prover, uint64_t set, const Limits *limits) {
  for (uint32_t c = 0; c < prover->incumbent->task->numCuts; ++c)
    prover->bought[c] = set == BERTH_ALL_CUTS || set >> c & 1;
  berthProofCase(prover->book, set);
  return refuteCase(prover, limits);
}

// One set after the other that costs no more, with all that it can have besides
// for that: what is refuted with more cuts is refuted with fewer.
static bool refuteSets(PoolProver *prover, const Limits *limits,
                       BerthMemory *arena) {
  BerthCutSets sets = berthCutSetsOf(prover->incumbent->task, arena);
  BerthCheapest left;
  uint64_t set;
  while ((left = berthCutSetsCheapest(&sets, limits->price, &set)) ==
         BERTH_CHEAPEST_FOUND) {
    set = berthCutSetsFill(&sets, set, limits->price);
    if (!refuteSet(prover, set, limits) || !berthCutSetsRefute(&sets, set))
      return false;
  }
  return left == BERTH_CHEAPEST_NONE;
}

static bool refuteCases(PoolProver *prover, const Limits *limits) {
  BerthMemory arena = {0};
  if (limits->price == INT64_MAX ||
      prover->incumbent->task->numCuts > kBerthMaxCuts)
    return refuteSet(prover, BERTH_ALL_CUTS, limits);
  bool refuted = refuteSets(prover, limits, &arena);
  berthMemoryFree(&arena);
  return refuted;
}

// Adds it to the book, if it can be shown.
static bool showNone(PoolProver *prover, Limits limits) {
  if (limits.peak < 0 || limits.price < 0 || limits.poolCost < 0)
    return true; // as everyone can see
  size_t begin = berthProofBegin(prover->book);
  berthProofRefute(prover->book, limits.peak, limits.price, limits.poolCost);
  bool shown = refuteCases(prover, &limits);
  if (!shown)
    berthProofForget(prover->book, begin);
  return shown;
}

//===---------------------------------------------------------------------===//
// Claims
//===---------------------------------------------------------------------===//

static void giveUp(BerthIncumbent *incumbent, uint32_t levels) {
  incumbent->answer->provenLevels &= ~levels;
}

// Level by level: no plan that is as good so far is better in this one. There
// is a capacity, as only one pool can do without, so the price goes before the
// peak.
static void proveLevels(PoolProver *prover) {
  const int64_t any = INT64_MAX;
  BerthIncumbent *incumbent = prover->incumbent;
  const BerthScore *best = &incumbent->score;
  uint32_t claims = incumbent->answer->provenLevels;
  int64_t cost = best->poolCost;
  int64_t price = incumbent->task->numCuts ? best->price : any;
  if ((cost == incumbent->leastPoolCost || claims & BERTH_LEVEL_POOL_COST) &&
      !showNone(prover, (Limits){any, any, cost - 1}))
    giveUp(incumbent, BERTH_LEVEL_POOL_COST);
  if (claims & BERTH_LEVEL_PRICE &&
      !showNone(prover, (Limits){any, best->price - 1, cost}))
    giveUp(incumbent, BERTH_LEVEL_PRICE);
  if (claims & BERTH_LEVEL_PEAK && best->peak > incumbent->lowerBound &&
      !showNone(prover, (Limits){best->peak - 1, price, cost}))
    giveUp(incumbent, BERTH_LEVEL_PEAK);
}

void berthProvePools(BerthIncumbent *incumbent, BerthSolve solve) {
  const BerthTask *task = incumbent->task;
  const Limits none = {INT64_MAX, INT64_MAX, INT64_MAX};
  BerthMemory arena = {0};
  PoolProver prover = {
      .incumbent = incumbent, .solve = solve, .book = &incumbent->book};
  if (!task->proofFile || task->numPools < 2)
    return;
  prover.bought = BERTH_MEMORY_NEW(&arena, uint8_t, task->numCuts + 1);
  incumbent->failed |= arena.failed;
  if (!arena.failed) {
    Limits lower = none;
    lower.peak = incumbent->lowerBound - 1;
    showNone(&prover, lower);
    if (incumbent->infeasible || isPlain(incumbent, &none))
      incumbent->infeasible = showNone(&prover, none);
    else if (incumbent->peak < INT64_MAX && incumbent->score.excess == 0)
      proveLevels(&prover);
  }
  berthMemoryFree(&arena);
}
