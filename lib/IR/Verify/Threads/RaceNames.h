//===- RaceNames.h - What merges may be since an access ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A merge (Merges.h) on which all threads agree is one buffer at a time, and so
// an access through it is none to the others that it may be. With each row of
// what is pending (Pending.h), accesses of one root, a set is kept of what
// merges may be since then, on some way here:
//
//     load %r as %a            %r: %a            any other merge: whatever it
//     may hand: %r is %b           %r: %b hand: %s is %r           %s: what %r
//     was in the set
//
// What a merge may not be is not accessed through it. Where ways meet, the sets
// are united; of a row where nothing is pending the set is empty.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H
#define BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H

#include "IR/Verify/Threads/Pending.h"

typedef struct BerthRaceNames {
  const BerthViews *views;
  const BerthStretches *code;
  size_t words; ///< of a set: a bit for each root of a merge
  size_t rows;
} BerthRaceNames;

BerthRaceNames berthRaceNamesOf(const BerthViews *views,
                                const BerthStretches *code,
                                BerthPendingForm form);
/// The words of all rows' sets, one behind the other.
size_t berthRaceNamesWords(const BerthRaceNames *names);

/// What may be on either way; true if that is more than on one.
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

/// Merges become what others are.
void berthRaceNamesHand(const BerthRaceNames *names, uint64_t *sets, size_t row,
                        const BerthThreadEvent *event);

/// True if the root is of a merge that is not that buffer.
bool berthRaceNamesExclude(const BerthRaceNames *names, const uint64_t *sets,
                           size_t row, uint32_t root);

/// True if both roots are of one merge.
bool berthRaceNamesAreOne(const BerthRaceNames *names, uint32_t a, uint32_t b);

/// The buffer's own root.
uint32_t berthRaceNamesBuffer(const BerthViews *views, uint32_t root);

#endif // BERTH_LIB_IR_VERIFY_THREADS_RACENAMES_H
