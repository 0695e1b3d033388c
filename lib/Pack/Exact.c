//===- Exact.c - Searching at several capacities -------------------------===//
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
// (where it is enough to fit, the capacity itself is the second). A plan lowers
// the best peak, a refutation raises the lower bound by the least excess of any
// failed branch (as iterative deepening does); both move the targets. Where
// they meet, that is the optimum.
//
//===---------------------------------------------------------------------===//

#include "Pack/Gaps.h"
#include "Pack/Improve.h"
#include "Pack/Proof.h"
#include "Pack/Registry.h"
#include "Pack/Search.h"

enum { kFirstFailureLimit = 200, kNumTargets = 3 };

/// A configuration of the portfolio.
typedef struct Entry {
  BerthSearchConfig config;
  bool noisy; ///< ranks vary from round to round
} Entry;

// The order matters: what solves most is first.
static const Entry kEntries[] = {
    {{BERTH_SECTION_TIGHT, BERTH_RANK_SPAN, true}, false},
    {{BERTH_SECTION_TIGHT, BERTH_RANK_SPAN, false}, false},
    {{BERTH_SECTION_TIGHT, BERTH_RANK_SCARCE, true}, true},
    {{BERTH_SECTION_TIGHT, BERTH_RANK_FAILED, false}, true},
    {{BERTH_SECTION_TIGHT, BERTH_RANK_HEIGHT, true}, true},
};
enum { kNumEntries = sizeof kEntries / sizeof *kEntries };

typedef struct Portfolio {
  BerthIncumbent *incumbent;
  BerthSearch *search;
  double *weights[kNumEntries]; ///< each learns for itself
  int64_t *offsets;
  uint64_t failureLimit;
  uint64_t runs;
  BerthProofLog log;   ///< of the run in progress, if a proof is wanted
  BerthProofLog proof; ///< of the best bound so far
} Portfolio;

// Peaks of interest lie below this.
static int64_t ceiling(const BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  if (task->capacity && task->capacity < incumbent->peak)
    return task->capacity;
  return incumbent->peak - 1;
}

// The targets, most promising ratio of gain to effort first. False: this one is
// not asked about this time.
static bool targetOf(const BerthIncumbent *incumbent, unsigned index,
                     bool inDepth, int64_t *target) {
  int64_t low = incumbent->lowerBound, room = ceiling(incumbent) - low;
  bool fitting = incumbent->task->capacity && !incumbent->task->minimize;
  const int64_t targets[kNumTargets] = {
      low, fitting ? low + room : low + room - room / 4, low + room / 2};
  *target = targets[index];
  return index == 0 || (room > 0 && (index == 1 || inDepth));
}

// The log of a refutation that raises the bound takes the place of the last.
static void keepProof(Portfolio *portfolio) {
  if (berthSearchBound(portfolio->search) <= portfolio->incumbent->lowerBound)
    return;
  BerthProofLog swap = portfolio->proof;
  portfolio->proof = portfolio->log;
  portfolio->log = swap;
}

// Writes the proof of the lower bound, if it rests on one. A bound that no
// height meets is written as one above the capacity.
static void writeProof(Portfolio *portfolio) {
  BerthIncumbent *incumbent = portfolio->incumbent;
  const BerthTask *task = incumbent->task;
  int64_t refuted = incumbent->lowerBound - 1;
  if (task->capacity && refuted > task->capacity)
    refuted = task->capacity;
  if (portfolio->proof.count &&
      !berthProofWrite(&portfolio->proof, task->proofFile, refuted))
    incumbent->proofFailed = true;
  berthProofFree(&portfolio->log);
  berthProofFree(&portfolio->proof);
}

