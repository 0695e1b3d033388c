//===- Auto.c - The default packer ---------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A fixed sequence of stations that hand on the best plan so far and stop at
// the lower bound, which is a proof, or where fitting is enough and it fits:
//
//   skyline      in a few variations; fast at any size; with it first fit,
//                from some hundred items on or where items are more than boxes
//   bounds       what else no plan can be below, beyond the load
//   up to 512 items:
//     exact, gaps, order  shortly, where items are more than boxes
//     blocks       a little of all this for what fits together as one item
//     exact        branch and bound at several capacities, where the task is of
//                  its kind and size: short runs
//     repairs      where items are more than boxes: of orders; of few items
//                  order search, too; order search of windows of time
//     gaps         exact search over free gaps, where the task has windows or
//                  distances
//     apart        all this for the task without its windows and distances
//   beyond:
//     gaps, exact, order  shortly, where items are more than boxes; exact
//                  search only of holes
//     blocks       as above
//     short turns  of what takes turns below, each twice as long as the one
//                  before; the skyline in between, or windows
//   skyline      from some hundred items on: in many variations
//   heuristics   the one-shot packers of the table that can handle the task
//   order        some rounds of order search
//   blocks       more of it
//   turns        until the budget is spent, each longer than the one before:
//     repairs      where items are more than boxes
//     beam         many plans side by side, layer by layer
//     exact        goes on where it stopped
//     apart, gaps  begin anew
//     windows      from some hundred items on: exact search of one window of
//                  time after another, round the rest of the plan
//                and once each bounds from short windows of time, and the slow
//                heuristics
//   pools        bounds of them; which one each item goes to: of few items by
//                search, of many by turns of orders and of moves between them
//   order        more of it
//   hints        what the peak leaves open
//   order        until the budget is spent, and hints once more
//
// Beyond 2,000 items, where a run of the skyline takes less time than anything
// else: skyline once; more of them and first fit where that is far from the
// bound, first fit where items are more than boxes; repairs of the best and of
// a few others, blocks, windows, a few skylines, windows, bounds, skyline
// often, beam, windows; order where the items are more than boxes; the same
// with other seeds until the budget is spent; hints.
//
// Where cuts can be bought, all this is done for one set of cuts after another.
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Auto.h"

#include "Pack/Choices/ConflictSet.h"
#include "Pack/Choices/PoolBounds.h"
#include "Pack/Choices/PoolMoves.h"
#include "Pack/Choices/PoolProof.h"
#include "Pack/Choices/Pools.h"
#include "Pack/Choices/PricedCuts.h"
#include "Pack/Improve/Apart.h"
#include "Pack/Improve/Beam.h"
#include "Pack/Improve/Blocks.h"
#include "Pack/Improve/BoundWindows.h"
#include "Pack/Improve/Hints.h"
#include "Pack/Improve/LocalSearch.h"
#include "Pack/Improve/Repair.h"
#include "Pack/Improve/SkylinePacker.h"
#include "Pack/Improve/Windows.h"
#include "Pack/Incumbent/Bounds.h"
#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/Greedy.h"
#include "Pack/Run/OneShots.h"
#include "Pack/Search/Gaps.h"
#include "Pack/Search/Portfolio.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"

// From this size on, windows that are smaller than the whole are worth trying.
enum { kWindowsFrom = 400 };

// Up to this size exact search is quicker than many runs of the skyline, and
// from half of it on these are of use at all.
enum { kExactFirst = 512, kFewItems = 256 };

// Beyond this size a beam of any use takes too long.
enum { kBeamUpTo = 20000 };

