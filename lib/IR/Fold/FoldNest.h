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

#include "IR/Facts/SliceFacts.h"
#include "IR/Fold/FoldPlace.h"

#define BERTH_FOLD_NO_VIEW ((size_t)-1)

/// What an access takes of the array or the view that it is given.
typedef enum BerthFoldShape {
  BERTH_FOLD_ELEMENT, ///< one element
  BERTH_FOLD_VECTOR,  ///< a box, as a value
  BERTH_FOLD_WHOLE    ///< all of a view, in no particular order
} BerthFoldShape;

/// A part of an array, or of another such view.
typedef struct BerthFoldView {
  MlirOperation op;
  size_t array;
  size_t source; ///< BERTH_FOLD_NO_VIEW: the array
  BerthSubView part;
} BerthFoldView;

/// One access, `operand` of `op` being the array's memref or a view of it.
typedef struct BerthFoldAccess {
  MlirOperation op;
  intptr_t operand;
  size_t array;
  size_t view; ///< BERTH_FOLD_NO_VIEW: the array
  BerthFoldShape shape;
  bool isLoad;
  bool isStore;
  bool mayStore; ///< a store that may leave some of its cells as they are
  bool isAffine; ///< affine.load or affine.store
} BerthFoldAccess;

/// Arrays of one block.
typedef struct BerthFoldNest {
  MlirBlock owner;
  size_t numArrays;
  MlirValue *arrays;
  size_t numAccesses, accessCapacity;
  BerthFoldAccess *accesses;
  size_t numViews, viewCapacity;
  BerthFoldView *views;
  bool isParallel; ///< some loop around some access is
  bool hasSlices;  ///< views or vectors
  BerthFoldParams params;
  BerthText domain, schedule, reads, writes, mayWrites, slices;
  size_t numTimes; ///< the longest time's dimensions
} BerthFoldNest;

/// Where and why an array is refused.
typedef struct BerthFoldRefusal {
  MlirOperation at;
  char why[400];
} BerthFoldRefusal;

/// Collects and describes the accesses to `arrays`, which are allocated in one
/// block. False with `refusal` filled in. Destroy the nest in either case.
bool berthFoldNestInit(BerthFoldNest *nest, size_t numArrays,
                       const MlirValue *arrays, BerthFoldRefusal *refusal);
void berthFoldNestDestroy(BerthFoldNest *nest);

/// The nest's problem. On BERTH_INVALID because a read has no source,
/// `refusal->at` is that read.
BerthStatus berthFoldNestProblem(const BerthFoldNest *nest,
                                 uint64_t maxOperations,
                                 BerthFoldProblem **problem,
                                 BerthFoldRefusal *refusal);

/// The smallest window along some index that stores the only array in fewer
/// than `limit` cells; sizes known at run time only count as `sample`. The loop
/// of the window is `*loop`, of the block itself. The window has been checked.
/// BERTH_INVALID if there is none.
BerthStatus berthFoldNestWindow(const BerthFoldNest *nest,
                                uint64_t maxOperations, int64_t sample,
                                int64_t limit, BerthFoldWindow *window,
                                MlirOperation *loop, int64_t *cells);

/// The op of the owner block that `op` is in, or is.
MlirOperation berthFoldOpOfOwner(const BerthFoldNest *nest, MlirOperation op);

/// The memref operand's position in a load (0) or store (1) of one element.
static inline intptr_t berthFoldMemRefOperand(const BerthFoldAccess *access) {
  return access->isStore ? 1 : 0;
}

#endif // BERTH_LIB_IR_FOLD_FOLDNEST_H
