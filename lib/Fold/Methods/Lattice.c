//===- Lattice.c - Reuse vectors first, then the least moduli ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A. Darte, A. Isoard, T. Yuki, "Extended Lattice-Based Memory Allocation"
// (CC 2016), heuristics 1 to 3.
//
//   1  Take the direction with the least modulus, slice, go on.
//   2  A constant vector v is a reuse vector if no multiple of it is in D.
//   3  Take constant reuse vectors as long as their lattice misses D. Its Smith
//      form gives lattice rows; directions that vanish on it, chosen by
//      heuristic 1, complete the mapping.
//
// The first reuse vector decides most of the outcome. Instead of the shortest
// alone, several are completed and compared at the sample: short ones, and a
// few with larger entries, which many short ones would crowd out.
//
// Heuristic 2 alone takes the shortest reuse vectors, and the directions that
// are left as they come; heuristic 1 alone takes no reuse vectors.
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Lattice.h"

#include "Fold/Mapping/Points.h"
#include "Fold/Problem/Params.h"

#include <stdlib.h>
#include <string.h>

enum { MaxFirstVectors = 8, MaxMoreLong = 8 };

/// { sum of k_i v_i : k integer } in the space of `like`.
static isl_set *latticeSet(isl_set *like, const BerthMatrix *vectors,
                           unsigned numVectors) {
  isl_space *space = isl_set_get_space(like);
  isl_size numDims = isl_space_dim(space, isl_dim_set);
  if (numDims < 0) // out of budget
    return NULL;
  space = isl_space_map_from_set(space);
  isl_map *map = isl_map_universe(space);
  map = isl_map_project_out(map, isl_dim_in, 0, (unsigned)numDims);
  map = isl_map_insert_dims(map, isl_dim_in, 0, numVectors);
  isl_local_space *local = isl_local_space_from_space(isl_map_get_space(map));
  for (isl_size d = 0; d < numDims; ++d) {
    isl_constraint *equal =
        isl_constraint_alloc_equality(isl_local_space_copy(local));
    equal = isl_constraint_set_coefficient_si(equal, isl_dim_out, d, -1);
    for (unsigned v = 0; v < numVectors; ++v)
      equal = isl_constraint_set_coefficient_si(equal, isl_dim_in, (int)v,
                                                (int)vectors->at[v][d]);
    map = isl_map_add_constraint(map, equal);
  }
  isl_local_space_free(local);
  return isl_map_range(map);
}

/// True when no non-zero point of the lattice spanned by the rows of `vectors`
/// is in `difference` (heuristic 2's test for one vector).
static bool isAdmissible(isl_set *difference, const BerthMatrix *vectors,
                         unsigned numVectors) {
  isl_set *lattice = latticeSet(difference, vectors, numVectors);
  isl_set *hit = isl_set_intersect(isl_set_copy(difference), lattice);
  bool result = isl_set_is_empty(hit) == isl_bool_true;
  isl_set_free(hit);
  return result;
}

/// Whether the lattice spanned by the rows of `vectors` misses the points.
static bool missesPoints(const BerthFoldPoints *points, unsigned numDims,
                         const BerthMatrix *vectors, unsigned numVectors) {
  BerthMatrix rows;
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  if (points->count)
    berthMatrixSmith(vectors, numVectors, numDims, &rows, divisors);
  for (size_t i = 0; i < points->count; ++i) {
    bool inside = true;
    for (unsigned r = 0; inside && r < numDims; ++r) {
      int64_t value = 0;
      for (unsigned d = 0; d < numDims; ++d)
        value += rows.at[r][d] * points->list[i][d];
      inside = (r < numVectors ? value % divisors[r] : value) == 0;
    }
    if (inside)
      return false;
  }
  return true;
}

/// Adds `vector` to the reuse vectors if the lattice then still misses D. The
/// few points of D at a small size, if any, spare isl most of the questions.
static bool tryVector(const BerthFoldSearch *search,
                      const BerthFoldPoints *points,
                      BerthFoldSkeleton *skeleton, const int64_t *vector) {
  unsigned numDims = search->problem->numDims;
  BerthMatrix trial = skeleton->reuse;
  memcpy(trial.at[skeleton->numReuse], vector, sizeof trial.at[0]);
  unsigned count = skeleton->numReuse + 1;
  if (berthMatrixRank(&trial, count, numDims) < count ||
      !missesPoints(points, numDims, &trial, count) ||
      !isAdmissible(search->differenceAt, &trial, count))
    return false;
  skeleton->reuse = trial;
  skeleton->numReuse = count;
  return true;
}

/// Vectors that combine the rows `first`.. of `rows` with small factors.
static BerthFoldCandidates combinations(const BerthMatrix *rows, unsigned first,
                                        unsigned numDims) {
  unsigned numFree = numDims - first;
  BerthFoldCandidates candidates = {0};
  candidates.count = berthSimpleVectors(numFree, &candidates.vectors);
  for (size_t i = 0; candidates.vectors && i < candidates.count; ++i) {
    int64_t factors[BERTH_FOLD_MAX_DIMS];
    memcpy(factors, candidates.vectors[i], sizeof factors);
    memset(candidates.vectors[i], 0, sizeof factors);
    for (unsigned f = 0; f < numFree; ++f)
      for (unsigned d = 0; d < numDims; ++d)
        candidates.vectors[i][d] += factors[f] * rows->at[first + f][d];
  }
  return candidates;
}