// What each station may spend; all are fixed, so that a run with a smaller
// budget is the beginning of one with a larger.
enum {
  kFewRounds = 4,   ///< of order search, before longer exact search
  kFirstWidth = 8,  ///< of the beam
  kMiddleWidth = 2, ///< beyond kExactFirst, where a round takes long
  kBeamShare = 4,
  kLargeWidth = 4,
  kGapNodes = 200000,    ///< what is small is solved in far fewer
  kBriefSteps = 1 << 16, ///< what is tiny is proven with less
  kFirstGapSteps = 1 << 20,
  kGapSteps = 1 << 27,
  kPoolSteps = 1 << 26,
  kPoolBoundShare = 32,     ///< of the budget
  kPoolMoveShare = 4,       ///< of it, of moves as long as they better nothing
  kPoolTurnSteps = 1 << 12, ///< an item, of the first turn of many in pools
  kWindowRounds = 3,
  kFirstSkylineRuns = 6,
  kFewSkylineRuns = 12,
  kSkylineRuns = 64,
  kManySkylineRuns = 256,
  kNearPart = 1024, ///< of the bound, that a plan is above it at most
  kFarPart = 8,     ///< and at least
  kSkylineSteps = 1 << 26,
  kStarts = 4,
  kRepairSteps = 1 << 28,
  kFirstWindowSteps = 3 << 24,
  kFirstWindowItem = 64, ///< an item more; about a run of the skyline
  kWindowSteps = 1 << 28,
  kLargeBeamSteps = 1 << 29,
  kSlowRound = 2, ///< of the turns; after it the slow heuristics
  kBoundSteps = 1 << 24,
  kOrderStates = 14,     ///< the power of two of sets at first
  kOrderRounds = 2,      ///< and how often there are four times as many
  kFirstSteps = 1 << 16, ///< an item, of exact search before the heuristics
  kFirstShortSteps = 1 << 12, ///< an item, of the first short turn,
  kFirstPlainSteps = 1 << 14, ///< of boxes
  kTurnSteps = 1 << 16,       ///< the same of the first long one
  kBetterShare = 3,     ///< of a turn, of the one that bettered the plan last
  kOrdersFirst = 24,    ///< rounds of order search before repairs
  kFewOrders = 64,      ///< items: up to this both repairs and order search,
  kManyOrders = 512,    ///< and beyond this
  kOrderShare = 4,      ///< of its turn: a step of it takes longer
  kFirstOrderShare = 4, ///< of that, before exact search
  kFirstOrderSteps = 1 << 11, ///< an item, where there are many
  kGapShare = 8, ///< the same, as it rarely betters what is not small
  kFirstBlockSteps = 1 << 14, ///< an item
  kLongBlockSteps = 3 << 14,  ///< the same where blocks have bettered the plan
  kBlockSteps = 1 << 27,
  kApartSteps = 1 << 27,
  kOrderSteps = 1 << 24,
  // Beyond kBerthAllOneShots longer exact search does not pay, and a compiler
  // should not wait for seconds.
  kLargeOrderSteps = 1 << 22
};

// A part of the steps for one station, and memory that is freed with it.
typedef struct Slice {
  BerthHostState state;
  BerthMemory arena;
} Slice;

// False: there is nothing to do, or no step left to do it with; then not even
// tables are built.
static bool openSlice(Slice *slice, BerthIncumbent *incumbent, uint64_t steps) {
  incumbent->stopped |= berthHostState(incumbent->host)->stopped;
  if (berthIncumbentDone(incumbent))
    return false;
  slice->arena = (BerthMemory){0};
  berthHostSlice(&slice->state, berthHostState(incumbent->host),
                 incumbent->task, &slice->arena, steps);
  return true;
}

static void closeSlice(Slice *slice) { berthMemoryFree(&slice->arena); }

/// What goes on from turn to turn; NULL: not begun.
typedef struct Turns {
  BerthIncumbent *incumbent;
  BerthMemory arena;
  BerthPortfolio *portfolio;
  BerthBeam *beam;
  BerthOrderSearch *order;
  BerthRepair *repair;
  BerthSkylineRuns skylines;
  const BerthPairTable *pairs; ///< where hulls are not all
  bool noPairs;                ///< there are too many
  unsigned shares[8];
  bool noBeam;
} Turns;

