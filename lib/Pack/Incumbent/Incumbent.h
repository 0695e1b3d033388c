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
#include "Support/BumpMemory.h"
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
  BerthBound bound;      ///< why, where it is above the task's
  uint32_t *boundItems;  ///< room for those of `bound`
  int64_t capacity;      ///< what does not fit it is of no use; 0: none
  int64_t goal;          ///< content with this peak: the bound, or the capacity
  int64_t leastPoolCost; ///< with several pools: all items in their cheapest
  bool settled;          ///< proven: pool cost and peak are the best there are
  bool infeasible;       ///< proven: nothing fits the capacity
  bool stopped;          ///< the host said stop
  bool failed;           ///< memory ran out
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

/// A larger lower bound is proven, and this is why. Where a log is wanted, only
/// berthIncumbentProve will do: it takes the tree and leaves another.
void berthIncumbentRaise(BerthIncumbent *incumbent, int64_t lowerBound,
                         const BerthBound *why);
void berthIncumbentProve(BerthIncumbent *incumbent, int64_t lowerBound,
                         const BerthBound *why, BerthProofLog *tree);

/// The height that is refuted, and the tree that does it.
int64_t berthIncumbentRefuted(const BerthIncumbent *incumbent);
void berthIncumbentWriteTree(const BerthIncumbent *incumbent,
                             BerthProofLog *book);

/// Copies what is proven into the answer and writes the log, if one is wanted.
/// BERTH_RESOURCE if that cannot be, or memory ran out on the way.
BerthStatus berthIncumbentFinish(BerthIncumbent *incumbent);

/// An answer to work on, with the same cuts bought, its memory in `arena`;
/// false when there is none.
bool berthIncumbentCandidate(const BerthIncumbent *incumbent,
                             BerthMemory *arena, BerthAnswer *candidate);

#endif // BERTH_LIB_PACK_INCUMBENT_INCUMBENT_H
