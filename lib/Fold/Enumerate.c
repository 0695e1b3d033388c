//===- Enumerate.c - All lattices of a determinant
//-------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Enumerate.h"

#include <isl/point.h>
#include <isl/val.h>

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

static bool isForward(const int64_t *d) {
  for (unsigned i = BERTH_FOLD_MAX_DIMS; i > 0; --i)
    if (d[i - 1])
      return d[i - 1] > 0;
  return false;
}

static bool reserve(BerthFoldPoints *points) {
  if (points->count < points->capacity)
    return true;
  size_t capacity = points->capacity ? 2 * points->capacity : 64;
  void *list = realloc(points->list, capacity * sizeof *points->list);
  if (!list || capacity > 2 * BerthFoldMaxPoints)
    points->tooMany = true;
  if (list) {
    points->list = list;
    points->capacity = capacity;
  }
  return !points->tooMany;
}

static isl_stat addPoint(isl_point *point, void *user) {
  BerthFoldPoints *points = user;
  if (!reserve(points)) {
    isl_point_free(point);
    return isl_stat_error;
  }
  int64_t *d = points->list[points->count];
  isl_space *space = isl_point_get_space(point);
  isl_size numDims = isl_space_dim(space, isl_dim_set);
  isl_space_free(space);
  for (int i = 0; i < BERTH_FOLD_MAX_DIMS; ++i) {
    d[i] = 0;
    if (i >= numDims)
      continue;
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);
    d[i] = isl_val_get_num_si(value);
    isl_val_free(value);
  }
  points->count += isForward(d);
  isl_point_free(point);
  return isl_stat_ok;
}

static int nearestFirst(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  int64_t sumA = 0, sumB = 0, difference = 0;
  for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i) {
    sumA += a[i] < 0 ? -a[i] : a[i];
    sumB += b[i] < 0 ? -b[i] : b[i];
    difference = difference ? difference : a[i] - b[i];
  }
  if (sumA != sumB)
    return sumA < sumB ? -1 : 1;
  return difference < 0 ? -1 : difference > 0;
}

bool berthFoldListPoints(const BerthFoldProblem *problem, const int64_t *params,
                         BerthFoldPoints *points) {
  *points = (BerthFoldPoints){0};
  isl_set *set = isl_set_copy(problem->difference);
  for (unsigned p = 0; p < problem->numParams; ++p)
    set = isl_set_fix_val(set, isl_dim_param, p,
                          isl_val_int_from_si(problem->ctx, (long)params[p]));
  set = isl_set_make_disjoint(set);
  bool good = isl_set_is_bounded(set) == isl_bool_true &&
              isl_set_foreach_point(set, addPoint, points) == isl_stat_ok;
  isl_set_free(set);
  if (good && points->count)
    qsort(points->list, points->count, sizeof *points->list, nearestFirst);
  return good;
}

//===----------------------------------------------------------------------===//
// Hermite forms
//===----------------------------------------------------------------------===//

bool berthFoldInLattice(const BerthMatrix *hermite, unsigned numDims,
                        const int64_t *d) {
  int64_t rest[BERTH_FOLD_MAX_DIMS];
  for (unsigned i = 0; i < numDims; ++i)
    rest[i] = d[i];
  for (unsigned i = numDims; i > 0; --i) {
    const int64_t *row = hermite->at[i - 1];
    if (rest[i - 1] % row[i - 1])
      return false;
    int64_t factor = rest[i - 1] / row[i - 1];
    for (unsigned j = 0; j < i; ++j)
      rest[j] -= factor * row[j];
  }
  return true;
}

typedef struct Enumeration {
  const BerthFoldPoints *points;
  unsigned numDims;
  uint64_t *steps;
  BerthFoldSmallest *smallest;
  BerthMatrix hermite;
} Enumeration;

static bool missesAll(Enumeration *state) {
  for (size_t i = 0; i < state->points->count; ++i) {
    *state->steps -= *state->steps > 0;
    if (berthFoldInLattice(&state->hermite, state->numDims,
                           state->points->list[i]))
      return false;
  }
  return true;
}

static void testLattice(Enumeration *state) {
  BerthFoldSmallest *smallest = state->smallest;
  if (smallest->count < BerthFoldMaxLattices && missesAll(state))
    smallest->lattices[smallest->count++] = state->hermite;
}

/// All entries from (row, column) on, below the fixed diagonal.
static void enumerateEntries(Enumeration *state, unsigned row,
                             unsigned column) {
  if (*state->steps == 0)
    return;
  if (row == state->numDims) {
    testLattice(state);
    return;
  }
  if (column == row) {
    enumerateEntries(state, row + 1, 0);
    return;
  }
  for (int64_t entry = 0; entry < state->hermite.at[column][column]; ++entry) {
    state->hermite.at[row][column] = entry;
    enumerateEntries(state, row, column + 1);
  }
  state->hermite.at[row][column] = 0;
}

/// All diagonals whose entries from `row` on multiply to `product`.
static void enumerateDiagonals(Enumeration *state, unsigned row,
                               int64_t product) {
  if (row + 1 == state->numDims) {
    state->hermite.at[row][row] = product;
    enumerateEntries(state, 0, 0);
    return;
  }
  for (int64_t entry = 1; entry <= product && *state->steps; ++entry)
    if (product % entry == 0) {
      state->hermite.at[row][row] = entry;
      enumerateDiagonals(state, row + 1, product / entry);
    }
}

bool berthFoldSmallestLattices(const BerthFoldPoints *points, unsigned numDims,
                               int64_t least, uint64_t *steps,
                               BerthFoldSmallest *smallest) {
  Enumeration state = {points, numDims, steps, smallest, {{{0}}}};
  smallest->count = 0;
  for (int64_t product = least; *steps && !smallest->count; ++product) {
    smallest->determinant = product;
    enumerateDiagonals(&state, 0, product);
    *steps -= *steps > 0;
  }
  return *steps && smallest->count;
}
