//===- LocalSearch.h - Search over orders -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_LOCALSEARCH_H
#define BERTH_LIB_PACK_IMPROVE_LOCALSEARCH_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/PairTable.h"

/// A search that can go on later. Everything lives in `arena`; NULL when memory
/// ran out. `pairs` may be NULL, which takes longer.
typedef struct BerthOrderSearch BerthOrderSearch;
BerthOrderSearch *berthOrderSearchCreate(BerthIncumbent *incumbent,
                                         const BerthPairTable *pairs,
                                         BerthMemory *arena);

/// Goes on until done, until `host` says stop, or until `rounds` are over (0:
/// never). A round that is cut short is lost.
void berthOrderSearchRun(BerthOrderSearch *search, const BerthHost *host,
                         unsigned rounds);

/// Places the items in one order after another, moving those that end high to
/// the front (squeaky wheel), until done, stopped, or `rounds` are over (0:
/// never). Handles every feature but prices.
void berthImproveByOrder(BerthIncumbent *incumbent, const BerthHost *host,
                         unsigned rounds);

#endif // BERTH_LIB_PACK_IMPROVE_LOCALSEARCH_H
