//===- Pools.h - Which pool each item goes to ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// With every item in its pool, what remains are problems of one pool each. So
// the choice of pools is searched: item by item, the cheapest pool first,
//
//     cost so far + every other item at its cheapest   -> bounds the cost
//     for each pool, what must go there, by itself      -> bounds the peaks,
//     and
//                                                          says whether it fits
//
// and a branch ends where neither the cost nor, at the same cost, the sum of
// the peaks can be better than what is known. What a set of items needs in a
// pool is PoolFits.h's business.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLS_H
#define BERTH_LIB_PACK_CHOICES_POOLS_H

#include "Pack/Incumbent/Incumbent.h"

/// Is this a problem for this search? Several pools, nothing to buy, small.
bool berthPoolsCanHandle(const BerthTask *task);

/// Searches for the best choice of pools, asking `solve` about single ones. If
/// it comes to its end, pool cost and peak are proven, or that nothing fits.
void berthImproveByPools(BerthIncumbent *incumbent, const BerthHost *host,
                         BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_POOLS_H
