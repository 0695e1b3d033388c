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

#include "IR/Fold/FoldPlace.h"

/// One access, `operand` of `op` being the array's memref.
typedef struct BerthFoldAccess {
  MlirOperation op;
  size_t array;
  bool isStore;
  bool isAffine; ///< affine.load or affine.store
} BerthFoldAccess;

/// Arrays of one block.
typedef struct BerthFoldNest {
  MlirBlock owner;
  size_t numArrays;
  MlirValue *arrays;
  size_t numAccesses, accessCapacity;
  BerthFoldAccess *accesses;
  bool isParallel; ///< some loop around some access is
  BerthFoldParams params;
  BerthText domain, schedule, reads, writes, mayWrites;
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

/// The memref operand's position in a load (0) or store (1).
intptr_t berthFoldMemRefOperand(const BerthFoldAccess *access);

#endif // BERTH_LIB_IR_FOLD_FOLDNEST_H
