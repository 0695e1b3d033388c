//===- Certify.c - The proof that a mapping is valid ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the methods; it has the problem's D and the mapping's
// plain data, nothing else.
//
// Two cells x, y collide iff v_r(x) = v_r(y) mod b_r for every row r. Let
// d = x - y. Row by row, keep the slice of D on which all rows so far agree.
// There v_r(x) - v_r(y) = w_r(d) = m_r . d - sum_j carries_rj * q_j is an exact
// function of d, with q_j = w_j / b_j the difference of quotients:
//
//   b_r a number     the slice of w_r = 0 mod b_r; q_r = floor(w_r / b_r)
//   b_r symbolic     |w_r| < (Q + 1) b_r for a small Q (checked), so the slice
//                    falls apart into w_r = q b_r for q = -Q .. Q, each affine
//
// Behind a turn the same holds of turned cells, so D is made anew of the
// conflicting pairs, with 0 in it where two of them came to one cell.
//
// At the end all slices must be empty. A modulus that is the largest of several
// terms splits the parameters into the regions where each is the largest. That
// slices stay in one piece is proven by CertifySlices.c.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/CertifySlices.h"

#include <stdlib.h>

/// The largest |q| that is tried for symbolic moduli. Mappings of the methods
/// need 0 or 1.
enum { MaxQuotient = 3 };

typedef struct Proof {
  const BerthFoldProblem *problem;
  const BerthFoldMapping *mapping;
  BerthError *error;
} Proof;

static BerthStatus refuse(const Proof *proof, size_t row, const char *why) {
  if (isl_ctx_last_error(proof->problem->ctx) != isl_error_none)
    return berthFoldIslError(proof->problem->ctx, "the certificate",
                             proof->error);
  return berthErrorSet(proof->error, BERTH_INVALID,
                       "the certificate fails at row %zu: %s", row + 1, why);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static isl_aff *constantAff(isl_set *slice, int64_t value) {
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(slice));
  isl_val *constant = isl_val_int_from_si(isl_set_get_ctx(slice), (long)value);
  return isl_aff_val_on_domain(local, constant);
}

static isl_aff *addScaled(isl_aff *sum, isl_aff *what, int64_t factor) {
  isl_val *scale = isl_val_int_from_si(isl_aff_get_ctx(sum), (long)factor);
  what = isl_aff_scale_val(what, scale);
  return isl_aff_add(sum, what);
}

/// m_r . d - sum of carries * q_j. A carry with a slope needs a quotient that
/// is a number here, that is, one of a symbolic modulus (checkCarries).
static isl_aff *rowDifference(const Proof *proof, size_t r, isl_set *slice,
                              isl_aff *const *quotients) {
  const BerthFoldRow *row = &proof->mapping->rows[r];
  isl_aff *w = constantAff(slice, 0);
  for (size_t d = 0; d < proof->mapping->numDims; ++d) {
    isl_val *factor =
        isl_val_int_from_si(proof->problem->ctx, (long)row->coefficients[d]);
    w = isl_aff_set_coefficient_val(w, isl_dim_in, (int)d, factor);
  }
  for (size_t j = 0; j < r; ++j) {
    if (row->carries[j])
      w = addScaled(w, isl_aff_copy(quotients[j]), -row->carries[j]);
    if (row->carrySlopes[j]) {
      isl_val *factor = isl_aff_get_constant_val(quotients[j]);
      factor =
          isl_val_mul_ui(factor, (unsigned long)llabs(row->carrySlopes[j]));
      isl_aff *param = constantAff(slice, 0);
      param = isl_aff_set_coefficient_si(param, isl_dim_param,
                                         (int)proof->mapping->carryParam,
                                         row->carrySlopes[j] < 0 ? 1 : -1);
      w = isl_aff_add(w, isl_aff_scale_val(param, factor));
    }
  }
  return w;
}

/// ceil((constant + coefficients . p) / divisor) over the slice's space.
static isl_aff *termOver(const Proof *proof, const BerthFoldTerm *term,
                         isl_set *slice) {
  isl_aff *aff = constantAff(slice, term->constant);
  for (size_t p = 0; p < proof->mapping->numParams; ++p) {
    isl_val *factor =
        isl_val_int_from_si(proof->problem->ctx, (long)term->coefficients[p]);
    aff = isl_aff_set_coefficient_val(aff, isl_dim_param, (int)p, factor);
  }
  isl_val *divisor =
      isl_val_int_from_si(proof->problem->ctx, (long)term->divisor);
  return isl_aff_ceil(isl_aff_scale_down_val(aff, divisor));
}