// What several stations look up, built when it is first needed; NULL: there is
// no use for it.
static const BerthPairTable *pairsOf(Turns *turns) {
  const BerthTask *task = turns->incumbent->task;
  if (turns->pairs || turns->noPairs || berthTaskIsPlain(task) ||
      berthTaskIsLarge(task))
    return turns->pairs;
  turns->pairs = berthPairTableCreate(task, &turns->arena);
  turns->noPairs = !turns->pairs;
  turns->incumbent->failed |= turns->arena.failed;
  return turns->pairs;
}

// A step of these takes longer than one of the search, so they get slices of
// their own.
static void runSkyline(Turns *turns, unsigned upTo) {
  Slice slice;
  if (!openSlice(&slice, turns->incumbent, kSkylineSteps))
    return;
  berthImproveBySkyline(turns->incumbent, &slice.state.host, pairsOf(turns),
                        &turns->skylines, upTo);
  closeSlice(&slice);
}

static void searchWindows(BerthIncumbent *incumbent, unsigned rounds,
                          uint64_t seed, uint64_t steps) {
  Slice slice;
  if (!berthWindowsCanHandle(incumbent->task) ||
      incumbent->task->numItems < kWindowsFrom ||
      !openSlice(&slice, incumbent, steps))
    return;
  berthImproveByWindows(incumbent, &slice.state.host, rounds, seed,
                        berthTaskIsLarge(incumbent->task) &&
                            berthTaskIsPlain(incumbent->task));
  closeSlice(&slice);
}

static void repairSkylines(BerthIncumbent *incumbent, unsigned from,
                           unsigned to, uint64_t steps) {
  Slice slice;
  if (!berthTaskIsPlain(incumbent->task) ||
      !openSlice(&slice, incumbent, steps))
    return;
  berthImproveByRepairs(incumbent, &slice.state.host, from, to);
  closeSlice(&slice);
}

static void raiseByWindows(BerthIncumbent *incumbent) {
  Slice slice;
  if (!openSlice(&slice, incumbent, kBoundSteps))
    return;
  berthRaiseByWindows(incumbent, &slice.state.host);
  closeSlice(&slice);
}

// The orders of what is live together, each time four times as long.
static void raiseByOrders(BerthIncumbent *incumbent, unsigned round) {
  uint32_t states = UINT32_C(1) << (kOrderStates + 2 * round);
  Slice slice;
  if (round > kOrderRounds || !openSlice(&slice, incumbent, kBoundSteps))
    return;
  berthRaiseByOrders(incumbent, states);
  slice.state.host.step(slice.state.host.context, (uint64_t)states << 4);
  closeSlice(&slice);
}

static void searchOrder(BerthIncumbent *incumbent, uint64_t steps,
                        unsigned rounds) {
  Slice slice;
  if (!openSlice(&slice, incumbent, steps))
    return;
  berthImproveByOrder(incumbent, &slice.state.host, rounds);
  closeSlice(&slice);
}

static void searchGaps(BerthIncumbent *incumbent, uint64_t steps) {
  const BerthHost *host = incumbent->host;
  Slice slice;
  if (berthSearchCanHandle(incumbent->task) ||
      !berthGapsCanHandle(incumbent->task) ||
      !openSlice(&slice, incumbent, steps))
    return;
  incumbent->host = &slice.state.host;
  berthImproveByGaps(incumbent, &slice.arena, kGapNodes);
  incumbent->host = host;
  incumbent->stopped = berthHostState(host)->stopped;
  if (incumbent->complete) // the slice has kept its reports to itself
    host->report(host->context, incumbent->answer);
  closeSlice(&slice);
}

static void improve(BerthIncumbent *incumbent);

