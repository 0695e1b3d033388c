//===- Exact.c - The smallest lattice -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beyond the paper. With constant sizes the smallest lattice that misses D is
// found by enumeration (Enumerate.h), which proves it.
//
// With one symbolic size the smallest lattices of several sizes suggest a
// family (Classes.c). Where they follow no law that can be proven, lattices
// that are slightly larger get their chance (Family.c).
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Exact.h"

#include "Fold/Methods/Classes.h"
#include "Fold/Methods/Enumerate.h"
#include "Fold/Methods/Family.h"
#include "Fold/Problem/Params.h"

#include <stdlib.h>
#include <string.h>

enum { MaxQuotients = 6 }; ///< short vectors tried at constant sizes

//===----------------------------------------------------------------------===//
// Mappings of one lattice
//===----------------------------------------------------------------------===//

/// Rows r_i mod s_i from the Smith form of the whole lattice.
static BerthFoldMapping latticeMapping(const BerthFoldProblem *problem,
                                       const BerthMatrix *lattice) {
  BerthFoldMapping mapping = {.method = "exact",
                              .numDims = problem->numDims,
                              .numParams = problem->numParams,
                              .classModulus = 1};
  BerthMatrix rows;
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  berthMatrixSmith(lattice, problem->numDims, problem->numDims, &rows,
                   divisors);
  for (unsigned i = 0; i < problem->numDims; ++i) {
    if (divisors[i] == 1)
      continue;
    BerthFoldRow *row = &mapping.rows[mapping.numRows++];
    row->numTerms = 1;
    row->terms[0] = (BerthFoldTerm){.constant = divisors[i], .divisor = 1};
    for (unsigned d = 0; d < problem->numDims; ++d) {
      int64_t rest = berthFloorMod(rows.at[i][d], divisors[i]);
      row->coefficients[d] = 2 * rest > divisors[i] ? rest - divisors[i] : rest;
    }
  }
  return mapping;
}

static int64_t rowWeight(const BerthFoldMapping *mapping) {
  int64_t sum = 0;
  for (size_t r = 0; r < mapping->numRows; ++r)
    for (size_t d = 0; d < mapping->numDims; ++d)
      sum += llabs(mapping->rows[r].coefficients[d]);
  return sum;
}

//===----------------------------------------------------------------------===//
// Constant sizes
//===----------------------------------------------------------------------===//

/// The best lattice so far, by any basis.
typedef struct Best {
  int64_t determinant; ///< INT64_MAX: none
  bool optimal;
  BerthFoldMapping mapping;
} Best;

/// Of the smallest lattices, given by bases, the one with the simplest rows.
static void takeBest(const BerthFoldProblem *problem, int64_t determinant,
                     const BerthMatrix *bases, size_t count, Best *best) {
  for (size_t i = 0; i < count; ++i) {
    BerthFoldMapping trial = latticeMapping(problem, &bases[i]);
    if (determinant < best->determinant ||
        rowWeight(&trial) < rowWeight(&best->mapping)) {
      best->mapping = trial;
      best->determinant = determinant;
    }
  }
}

/// The bases of lattices in the quotient by `vector`, in all dimensions.
static void liftAll(BerthFoldSmallest *smallest, unsigned numDims,
                    const int64_t *vector, unsigned unit) {
  for (size_t i = 0; i < smallest->count; ++i) {
    BerthMatrix lifted = {{{0}}}, *basis = &smallest->lattices[i];
    for (unsigned r = 0; r + 1 < numDims; ++r)
      for (unsigned c = 0; c + 1 < numDims; ++c)
        lifted.at[r][c + (c >= unit)] = basis->at[r][c];
    memcpy(lifted.at[numDims - 1], vector, sizeof lifted.at[0]);
    *basis = lifted;
  }
}

/// A short vector, and D with it divided out.
typedef struct Quotient {
  int64_t vector[BERTH_FOLD_MAX_DIMS];
  unsigned unit;
  BerthFoldPoints points;
} Quotient;

/// The first short vectors that some lattice can have.
static size_t makeQuotients(const BerthFoldProblem *problem,
                            const BerthFoldPoints *points,
                            Quotient *quotients) {
  static const unsigned order[] = {0, 1, 2, 3, 4, 5, 6, 7};
  unsigned numDims = problem->numDims;
  int64_t limit = numDims <= 3 ? 3 : numDims == 4 ? 2 : 1;
  int64_t(*list)[BERTH_FOLD_MAX_DIMS] = NULL;
  size_t found = 0, count = 0;
  if (numDims >= 2)
    count = berthSmallVectors(numDims, limit, false, &list);
  for (size_t i = 0; i < count && found < MaxQuotients; ++i) {
    Quotient *to = &quotients[found];
    to->unit = berthFoldUnitEntry(list[i], numDims);
    if (to->unit == numDims)
      continue;
    memcpy(to->vector, list[i], sizeof to->vector);
    if (berthFoldQuotient(points, numDims, list[i], to->unit, order,
                          &to->points))
      ++found;
    else
      berthFoldFreePoints(&to->points);
  }
  free(list);
  return found;
}

