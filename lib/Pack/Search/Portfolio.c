//===- Portfolio.c - Searching at several capacities ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The search of Search.h answers whether a plan fits below a height. Which
// height to ask about is an art: a tighter one is often decided faster, since
// it prunes more, yet the tightest may be out of reach. So each round asks
// about several, with several configurations each and a limit of failures that
// grows from round to round:
//
//     lower bound                                    best peak so far
//        |-----------------------|-----------|-----------|
//        1st                    3rd         2nd
//
// (where it is enough to fit, the capacity itself is the second; where only the
// bound fits, the others are asked about as rarely as the third). A plan lowers
// the best peak, a refutation raises the lower bound by the least excess of any
// failed branch (as iterative deepening does); both move the targets. Where
// they meet, that is the optimum.
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/Portfolio.h"

#include "Pack/Search/Search.h"
#include "Pack/Task/Errands.h"

#include <string.h>

enum {
  kFirstFailureLimit = 200,
  kNumTargets = 3,
  kMostCliques = 64,
  kRememberUpTo = 64, ///< items
  kRememberFrom = 128 ///< failures: a page of the table takes as long as some
};

/// A configuration of the portfolio.
typedef struct Entry {
  BerthSearchConfig config;
  bool noisy; ///< ranks vary from round to round
} Entry;

// The order matters: what solves most is first.
static const Entry kEntries[] = {
    {{.rank = BERTH_RANK_SPAN, .lastConflict = true}, false},
    {{.rank = BERTH_RANK_SPAN}, false},
    {{.rank = BERTH_RANK_SCARCE, .lastConflict = true}, true},
    {{.rank = BERTH_RANK_FAILED}, true},
    {{.rank = BERTH_RANK_HEIGHT, .lastConflict = true}, true},
    {{.rank = BERTH_RANK_LOAD, .lowest = true}, false},
};
enum { kNumEntries = sizeof kEntries / sizeof *kEntries };

/// A call of berthSearchRun and what came of it.
typedef struct Call {
  unsigned target; ///< which one
  int64_t capacity;
  BerthSearchConfig config;
  uint64_t seed;
  uint64_t failureLimit;
  BerthSearchResult result;
  int64_t bound; ///< where refuted
} Call;

/// A turn: one entry, at each target, until one of them is settled.
typedef struct Turn {
  unsigned entry;
  unsigned numCalls;
  Call calls[kNumTargets];
  uint64_t runsAfter; ///< of the portfolio, if nothing is settled
  double *weights;    ///< what it has learnt
  int64_t *offsets;   ///< of the plan, if the last call found one
  unsigned numDone;   ///< calls that were made
} Turn;

/// Of each thread.
typedef struct Hand {
  BerthMemory arena;
  BerthSearch *search; ///< built when it is first needed
} Hand;

struct BerthPortfolio {
  BerthIncumbent *incumbent;
  BerthCliqueList cliques;
  Hand hands[kBerthMostHands];  ///< the caller's is the first one
  double *weights[kNumEntries]; ///< each learns for itself
  Turn turns[kNumEntries];      ///< of a batch
  uint64_t turn;                ///< the next one
  uint64_t failureLimit;        ///< of its calls
  uint64_t runs;
  BerthProofLog log; ///< of the run in progress, if a proof is wanted
};

// Does nothing but the lower bound itself fit?
static bool isTight(const BerthIncumbent *incumbent) {
  int64_t capacity = incumbent->task->capacity;
  return capacity && capacity <= incumbent->lowerBound;
}

// Peaks of interest lie below this. Where the capacity is the bound, what lies
// above both fits nothing, but is a step on the way: what is found there brings
// the best peak down, and what fails there teaches weights.
static int64_t ceiling(const BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  if (task->capacity && task->capacity < incumbent->peak && !isTight(incumbent))
    return task->capacity;
  return incumbent->peak - 1;
}

// The targets, most promising ratio of gain to effort first. False: this one is
// not asked about this time.
static bool targetOf(const BerthIncumbent *incumbent, unsigned index,
                     bool inDepth, int64_t *target) {
  int64_t low = incumbent->lowerBound, room = ceiling(incumbent) - low;
  bool tight = isTight(incumbent);
  bool fitting =
      incumbent->task->capacity && !incumbent->task->minimize && !tight;
  const int64_t targets[kNumTargets] = {
      low, fitting ? low + room : low + room - room / 4, low + room / 2};
  *target = targets[index];
  return index == 0 || (room > 0 && ((index == 1 && !tight) || inDepth));
}

//===---------------------------------------------------------------------===//
// Calls
//===---------------------------------------------------------------------===//

static Call describeCall(const BerthPortfolio *portfolio, unsigned entry,
                         unsigned target, int64_t capacity, uint64_t runs,
                         uint64_t failureLimit) {
  const Entry *e = &kEntries[entry];
  uint64_t seed = e->noisy ? runs + 1 + portfolio->incumbent->task->seed : 0;
  return (Call){.target = target,
                .capacity = capacity,
                .config = e->config,
                .seed = seed,
                .failureLimit = failureLimit};
}

