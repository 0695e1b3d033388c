//===- Rows.c - Slices of D and completing a skeleton --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Rows.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// The sample
//===----------------------------------------------------------------------===//

/// The values of `params` with every parameter at least `least`, far apart, so
/// that no two sizes coincide by chance.
static isl_set *largeParams(isl_set *params, unsigned numParams, int least) {
  for (unsigned p = 0; p < numParams; ++p)
    params = isl_set_lower_bound_si(params, isl_dim_set, p,
                                    least + least / 7 * (int)p);
  return isl_set_lexmin(params);
}

static isl_set *fixSample(const BerthFoldSearch *search, isl_set *set) {
  isl_ctx *ctx = isl_set_get_ctx(set);
  for (unsigned p = 0; p < search->problem->numParams; ++p)
    set = isl_set_fix_val(set, isl_dim_param, p,
                          isl_val_int_from_si(ctx, (long)search->sample[p]));
  return isl_set_project_out(set, isl_dim_param, 0, search->problem->numParams);
}

static bool readPoint(isl_set *set, unsigned numParams, int64_t *values) {
  isl_point *point = isl_set_sample_point(set);
  bool good = point && isl_point_is_void(point) == isl_bool_false;
  for (unsigned p = 0; good && p < numParams; ++p) {
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)p);
    good = isl_val_is_int(value) == isl_bool_true;
    values[p] = good ? isl_val_get_num_si(value) : 0;
    isl_val_free(value);
  }
  isl_point_free(point);
  return good;
}

BerthStatus berthFoldSearchInit(const BerthFoldProblem *problem,
                                BerthFoldSearch *search, BerthError *error) {
  *search = (BerthFoldSearch){.problem = problem};
  static const int leasts[] = {1000, 100, 30, 10, 3};
  isl_set *used = isl_set_params(isl_set_copy(problem->difference));
  if (isl_set_is_empty(used) == isl_bool_true) {
    isl_set_free(used);
    used = isl_set_copy(problem->context);
  }
  used = isl_set_move_dims(isl_set_from_params(used), isl_dim_set, 0,
                           isl_dim_param, 0, problem->numParams);
  bool found = problem->numParams == 0;
  for (size_t i = 0; !found && i < sizeof leasts / sizeof *leasts; ++i) {
    isl_set *large =
        largeParams(isl_set_copy(used), problem->numParams, leasts[i]);
    found = readPoint(large, problem->numParams, search->sample);
  }
  if (!found)
    found = readPoint(isl_set_copy(used), problem->numParams, search->sample);
  isl_set_free(used);
  search->differenceAt = fixSample(search, isl_set_copy(problem->difference));
  search->differenceAt = isl_set_coalesce(search->differenceAt);
  if (!found || !search->differenceAt)
    return berthFoldIslError(problem->ctx, "choosing sample parameters", error);
  return BERTH_SUCCESS;
}

void berthFoldSearchFree(BerthFoldSearch *search) {
  isl_set_free(search->differenceAt);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

isl_aff *berthFoldLinearForm(isl_set *set, const int64_t *m) {
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(set));
  isl_aff *aff = isl_aff_zero_on_domain(local);
  isl_size numDims = isl_set_dim(set, isl_dim_set);
  for (isl_size d = 0; d < numDims; ++d)
    aff = isl_aff_set_coefficient_si(aff, isl_dim_in, (int)d, (int)m[d]);
  return aff;
}

isl_set *berthFoldSliceZero(isl_set *slice, const int64_t *m) {
  isl_set *plane = isl_set_from_basic_set(
      isl_aff_zero_basic_set(berthFoldLinearForm(slice, m)));
  return isl_set_intersect(slice, plane);
}

isl_set *berthFoldSliceModulo(isl_set *slice, const int64_t *m, int64_t s) {
  isl_val *modulus = isl_val_int_from_si(isl_set_get_ctx(slice), (long)s);
  isl_aff *rest = isl_aff_mod_val(berthFoldLinearForm(slice, m), modulus);
  isl_set *planes = isl_set_from_basic_set(isl_aff_zero_basic_set(rest));
  return isl_set_intersect(slice, planes);
}

int64_t berthFoldLargest(isl_set *slice, const int64_t *m) {
  isl_aff *form = berthFoldLinearForm(slice, m);
  isl_val *largest = isl_set_max_val(slice, form);
  int64_t result = -1;
  if (largest && isl_val_is_int(largest) == isl_bool_true &&
      isl_val_cmp_si(largest, INT32_MAX) < 0)
    result = isl_val_get_num_si(largest);
  isl_val_free(largest);
  isl_aff_free(form);
  return result;
}

//===----------------------------------------------------------------------===//
// Completing
//===----------------------------------------------------------------------===//

typedef struct PieceCount {
  const int64_t *m;
  unsigned satisfied;
} PieceCount;

static isl_stat countPiece(isl_basic_set *piece, void *user) {
  PieceCount *count = user;
  isl_set *slice = berthFoldSliceZero(isl_set_from_basic_set(piece), count->m);
  count->satisfied += isl_set_is_empty(slice) == isl_bool_true;
  isl_set_free(slice);
  return isl_stat_ok;
}

static unsigned piecesSatisfied(isl_set *slice, const int64_t *m) {
  PieceCount count = {m, 0};
  isl_set_foreach_basic_set(slice, countPiece, &count);
  return count.satisfied;
}

static bool isIndependent(const BerthFoldSkeleton *skeleton, const int64_t *m,
                          unsigned numDims) {
  BerthMatrix rows = skeleton->rows;
  memcpy(rows.at[skeleton->numRows], m, sizeof rows.at[0]);
  return berthMatrixRank(&rows, skeleton->numRows + 1, numDims) ==
         skeleton->numRows + 1;
}

/// The best candidate's index for one more row, or `count`. Ties go to the
/// first, that is the smallest vector.
static size_t bestCandidate(const BerthFoldSkeleton *skeleton, isl_set *slice,
                            const BerthFoldCandidates *candidates,
                            unsigned numDims, int64_t *largest) {
  size_t best = candidates->count;
  unsigned bestPieces = 0;
  *largest = -1;
  for (size_t i = 0; i < candidates->count; ++i) {
    const int64_t *m = candidates->vectors[i];
    if (!isIndependent(skeleton, m, numDims))
      continue;
    int64_t value = berthFoldLargest(slice, m);
    unsigned pieces = candidates->byPieces ? piecesSatisfied(slice, m) : 0;
    if (value < 0 || pieces < bestPieces ||
        (pieces == bestPieces && *largest >= 0 && value >= *largest))
      continue;
    best = i;
    bestPieces = pieces;
    *largest = value;
  }
  return best;
}

bool berthFoldCompleteRows(BerthFoldSkeleton *skeleton, isl_set *slice,
                           const BerthFoldCandidates *candidates,
                           unsigned numDims) {
  isl_bool empty;
  while ((empty = isl_set_is_empty(slice)) == isl_bool_false &&
         skeleton->numRows < numDims) {
    int64_t largest;
    size_t best = bestCandidate(skeleton, slice, candidates, numDims, &largest);
    if (best == candidates->count)
      break;
    const int64_t *m = candidates->vectors[best];
    memcpy(skeleton->rows.at[skeleton->numRows++], m,
           sizeof skeleton->rows.at[0]);
    if (__builtin_mul_overflow(skeleton->size, largest + 1, &skeleton->size))
      skeleton->size = INT64_MAX;
    slice = isl_set_coalesce(berthFoldSliceZero(slice, m));
  }
  isl_set_free(slice);
  return empty == isl_bool_true;
}
