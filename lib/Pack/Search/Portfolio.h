//===- Portfolio.h - Searches in turn ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_PORTFOLIO_H
#define BERTH_LIB_PACK_SEARCH_PORTFOLIO_H

#include "Pack/Incumbent/Incumbent.h"

/// Searches at several capacities with several configurations in turn, with
/// growing limits. Created once and run as often as one likes, each time until
/// done, stopped, or `steps` are spent, give or take a turn (0: no limit); the
/// next run goes on from there. The task is one that berthSearchCanHandle. NULL
/// when memory ran out.
typedef struct BerthPortfolio BerthPortfolio;
BerthPortfolio *berthPortfolioCreate(BerthIncumbent *incumbent,
                                     BerthMemory *arena);
void berthPortfolioRun(BerthPortfolio *portfolio, uint64_t steps);
void berthPortfolioDestroy(BerthPortfolio *portfolio);

/// The same at one go, for so many `rounds` of turns (0: no limit).
void berthImproveBySearch(BerthIncumbent *incumbent, unsigned rounds);

#endif // BERTH_LIB_PACK_SEARCH_PORTFOLIO_H