static void makeCall(BerthPortfolio *portfolio, BerthSearch *search,
                     Call *call) {
  if (search->proof)
    portfolio->log.count = 0;
  call->result = berthSearchRun(search, call->capacity, call->config,
                                call->seed, call->failureLimit);
  if (call->result == BERTH_SEARCH_REFUTED)
    call->bound = berthSearchBound(search);
}

// Did the incumbent change?
static bool useCall(BerthPortfolio *portfolio, const Call *call,
                    const int64_t *offsets) {
  BerthIncumbent *incumbent = portfolio->incumbent;
  switch (call->result) {
  case BERTH_SEARCH_FOUND:
    return berthIncumbentOfferOffsets(incumbent, offsets);
  case BERTH_SEARCH_REFUTED:
    berthIncumbentProve(incumbent, call->bound,
                        &(BerthBound){.reason = BERTH_BOUND_SEARCH},
                        &portfolio->log);
    return true;
  case BERTH_SEARCH_LIMIT:
    break;
  case BERTH_SEARCH_STOPPED:
    incumbent->stopped = true;
    break;
  case BERTH_SEARCH_MEMORY:
    incumbent->failed = true;
    break;
  }
  return false;
}

// Runs one entry at one capacity. Did the incumbent change?
static bool runEntry(BerthPortfolio *portfolio, unsigned entry, unsigned target,
                     int64_t capacity) {
  BerthSearch *search = portfolio->hands[0].search;
  int64_t *offsets = portfolio->turns[entry].offsets;
  Call call = describeCall(portfolio, entry, target, capacity, portfolio->runs,
                           portfolio->failureLimit);
  portfolio->runs += kEntries[entry].noisy;
  search->host = portfolio->incumbent->host;
  search->weights = portfolio->weights[entry];
  makeCall(portfolio, search, &call);
  if (call.result == BERTH_SEARCH_FOUND)
    berthSearchOffsets(search, offsets);
  return useCall(portfolio, &call, offsets);
}

//===---------------------------------------------------------------------===//
// Turns
//===---------------------------------------------------------------------===//
//
// When a turn changes the incumbent it goes on, as the targets have moved. Most
// end at their limit and change nothing, so those of a round are errands: none
// of them needs what another one learns.

// The middle is tried by one entry a round.
static bool isInDepth(uint64_t turn) {
  return turn % kNumEntries == turn / kNumEntries % kNumEntries;
}

// What a turn does as long as nothing changes. `runs` is counted on.
static void describeTurn(const BerthPortfolio *portfolio, uint64_t number,
                         uint64_t failureLimit, uint64_t *runs, Turn *turn) {
  turn->entry = (unsigned)(number % kNumEntries);
  turn->numCalls = turn->numDone = 0;
  for (unsigned t = 0; t < kNumTargets; ++t) {
    int64_t target;
    if (!targetOf(portfolio->incumbent, t, isInDepth(number), &target))
      continue;
    turn->calls[turn->numCalls++] =
        describeCall(portfolio, turn->entry, t, target, *runs, failureLimit);
    *runs += kEntries[turn->entry].noisy;
  }
  turn->runsAfter = *runs;
}

static BerthSearch *searchOf(BerthPortfolio *portfolio, unsigned hand,
                             const BerthHost *host) {
  Hand *own = &portfolio->hands[hand];
  if (!own->search)
    own->search = berthSearchCreate(portfolio->incumbent->task, host,
                                    &portfolio->cliques, &own->arena);
  if (own->search)
    own->search->host = host;
  return own->search;
}

// The work of an errand. The last call made tells why it was the last.
static bool runTurn(void *context, unsigned hand, uint32_t index,
                    BerthHostState *host) {
  BerthPortfolio *portfolio = context;
  Turn *turn = &portfolio->turns[index];
  BerthSearch *search = searchOf(portfolio, hand, &host->host);
  turn->numDone = 1;
  turn->calls[0].result = BERTH_SEARCH_MEMORY;
  if (!search)
    return true;
  memcpy(turn->weights, portfolio->weights[turn->entry],
         search->numSections * sizeof(double));
  search->weights = turn->weights;
  for (unsigned c = 0; c < turn->numCalls; ++c) {
    turn->numDone = c + 1;
    makeCall(portfolio, search, &turn->calls[c]);
    if (turn->calls[c].result == BERTH_SEARCH_FOUND)
      berthSearchOffsets(search, turn->offsets);
    if (turn->calls[c].result != BERTH_SEARCH_LIMIT)
      return true;
  }
  return false;
}

// Goes on from the call that has settled something.
static void goOn(BerthPortfolio *portfolio, uint64_t number, const Turn *turn) {
  const BerthIncumbent *incumbent = portfolio->incumbent;
  const Call *call = &turn->calls[turn->numDone - 1];
  int64_t target;
  portfolio->runs = turn->runsAfter - (turn->numCalls - turn->numDone) *
                                          kEntries[turn->entry].noisy;
  bool changed = useCall(portfolio, call, turn->offsets);
  for (unsigned t = call->target; t < kNumTargets; ++t, changed = true)
    while (changed && !berthIncumbentDone(incumbent) &&
           targetOf(incumbent, t, isInDepth(number), &target))
      changed = runEntry(portfolio, turn->entry, t, target);
}

