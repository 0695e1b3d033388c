//===- FitSweep.h - Many half-made fits side by side ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Goes through time with a set of *states*: which chains the fast memory holds,
// and which of them are dirty. Where a step is over, each state becomes two, in
// which its buffer stays or leaves, and a third where it is dirty and can be
// made again; where a use finds its buffer out, two, in which it is brought in
// (or made again, if that costs less) or served from outside. States that hold
// more than the capacity go, and so do all but the cheapest of equal ones.
//
// What a state's best end costs at least is known all the way: the bound of the
// prices, plus what each choice paid more than the cheapest one, plus the rent
// of the bytes that were left free. States that cannot become cheaper than the
// best plan known go too. If no more than `width` are left at any time, all
// plans have been looked at; else the most promising `width` go on. (Dynamic
// programming with bounds: Morin and Marsten, "Branch-and-bound strategies for
// dynamic programming", 1976.)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITSWEEP_H
#define BERTH_LIB_PACK_FIT_FITSWEEP_H

#include "Pack/Fit/FitPrices.h"

typedef struct BerthFitSweep {
  uint32_t width; ///< most states that go on
  /// Plans that cost so much or more are of no interest.
  int64_t known;
  uint64_t steps; ///< budget; what is left of it afterwards
  /// NULL, or a plan to better: what is decided at the sections before `from`
  /// or from `to` on stays as it is there. `complete` then speaks of such plans
  /// only.
  const uint8_t *fixed;
  uint32_t from;
  uint32_t to;
  bool found;    ///< `choices` is cheaper than `known`
  bool complete; ///< there is nothing cheaper than what was found, or known
} BerthFitSweep;

/// False when memory ran out. The prices must be for the task's capacities as
/// they are now.
bool berthFitSweepRun(BerthFitSweep *sweep, const BerthFitTask *task,
                      const BerthFitPrices *prices, uint8_t *choices);

#endif // BERTH_LIB_PACK_FIT_FITSWEEP_H
