//===- Matrix.h - Small integer matrices --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Vectors and lattices of at most BERTH_FOLD_MAX_DIMS dimensions, by value.
// Entries start small (a few units) and stay far from overflow in every use
// here; a caller with larger entries must check.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_MATRIX_H
#define BERTH_LIB_FOLD_MAPPING_MATRIX_H

#include "berth-c/Fold.h"

typedef struct BerthMatrix {
  int64_t at[BERTH_FOLD_MAX_DIMS][BERTH_FOLD_MAX_DIMS]; ///< [row][column]
} BerthMatrix;

/// The remainder in [0, b), b > 0.
int64_t berthFloorMod(int64_t a, int64_t b);
int64_t berthFloorDiv(int64_t a, int64_t b);

/// Rank of the `numRows` vectors in the rows of `matrix`.
unsigned berthMatrixRank(const BerthMatrix *matrix, unsigned numRows,
                         unsigned numColumns);

/// Smith form of the lattice spanned by the `numVectors` independent rows of
/// `vectors`: a unimodular `rows` and divisors s_0 | s_1 | ... such that x is
/// in the lattice iff rows[i] . x = 0 (mod divisors[i]) for i < numVectors and
/// rows[i] . x = 0 for the others.
void berthMatrixSmith(const BerthMatrix *vectors, unsigned numVectors,
                      unsigned numDims, BerthMatrix *rows, int64_t *divisors);

/// Primitive integer vectors with entries of at most `limit`, one of each pair
/// of opposites (the last non-zero entry is positive), by largest entry, then
/// sum of absolute entries, then lexicographically. With `multiples`, those
/// that are not primitive too. Returns their number; the caller frees `*list`.
size_t berthSmallVectors(unsigned numDims, int64_t limit, bool multiples,
                         int64_t (**list)[BERTH_FOLD_MAX_DIMS]);

/// Those that directions are chosen from: entries of at most 2 in up to three
/// dimensions; in more, entries of at most 1, and of at most 2 where only two
/// are not 0. In the same order.
size_t berthSimpleVectors(unsigned numDims,
                          int64_t (**list)[BERTH_FOLD_MAX_DIMS]);

#endif // BERTH_LIB_FOLD_MAPPING_MATRIX_H
