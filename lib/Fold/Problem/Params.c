//===- Params.c - Values of parameters -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Fold/Problem/Params.h"

int64_t berthFoldLeastValue(const BerthFoldProblem *problem, unsigned param) {
  isl_set *values = isl_set_from_params(isl_set_copy(problem->context));
  values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, param, 1);
  values =
      isl_set_project_out(values, isl_dim_param, 0, problem->numParams - 1);
  isl_val *least = isl_set_dim_min_val(values, 0);
  int64_t result = 1;
  if (least && isl_val_is_int(least) == isl_bool_true &&
      isl_val_cmp_si(least, 1000) < 0 && isl_val_cmp_si(least, 1) > 0)
    result = isl_val_get_num_si(least);
  isl_val_free(least);
  return result;
}

void berthFoldSmallParams(const BerthFoldProblem *problem, int64_t *params) {
  for (unsigned p = 0; p < problem->numParams; ++p)
    params[p] = berthFoldLeastValue(problem, p) + 2;
}

void berthFoldKeepPositive(const BerthFoldProblem *problem, BerthFoldRow *row) {
  isl_local_space *local =
      isl_local_space_from_space(isl_set_get_space(problem->context));
  isl_aff *less = isl_aff_zero_on_domain(local);
  less = isl_aff_set_constant_si(less, -(int)row->terms[0].constant);
  for (unsigned p = 0; p < problem->numParams; ++p)
    less = isl_aff_set_coefficient_si(less, isl_dim_param, (int)p,
                                      -(int)row->terms[0].coefficients[p]);
  isl_aff *zero = isl_aff_zero_on_domain(isl_aff_get_domain_local_space(less));
  isl_set *small = isl_set_from_basic_set(isl_aff_ge_basic_set(less, zero));
  small = isl_set_intersect(small, isl_set_copy(problem->context));
  if (isl_set_is_empty(small) != isl_bool_true)
    row->terms[row->numTerms++] = (BerthFoldTerm){.constant = 1, .divisor = 1};
  isl_set_free(small);
}