// A bound betters no plan, so it may not take much of a small budget.
static void raiseByPools(BerthIncumbent *incumbent) {
  uint64_t left = berthHostRemaining(berthHostState(incumbent->host));
  uint64_t steps = left / kPoolBoundShare + 1;
  Slice slice;
  if (incumbent->task->numPools == 1 ||
      !openSlice(&slice, incumbent, steps < kBoundSteps ? steps : kBoundSteps))
    return;
  berthRaisePoolBounds(incumbent, &slice.state.host, improve);
  closeSlice(&slice);
}

// Asks the stations about blocks of what fits together without a gap.
static void joinBlocks(BerthIncumbent *incumbent, uint64_t steps) {
  Slice slice;
  if (!openSlice(&slice, incumbent, steps))
    return;
  berthImproveByBlocks(incumbent, &slice.state.host, improve);
  closeSlice(&slice);
}

// Asks the stations about the task without windows and distances, which more of
// them know.
static void packApart(BerthIncumbent *incumbent, uint64_t steps) {
  Slice slice;
  if (!berthApartIsSimpler(incumbent->task) ||
      !openSlice(&slice, incumbent, steps))
    return;
  berthImproveApart(incumbent, &slice.state.host, improve);
  closeSlice(&slice);
}

//===---------------------------------------------------------------------===//
// Turns
//===---------------------------------------------------------------------===//
//
// Exact search and the beam are good at different tasks, order search where
// more than boxes is packed, and which one will be cannot be told beforehand.
// So they take turns, each going on where it stopped, each turn twice as long
// as the one before, and the one that bettered the plan last gets three times
// as much of it.

static bool canGrowBeam(const BerthTask *task) {
  return berthBeamCanHandle(task) && task->numItems <= kBeamUpTo;
}

static bool canTakeTurns(const BerthTask *task) {
  return berthSearchCanHandle(task) || canGrowBeam(task);
}

static void searchExactly(Turns *turns, uint64_t steps) {
  BerthIncumbent *incumbent = turns->incumbent;
  if (berthIncumbentDone(incumbent) || !berthSearchCanHandle(incumbent->task))
    return;
  if (!turns->portfolio)
    turns->portfolio = berthPortfolioCreate(incumbent, &turns->arena);
  if (turns->portfolio)
    berthPortfolioRun(turns->portfolio, steps);
  else
    incumbent->failed = true;
}

static uint32_t firstWidth(const BerthTask *task) {
  if (berthTaskIsLarge(task))
    return kLargeWidth;
  return task->numItems > kExactFirst ? kMiddleWidth : kFirstWidth;
}

static void growBeam(Turns *turns, uint64_t steps) {
  BerthIncumbent *incumbent = turns->incumbent;
  Slice slice;
  if (!berthTaskIsPlain(incumbent->task)) // hulls, and placed anew
    steps /= kBeamShare;
  if (!canGrowBeam(incumbent->task) || !openSlice(&slice, incumbent, steps))
    return;
  if (!turns->beam)
    turns->beam =
        berthBeamCreate(incumbent, firstWidth(incumbent->task), &turns->arena);
  if (turns->beam)
    berthBeamRun(turns->beam, &slice.state.host);
  else
    incumbent->failed = true;
  closeSlice(&slice);
}

// Whether there can be repairs of orders.
static bool haveRepair(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  if (!turns->repair && berthRepairCanHandle(incumbent->task) &&
      pairsOf(turns)) {
    turns->repair = berthRepairCreate(incumbent, turns->pairs, &turns->arena);
    incumbent->failed |= !turns->repair;
  }
  return turns->repair;
}

static void runOrders(Turns *turns, const BerthHost *host, unsigned rounds) {
  if (!turns->order)
    turns->order =
        berthOrderSearchCreate(turns->incumbent, pairsOf(turns), &turns->arena);
  if (turns->order)
    berthOrderSearchRun(turns->order, host, rounds);
  else
    turns->incumbent->failed = true;
}

