//===- CertifyPlacement.c - The proof that arrays may share memory -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with what finds placements. It looks at all pairs of cells of
// which one is written while the other is live, of one array or of two, and at
// their final addresses:
//
//     offset + (... (v_0 mod b_0) b_1 + v_1 mod b_1) ...
//
// No pair may have equal ones.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/CertifyPlacement.h"

/// What a row adds to the address is multiplied by the moduli behind it.
static int64_t strideOf(const BerthFoldMapping *mapping, size_t r) {
  int64_t stride = 1;
  for (size_t next = r + 1; next < mapping->numRows; ++next)
    if (__builtin_mul_overflow(stride, mapping->rows[next].terms[0].constant,
                               &stride))
      return INT64_MAX;
  return stride;
}

/// The final address of the cell of array `k` whose indices start at dimension
/// `first` of `pairs`.
static isl_aff *finalAddress(isl_set *pairs,
                             const BerthFoldPlacement *placement, size_t k,
                             size_t first) {
  const BerthFoldMapping *mapping = &placement->mappings[k];
  isl_ctx *ctx = isl_set_get_ctx(pairs);
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(pairs));
  isl_val *offset = isl_val_int_from_si(ctx, (long)placement->offsets[k]);
  isl_aff *sum = isl_aff_val_on_domain(isl_local_space_copy(local), offset);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    const BerthFoldRow *row = &mapping->rows[r];
    isl_aff *v = isl_aff_zero_on_domain(isl_local_space_copy(local));
    for (size_t d = 0; d < mapping->numDims; ++d) {
      isl_val *factor = isl_val_int_from_si(ctx, (long)row->coefficients[d]);
      v = isl_aff_set_coefficient_val(v, isl_dim_in, (int)(first + d), factor);
    }
    isl_val *b = isl_val_int_from_si(ctx, (long)row->terms[0].constant);
    v = isl_aff_mod_val(v, b);
    isl_val *stride = isl_val_int_from_si(ctx, (long)strideOf(mapping, r));
    v = isl_aff_scale_val(v, stride);
    sum = isl_aff_add(sum, v);
  }
  isl_local_space_free(local);
  return sum;
}

/// { [x, y] : x = y }.
static isl_set *samePairs(const BerthFoldProblem *problem) {
  isl_map *same = isl_map_identity(
      isl_space_map_from_set(isl_set_get_space(problem->cells)));
  return isl_set_flatten(isl_map_wrap(same));
}

/// Some cell of array `k` conflicts with another one, of array `l`, at its own
/// address. Anything but a clear no is a yes.
static bool mayCollide(const BerthFoldProblem *problem,
                       const BerthFoldPlacement *placement, size_t k,
                       size_t l) {
  isl_map *conflicts = isl_map_copy(problem->conflicts);
  conflicts = isl_map_fix_si(conflicts, isl_dim_in, 0, (int)k);
  conflicts = isl_map_fix_si(conflicts, isl_dim_out, 0, (int)l);
  isl_set *pairs = isl_set_flatten(isl_map_wrap(conflicts));
  isl_aff *mine = finalAddress(pairs, placement, k, 1);
  isl_aff *other = finalAddress(pairs, placement, l, problem->numDims + 1);
  isl_set *meet = isl_set_from_basic_set(isl_aff_eq_basic_set(mine, other));
  pairs = isl_set_intersect(pairs, meet);
  isl_set *same = samePairs(problem);
  bool none = isl_set_is_subset(pairs, same) == isl_bool_true;
  isl_set_free(same);
  isl_set_free(pairs);
  return !none;
}

/// The mapping is a box of numbers, and it lies within the cells.
static bool isSound(const BerthFoldProblem *problem,
                    const BerthFoldPlacement *placement, size_t k) {
  const BerthFoldMapping *mapping = &placement->mappings[k];
  bool good = mapping->numDims < problem->numDims && mapping->numParams == 0 &&
              !mapping->turn.exists &&
              mapping->numRows <= BERTH_FOLD_MAX_DIMS &&
              mapping->classModulus <= 1;
  int64_t end = 1;
  for (size_t r = 0; good && r < mapping->numRows; ++r) {
    const BerthFoldRow *row = &mapping->rows[r];
    good = row->numTerms == 1 && row->terms[0].divisor == 1 &&
           row->terms[0].constant >= 1 &&
           !__builtin_mul_overflow(end, row->terms[0].constant, &end);
    for (size_t j = 0; j < r; ++j)
      good &= row->carries[j] == 0 && row->carrySlopes[j] == 0;
  }
  return good && placement->offsets[k] >= 0 &&
         !__builtin_add_overflow(end, placement->offsets[k], &end) &&
         end <= placement->cells;
}

BerthStatus berthFoldCheckPlaced(const BerthFoldProblem *problem,
                                 const BerthFoldPlacement *placement,
                                 BerthError *error) {
  if (problem->numArrays < 2 || problem->numParams > 0 || problem->slices ||
      placement->numArrays != problem->numArrays ||
      placement->numArrays > BERTH_FOLD_MAX_PLACED)
    return berthErrorSet(error, BERTH_INVALID,
                         "only 2 to %d arrays of constant sizes without slices "
                         "are placed together",
                         BERTH_FOLD_MAX_PLACED);
  for (size_t k = 0; k < placement->numArrays; ++k)
    if (!isSound(problem, placement, k))
      return berthErrorSet(error, BERTH_INVALID,
                           "array %s has no mapping by numbers alone, or does "
                           "not lie within the cells",
                           problem->arrayNames[k]);
  return BERTH_SUCCESS;
}

BerthStatus berthFoldCertifyPlacement(const BerthFoldProblem *problem,
                                      const BerthFoldPlacement *placement,
                                      BerthError *error) {
  BerthStatus status = berthFoldCheckPlaced(problem, placement, error);
  if (status != BERTH_SUCCESS)
    return status;
  for (size_t k = 0; k < placement->numArrays; ++k)
    for (size_t l = 0; l < placement->numArrays; ++l) {
      if (!mayCollide(problem, placement, k, l))
        continue;
      if (isl_ctx_last_error(problem->ctx) != isl_error_none)
        return berthFoldIslError(problem->ctx, "the certificate", error);
      return berthErrorSet(error, BERTH_INVALID,
                           "the certificate fails: cells of %s and %s collide",
                           problem->arrayNames[k], problem->arrayNames[l]);
    }
  return BERTH_SUCCESS;
}
