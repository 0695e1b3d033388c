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
// Up to 63 cuts: the cheapest set that nothing speaks against, until one fits,
// which proves the price (CutSets.h); a set that is refuted speaks against all
// of its parts. Where there is no answer, and beyond: from all of them one
// after the other is given back, dear ones first.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H
#define BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H

#include "Pack/Incumbent/Incumbent.h"

/// Chooses the cuts and solves what remains, which has no priced edges, with
/// `solve`.
void berthImproveByCuts(BerthIncumbent *incumbent, BerthSolve solve);

#endif // BERTH_LIB_PACK_CHOICES_PRICEDCUTS_H
