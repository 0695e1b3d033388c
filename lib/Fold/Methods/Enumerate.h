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
// The first rows of a form span the part of the lattice in which the later
// coordinates are 0. So row r is tested, as soon as it is chosen, on those
// points of D whose last non-zero coordinate is r, and most forms are never
// completed.
//
// Lattices that hold a given vector v with an entry v_c of 1 or -1 are lattices
// of one dimension less: x - x_c v_c v has no coordinate c, and x is in the
// lattice iff that is in its quotient. There are far fewer of those.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_ENUMERATE_H
#define BERTH_LIB_FOLD_METHODS_ENUMERATE_H

#include "Fold/Mapping/Matrix.h"
#include "Fold/Mapping/Points.h"

enum { BerthFoldMaxLattices = 48 };

/// Steps for one search: what takes well under a second, and no more than
/// isl's budget.
uint64_t berthFoldSteps(const BerthFoldProblem *problem);

/// A lower bound of what any mapping needs at `params`: the most cells live at
/// once or, where the trace is too long, the cells of a box in which every two
/// conflict. `points` as listed there.
int64_t berthFoldLeastCells(const BerthFoldProblem *problem,
                            const BerthFoldPoints *points,
                            const int64_t *params);

/// Whether `d` is in the lattice of the Hermite form.
bool berthFoldInLattice(const BerthMatrix *hermite, unsigned numDims,
                        const int64_t *d);

/// The Hermite form of the lattice that the rows of `basis` span, its
/// coordinates taken in `order`.
BerthMatrix berthFoldHermite(const BerthMatrix *basis, unsigned numDims,
                             const unsigned *order);

/// Gets a lattice that misses the points; false: no more are wanted.
typedef bool (*BerthFoldVisit)(const BerthMatrix *hermite, int64_t determinant,
                               void *user);

/// Visits all lattices of `determinant` that miss the points. Each look at a
/// point takes one of `*steps`; stops when they run out.
void berthFoldVisitLattices(const BerthFoldPoints *points, unsigned numDims,
                            int64_t determinant, uint64_t *steps,
                            BerthFoldVisit visit, void *user);

/// The smallest lattices that miss the points: all of one determinant, in the
/// order of enumeration, at most BerthFoldMaxLattices of them.
typedef struct BerthFoldSmallest {
  int64_t determinant;
  size_t count;
  BerthMatrix lattices[BerthFoldMaxLattices];
} BerthFoldSmallest;

/// Looks at determinants from `least` to `most`. False when steps ran out;
/// true with `smallest->count` 0 when there are none.
bool berthFoldSmallestLattices(const BerthFoldPoints *points, unsigned numDims,
                               int64_t least, int64_t most, uint64_t *steps,
                               BerthFoldSmallest *smallest);

#endif // BERTH_LIB_FOLD_METHODS_ENUMERATE_H
