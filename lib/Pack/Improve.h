//===- Improve.h - The best plan so far and what may better it ----- C ---===//
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

#ifndef BERTH_PACK_IMPROVE_H
#define BERTH_PACK_IMPROVE_H

#include "Support/Arena.h"
#include "berth-c/Packer.h"

typedef struct BerthIncumbent {
  const BerthTask *task;
  const BerthHost *host;
  BerthAnswer *answer; ///< complete once `peak` is below INT64_MAX
  int64_t peak;
  int64_t lowerBound; ///< no plan has a smaller peak
  int64_t goal;       ///< content with this peak: the bound, or the capacity
  bool infeasible;    ///< proven: nothing fits the capacity
  bool stopped;       ///< the host said stop
  bool failed;        ///< memory ran out
} BerthIncumbent;

void berthIncumbentInit(BerthIncumbent *incumbent, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer);

/// Nothing more to do?
bool berthIncumbentDone(const BerthIncumbent *incumbent);

/// Takes over these offsets (of one pool) if their peak is smaller. Reports it.
bool berthIncumbentOffer(BerthIncumbent *incumbent, const int64_t *offsets);

/// A larger lower bound is proven.
void berthIncumbentRaise(BerthIncumbent *incumbent, int64_t lowerBound);

/// Copies what is proven into the answer.
void berthIncumbentFinish(BerthIncumbent *incumbent);

/// Searches at several capacities with several configurations in turn, with
/// growing node limits, until done, stopped, or `rounds` are over (0: never).
/// The task is one that berthSearchCanHandle.
void berthImproveBySearch(BerthIncumbent *incumbent, BerthArena *arena,
                          unsigned rounds);

#endif // BERTH_PACK_IMPROVE_H
