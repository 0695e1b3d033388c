//===- CertifySlices.c - The proof that slices stay in one piece ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with what finds rings. A slice starts where its first cell is,
// and goes on from there. Row by row, for all indices v, w of one slice:
//
//     as it is    0 <= v < b
//     a ring      floor(v / b) = floor(w / b)
//     mirrored    |v - w| <= mirror < b: from row b - 1 at most it goes on into
//                 the mirrored rows, and no row of it is there twice
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/CertifySlices.h"

/// The index that the row is, alone; numDims if it is something else.
static size_t indexOf(const BerthFoldMapping *mapping, size_t r) {
  const BerthFoldRow *row = &mapping->rows[r];
  size_t index = mapping->numDims;
  for (size_t d = 0; d < mapping->numDims; ++d) {
    if (row->coefficients[d] == 0)
      continue;
    if (row->coefficients[d] != 1 || index < mapping->numDims)
      return mapping->numDims;
    index = d;
  }
  for (size_t j = 0; j < r; ++j)
    if (row->carries[j] || row->carrySlopes[j])
      return mapping->numDims;
  return index;
}

/// { instance -> [x_d] }.
static isl_union_map *indices(const BerthFoldProblem *problem, size_t d) {
  isl_local_space *local =
      isl_local_space_from_space(isl_set_get_space(problem->cells));
  isl_aff *x = isl_aff_zero_on_domain(local);
  x = isl_aff_set_coefficient_si(x, isl_dim_in, (int)d, 1);
  return isl_union_map_apply_range(isl_union_map_copy(problem->slices),
                                   isl_union_map_from_map(isl_map_from_aff(x)));
}

/// The parameters' part of a term, and ceil of it all.
static isl_aff *valueOf(const BerthFoldProblem *problem, isl_set *over,
                        const BerthFoldTerm *term) {
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(over));
  isl_val *constant = isl_val_int_from_si(problem->ctx, (long)term->constant);
  isl_aff *value = isl_aff_val_on_domain(local, constant);
  for (unsigned p = 0; p < problem->numParams; ++p)
    value = isl_aff_set_coefficient_si(value, isl_dim_param, (int)p,
                                       (int)term->coefficients[p]);
  isl_val *divisor = isl_val_int_from_si(problem->ctx, (long)term->divisor);
  return isl_aff_ceil(isl_aff_scale_down_val(value, divisor));
}

/// 0 <= v < b for every index v (taken).
static bool isWithin(const BerthFoldProblem *problem, const BerthFoldRow *row,
                     isl_set *v) {
  isl_set *negative =
      isl_set_upper_bound_si(isl_set_copy(v), isl_dim_set, 0, -1);
  for (size_t t = 0; t < row->numTerms; ++t) {
    isl_local_space *local = isl_local_space_from_space(isl_set_get_space(v));
    isl_aff *at = isl_aff_zero_on_domain(local);
    at = isl_aff_set_coefficient_si(at, isl_dim_in, 0, 1);
    isl_aff *end = valueOf(problem, v, &row->terms[t]);
    v = isl_set_intersect(
        v, isl_set_from_basic_set(isl_aff_ge_basic_set(at, end)));
  }
  bool within = isl_set_is_empty(negative) == isl_bool_true &&
                isl_set_is_empty(v) == isl_bool_true;
  isl_set_free(negative);
  isl_set_free(v);
  return within;
}

/// { [v - w] } over the indices v, w of each slice (taken), of their quotients
/// by `divisor` each.
static isl_set *distances(isl_union_map *of, isl_ctx *ctx, int64_t divisor) {
  isl_map *index = isl_map_from_union_map(isl_union_map_apply_range(
      isl_union_map_reverse(isl_union_map_copy(of)), isl_union_map_copy(of)));
  isl_union_map_free(of);
  isl_space *space = isl_space_domain(isl_map_get_space(index));
  isl_aff *quotient = isl_aff_zero_on_domain(isl_local_space_from_space(space));
  quotient = isl_aff_set_coefficient_si(quotient, isl_dim_in, 0, 1);
  quotient = isl_aff_floor(isl_aff_scale_down_val(
      quotient, isl_val_int_from_si(ctx, (long)divisor)));
  isl_map *divide = isl_map_from_aff(quotient);
  index = isl_map_apply_domain(index, isl_map_copy(divide));
  return isl_map_deltas(isl_map_apply_range(index, divide));
}

/// All distances (taken) are within [-most, most].
static bool areAtMost(isl_set *all, int64_t most) {
  isl_set *over = isl_set_copy(all);
  over = isl_set_lower_bound_si(over, isl_dim_set, 0, (int)most + 1);
  bool good = isl_set_is_empty(over) == isl_bool_true;
  isl_set_free(over);
  all = isl_set_upper_bound_si(all, isl_dim_set, 0, -(int)most - 1);
  good &= isl_set_is_empty(all) == isl_bool_true;
  isl_set_free(all);
  return good;
}

static bool rowHolds(const BerthFoldProblem *problem,
                     const BerthFoldMapping *mapping, size_t r) {
  const BerthFoldRow *row = &mapping->rows[r];
  size_t d = indexOf(mapping, r);
  for (size_t other = 0; other < r; ++other)
    if (indexOf(mapping, other) == d)
      return false;
  if (d == mapping->numDims || row->mirror < 0)
    return false;
  isl_union_map *of = indices(problem, d);
  if (isl_union_map_is_empty(of) == isl_bool_true) {
    isl_union_map_free(of);
    return true;
  }
  if (row->plain)
    return isWithin(problem, row,
                    isl_set_from_union_set(isl_union_map_range(of)));
  const BerthFoldTerm *term = &row->terms[0];
  bool isNumber = row->numTerms == 1 && term->divisor == 1;
  for (unsigned p = 0; p < problem->numParams; ++p)
    isNumber &= term->coefficients[p] == 0;
  if (!isNumber || row->mirror >= term->constant) {
    isl_union_map_free(of);
    return false;
  }
  return row->mirror
             ? areAtMost(distances(of, problem->ctx, 1), row->mirror)
             : areAtMost(distances(of, problem->ctx, term->constant), 0);
}

BerthStatus berthFoldCertifySlices(const BerthFoldProblem *problem,
                                   const BerthFoldMapping *mapping,
                                   BerthError *error) {
  bool good = mapping->numRows == problem->numDims && !mapping->turn.exists;
  for (size_t r = 0; good && r < mapping->numRows; ++r)
    good = rowHolds(problem, mapping, r);
  if (isl_ctx_last_error(problem->ctx) != isl_error_none)
    return berthFoldIslError(problem->ctx, "the certificate", error);
  return good ? BERTH_SUCCESS
              : berthErrorSet(error, BERTH_INVALID,
                              "the certificate fails: a slice wraps around");
}
