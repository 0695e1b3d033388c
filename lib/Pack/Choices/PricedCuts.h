//===- PricedCuts.h - Which cuts to buy ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// With a set of cuts bought, a problem with prices becomes one without: edges
// that the set frees fall away, the others are hard. What remains is to choose
// the set. Without a capacity the smallest peak comes first, and buying all
// cuts reaches it; then the cheapest set with that peak is wanted. With one,
// the cheapest set with which everything fits is wanted first. In both cases
// the question about a set is "does it fit below this height?".
//
// Few cuts: all sets in the order of their price, which proves the price. Many:
// start with all of them and give back one after the other, dear ones first.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H
#define BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H

#include "Pack/Incumbent/Incumbent.h"

/// Where an edge and pins say no.
typedef struct BerthClash {
  const BerthEdge *edge; ///< that cannot hold: its two ends are one item, or
                         ///< are pinned on top of each other in the only pool
                         ///< that either may live in; or NULL
  bool atOdds;           ///< pins are so only in the pools settled for them
} BerthClash;

/// The task with these cuts bought: the edges that they do not free are hard.
/// False when memory ran out, or where `clash` says that one cannot hold.
bool berthHardenEdges(const BerthTask *task, const uint8_t *bought,
                      BerthMemory *arena, BerthTask *rest, BerthClash *clash);

/// Chooses the cuts and solves what remains, which has no priced edges, with
/// `solve`.
void berthImproveByCuts(BerthIncumbent *incumbent, BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H
