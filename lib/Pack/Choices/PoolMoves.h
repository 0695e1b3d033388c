//===- PoolMoves.h - Many items move between pools ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Beyond the items that Pools.h searches one by one: large neighbourhood search
// (Shaw 1998). An item that would cost less in another pool goes there; those
// that are live with it and that the pool can do without best, as the prices of
// its bytes say (PoolPrices.h), make room, others that save more than they take
// follow, and the pool is packed anew. What then ends above the capacity goes
// back. If all costs no more than before, it stays.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLMOVES_H
#define BERTH_LIB_PACK_CHOICES_POOLMOVES_H

#include "Pack/Incumbent/Incumbent.h"

/// Several pools, nothing to buy, and neither few items nor very many.
bool berthPoolMovesCanHandle(const BerthTask *task);

/// Betters the pool cost of the best plan, then, with what is left, its peak;
/// `solve` packs single pools. Where the cost meets the bound of the prices it
/// is proven.
void berthImproveByPoolMoves(BerthIncumbent *incumbent, const BerthHost *host,
                             BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_POOLMOVES_H
