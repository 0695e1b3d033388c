//===- Incumbent.h - The best plan so far and what may better it ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The stations of `auto` and `exact` hand one incumbent from hand to hand: the
// best plan found, the best bound proven, and when to be content. A station
// only ever makes the incumbent better.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_INCUMBENT_H
#define BERTH_LIB_PACK_INCUMBENT_INCUMBENT_H

#include "Pack/Incumbent/ProofLog.h"
#include "Support/Arena.h"
#include "berth-c/Packer.h"

/// The figures that plans are compared by, most important first. Without a
/// capacity the peak goes before the price, with one it is the other way round.
typedef struct BerthScore {
  int64_t excess; ///< bytes above the capacities, over all items
  int64_t poolCost;
  int64_t peak; ///< summed over the pools
  int64_t price;
  int64_t hintDistance;
} BerthScore;

BerthScore berthScoreAnswer(const BerthTask *task, const BerthAnswer *answer);
bool berthScoreIsBetter(const BerthTask *task, const BerthScore *a,
                        const BerthScore *b);

typedef struct BerthIncumbent {
  const BerthTask *task;
  const BerthHost *host;
  BerthAnswer *answer;
  bool complete; ///< `answer` holds a plan, however high
  BerthScore score;
  int64_t peak;          ///< of `score`
  int64_t lowerBound;    ///< no plan has a smaller peak
  int64_t goal;          ///< content with this peak: the bound, or the capacity
  int64_t leastPoolCost; ///< with several pools: all items in their cheapest
  bool settled;          ///< proven: pool cost and peak are the best there are
  bool infeasible;       ///< proven: nothing fits the capacity
  bool stopped;          ///< the host said stop
  bool failed;           ///< memory ran out
  bool proofFailed;      ///< the proof log could not be written
  BerthProofLog proof;   ///< of the lower bound, where a log is wanted; empty:
                         ///< the bound is the task's
  BerthProofLog book;    ///< all that is proven, where that is more
} BerthIncumbent;

/// Improves an incumbent; a station that asks about many tasks is given one.
typedef void (*BerthSolve)(BerthIncumbent *incumbent);

void berthIncumbentInit(BerthIncumbent *incumbent, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer);

/// Nothing more to do about the peak?
bool berthIncumbentDone(const BerthIncumbent *incumbent);

/// Takes over a complete answer if it is better. Reports it.
bool berthIncumbentOffer(BerthIncumbent *incumbent, const BerthAnswer *answer);

/// The same for offsets in the one pool there is.
bool berthIncumbentOfferOffsets(BerthIncumbent *incumbent,
                                const int64_t *offsets);

/// A larger lower bound is proven. Where a log is wanted, only
/// berthIncumbentProve will do: it takes the tree and leaves another.
void berthIncumbentRaise(BerthIncumbent *incumbent, int64_t lowerBound);
void berthIncumbentProve(BerthIncumbent *incumbent, int64_t lowerBound,
                         BerthProofLog *tree);

/// The height that is refuted, and the tree that does it.
int64_t berthIncumbentRefuted(const BerthIncumbent *incumbent);
void berthIncumbentWriteTree(const BerthIncumbent *incumbent,
                             BerthProofLog *book);

/// Writes the log, if one is wanted: no plan is below the lower bound, or
/// whatever the book says.
void berthIncumbentWriteProof(BerthIncumbent *incumbent);

/// Copies what is proven into the answer.
void berthIncumbentFinish(BerthIncumbent *incumbent);

/// An answer to work on, with the same cuts bought, its memory in `arena`;
/// false when there is none.
bool berthIncumbentCandidate(const BerthIncumbent *incumbent, BerthArena *arena,
                             BerthAnswer *candidate);

/// Runs the skyline in several variations, those from `from` up to, not
/// including, `to`, until done or stopped; the first run always gives a plan.
/// Handles every feature but prices.
void berthImproveBySkyline(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned from, unsigned to);

/// Is every plan of the hulls a plan of the task?
bool berthTaskIsPlain(const BerthTask *task);

/// Places the items of `candidate` anew, in the order of its offsets, each at
/// the lowest offset that is free for it. False when memory ran out.
bool berthReplaceInOrder(const BerthTask *task, const BerthHost *host,
                         BerthAnswer *candidate);

/// Grows many plans side by side, `width` of them in the first round and twice
/// as many in each further one. Created once and run as often as one likes,
/// each time until done or the host of that run says stop; the next run goes on
/// from there. The task is one that berthBeamCanHandle: of one pool, its items
/// without pins, windows and edges. NULL when memory ran out.
typedef struct BerthBeam BerthBeam;
bool berthBeamCanHandle(const BerthTask *task);
BerthBeam *berthBeamCreate(BerthIncumbent *incumbent, uint32_t width,
                           BerthArena *arena);
void berthBeamRun(BerthBeam *beam, const BerthHost *host);
void berthBeamDestroy(BerthBeam *beam);

/// Places the items in one order after another, moving those that end high to
/// the front (squeaky wheel), until done, stopped, or `rounds` are over (0:
/// never). Handles every feature but prices.
void berthImproveByOrder(BerthIncumbent *incumbent, const BerthHost *host,
                         unsigned rounds);

/// Packs one window of time after another anew by exact search, round what
/// reaches out of it, to bring what ends highest below the goal; `rounds` of
/// growing effort. There is a plan already and the task is one that
/// berthWindowsCanHandle. `cores`: the fullest moments may be packed as if
/// nothing else was there, and what cannot be repaired is left for later; the
/// task is plain.
bool berthWindowsCanHandle(const BerthTask *task);
void berthImproveByWindows(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned rounds, bool cores);

/// Repairs one plan of the skyline after another in the same way, one round
/// each; of very large tasks first the best plan so far. There is a plan
/// already and the task is plain.
void berthImproveByRepairs(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned starts);

/// Moves items towards their hints without raising the peak.
void berthImproveHints(BerthIncumbent *incumbent);

/// Searches at several capacities with several configurations in turn, with
/// growing limits. Created once and run as often as one likes, each time until
/// done, stopped, or `steps` are spent, give or take a turn (0: no limit); the
/// next run goes on from there. The task is one that berthSearchCanHandle. NULL
/// when memory ran out.
typedef struct BerthPortfolio BerthPortfolio;
BerthPortfolio *berthPortfolioCreate(BerthIncumbent *incumbent,
                                     BerthArena *arena);
void berthPortfolioRun(BerthPortfolio *portfolio, uint64_t steps);
void berthPortfolioDestroy(BerthPortfolio *portfolio);

/// The same at one go, for so many `rounds` of turns (0: no limit).
void berthImproveBySearch(BerthIncumbent *incumbent, unsigned rounds);

#endif // BERTH_LIB_PACK_INCUMBENT_INCUMBENT_H
