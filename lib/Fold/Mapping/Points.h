//===- Points.h - D as a list of points ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_POINTS_H
#define BERTH_LIB_FOLD_MAPPING_POINTS_H

#include "Fold/Problem/Problem.h"

enum { BerthFoldMaxPoints = 100000 };

typedef struct BerthFoldPoints {
  size_t count;
  size_t capacity;
  int64_t (*list)[BERTH_FOLD_MAX_DIMS];
  unsigned numDims;
  /// Points whose last non-zero coordinate is r: from levels[r] to
  /// levels[r + 1].
  size_t levels[BERTH_FOLD_MAX_DIMS + 1];
  int64_t reach[BERTH_FOLD_MAX_DIMS]; ///< the largest |d_i|
  /// Whether a difference within reach is in D, row-major; NULL: too large.
  bool *inside;
} BerthFoldPoints;

/// The points of D at `params`, one of each pair of opposites, by level,
/// nearest first. False when there are too many or infinitely many. The caller
/// frees them in either case.
bool berthFoldListPoints(const BerthFoldProblem *problem, const int64_t *params,
                         BerthFoldPoints *points);

void berthFoldFreePoints(BerthFoldPoints *points);

/// The place of `d`, which is within reach, in `inside`.
static inline size_t berthFoldPlaceOf(const BerthFoldPoints *points,
                                      const int64_t *d) {
  size_t place = 0;
  for (unsigned i = 0; i < points->numDims; ++i)
    place = place * (size_t)(2 * points->reach[i] + 1) +
            (size_t)(d[i] + points->reach[i]);
  return place;
}

/// Whether `d` or its opposite is among the points; 0 counts as one, as a cell
/// does not conflict with itself.
bool berthFoldHasPoint(const BerthFoldPoints *points, const int64_t *d);

/// The coordinate by which `vector` can be divided out, that is, the last whose
/// entry is 1 or -1; `numDims` if there is none.
unsigned berthFoldUnitEntry(const int64_t *vector, unsigned numDims);

/// The images of `points` once `vector` is divided out by coordinate `unit`,
/// which is left out; the others come in `order` (indices into the numDims - 1
/// that are left). With `unit` = numDims nothing is divided out. False if an
/// image is 0 (no lattice with this vector misses D) or memory runs out.
bool berthFoldQuotient(const BerthFoldPoints *points, unsigned numDims,
                       const int64_t *vector, unsigned unit,
                       const unsigned *order, BerthFoldPoints *quotient);

#endif // BERTH_LIB_FOLD_MAPPING_POINTS_H
