//===- Enumerate.h - All lattices of a determinant ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// At constant sizes D is a finite list of points. A lattice of index k in Z^n
// is given by its Hermite normal form, one matrix per lattice: a lower
// triangular basis with diagonal a_0 ... a_{n-1}, product k, and entries below
// the diagonal in [0, a_column). Going through all forms by determinant upward,
// the first that misses D has the fewest cells of all lattices.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_FOLD_ENUMERATE_H
#define BERTH_FOLD_ENUMERATE_H

#include "Matrix.h"
#include "Problem.h"

typedef struct BerthFoldPoints {
  size_t count;
  size_t capacity;
  int64_t (*list)[BERTH_FOLD_MAX_DIMS];
  bool tooMany;
} BerthFoldPoints;

enum { BerthFoldMaxPoints = 100000, BerthFoldMaxLattices = 48 };

/// The points of D at `params`, one of each pair of opposites, nearest first.
/// False when there are too many or infinitely many.
bool berthFoldListPoints(const BerthFoldProblem *problem, const int64_t *params,
                         BerthFoldPoints *points);

/// Whether `d` is in the lattice of the Hermite form.
bool berthFoldInLattice(const BerthMatrix *hermite, unsigned numDims,
                        const int64_t *d);

/// The smallest lattices that miss the points: all of one determinant, in the
/// order of enumeration, at most BerthFoldMaxLattices of them.
typedef struct BerthFoldSmallest {
  int64_t determinant;
  size_t count;
  BerthMatrix lattices[BerthFoldMaxLattices];
} BerthFoldSmallest;

/// Starts at determinant `least`. Each membership test is one step; false when
/// `*steps` run out.
bool berthFoldSmallestLattices(const BerthFoldPoints *points, unsigned numDims,
                               int64_t least, uint64_t *steps,
                               BerthFoldSmallest *smallest);

#endif // BERTH_FOLD_ENUMERATE_H