// What is found is mostly found after few failures, be it with weights that
// many runs have learnt, so the limit grows slowly (Gomes, Selman and Kautz
// 1998).
static uint64_t nextLimit(uint64_t failureLimit) {
  return failureLimit + failureLimit / 10;
}

static void takeTurn(BerthPortfolio *portfolio, const Turn *turn,
                     bool settled) {
  uint64_t number = portfolio->turn++;
  memcpy(portfolio->weights[turn->entry], turn->weights,
         portfolio->hands[0].search->numSections * sizeof(double));
  portfolio->runs = turn->runsAfter;
  if (settled)
    goOn(portfolio, number, turn);
  if (portfolio->turn % kNumEntries == 0)
    portfolio->failureLimit = nextLimit(portfolio->failureLimit);
}

// Makes up to `most` turns, and begins none once `steps` have been spent.
static void runTurns(BerthPortfolio *portfolio, uint64_t most, uint64_t steps) {
  BerthIncumbent *incumbent = portfolio->incumbent;
  BerthHostState *host = berthHostState(incumbent->host);
  uint64_t runs = portfolio->runs, limit = portfolio->failureLimit;
  uint32_t count = most < kNumEntries ? (uint32_t)most : kNumEntries;
  bool settled;
  if (incumbent->task->proofFile || portfolio->hands[0].search->rememberFrom)
    count = 1; // a log is written by one search, and one remembers
  for (uint32_t k = 0; k < count; ++k) {
    uint64_t number = portfolio->turn + k;
    if (k > 0 && number % kNumEntries == 0)
      limit = nextLimit(limit);
    describeTurn(portfolio, number, limit, &runs, &portfolio->turns[k]);
  }
  uint32_t done =
      berthErrandsRun(host, count, steps, runTurn, portfolio, &settled);
  incumbent->stopped |= host->stopped;
  for (uint32_t k = 0; k < done; ++k)
    takeTurn(portfolio, &portfolio->turns[k], settled && k + 1 == done);
}

static bool createTables(BerthPortfolio *portfolio, BerthMemory *arena) {
  BerthSearch *search = portfolio->hands[0].search;
  for (unsigned e = 0; e < kNumEntries; ++e) {
    Turn *turn = &portfolio->turns[e];
    turn->weights = BERTH_MEMORY_NEW(arena, double, search->numSections);
    turn->offsets = BERTH_MEMORY_NEW(arena, int64_t, search->numItems);
    portfolio->weights[e] =
        BERTH_MEMORY_NEW(arena, double, search->numSections);
    search->weights = portfolio->weights[e];
    if (arena->failed)
      return false;
    berthSearchForget(search);
  }
  return true;
}

BerthPortfolio *berthPortfolioCreate(BerthIncumbent *incumbent,
                                     BerthMemory *arena) {
  const BerthTask *task = incumbent->task;
  BerthPortfolio *portfolio = BERTH_MEMORY_NEW(arena, BerthPortfolio, 1);
  if (!portfolio)
    return NULL;
  portfolio->incumbent = incumbent;
  portfolio->failureLimit = kFirstFailureLimit + task->numItems / 16;
  if (!task->proofFile) // whoever checks a log knows times and edges
    portfolio->cliques = berthListSpreadCliques(task, kMostCliques, arena);
  BerthSearch *search =
      berthSearchCreate(task, incumbent->host, &portfolio->cliques, arena);
  portfolio->hands[0].search = search;
  if (!search || !createTables(portfolio, arena))
    return NULL;
  search->rememberFrom = task->numItems <= kRememberUpTo ? kRememberFrom : 0;
  portfolio->log.numbers = task->rowNumbers;
  if (task->proofFile)
    search->proof = &portfolio->log;
  return portfolio;
}

void berthPortfolioRun(BerthPortfolio *portfolio, uint64_t steps) {
  const BerthHostState *host = berthHostState(portfolio->incumbent->host);
  uint64_t begin = host->steps;
  while (!berthIncumbentDone(portfolio->incumbent) &&
         (!steps || host->steps - begin < steps))
    runTurns(portfolio, UINT64_MAX, steps ? steps - (host->steps - begin) : 0);
}

void berthPortfolioDestroy(BerthPortfolio *portfolio) {
  if (!portfolio)
    return;
  for (unsigned h = 1; h < kBerthMostHands; ++h)
    berthMemoryFree(&portfolio->hands[h].arena);
  berthProofFree(&portfolio->log);
}

void berthImproveBySearch(BerthIncumbent *incumbent, unsigned rounds) {
  BerthMemory arena = {0};
  BerthPortfolio *portfolio = berthPortfolioCreate(incumbent, &arena);
  uint64_t turns = rounds ? (uint64_t)rounds * kNumEntries : UINT64_MAX;
  incumbent->failed |= !portfolio;
  while (!berthIncumbentDone(incumbent) && portfolio->turn < turns)
    runTurns(portfolio, turns - portfolio->turn, 0);
  berthPortfolioDestroy(portfolio);
  berthMemoryFree(&arena);
}
