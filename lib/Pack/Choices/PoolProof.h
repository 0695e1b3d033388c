//===- PoolProof.h - Why no choice of pools is better -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The search for pools knows what it has to beat only as it goes. Once it is
// over, what is to be refuted is known from the start, so the log is the work
// of a second search, which goes through all choices of pools, set of cuts by
// set of cuts, and ends a branch where it is too dear or the pools too high.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLPROOF_H
#define BERTH_LIB_PACK_CHOICES_POOLPROOF_H

#include "Pack/Incumbent/Incumbent.h"

/// Where a log is wanted of a task with several pools: fills the incumbent's
/// book with why there is nothing better, or no plan at all. What it finds no
/// way to refute is not claimed any longer.
void berthProvePools(BerthIncumbent *incumbent, BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_POOLPROOF_H