static bool isNumber(const Proof *proof, const BerthFoldTerm *term) {
  for (size_t p = 0; p < proof->mapping->numParams; ++p)
    if (term->coefficients[p])
      return false;
  return true;
}

/// The part of `slice` (taken) where a >= b, or a = b. Take the expressions.
static isl_set *whereGe(isl_set *slice, isl_aff *a, isl_aff *b) {
  isl_set *part = isl_set_from_basic_set(isl_aff_ge_basic_set(a, b));
  return isl_set_intersect(slice, part);
}

static isl_set *whereEq(isl_set *slice, isl_aff *a, isl_aff *b) {
  isl_set *part = isl_set_from_basic_set(isl_aff_eq_basic_set(a, b));
  return isl_set_intersect(slice, part);
}

static bool isEmpty(isl_set *set) {
  bool empty = isl_set_is_empty(set) == isl_bool_true;
  isl_set_free(set);
  return empty;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static BerthStatus proveFrom(const Proof *proof, size_t row, isl_set *slice,
                             isl_aff **quotients);

/// A numeric modulus.
static BerthStatus proveNumber(const Proof *proof, size_t row, isl_set *slice,
                               isl_aff **quotients, int64_t modulus) {
  isl_val *b = isl_val_int_from_si(proof->problem->ctx, (long)modulus);
  isl_aff *w = rowDifference(proof, row, slice, quotients);
  isl_aff *rest = isl_aff_mod_val(isl_aff_copy(w), isl_val_copy(b));
  isl_aff *zero = constantAff(slice, 0);
  slice = whereEq(slice, rest, zero);
  quotients[row] = isl_aff_floor(isl_aff_scale_down_val(w, b));
  BerthStatus status = proveFrom(proof, row + 1, slice, quotients);
  isl_aff_free(quotients[row]);
  return status;
}

/// The least Q with |w| < (Q + 1) b on the slice, or MaxQuotient + 1.
static int quotientBound(isl_set *slice, isl_aff *w, isl_aff *b) {
  for (int q = 0; q <= MaxQuotient; ++q) {
    isl_aff *limit = addScaled(constantAff(slice, 0), isl_aff_copy(b), q + 1);
    isl_aff *minus = isl_aff_neg(isl_aff_copy(limit));
    isl_set *over = whereGe(isl_set_copy(slice), isl_aff_copy(w), limit);
    isl_set *under = whereGe(isl_set_copy(slice), minus, isl_aff_copy(w));
    bool overEmpty = isEmpty(over), underEmpty = isEmpty(under);
    if (overEmpty && underEmpty)
      return q;
  }
  return MaxQuotient + 1;
}

/// A symbolic modulus b (taken).
static BerthStatus proveSymbolic(const Proof *proof, size_t row, isl_set *slice,
                                 isl_aff **quotients, isl_aff *b) {
  isl_aff *w = rowDifference(proof, row, slice, quotients);
  int bound = quotientBound(slice, w, b);
  BerthStatus status = BERTH_SUCCESS;
  if (bound > MaxQuotient)
    status = refuse(proof, row, "the modulus is too small for the differences");
  for (int q = -bound; q <= bound && status == BERTH_SUCCESS; ++q) {
    isl_aff *multiple = addScaled(constantAff(slice, 0), isl_aff_copy(b), q);
    isl_set *part = whereEq(isl_set_copy(slice), isl_aff_copy(w), multiple);
    quotients[row] = constantAff(slice, q);
    status = proveFrom(proof, row + 1, part, quotients);
    isl_aff_free(quotients[row]);
  }
  isl_aff_free(w);
  isl_aff_free(b);
  isl_set_free(slice);
  return status;
}

/// The part of `slice` where term `t` is the modulus: no other one is larger.
static isl_set *regionOf(const Proof *proof, const BerthFoldRow *row, size_t t,
                         isl_set *slice) {
  for (size_t other = 0; other < row->numTerms; ++other) {
    if (other == t)
      continue;
    isl_aff *mine = termOver(proof, &row->terms[t], slice);
    isl_aff *theirs = termOver(proof, &row->terms[other], slice);
    slice = whereGe(slice, mine, theirs);
  }
  return slice;
}

/// Proves rows `row`.. on `slice` (taken), on which all earlier ones agree.
static BerthStatus proveFrom(const Proof *proof, size_t row, isl_set *slice,
                             isl_aff **quotients) {
  const BerthFoldMapping *mapping = proof->mapping;
  if (isl_set_is_empty(slice) == isl_bool_true) {
    isl_set_free(slice);
    return BERTH_SUCCESS;
  }
  BerthStatus status = BERTH_SUCCESS;
  if (row == mapping->numRows)
    status = refuse(proof, row - (row > 0), "conflicting cells still collide");
  for (size_t t = 0; status == BERTH_SUCCESS && t < mapping->rows[row].numTerms;
       ++t) {
    const BerthFoldRow *at = &mapping->rows[row];
    isl_set *region = regionOf(proof, at, t, isl_set_copy(slice));
    if (isl_set_is_empty(region) == isl_bool_true)
      isl_set_free(region);
    else if (isNumber(proof, &at->terms[t]))
      status = proveNumber(proof, row, region, quotients,
                           -((-at->terms[t].constant) / at->terms[t].divisor));
    else
      status = proveSymbolic(proof, row, region, quotients,
                             termOver(proof, &at->terms[t], region));
  }
  isl_set_free(slice);
  return status;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// x_d over the cells.
static isl_aff *indexOver(const Proof *proof, size_t d) {
  isl_aff *x = constantAff(proof->problem->cells, 0);
  return isl_aff_set_coefficient_si(x, isl_dim_in, (int)d, 1);
}

/// sum - x_d. Takes `sum`.
static isl_aff *lessIndex(const Proof *proof, size_t d, isl_aff *sum) {
  isl_aff *x = indexOver(proof, d);
  return isl_aff_sub(sum, x);
}

/// { cell -> where the turn takes it }, of the cells that it turns or of the
/// others.
static isl_map *turnOf(const Proof *proof, bool turned) {
  const BerthFoldTurn *turn = &proof->mapping->turn;
  isl_set *cells = proof->problem->cells;
  isl_map *map = NULL;
  for (size_t d = 0; d < proof->mapping->numDims; ++d) {
    isl_aff *at = indexOver(proof, d);
    if (turned && d == turn->along) {
      isl_aff_free(at);
      isl_aff *centre = termOver(proof, &turn->from, cells);
      at = addScaled(constantAff(cells, -1), centre, 2);
      at = lessIndex(proof, d, at);
    } else if (turned && d == turn->aside) {
      isl_aff_free(at);
      at = lessIndex(proof, d, termOver(proof, &turn->sum, cells));
    }
    isl_map *one = isl_map_from_aff(at);
    map = map ? isl_map_flat_range_product(map, one) : one;
  }
  isl_aff *x = indexOver(proof, turn->along);
  isl_aff *from = termOver(proof, &turn->from, cells);
  isl_basic_set *part =
      turned ? isl_aff_ge_basic_set(x, from) : isl_aff_gt_basic_set(from, x);
  return isl_map_intersect_domain(map, isl_set_from_basic_set(part));
}

/// What has to miss the lattice: D, or with a turn the differences of turned
/// cells that conflict.
static isl_set *differences(const Proof *proof) {
  if (!proof->mapping->turn.exists)
    return isl_set_copy(proof->problem->difference);
  isl_map *same = isl_map_identity(
      isl_space_map_from_set(isl_set_get_space(proof->problem->cells)));
  isl_map *pairs = isl_map_copy(proof->problem->conflicts);
  pairs = isl_map_subtract(pairs, same);
  isl_map *stay = turnOf(proof, false), *move = turnOf(proof, true);
  isl_map *turn = isl_map_union(stay, move);
  pairs = isl_map_apply_domain(pairs, isl_map_copy(turn));
  pairs = isl_map_apply_range(pairs, turn);
  return isl_set_coalesce(isl_map_deltas(pairs));
}

static BerthStatus checkTurn(const Proof *proof) {
  const BerthFoldTurn *turn = &proof->mapping->turn;
  size_t numDims = proof->mapping->numDims;
  bool good =
      !turn->exists || (turn->along < numDims && turn->aside < numDims &&
                        turn->along != turn->aside && turn->from.divisor >= 1 &&
                        turn->sum.divisor >= 1);
  return good ? BERTH_SUCCESS : refuse(proof, 0, "the turn is out of place");
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// The parameters the mapping is for: the context within its class.
static isl_set *classOf(const BerthFoldProblem *problem,
                        const BerthFoldMapping *mapping) {
  isl_set *params = isl_set_copy(problem->context);
  if (mapping->classModulus <= 1)
    return params;
  isl_local_space *local =
      isl_local_space_from_space(isl_set_get_space(params));
  isl_aff *aff = isl_aff_zero_on_domain(local);
  aff = isl_aff_set_coefficient_si(aff, isl_dim_param, (int)mapping->classParam,
                                   1);
  isl_val *rest = isl_val_int_from_si(problem->ctx, -(long)mapping->classRest);
  aff = isl_aff_add_constant_val(aff, rest);
  isl_val *modulus =
      isl_val_int_from_si(problem->ctx, (long)mapping->classModulus);
  aff = isl_aff_mod_val(aff, modulus);
  isl_set *members = isl_set_from_basic_set(isl_aff_zero_basic_set(aff));
  return isl_set_intersect(params, members);
}

/// Numeric moduli are whole and at least 1; symbolic ones at least 1 somewhere
/// among their terms for all parameters.
static BerthStatus checkModulus(const Proof *proof, size_t r, isl_set *params) {
  const BerthFoldRow *row = &proof->mapping->rows[r];
  isl_set *small = isl_set_copy(params);
  for (size_t t = 0; t < row->numTerms; ++t) {
    const BerthFoldTerm *term = &row->terms[t];
    if (term->divisor < 1 || (isNumber(proof, term) && term->divisor != 1)) {
      isl_set_free(small);
      return refuse(proof, r, "a term has a bad divisor");
    }
    isl_aff *zero = constantAff(small, 0);
    isl_aff *value = termOver(proof, term, small);
    small = whereGe(small, zero, value);
  }
  if (isEmpty(small) && row->numTerms > 0)
    return BERTH_SUCCESS;
  return refuse(proof, r, "the modulus is less than 1 for some parameters");
}

/// A quotient times a parameter is affine only if the quotient is a number: the
/// earlier row's modulus must be symbolic in all of its terms.
static BerthStatus checkCarries(const Proof *proof, size_t r) {
  const BerthFoldMapping *mapping = proof->mapping;
  for (size_t j = 0; j < BERTH_FOLD_MAX_DIMS; ++j) {
    if (!mapping->rows[r].carrySlopes[j])
      continue;
    if (j >= r || mapping->carryParam >= mapping->numParams)
      return refuse(proof, r, "a carry's slope is out of place");
    for (size_t t = 0; t < mapping->rows[j].numTerms; ++t)
      if (isNumber(proof, &mapping->rows[j].terms[t]))
        return refuse(proof, r, "a carry with a slope from a numeric modulus");
  }
  return BERTH_SUCCESS;
}

BerthStatus berthFoldCertify(const BerthFoldProblem *problem,
                             const BerthFoldMapping *mapping,
                             BerthError *error) {
  Proof proof = {problem, mapping, error};
  if (mapping->numDims != problem->numDims ||
      mapping->numParams != problem->numParams ||
      mapping->numRows > BERTH_FOLD_MAX_DIMS)
    return berthErrorSet(error, BERTH_INVALID,
                         "the mapping is for another problem");
  isl_set *params = classOf(problem, mapping);
  BerthStatus status = checkTurn(&proof);
  for (size_t r = 0; r < mapping->numRows && status == BERTH_SUCCESS; ++r)
    status = checkModulus(&proof, r, params);
  for (size_t r = 0; r < mapping->numRows && status == BERTH_SUCCESS; ++r)
    status = checkCarries(&proof, r);
  isl_aff *quotients[BERTH_FOLD_MAX_DIMS];
  if (status == BERTH_SUCCESS) {
    isl_set *slice = differences(&proof);
    slice = isl_set_intersect_params(slice, isl_set_copy(params));
    status = proveFrom(&proof, 0, slice, quotients);
  }
  if (status == BERTH_SUCCESS && problem->slices)
    status = berthFoldCertifySlices(problem, mapping, error);
  isl_set_free(params);
  return status;
}
