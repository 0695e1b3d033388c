//===- SearchBranch.h - What to decide next ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCHBRANCH_H
#define BERTH_LIB_PACK_SEARCH_SEARCHBRANCH_H

#include "Pack/Search/SearchState.h"

/// Looks for a plan of all unplaced items; on failure the state is undone.
BerthSearchResult berthSearchSolve(BerthSearch *search, uint32_t lower,
                                   uint32_t upper);

#endif // BERTH_LIB_PACK_SEARCH_SEARCHBRANCH_H
