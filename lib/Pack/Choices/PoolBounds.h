//===- PoolBounds.h - What no plan in several pools is below -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The pools of a plan put on top of one another are a plan for one pool, as
// high as they are together, but for alignments, pins, reserved bytes and
// capacities. So what no plan without those is below holds for all pools
// together. And what may live in one pool only needs there what it needs by
// itself, now with all of that; what several pools need so adds up.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLBOUNDS_H
#define BERTH_LIB_PACK_CHOICES_POOLBOUNDS_H

#include "Pack/Incumbent/Incumbent.h"

/// Raises the lower bound of a task with several pools by what `solve` proves
/// about one pool. Not where a log is wanted, which has no line for it.
void berthRaisePoolBounds(BerthIncumbent *incumbent, const BerthHost *host,
                          BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_POOLBOUNDS_H