/// The smallest lattices that hold one of a few short vectors.
static void searchQuotients(const BerthFoldProblem *problem,
                            const BerthFoldPoints *points, int64_t least,
                            BerthFoldSmallest *smallest, Best *best) {
  Quotient quotients[MaxQuotients];
  size_t count = makeQuotients(problem, points, quotients);
  uint64_t steps = berthFoldSteps(problem);
  for (int64_t size = least; count && steps && best->determinant == INT64_MAX;
       ++size)
    for (size_t i = 0; i < count; ++i) {
      berthFoldSmallestLattices(&quotients[i].points, problem->numDims - 1,
                                size, size, &steps, smallest);
      liftAll(smallest, problem->numDims, quotients[i].vector,
              quotients[i].unit);
      takeBest(problem, size, smallest->lattices, smallest->count, best);
    }
  for (size_t i = 0; i < count; ++i)
    berthFoldFreePoints(&quotients[i].points);
}

/// As many cells as are live at once are proven to be the fewest; else all
/// lattices below the best one are tried, as far as the steps go.
static void searchConstant(const BerthFoldProblem *problem,
                           const BerthFoldPoints *points, int64_t least,
                           BerthFoldSmallest *smallest, Best *best) {
  uint64_t steps = berthFoldSteps(problem);
  searchQuotients(problem, points, least, smallest, best);
  best->optimal = best->determinant == least;
  if (best->optimal)
    return;
  best->optimal = berthFoldSmallestLattices(
      points, problem->numDims, least, best->determinant - 1, &steps, smallest);
  takeBest(problem, smallest->determinant, smallest->lattices, smallest->count,
           best);
}

static BerthStatus exactConstant(const BerthFoldSearch *search,
                                 BerthFoldResult *result, BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  BerthFoldPoints points;
  Best best = {.determinant = INT64_MAX};
  BerthFoldSmallest *smallest = malloc(sizeof *smallest);
  bool good = berthFoldListPoints(problem, search->sample, &points);
  if (good && smallest)
    searchConstant(problem, &points,
                   berthFoldLeastCells(problem, &points, search->sample),
                   smallest, &best);
  berthFoldFreePoints(&points);
  free(smallest);
  if (best.determinant == INT64_MAX)
    return berthErrorSet(error, BERTH_INVALID,
                         "exact: too many differences to enumerate lattices");
  best.mapping.optimal = best.optimal;
  result->mappings[0] = best.mapping;
  result->numMappings = 1;
  return berthFoldCertify(problem, &result->mappings[0], error);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// How many parameters D depends on within the context; `*param` is the last.
static unsigned countParams(const BerthFoldProblem *problem, unsigned *param) {
  isl_set *known = isl_set_gist_params(isl_set_copy(problem->difference),
                                       isl_set_copy(problem->context));
  unsigned count = 0;
  for (unsigned p = 0; p < problem->numParams; ++p)
    if (isl_set_involves_dims(known, isl_dim_param, p, 1) != isl_bool_false) {
      *param = p;
      ++count;
    }
  isl_set_free(known);
  return count;
}

BerthStatus berthFoldExact(const BerthFoldSearch *search, bool uniform,
                           BerthFoldResult *result, BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  unsigned param = 0, numParams = countParams(problem, &param);
  if (numParams == 0)
    return exactConstant(search, result, error);
  if (problem->numDims == 0 || numParams > 1)
    return berthErrorSet(error, BERTH_INVALID,
                         "exact: only one symbolic size can be fitted");
  int64_t params[BERTH_FOLD_MAX_PARAMS];
  bool found = berthFoldClasses(search, param, uniform, result);
  if (!found) {
    berthFoldSmallParams(problem, params);
    // Sizes next to the least one are often special. But with more indices
    // there are more lattices: stay at small sizes.
    params[param] =
        berthFoldLeastValue(problem, param) + (problem->numDims > 3 ? 0 : 3);
    found = berthFoldFamily(search, param, params, &result->mappings[0]);
    result->numMappings = found;
  }
  if (found)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "exact: the smallest lattices of several sizes fit no "
                       "family that can be proven");
}