// Exact search and the beam have little to say about what is more than boxes,
// such as the holes that alignments leave. Repairs come down further, but order
// search comes down faster at first, and of few or many items finds more.
static void tryOrders(Turns *turns, uint64_t steps) {
  BerthIncumbent *incumbent = turns->incumbent;
  const BerthTask *task = incumbent->task;
  uint64_t share = canTakeTurns(task) ? kOrderShare : 1;
  Slice slice;
  if (berthTaskIsPlain(task) || task->numPools > 1)
    return;
  bool repairs = haveRepair(turns),
       both = task->numItems <= kFewOrders || task->numItems > kManyOrders;
  steps = steps / (repairs && both ? 2 * share : share) + 1;
  bool first = !turns->order;
  if ((!repairs || both || first) && openSlice(&slice, incumbent, steps)) {
    runOrders(turns, &slice.state.host, repairs && !both ? kOrdersFirst : 0);
    closeSlice(&slice);
  }
  if (repairs && openSlice(&slice, incumbent, steps)) {
    berthRepairRun(turns->repair, &slice.state.host);
    closeSlice(&slice);
  }
}

static void tryApart(Turns *turns, uint64_t steps) {
  packApart(turns->incumbent, steps);
}

// Begins anew each time, so only as long as it is not known to be too long.
static void tryGaps(Turns *turns, uint64_t steps) {
  if (steps <= kGapSteps)
    searchGaps(turns->incumbent, steps / kGapShare);
}

static void endTurns(Turns *turns) {
  berthPortfolioDestroy(turns->portfolio);
  berthBeamDestroy(turns->beam);
  berthMemoryFree(&turns->arena);
}

/// The stations that take turns, and how much of a turn each gets.
enum { kOrders, kBeam, kExact, kApart, kGaps, kNumStations };

static void (*const kStations[kNumStations])(Turns *, uint64_t) = {
    tryOrders, growBeam, searchExactly, tryApart, tryGaps};

// Each once, of `steps` what its share is.
static void takeTurn(Turns *turns, uint64_t steps) {
  BerthIncumbent *incumbent = turns->incumbent;
  int64_t begin = incumbent->peak;
  bool better[kNumStations];
  for (unsigned s = 0; s < kNumStations; ++s) {
    int64_t before = incumbent->peak;
    if (s != kBeam || !turns->noBeam)
      kStations[s](turns, turns->shares[s] * steps);
    better[s] = incumbent->peak < before;
  }
  for (unsigned s = 0; incumbent->peak < begin && s < kNumStations; ++s)
    turns->shares[s] = better[s] ? kBetterShare : 1;
}

// As no one knows beforehand which station suits the task, turns are short at
// first.
static void takeShortTurns(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  bool plain = berthTaskIsPlain(incumbent->task);
  uint64_t items = incumbent->task->numItems, last = items * kTurnSteps;
  uint64_t steps = items * (plain ? kFirstPlainSteps : kFirstShortSteps);
  turns->noBeam = !plain;
  for (; steps < last; steps *= 2) {
    takeTurn(turns, steps);
    if (!plain)
      searchWindows(incumbent, 1, 0, steps);
    else if (2 * turns->skylines.made <= kSkylineRuns)
      runSkyline(turns, 2 * turns->skylines.made);
  }
  turns->noBeam = false;
}

static void takeTurns(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  const BerthHostState *host = berthHostState(incumbent->host);
  uint64_t steps = (uint64_t)incumbent->task->numItems * kTurnSteps;
  if (incumbent->task->numPools > 1)
    return;
  for (unsigned round = 0; !berthIncumbentDone(incumbent) && !host->stopped;
       ++round) {
    takeTurn(turns, steps);
    if (round == 0)
      raiseByWindows(incumbent);
    raiseByOrders(incumbent, round);
    searchWindows(incumbent, kWindowRounds, 0, steps);
    if (round == kSlowRound)
      berthRunOneShots(incumbent, true);
    steps *= steps < UINT64_MAX / 8 ? 2 : 1;
  }
  incumbent->stopped |= host->stopped;
}

