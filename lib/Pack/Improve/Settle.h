//===- Settle.h - Letting a plan sink ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Plans of what is simpler than the task (hulls, blocks, the task without its
// windows) are an order for the task itself: from the lowest item up, each goes
// to the lowest offset that is free for it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_SETTLE_H
#define BERTH_LIB_PACK_IMPROVE_SETTLE_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/PairTable.h"

/// Places the items of `candidate` anew in the order of its offsets, which need
/// be no plan, and offers what comes out. Stops as soon as that cannot be
/// better than the plan there is. `pairs`: the task's, which makes it faster
/// from a few times on, or NULL.
void berthOfferSettled(BerthIncumbent *incumbent, const BerthHost *host,
                       const BerthPairTable *pairs, BerthAnswer *candidate);

#endif // BERTH_LIB_PACK_IMPROVE_SETTLE_H
