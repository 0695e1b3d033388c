//===- Repair.h - Orders, repaired where they fail ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Order search, as in LocalSearch.h, places everything to learn that an order
// is bad. Here the first item that would not end below the best plan stops it:
// it goes in front of one of those that hold it up, and placing goes on from
// there. So a repair takes what lies between the two places.
//
//     order   a b c d e f g      f does not fit, d holds it up
//             a b c f d e g      placing goes on with f
//
// The item that is gone in front of is the nearer one of two that are drawn. A
// walk of many repairs begins at the order of the best plan, shaken; where
// everything fits, it has found a better one, and goes on below that.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_REPAIR_H
#define BERTH_LIB_PACK_IMPROVE_REPAIR_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/PairTable.h"

/// A search that can go on later. Everything lives in `arena`.
typedef struct BerthRepair BerthRepair;

/// One pool, and no prices.
bool berthRepairCanHandle(const BerthTask *task);

/// NULL where there are too many pairs, or memory ran out, which `arena` knows.
BerthRepair *berthRepairCreate(BerthIncumbent *incumbent,
                               const BerthPairTable *pairs, BerthMemory *arena);

/// Goes on until done, or until `host` says stop. There must be a plan.
void berthRepairRun(BerthRepair *repair, const BerthHost *host);

#endif // BERTH_LIB_PACK_IMPROVE_REPAIR_H