// Moves many items between pools.
static void movePools(Turns *turns, uint64_t steps) {
  Slice slice;
  if (!openSlice(&slice, turns->incumbent, steps))
    return;
  berthImproveByPoolMoves(turns->incumbent, &slice.state.host, improve);
  closeSlice(&slice);
}

// Seeks orders, in which items take the cheapest pool with room.
static void orderPools(Turns *turns, uint64_t steps) {
  Slice slice;
  if (!openSlice(&slice, turns->incumbent, steps))
    return;
  runOrders(turns, &slice.state.host, 0);
  closeSlice(&slice);
}

// The two take turns, each turn twice as long, until the budget is spent; the
// one that bettered the plan last gets more of it.
static void takePoolTurns(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  const BerthHostState *host = berthHostState(incumbent->host);
  static void (*const kStations[])(Turns *, uint64_t) = {orderPools, movePools};
  uint64_t steps = (uint64_t)incumbent->task->numItems * kPoolTurnSteps;
  if (!berthPoolMovesCanHandle(incumbent->task))
    return;
  for (unsigned last = 2; !berthIncumbentDone(incumbent) && !host->stopped;) {
    for (unsigned s = 0; s < 2; ++s) {
      BerthScore before = incumbent->score;
      uint64_t share = s == 0 ? steps : steps / kPoolMoveShare;
      kStations[s](turns, last == s ? kBetterShare * steps : share);
      if (berthScoreIsBetter(incumbent->task, &incumbent->score, &before))
        last = s;
    }
    steps *= steps < UINT64_MAX / 8 ? 2 : 1;
  }
}

// Asks the stations about one pool after another.
static void choosePools(BerthIncumbent *incumbent) {
  Slice slice;
  if (!berthPoolsCanHandle(incumbent->task) ||
      !openSlice(&slice, incumbent, kPoolSteps))
    return;
  berthImproveByPools(incumbent, &slice.state.host, improve);
  closeSlice(&slice);
}

// Beyond kBerthAllOneShots: as long as there is something to win and steps are
// left, the same stations with other seeds, and each with twice as many steps
// as before.
static void startOver(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  const BerthHostState *host = berthHostState(incumbent->host);
  bool plain = berthTaskIsPlain(incumbent->task);
  unsigned starts = kStarts, round = 0;
  while (!berthIncumbentDone(incumbent) && !host->stopped && round < 32) {
    ++round;
    repairSkylines(incumbent, starts, 2 * starts,
                   (uint64_t)kRepairSteps << round);
    runSkyline(turns, 2 * turns->skylines.made);
    searchWindows(incumbent, kWindowRounds, (uint64_t)round << 32,
                  (uint64_t)kWindowSteps << round);
    growBeam(turns, (uint64_t)kLargeBeamSteps << round);
    if (!plain)
      searchOrder(incumbent, (uint64_t)kLargeOrderSteps << 2 * round, 0);
    starts *= 2;
  }
  incumbent->stopped |= host->stopped;
}

// Then luck is all that is missing, and another run of the skyline is the
// quickest way to draw again.
static bool isNearBound(const BerthIncumbent *incumbent) {
  return incumbent->peak - incumbent->lowerBound <=
         incumbent->lowerBound / kNearPart;
}

// Then one run of the skyline has told little.
static bool isFarFromBound(const BerthIncumbent *incumbent) {
  return incumbent->peak - incumbent->lowerBound >
         incumbent->lowerBound / kFarPart;
}

// What is quick, where there is much to gain or where the skyline knows hulls
// only.
static void tryQuickOnes(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  bool plain = berthTaskIsPlain(incumbent->task),
       far = isFarFromBound(incumbent);
  if (berthIncumbentDone(incumbent) || (plain && !far))
    return;
  if (plain)
    runSkyline(turns, kFewSkylineRuns);
  if (!berthIncumbentDone(incumbent))
    berthRunOneShot(incumbent, &berthPackerFirstFit);
  if (incumbent->task->features & BERTH_CAN_DISTANCES)
    searchOrder(incumbent, kLargeOrderSteps, 1);
}

