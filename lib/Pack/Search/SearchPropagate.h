//===- SearchPropagate.h - Consequences of a decision -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCHPROPAGATE_H
#define BERTH_LIB_PACK_SEARCH_SEARCHPROPAGATE_H

#include "Pack/Search/SearchState.h"

/// Brings all stacks up to date after a reset.
void berthSearchSettle(BerthSearch *search);

/// Each makes a decision and draws its consequences. On failure `nogood` says
/// why, in terms of the state before berthSearchBlame was called.
bool berthSearchPlace(BerthSearch *search, uint32_t item);
bool berthSearchSkip(BerthSearch *search, uint32_t item);

/// Traces `nogood` back through the changes since `mark`, all due to a decision
/// about `item`. Afterwards it contains `item` if that decision took part.
void berthSearchBlame(BerthSearch *search, BerthSearchMark mark, uint32_t item);

#endif // BERTH_LIB_PACK_SEARCH_SEARCHPROPAGATE_H
