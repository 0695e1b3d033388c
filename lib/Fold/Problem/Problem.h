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

#ifndef BERTH_LIB_FOLD_PROBLEM_PROBLEM_H
#define BERTH_LIB_FOLD_PROBLEM_PROBLEM_H

#include "Fold/Problem/Isl.h"
#include "berth-c/Fold.h"

/// Cells are points of one unnamed space: with several arrays the array's
/// number comes first and shorter indices are padded with zeros. All objects
/// below have the same parameters in the same order.
struct BerthFoldProblem {
  isl_ctx *ctx;
  isl_set *context;       ///< a parameter set
  isl_set *cells;         ///< every cell that is accessed or conflicts
  isl_map *conflicts;     ///< under the context; a cell may be with itself
  isl_set *difference;    ///< D: symmetric, without 0, under the context
  isl_map *liveRanges;    ///< cell -> [write time -> read time]; NULL: no trace
  isl_map *writeTimes;    ///< cell -> time; NULL: no trace
  isl_union_map *slices;  ///< instance -> its cells in one piece; NULL: none
  uint64_t maxOperations; ///< isl's budget; 0: none
  unsigned numDims;
  unsigned numParams;
  unsigned numArrays;
  char **arrayNames;
  char **dimNames; ///< numDims
};

#endif // BERTH_LIB_FOLD_PROBLEM_PROBLEM_H
