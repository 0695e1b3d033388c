//===- MergePass.h - The pass berth-merge, in C --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Gives allocations that do not interfere one allocation, without an arena:
// memory block merging by greedy colouring, as in Futhark. Larger buffers come
// first; each takes the first colour whose members it neither meets nor
// mismatches.
//
// A colour of buffers whose sizes are known only at run time is as large as the
// largest of those that run, computed where all are known (Homes.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_MERGEPASS_H
#define BERTH_LIB_IR_PASSES_MERGEPASS_H

#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

/// Which buffers may become one.
typedef enum BerthMayMerge {
  BERTH_MERGE_SAME_TYPE, ///< of one type: no views are needed
  BERTH_MERGE_SAME_SIZE, ///< of one size in bytes
  BERTH_MERGE_ANY        ///< of any size; the largest counts
} BerthMayMerge;

typedef struct BerthMergeOptions {
  BerthCollectOptions collect;
  BerthAliasOptions alias;
  BerthMayMerge mayMerge;
  bool sizeChecks; ///< as in berth-arena
  bool refill;     ///< as in berth-arena
} BerthMergeOptions;

typedef struct BerthMergeFigures {
  uint64_t buffers;     ///< looked at
  uint64_t allocations; ///< left of those that could be merged
} BerthMergeFigures;

BerthStatus berthParseMayMerge(const char *text, BerthMayMerge *mayMerge,
                               BerthError *error);

/// Merges in every scope in `root`. Cannot fail: what cannot be merged stays.
void berthMergeRun(MlirOperation root, const BerthMergeOptions *options,
                   BerthMergeFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_MERGEPASS_H
