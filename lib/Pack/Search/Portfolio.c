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
#include "Pack/Search/Speculate.h"
#include "Pack/Task/Host.h"

#include <string.h>

enum {
  kFirstFailureLimit = 200,
  kNumTargets = kBerthMostCalls,
  // What is solved in so few steps is solved before a thread has begun.
  kWorthAThread = 1 << 20
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

struct BerthPortfolio {
  BerthIncumbent *incumbent;
  BerthSearch *search;
  double *weights[kNumEntries]; ///< each learns for itself
  int64_t *offsets;
  uint64_t turn;         ///< the next one
  uint64_t failureLimit; ///< of its calls
  uint64_t runs;
  uint64_t stepsBefore;          ///< of the host, at the start
  BerthSpeculation *speculation; ///< or NULL
  const BerthTurn *taken;        ///< the turn in progress, made ahead; or NULL
  unsigned nextCall;             ///< of that turn
  int64_t expectedPeak;          ///< of the incumbent, by the turns begun ahead
  int64_t expectedBound;
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
// Calls, turns and rounds
//===---------------------------------------------------------------------===//

static BerthSearchCall describeCall(const BerthPortfolio *portfolio,
                                    unsigned entry, int64_t capacity,
                                    uint64_t runs, uint64_t failureLimit) {
  const Entry *e = &kEntries[entry];
  uint64_t seed = e->noisy ? runs + 1 + portfolio->incumbent->task->seed : 0;
  return (BerthSearchCall){.capacity = capacity,
                           .config = e->config,
                           .seed = seed,
                           .failureLimit = failureLimit};
}

// Has this call been made ahead? Its steps are accounted for now.
static bool wasMade(BerthPortfolio *portfolio, BerthSearchCall *call,
                    const BerthSearch **search) {
  const BerthTurn *turn = portfolio->taken;
  const BerthHost *host = portfolio->incumbent->host;
  if (!turn || portfolio->nextCall >= turn->numDone)
    return false;
  *call = turn->calls[portfolio->nextCall++];
  *search = turn->search;
  if (!host->step(host->context, call->steps))
    call->result = BERTH_SEARCH_STOPPED;
  return true;
}

static void makeCall(BerthPortfolio *portfolio, unsigned entry,
                     BerthSearchCall *call) {
  BerthSearch *search = portfolio->search;
  search->weights = portfolio->weights[entry];
  portfolio->log.count = 0;
  call->result = berthSearchRun(search, call->capacity, call->config,
                                call->seed, call->failureLimit);
  if (call->result == BERTH_SEARCH_REFUTED)
    call->bound = berthSearchBound(search);
}

// Runs one entry at one capacity. Did the incumbent change?
static bool runEntry(BerthPortfolio *portfolio, unsigned entry,
                     int64_t capacity) {
  BerthIncumbent *incumbent = portfolio->incumbent;
  const BerthSearch *search = portfolio->search;
  BerthSearchCall call = describeCall(portfolio, entry, capacity,
                                      portfolio->runs, portfolio->failureLimit);
  portfolio->runs += kEntries[entry].noisy;
  if (!wasMade(portfolio, &call, &search))
    makeCall(portfolio, entry, &call);
  switch (call.result) {
  case BERTH_SEARCH_FOUND:
    berthSearchOffsets(search, portfolio->offsets);
    return berthIncumbentOfferOffsets(incumbent, portfolio->offsets);
  case BERTH_SEARCH_REFUTED:
    berthIncumbentProve(incumbent, call.bound, &portfolio->log);
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

// A turn is one entry of a round, at each target; when it changes the incumbent
// it goes on, as the targets have moved. The middle is tried by one entry a
// round.
static bool isInDepth(uint64_t turn) {
  return turn % kNumEntries == turn / kNumEntries % kNumEntries;
}

static void runTurn(BerthPortfolio *portfolio, uint64_t turn) {
  const BerthIncumbent *incumbent = portfolio->incumbent;
  unsigned entry = (unsigned)(turn % kNumEntries);
  for (unsigned t = 0; t < kNumTargets; ++t) {
    int64_t target;
    while (!berthIncumbentDone(incumbent) &&
           targetOf(incumbent, t, isInDepth(turn), &target) &&
           runEntry(portfolio, entry, target))
      ;
  }
}

//===---------------------------------------------------------------------===//
// Turns ahead
//===---------------------------------------------------------------------===//

// What is found is mostly found after few failures, be it with weights that
// many runs have learnt, so the limit grows slowly (Gomes, Selman and Kautz
// 1998).
static uint64_t nextLimit(uint64_t failureLimit) {
  return failureLimit + failureLimit / 10;
}

// What a turn does if nothing changes. `*runs` is counted on.
static BerthTurn foresee(const BerthPortfolio *portfolio, uint64_t number,
                         uint64_t failureLimit, uint64_t *runs) {
  unsigned entry = (unsigned)(number % kNumEntries);
  BerthTurn turn = {.number = number, .weights = portfolio->weights[entry]};
  for (unsigned t = 0; t < kNumTargets; ++t) {
    int64_t target;
    if (!targetOf(portfolio->incumbent, t, isInDepth(number), &target))
      continue;
    turn.calls[turn.numCalls++] =
        describeCall(portfolio, entry, target, *runs, failureLimit);
    *runs += kEntries[entry].noisy;
  }
  return turn;
}

// Begins the turns after this one, as many as there are threads. At most
// kBerthMostTurns, so that none of them needs what another one learns.
static void lookAhead(BerthPortfolio *portfolio, uint64_t number) {
  _Static_assert((int)kBerthMostTurns < (int)kNumEntries,
                 "an entry would be its own heir");
  uint64_t limit = portfolio->failureLimit, runs = portfolio->runs;
  unsigned room = berthSpeculationRoom(portfolio->speculation);
  uint64_t spent = berthHostState(portfolio->incumbent->host)->steps -
                   portfolio->stepsBefore;
  if (spent < kWorthAThread || berthSpeculationIsBusy(portfolio->speculation))
    return;
  portfolio->expectedPeak = portfolio->incumbent->peak;
  portfolio->expectedBound = portfolio->incumbent->lowerBound;
  foresee(portfolio, number, limit, &runs); // the caller's own
  while (room-- > 0) {
    if (++number % kNumEntries == 0)
      limit = nextLimit(limit);
    BerthTurn turn = foresee(portfolio, number, limit, &runs);
    berthSpeculationBegin(portfolio->speculation, &turn);
  }
}

static bool isAsExpected(const BerthPortfolio *portfolio) {
  return portfolio->incumbent->peak == portfolio->expectedPeak &&
         portfolio->incumbent->lowerBound == portfolio->expectedBound;
}

// Takes over the turn if it was made ahead and nothing has changed since.
static void takeTurn(BerthPortfolio *portfolio, uint64_t number) {
  portfolio->taken = NULL;
  portfolio->nextCall = 0;
  if (!berthSpeculationIsBusy(portfolio->speculation))
    return;
  if (!isAsExpected(portfolio)) {
    berthSpeculationCancel(portfolio->speculation);
    return;
  }
  portfolio->taken = berthSpeculationTake(portfolio->speculation, number);
  if (portfolio->taken)
    memcpy(portfolio->weights[number % kNumEntries],
           portfolio->taken->weightsAfter,
           portfolio->search->numSections * sizeof(double));
}

static void takeOrRunTurn(BerthPortfolio *portfolio) {
  uint64_t turn = portfolio->turn++;
  takeTurn(portfolio, turn);
  if (!portfolio->taken && portfolio->speculation)
    lookAhead(portfolio, turn);
  runTurn(portfolio, turn);
  if (portfolio->turn % kNumEntries == 0)
    portfolio->failureLimit = nextLimit(portfolio->failureLimit);
}

static bool createWeights(BerthPortfolio *portfolio, BerthMemory *arena) {
  for (unsigned e = 0; e < kNumEntries; ++e) {
    portfolio->weights[e] =
        BERTH_MEMORY_NEW(arena, double, portfolio->search->numSections);
    portfolio->search->weights = portfolio->weights[e];
    if (arena->failed)
      return false;
    berthSearchForget(portfolio->search);
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
  portfolio->search = berthSearchCreate(task, incumbent->host, arena);
  portfolio->offsets = BERTH_MEMORY_NEW(arena, int64_t, task->numItems);
  portfolio->stepsBefore = berthHostState(incumbent->host)->steps;
  if (!portfolio->search || !portfolio->offsets ||
      !createWeights(portfolio, arena))
    return NULL;
  portfolio->log.numbers = task->rowNumbers;
  if (task->proofFile)
    portfolio->search->proof = &portfolio->log;
  else // a log is written by one search
    portfolio->speculation = berthSpeculationCreate(task, incumbent->host);
  return portfolio;
}

void berthPortfolioRun(BerthPortfolio *portfolio, uint64_t steps) {
  const BerthHostState *host = berthHostState(portfolio->incumbent->host);
  uint64_t begin = host->steps;
  while (!berthIncumbentDone(portfolio->incumbent) &&
         (!steps || host->steps - begin < steps))
    takeOrRunTurn(portfolio);
}

void berthPortfolioDestroy(BerthPortfolio *portfolio) {
  if (!portfolio)
    return;
  berthSpeculationDestroy(portfolio->speculation);
  berthProofFree(&portfolio->log);
}

void berthImproveBySearch(BerthIncumbent *incumbent, unsigned rounds) {
  BerthMemory arena = {0};
  BerthPortfolio *portfolio = berthPortfolioCreate(incumbent, &arena);
  incumbent->failed |= !portfolio;
  while (!berthIncumbentDone(incumbent) &&
         (!rounds || portfolio->turn < (uint64_t)rounds * kNumEntries))
    takeOrRunTurn(portfolio);
  berthPortfolioDestroy(portfolio);
  berthMemoryFree(&arena);
}