/// The rows `first`.. themselves.
static BerthFoldCandidates restOf(const BerthMatrix *rows, unsigned first,
                                  unsigned numDims) {
  BerthFoldCandidates candidates = {.count = numDims - first};
  candidates.vectors = calloc(numDims + 1, sizeof *candidates.vectors);
  if (!candidates.vectors)
    candidates.count = 0;
  for (size_t i = 0; i < candidates.count; ++i)
    memcpy(candidates.vectors[i], rows->at[first + i],
           sizeof *candidates.vectors);
  return candidates;
}

/// Lattice rows from the reuse vectors, range rows by heuristic 1 or, with
/// heuristic 2 alone, as they come.
static bool complete(const BerthFoldSearch *search, unsigned heuristic,
                     BerthFoldSkeleton *skeleton) {
  unsigned numDims = search->problem->numDims;
  BerthMatrix rows;
  int64_t divisors[BERTH_FOLD_MAX_DIMS];
  berthMatrixSmith(&skeleton->reuse, skeleton->numReuse, numDims, &rows,
                   divisors);
  isl_set *slice = isl_set_copy(search->differenceAt);
  for (unsigned r = 0; r < skeleton->numReuse; ++r) {
    if (divisors[r] == 1)
      continue;
    memcpy(skeleton->rows.at[skeleton->numRows], rows.at[r], sizeof rows.at[r]);
    skeleton->divisors[skeleton->numRows++] = divisors[r];
    skeleton->size *= divisors[r];
    slice = berthFoldSliceModulo(slice, rows.at[r], divisors[r]);
  }
  skeleton->numLattice = skeleton->numRows;
  BerthFoldCandidates candidates = (heuristic == 2 ? restOf : combinations)(
      &rows, skeleton->numReuse, numDims);
  bool done = berthFoldCompleteRows(skeleton, slice, &candidates, numDims);
  free(candidates.vectors);
  return done;
}

/// Inserts by size; equal ones stay in the order of arrival.
static void insert(BerthFoldSkeletons *found,
                   const BerthFoldSkeleton *skeleton) {
  if (found->count == BERTH_FOLD_MAX_SKELETONS)
    return;
  unsigned place = found->count++;
  while (place > 0 && found->list[place - 1].size > skeleton->size) {
    found->list[place] = found->list[place - 1];
    --place;
  }
  found->list[place] = *skeleton;
}

/// Points of D at a small size; none if sizes are constant or there are many.
static BerthFoldPoints pointsAtSmallSize(const BerthFoldProblem *problem) {
  int64_t params[BERTH_FOLD_MAX_PARAMS];
  BerthFoldPoints points = {0};
  if (problem->numParams == 0)
    return points;
  berthFoldSmallParams(problem, params);
  if (!berthFoldListPoints(problem, params, &points))
    points.count = 0;
  return points;
}

static bool isLong(const int64_t *vector, unsigned numDims) {
  for (unsigned d = 0; d < numDims; ++d)
    if (llabs(vector[d]) > 1)
      return true;
  return false;
}

/// Skeletons with reuse vectors, each with another one first.
static void reuseVectors(const BerthFoldSearch *search, unsigned heuristic,
                         BerthFoldSkeletons *found) {
  unsigned numDims = search->problem->numDims;
  BerthFoldPoints points = pointsAtSmallSize(search->problem);
  int64_t limit = numDims <= 3 ? 3 : numDims == 4 ? 2 : 1;
  int64_t(*vectors)[BERTH_FOLD_MAX_DIMS];
  size_t count = berthSmallVectors(numDims, limit, true, &vectors);
  unsigned tried = 0, numLong = 0;
  bool one = heuristic == 2;
  for (size_t first = 0; first < count; ++first) {
    BerthFoldSkeleton skeleton = {.method = "lattice", .size = 1};
    bool wanted = tried < MaxFirstVectors ||
                  (isLong(vectors[first], numDims) && numLong < MaxMoreLong);
    if (!wanted || !tryVector(search, &points, &skeleton, vectors[first]))
      continue;
    ++tried;
    numLong += isLong(vectors[first], numDims);
    for (size_t i = 0; i < count && skeleton.numReuse < numDims; ++i)
      tryVector(search, &points, &skeleton, vectors[i]);
    if (complete(search, heuristic, &skeleton))
      insert(found, &skeleton);
    if (one)
      break;
  }
  free(vectors);
  berthFoldFreePoints(&points);
}

void berthFoldLattices(const BerthFoldSearch *search, unsigned heuristic,
                       BerthFoldSkeletons *found) {
  if (heuristic != 1)
    reuseVectors(search, heuristic, found);
  BerthFoldSkeleton plain = {.method = "lattice", .size = 1};
  if ((heuristic == 0 || heuristic == 1 || found->count == 0) &&
      complete(search, heuristic, &plain))
    insert(found, &plain);
}
