//===- Problem.h - A fold problem inside the library --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the stations of the library hand on. Two rules keep isl honest here:
// a function that takes ownership of an isl object never gets two arguments
// that touch the same object in one call, since C leaves their order open; and
// an isl_bool is compared with `== isl_bool_true`, since its error value is
// true. NULL travels through isl: it is looked for where a station ends.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_PROBLEM_H
#define BERTH_LIB_FOLD_PROBLEM_H

#include "Isl.h"
#include "berth-c/Fold.h"

/// Cells are points of one unnamed space: with several arrays the array's
/// number comes first and shorter indices are padded with zeros. All objects
/// below have the same parameters in the same order.
struct BerthFoldProblem {
  isl_ctx *ctx;
  isl_set *context;    ///< a parameter set
  isl_set *cells;      ///< every cell that is accessed or conflicts
  isl_set *difference; ///< D: symmetric, without 0, under the context
  isl_map *liveRanges; ///< cell -> [write time -> read time]; NULL: no trace
  isl_map *writeTimes; ///< cell -> time; NULL: no trace
  unsigned numDims;
  unsigned numParams;
  unsigned numArrays;
  char **arrayNames;
  char **dimNames; ///< numDims
};

/// What a source says, read by isl; NULL where the source says nothing.
typedef struct BerthFoldAccesses {
  isl_union_set *domain;
  isl_union_map *schedule;
  isl_union_map *reads;
  isl_union_map *writes;
  isl_union_map *mayWrites;
  isl_union_set *liveIn;
  isl_union_set *liveOut;
  uint64_t parallel; ///< bit k: time dimension k is concurrent
} BerthFoldAccesses;

/// Sets `error` from isl's last error and returns the status that fits: out of
/// budget or memory is BERTH_RESOURCE. Clears isl's error. `what` names the
/// station.
BerthStatus berthFoldIslError(isl_ctx *ctx, const char *what,
                              BerthError *error);

/// Live ranges and write times of the accesses, over array tuples (before
/// embedding): `*ranges` is { A[x] -> [T -> T] }, `*writes` { A[x] -> T }.
BerthStatus berthFoldLiveRanges(isl_ctx *ctx, const BerthFoldAccesses *accesses,
                                isl_set *context, isl_union_map **ranges,
                                isl_union_map **writes, uint64_t *parallel,
                                BerthError *error);

/// The conflict relation { x -> y } of live ranges and write times in one
/// space. `parallel` has a bit for each concurrent dimension of T.
isl_map *berthFoldConflicts(isl_map *ranges, isl_map *writes,
                            uint64_t parallel);

/// { y - x, x - y : x -> y in conflicts } without 0. Takes `conflicts`.
isl_set *berthFoldDifferences(isl_map *conflicts);

/// The largest number of cells live at once at `params`; 0 when there is no
/// trace or it has more than `maxEvents` writes and reads.
uint64_t berthFoldLiveCells(const BerthFoldProblem *problem,
                            const int64_t *params, size_t maxEvents);

#endif // BERTH_LIB_FOLD_PROBLEM_H
