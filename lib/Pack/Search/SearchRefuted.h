//===- SearchRefuted.h - What an exact search need not try again --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The same items placed in other orders, or other items in their place, often
// leave the same behind: the same items unplaced, with the same minimums, those
// that were skipped being the same. Whether they fit depends on nothing else,
// so what has been refuted once is refuted wherever it is met again (a nogood
// shared by all branches). Items that differ in nothing may change places.
//
// It is remembered as it is, not as a hash alone, in a ring of memory whose
// oldest entries make room for new ones, and with the height below which it is
// refuted. So runs at other heights, and those that begin anew with another
// order, go on where the ones before them have failed.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCHREFUTED_H
#define BERTH_LIB_PACK_SEARCH_SEARCHREFUTED_H

#include "Pack/Search/SearchState.h"

/// Finds out which items differ in nothing. False when memory ran out.
bool berthSearchFindTwins(BerthSearch *search);

/// Has the state of the sections [lower, upper), which no unplaced item leaves,
/// been refuted? Then `nogood` says what it rests on.
bool berthSearchIsRefuted(BerthSearch *search, uint32_t lower, uint32_t upper);

/// The same state has been refuted just now, at the search's height and by
/// `excess` more. Nothing is remembered before a run has turned out to
/// take long (`rememberFrom`).
void berthSearchNoteRefuted(BerthSearch *search, uint32_t lower, uint32_t upper,
                            int64_t excess);

#endif // BERTH_LIB_PACK_SEARCH_SEARCHREFUTED_H