static void improveLarge(BerthIncumbent *incumbent) {
  Turns turns = {.incumbent = incumbent, .shares = {1, 1, 1, 1, 1}};
  runSkyline(&turns, 1); // whatever the budget
  incumbent->stopped |= berthHostState(incumbent->host)->stopped;
  berthRaiseBounds(incumbent);
  tryQuickOnes(&turns);
  raiseByPools(incumbent);
  packApart(incumbent, kApartSteps);
  repairSkylines(incumbent, 0, kStarts, kRepairSteps);
  int64_t before = incumbent->peak;
  joinBlocks(incumbent, (uint64_t)incumbent->task->numItems * kFirstBlockSteps);
  if (incumbent->peak < before)
    joinBlocks(incumbent,
               (uint64_t)incumbent->task->numItems * kLongBlockSteps);
  searchWindows(incumbent, 1, 0,
                kFirstWindowSteps +
                    (uint64_t)incumbent->task->numItems * kFirstWindowItem);
  runSkyline(&turns, kFewSkylineRuns);
  searchWindows(incumbent, kWindowRounds, 0, kWindowSteps);
  raiseByWindows(incumbent);
  runSkyline(&turns, kSkylineRuns);
  if (isNearBound(incumbent))
    runSkyline(&turns, kManySkylineRuns);
  growBeam(&turns, kLargeBeamSteps);
  searchWindows(incumbent, kWindowRounds, 0, kWindowSteps);
  // Of boxes the skyline has made better plans, and a step takes long here.
  if (!berthTaskIsPlain(incumbent->task))
    searchOrder(incumbent, kLargeOrderSteps, 0);
  takePoolTurns(&turns);
  startOver(&turns);
  endTurns(&turns);
}

// What comes first, where exact search is quick: it gets longer turns at once.
static void searchFew(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  const BerthTask *task = incumbent->task;
  bool plain = berthTaskIsPlain(task);
  uint64_t steps = (uint64_t)task->numItems * kFirstSteps;
  if (!plain) {
    searchExactly(turns, kBriefSteps);
    searchGaps(incumbent, kBriefSteps);
    tryOrders(turns, steps / kFirstOrderShare);
  }
  joinBlocks(incumbent, (uint64_t)task->numItems * kFirstBlockSteps);
  searchExactly(turns, steps);
  if (plain)
    return;
  tryOrders(turns, steps);
  searchWindows(incumbent, kWindowRounds, 0, steps);
  searchGaps(incumbent, kFirstGapSteps);
  packApart(incumbent, (uint64_t)task->numItems * kFirstBlockSteps);
}

// Holes in lives do not hold it up, as alignments do.
static bool suitsExactSearch(const BerthTask *task) {
  return task->features & BERTH_CAN_SEGMENTS && berthSearchCanHandle(task) &&
         !berthTaskHasHoles(task);
}

// The same where one turn of it may take tenths of a second.
static void searchMany(Turns *turns) {
  BerthIncumbent *incumbent = turns->incumbent;
  uint64_t items = incumbent->task->numItems;
  if (!berthTaskIsPlain(incumbent->task)) {
    searchGaps(incumbent, kBriefSteps);
    if (suitsExactSearch(incumbent->task))
      searchExactly(turns, items * kFirstOrderSteps);
    tryOrders(turns, items * kFirstOrderSteps);
  }
  joinBlocks(incumbent, items * kFirstBlockSteps);
  takeShortTurns(turns);
}

