//===- Points.c - D as a list of points ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Fold/Mapping/Points.h"

#include <stdlib.h>
#include <string.h>

/// The last non-zero coordinate, or -1.
static int levelOf(const int64_t *d) {
  int level = BERTH_FOLD_MAX_DIMS - 1;
  while (level >= 0 && d[level] == 0)
    --level;
  return level;
}

/// Room for one more point, zeroed; NULL when there are too many.
static int64_t *newPoint(BerthFoldPoints *points) {
  if (points->count == points->capacity) {
    size_t capacity = points->capacity ? 2 * points->capacity : 64;
    void *list = capacity > 2 * BerthFoldMaxPoints
                     ? NULL
                     : realloc(points->list, capacity * sizeof *points->list);
    if (!list)
      return NULL;
    points->list = list;
    points->capacity = capacity;
  }
  return memset(points->list[points->count], 0, sizeof *points->list);
}

static isl_stat addPoint(isl_point *point, void *user) {
  BerthFoldPoints *points = user;
  int64_t *d = newPoint(points);
  isl_space *space = isl_point_get_space(point);
  isl_size numDims = isl_space_dim(space, isl_dim_set);
  isl_space_free(space);
  for (int i = 0; d && i < numDims; ++i) {
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);
    d[i] = isl_val_get_num_si(value);
    isl_val_free(value);
  }
  isl_point_free(point);
  if (!d)
    return isl_stat_error;
  int level = levelOf(d);
  points->count += level >= 0 && d[level] > 0;
  return isl_stat_ok;
}

static int byLevel(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  int levels = levelOf(a) - levelOf(b);
  int64_t sumA = 0, sumB = 0, difference = 0;
  for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i) {
    sumA += llabs(a[i]);
    sumB += llabs(b[i]);
    difference = difference ? difference : a[i] - b[i];
  }
  if (levels || sumA != sumB)
    return levels ? levels : sumA < sumB ? -1 : 1;
  return difference < 0 ? -1 : difference > 0;
}

/// Sorts, drops repetitions and sets the levels.
static void sortPoints(BerthFoldPoints *points) {
  size_t kept = 0, next = 0;
  if (points->count)
    qsort(points->list, points->count, sizeof *points->list, byLevel);
  for (size_t i = 0; i < points->count; ++i)
    if (!kept ||
        memcmp(points->list[kept - 1], points->list[i], sizeof *points->list))
      memmove(points->list[kept++], points->list[i], sizeof *points->list);
  points->count = kept;
  for (int level = 0; level <= BERTH_FOLD_MAX_DIMS; ++level) {
    while (next < kept && levelOf(points->list[next]) < level)
      ++next;
    points->levels[level] = next;
  }
}

/// Fills `reach` and, unless it is too large, `inside`.
static void mapPoints(BerthFoldPoints *points) {
  enum { MaxPlaces = 4000000 };
  size_t places = 1;
  for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i) {
    int64_t reach = 0;
    for (size_t k = 0; k < points->count; ++k)
      reach =
          llabs(points->list[k][i]) > reach ? llabs(points->list[k][i]) : reach;
    points->reach[i] = reach;
    places = reach < MaxPlaces && places < MaxPlaces
                 ? places * (size_t)(2 * reach + 1)
                 : MaxPlaces;
  }
  if (places >= MaxPlaces || !(points->inside = calloc(places, 1)))
    return;
  for (size_t k = 0; k < points->count; ++k) {
    points->inside[berthFoldPlaceOf(points, points->list[k])] = true;
    points->inside[places - 1 - berthFoldPlaceOf(points, points->list[k])] =
        true;
  }
}

void berthFoldFreePoints(BerthFoldPoints *points) {
  free(points->list);
  free(points->inside);
}

bool berthFoldListPoints(const BerthFoldProblem *problem, const int64_t *params,
                         BerthFoldPoints *points) {
  *points = (BerthFoldPoints){.numDims = problem->numDims};
  isl_set *set = isl_set_copy(problem->difference);
  for (unsigned p = 0; p < problem->numParams; ++p)
    set = isl_set_fix_val(set, isl_dim_param, p,
                          isl_val_int_from_si(problem->ctx, (long)params[p]));
  set = isl_set_make_disjoint(set);
  bool good = isl_set_is_bounded(set) == isl_bool_true &&
              isl_set_foreach_point(set, addPoint, points) == isl_stat_ok;
  isl_set_free(set);
  if (good) {
    sortPoints(points);
    mapPoints(points);
  }
  return good;
}

bool berthFoldHasPoint(const BerthFoldPoints *points, const int64_t *d) {
  int64_t key[BERTH_FOLD_MAX_DIMS];
  int level = levelOf(d);
  if (level < 0)
    return true;
  for (unsigned i = 0; i < BERTH_FOLD_MAX_DIMS; ++i)
    key[i] = d[level] < 0 ? -d[i] : d[i];
  return points->count && bsearch(key, points->list, points->count,
                                  sizeof *points->list, byLevel);
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

unsigned berthFoldUnitEntry(const int64_t *vector, unsigned numDims) {
  for (unsigned d = numDims; d > 0; --d)
    if (vector[d - 1] == 1 || vector[d - 1] == -1)
      return d - 1;
  return numDims;
}

bool berthFoldQuotient(const BerthFoldPoints *points, unsigned numDims,
                       const int64_t *vector, unsigned unit,
                       const unsigned *order, BerthFoldPoints *quotient) {
  unsigned numLeft = numDims - (unit < numDims);
  *quotient = (BerthFoldPoints){.numDims = numLeft};
  for (size_t i = 0; i < points->count; ++i) {
    const int64_t *d = points->list[i];
    int64_t times = unit < numDims ? d[unit] * vector[unit] : 0;
    int64_t *image = newPoint(quotient);
    if (!image)
      return false;
    for (unsigned k = 0; k < numLeft; ++k) {
      unsigned from = order[k] + (order[k] >= unit);
      image[k] = d[from] - (times ? times * vector[from] : 0);
    }
    int level = levelOf(image);
    if (level < 0)
      return false;
    int64_t sign = image[level] < 0 ? -1 : 1;
    for (unsigned k = 0; k < numLeft; ++k)
      image[k] *= sign;
    ++quotient->count;
  }
  sortPoints(quotient);
  mapPoints(quotient);
  return true;
}
