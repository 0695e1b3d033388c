//===- Conflict.h - Which cells are live at the same time ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_PROBLEM_CONFLICT_H
#define BERTH_LIB_FOLD_PROBLEM_CONFLICT_H

#include "Fold/Problem/Isl.h"
#include "berth-c/Fold.h"

/// What a source says, read by isl; NULL where the source says nothing.
typedef struct BerthFoldAccesses {
  isl_union_set *domain;
  isl_union_map *schedule;
  isl_union_map *reads;
  isl_union_map *writes;
  isl_union_map *mayWrites;
  isl_union_map *mayReads; ///< of instances of their own
  isl_union_set *liveIn;
  isl_union_set *liveOut;
  isl_union_map *slices;
  uint64_t parallel; ///< bit k: time dimension k is concurrent
} BerthFoldAccesses;

/// Live ranges and write times of the accesses, over array tuples (before
/// embedding): `*ranges` is { A[x] -> [T -> T] }, `*writes` { A[x] -> T }.
BerthStatus berthFoldLiveRanges(isl_ctx *ctx, const BerthFoldAccesses *accesses,
                                isl_set *context, isl_union_map **ranges,
                                isl_union_map **writes, uint64_t *parallel,
                                BerthError *error);

/// The times [stage body, t...] of a schedule's instances, padded to the
/// longest one, whose dimensions go to `*numTimes`. Takes `schedule`.
isl_union_map *berthFoldBodyTimes(isl_union_map *schedule, unsigned *numTimes);

/// { t -> t' : t comes before t' }: the first dimension in which they differ is
/// not concurrent, and smaller in t. Takes `timeSpace`.
isl_map *berthFoldBefore(isl_space *timeSpace, uint64_t parallel);

/// The conflict relation { x -> y } of live ranges and write times in one
/// space. `parallel` has a bit for each concurrent dimension of T.
isl_map *berthFoldConflicts(isl_map *ranges, isl_map *writes,
                            uint64_t parallel);

/// { y - x, x - y : x -> y in conflicts } without 0. Takes `conflicts`.
isl_set *berthFoldDifferences(isl_map *conflicts);

#endif // BERTH_LIB_FOLD_PROBLEM_CONFLICT_H