// Runs one entry at one capacity. Did the incumbent change?
static bool runEntry(Portfolio *portfolio, const Entry *entry,
                     int64_t capacity) {
  BerthIncumbent *incumbent = portfolio->incumbent;
  BerthSearch *search = portfolio->search;
  uint64_t seed = entry->noisy ? ++portfolio->runs + incumbent->task->seed : 0;
  search->weights = portfolio->weights[entry - kEntries];
  portfolio->log.count = 0;
  switch (berthSearchRun(search, capacity, entry->config, seed,
                         portfolio->failureLimit)) {
  case BERTH_SEARCH_FOUND:
    berthSearchOffsets(search, portfolio->offsets);
    return berthIncumbentOfferOffsets(incumbent, portfolio->offsets);
  case BERTH_SEARCH_REFUTED:
    keepProof(portfolio);
    berthIncumbentRaise(incumbent, berthSearchBound(search));
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

// Once through the entries at each target; an entry that changes the incumbent
// goes on, as the targets have moved. The middle is tried by one entry a round.
static void runRound(Portfolio *portfolio, unsigned round) {
  const BerthIncumbent *incumbent = portfolio->incumbent;
  for (unsigned e = 0; e < kNumEntries; ++e)
    for (unsigned t = 0; t < kNumTargets; ++t) {
      int64_t target;
      while (!berthIncumbentDone(incumbent) &&
             targetOf(incumbent, t, e == round % kNumEntries, &target) &&
             runEntry(portfolio, &kEntries[e], target))
        ;
    }
}

static bool createWeights(Portfolio *portfolio, BerthArena *arena) {
  for (unsigned e = 0; e < kNumEntries; ++e) {
    portfolio->weights[e] =
        BERTH_ARENA_NEW(arena, double, portfolio->search->numSections);
    portfolio->search->weights = portfolio->weights[e];
    if (arena->failed)
      return false;
    berthSearchForget(portfolio->search);
  }
  return true;
}

void berthImproveBySearch(BerthIncumbent *incumbent, BerthArena *arena,
                          unsigned from, unsigned rounds) {
  Portfolio portfolio = {.incumbent = incumbent,
                         .failureLimit = kFirstFailureLimit +
                                         incumbent->task->numItems / 16};
  portfolio.search = berthSearchCreate(incumbent->task, incumbent->host, arena);
  portfolio.offsets =
      BERTH_ARENA_NEW(arena, int64_t, incumbent->task->numItems);
  if (!portfolio.search || !portfolio.offsets ||
      !createWeights(&portfolio, arena)) {
    incumbent->failed = true;
    return;
  }
  if (incumbent->task->proofFile)
    portfolio.search->proof = &portfolio.log;
  for (unsigned r = 0;
       (!rounds || r < from + rounds) && !berthIncumbentDone(incumbent); ++r) {
    if (r >= from)
      runRound(&portfolio, r);
    portfolio.failureLimit += portfolio.failureLimit / 2;
  }
  if (incumbent->task->proofFile)
    writeProof(&portfolio);
}

//===---------------------------------------------------------------------===//
// The packer
//===---------------------------------------------------------------------===//

static BerthStatus packExact(const BerthPacker *self, const BerthTask *task,
                             const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthStatus status =
      berthPackerFirstFit.pack(&berthPackerFirstFit, task, host, answer);
  if (status)
    return status;
  BerthArena arena = {0};
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  berthIncumbentOffer(&incumbent, answer);
  if (!berthIncumbentDone(&incumbent)) {
    if (berthSearchCanHandle(task))
      berthImproveBySearch(&incumbent, &arena, 0, 0);
    else if (berthGapsCanHandle(task))
      berthImproveByGaps(&incumbent, &arena, 0);
  }
  berthExplainInfeasible(&incumbent);
  berthIncumbentFinish(&incumbent);
  berthArenaFree(&arena);
  return incumbent.failed || incumbent.proofFailed ? BERTH_RESOURCE
                                                   : BERTH_SUCCESS;
}

const BerthPacker berthPackerExact = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "exact",
    .summary = "branch and bound over plateaus: place or skip the locally "
               "lowest buffer (Berth)",
    .capabilities = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
                    BERTH_CAN_FIXED | BERTH_CAN_HARD_EDGES |
                    BERTH_CAN_RESERVED | BERTH_CAN_CAPACITY | BERTH_CAN_PROVE |
                    BERTH_CAN_INFEASIBLE,
    .defaultSteps = UINT64_C(1) << 30,
    .pack = packExact};
