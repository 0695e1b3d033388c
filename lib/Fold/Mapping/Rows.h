//===- Rows.h - Slices of D and the moduli they need --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// All heuristics build a mapping the same way: row by row, each row m leaves
// the slice of D on which it cannot tell two cells apart, and the mapping is
// done when the slice is empty. A *lattice row* has a constant modulus s and
// leaves { d : m.d = 0 mod s }; a *range row* has a modulus greater than |m.d|
// on the slice and leaves { d : m.d = 0 }.
//
// A skeleton is a mapping without its range moduli. Heuristics search for one
// at a sample of the parameters, where isl is fast; berthFoldRealise computes
// the moduli symbolically.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_ROWS_H
#define BERTH_LIB_FOLD_MAPPING_ROWS_H

#include "Fold/Mapping/Matrix.h"
#include "Fold/Problem/Problem.h"

typedef struct BerthFoldSkeleton {
  const char *method;
  unsigned numReuse; ///< vectors in `reuse`
  BerthMatrix reuse;
  unsigned numLattice; ///< first rows: lattice rows with `divisors`
  unsigned numRows;
  BerthMatrix rows;
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  int64_t size; ///< cells at the sample; INT64_MAX: too many or unknown
} BerthFoldSkeleton;

/// Heuristics hand over skeletons, best first; berthFoldFind realises them in
/// turn until one passes the certificate.
#define BERTH_FOLD_MAX_SKELETONS 20

typedef struct BerthFoldSkeletons {
  unsigned count;
  BerthFoldSkeleton list[BERTH_FOLD_MAX_SKELETONS];
} BerthFoldSkeletons;

/// What a search works on.
typedef struct BerthFoldSearch {
  const BerthFoldProblem *problem;
  int64_t sample[BERTH_FOLD_MAX_PARAMS]; ///< where sizes are compared
  isl_set *differenceAt;                 ///< D at the sample
} BerthFoldSearch;

/// Chooses the sample. Failure is isl's.
BerthStatus berthFoldSearchInit(const BerthFoldProblem *problem,
                                BerthFoldSearch *search, BerthError *error);
void berthFoldSearchFree(BerthFoldSearch *search);

/// m.d as an expression over the space of `set` (kept).
isl_aff *berthFoldLinearForm(isl_set *set, const int64_t *m);

/// { d in slice : m.d = 0 }, and { d in slice : m.d = 0 mod s }. Take `slice`.
isl_set *berthFoldSliceZero(isl_set *slice, const int64_t *m);
isl_set *berthFoldSliceModulo(isl_set *slice, const int64_t *m, int64_t s);

/// The largest m.d over a slice without parameters; -1 when it is unbounded.
int64_t berthFoldLargest(isl_set *slice, const int64_t *m);

/// Appends rows to `skeleton` until `slice` (at the sample, taken) is empty,
/// each the best of `candidates` by `score`; false if they run out. Multiplies
/// `skeleton->size`.
typedef struct BerthFoldCandidates {
  size_t count;
  int64_t (*vectors)[BERTH_FOLD_MAX_DIMS];
  /// Rank first by the pieces of D that the row alone satisfies (SMO).
  bool byPieces;
} BerthFoldCandidates;
bool berthFoldCompleteRows(BerthFoldSkeleton *skeleton, isl_set *slice,
                           const BerthFoldCandidates *candidates,
                           unsigned numDims);

#endif // BERTH_LIB_FOLD_MAPPING_ROWS_H
