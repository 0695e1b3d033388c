//===- RaceNames.h - Which merges hold what an access was to -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A merge (Merges.h) on which all threads agree is one buffer at a time, and so
// an access through it is none to the others that it may be. With each row of
// what is pending (Pending.h), accesses of one root, the merges are kept that
// surely are that root's buffer on all ways here:
//
//     load %r as %a            {%r}    not %b as long as %r stays %r
//     store %a                 {}
//     hand: %s is %a           {%s}    all threads agree on what %s becomes
//     hand: %s is %r           {%s} if %r was in it, else {}
//
// An access through a merge of the set, of another buffer than the row's, does
// not happen. Of a row where nothing is pending the set is all merges.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H
#define BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H

#include "IR/Verify/Threads/Pending.h"

typedef struct BerthRaceNames {
  const BerthViews *views;
  const BerthStretches *code;
  uint32_t *numberOf; ///< by root: of its merge; BERTH_NO_ROOT: it is of none
  size_t numMerges;
  size_t words; ///< of a set
  size_t rows;
} BerthRaceNames;

BerthRaceNames berthRaceNamesOf(const BerthViews *views,
                                const BerthStretches *code,
                                BerthPendingForm form);
void berthRaceNamesFree(BerthRaceNames *names);

/// The words of all rows' sets, one behind the other.
size_t berthRaceNamesWords(const BerthRaceNames *names);

/// Every merge is in each of the sets of `words` words.
void berthRaceNamesClear(uint64_t *sets, size_t words);

/// What is known on both ways; true if that is less than on one.
bool berthRaceNamesJoin(const BerthRaceNames *names, uint64_t *into,
                        const uint64_t *from);

/// An access of the root in the row, where `wasPending` tells of others.
void berthRaceNamesAccess(const BerthRaceNames *names, uint64_t *sets,
                          size_t row, uint32_t root, bool wasPending);

/// What is pending in `from` is in `to` now.
void berthRaceNamesMove(const BerthRaceNames *names, uint64_t *sets,
                        size_t from, size_t to);

/// Nothing is pending in the row any more.
void berthRaceNamesForget(const BerthRaceNames *names, uint64_t *sets,
                          size_t row);

/// Merges become what others are: in the row, whose accesses are of the root.
void berthRaceNamesHand(const BerthRaceNames *names, uint64_t *sets, size_t row,
                        uint32_t root, const BerthThreadEvent *event);

/// True if the root is of a merge that is another buffer, the row's.
bool berthRaceNamesExclude(const BerthRaceNames *names, const uint64_t *sets,
                           size_t row, uint32_t root);

/// True if both roots are of one merge.
bool berthRaceNamesAreOne(const BerthRaceNames *names, uint32_t a, uint32_t b);

/// The buffer's own root.
uint32_t berthRaceNamesBuffer(const BerthViews *views, uint32_t root);

#endif // BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H