// Where items are more than boxes, a run of the skyline takes longer, and only
// of windows it makes better plans than orders.
static unsigned countFirstRuns(const BerthTask *task) {
  if (task->numItems <= kFewItems || task->features & BERTH_CAN_GAPS)
    return kFirstSkylineRuns;
  bool few = task->numItems <= kExactFirst;
  return few || berthTaskIsPlain(task) ? kFewSkylineRuns : 1;
}

static void improveSmall(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  bool few = task->numItems <= kFewItems, plain = berthTaskIsPlain(task);
  bool many = task->numItems > kExactFirst;
  Turns turns = {.incumbent = incumbent, .shares = {1, 1, 1, 1, 1}};
  if (!few && !plain) // a run of the skyline takes longer
    berthRunOneShot(incumbent, &berthPackerFirstFit);
  runSkyline(&turns, countFirstRuns(task));
  if (few != plain && !berthIncumbentDone(incumbent))
    berthRunOneShot(incumbent, &berthPackerFirstFit);
  berthRaiseBounds(incumbent);
  raiseByPools(incumbent);
  if (many)
    searchMany(&turns);
  else
    searchFew(&turns);
  if (!few)
    runSkyline(&turns, kSkylineRuns);
  berthRunOneShots(incumbent, false);
  searchOrder(incumbent, kOrderSteps, kFewRounds);
  joinBlocks(incumbent, kBlockSteps);
  takeTurns(&turns);
  takePoolTurns(&turns);
  endTurns(&turns);
  berthRunOneShots(incumbent, true);
  choosePools(incumbent);
  searchOrder(incumbent, kOrderSteps, 0);
}

static void runStations(BerthIncumbent *incumbent) {
  if (berthTaskIsLarge(incumbent->task))
    improveLarge(incumbent);
  else
    improveSmall(incumbent);
}

// Where nothing fits the capacity but what is at the bound, what fits is what
// is best without a capacity. Plans above it are but steps on the way, and
// there the lower one is the better one, not the one with less above the
// capacity.
static void improveTight(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  BerthTask relaxed = *task;
  BerthPool pool = task->pools[0];
  relaxed.capacity = pool.capacity = 0;
  relaxed.pools = &pool;
  relaxed.features &= ~(uint32_t)BERTH_CAN_CAPACITY;
  incumbent->task = &relaxed;
  runStations(incumbent);
  incumbent->task = task;
  if (incumbent->complete)
    incumbent->score = berthScoreAnswer(task, incumbent->answer);
}

// The stations, for a task without prices.
static void improve(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  if (task->numPools == 1 && task->capacity == incumbent->lowerBound &&
      !incumbent->complete)
    improveTight(incumbent);
  else
    runStations(incumbent);
  berthImproveHints(incumbent);
}

// What neither exact search nor the beam can go on with has been given a fixed
// number of steps by each station. Those that are left go to the order search,
// which has no end.
static void spendRest(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  if (task->features & BERTH_CAN_PRICED_EDGES || berthTaskIsLarge(task) ||
      berthIncumbentDone(incumbent))
    return;
  searchOrder(incumbent, 0, 0);
  berthImproveHints(incumbent);
}

static BerthStatus packAuto(const BerthPacker *self, const BerthTask *task,
                            const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  if (task->features & BERTH_CAN_PRICED_EDGES)
    berthImproveByCuts(&incumbent, improve);
  else
    improve(&incumbent);
  spendRest(&incumbent);
  berthProvePools(&incumbent, improve);
  berthExplainInfeasible(&incumbent, improve);
  return berthIncumbentFinish(&incumbent);
}

const BerthPacker berthPackerAuto = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "auto",
    .summary = "the default: heuristics, order search and exact search until "
               "the lower bound is met (Berth)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES | BERTH_CAN_HINTS |
                    BERTH_CAN_PRICED_EDGES | BERTH_CAN_CAPACITY |
                    BERTH_CAN_PROVE | BERTH_CAN_INFEASIBLE,
    .defaultSteps = UINT64_C(3) << 28,
    .pack = packAuto};
