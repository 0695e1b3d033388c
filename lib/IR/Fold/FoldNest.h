//===- FoldNest.h - Loop nests as text for lib/Fold ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A *nest* is a block with the allocations that it owns and every access to
// them. Each load and each store is a statement S<k> over the loops between
// the block and the access. Whatever is defined outside of those loops and is
// no affine expression of other such values is a parameter p<k>. All of it is
// written in isl's notation, the same text that `berth-pack fold` reads.
//
// What cannot be said exactly is said on the safe side (a store under an
// unknown condition may or may not happen) or not at all: then the array is
// refused, with the op that caused it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDNEST_H
#define BERTH_LIB_IR_FOLD_FOLDNEST_H

#include "IR/Fold/FoldAccess.h"

/// Collects and describes the accesses to `arrays`, which are allocated in one
/// block. `moves` may be NULL. False with `refusal` filled in. Destroy the nest
/// in either case.
bool berthFoldNestInit(BerthFoldNest *nest, size_t numArrays,
                       const MlirValue *arrays, BerthFoldMoves *moves,
                       const char *breakRule, BerthFoldRefusal *refusal);

/// The same for the accesses to them in one op, wherever they are allocated;
/// cells are the numbers of their elements (FoldLinear.h).
bool berthFoldNestInitWithin(BerthFoldNest *nest, size_t numArrays,
                             const MlirValue *arrays, MlirOperation within,
                             const char *breakRule, BerthFoldRefusal *refusal);
void berthFoldNestDestroy(BerthFoldNest *nest);

/// The nest's problem. On BERTH_INVALID because a read has no source,
/// `refusal->at` is that read.
BerthStatus berthFoldNestProblem(const BerthFoldNest *nest,
                                 uint64_t maxOperations,
                                 BerthFoldProblem **problem,
                                 BerthFoldRefusal *refusal);

/// The smallest window along some index that stores the only array in fewer
/// than `limit` cells; sizes known at run time only count as `sample`. A ring's
/// rows stay where they are, which costs no copies. The loop of the window is
/// `*loop`, of the block itself. The window has been checked.
/// BERTH_INVALID if there is none.
BerthStatus berthFoldNestWindow(const BerthFoldNest *nest,
                                uint64_t maxOperations, bool isRing,
                                int64_t sample, int64_t limit,
                                BerthFoldWindow *window, MlirOperation *loop,
                                int64_t *cells);

/// How far what is read of the first array lies from what was written to the
/// second one before, in bytes from where each begins; their elements have
/// `elementBytes`.
BerthStatus berthFoldNestReach(const BerthFoldNest *nest,
                               const int64_t elementBytes[2],
                               uint64_t maxOperations, BerthFoldReach *reach);

/// How many rows the window takes in all, with those that it slides through.
int64_t berthFoldWindowRows(const BerthFoldWindow *window, int64_t step);

/// The op of the owner block that `op` is in, or is; null if it is in none.
MlirOperation berthFoldOpOfOwner(const BerthFoldNest *nest, MlirOperation op);

/// How many ops of its block come before it.
long berthFoldOrdinal(MlirOperation op);

#endif // BERTH_LIB_IR_FOLD_FOLDNEST_H
