//===- Modulus.c - Symbolic moduli of range rows -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modulus of a range row m is 1 + max m.d over the slice, a piecewise
// quasi-affine function of the parameters. It becomes the largest of a few
// affine terms: floors are replaced by bounds, and each piece's expression
// counts everywhere, which can only enlarge the modulus and so keeps a range
// row valid. To enlarge it little, terms go, one after the other, as long as
// each piece still finds its expression in the others throughout its domain:
// min(n, 8) has the pieces n and 8, and 8 alone will do.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Modulus.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Replaces each floor(e) in `aff` by a bound that makes `aff` larger: e where
/// its factor is positive, e - (d - 1) / d otherwise, d the denominator of e.
static isl_aff *boundFloors(isl_aff *aff) {
  isl_size numDivs;
  while ((numDivs = isl_aff_dim(aff, isl_dim_div)) > 0) {
    int last = numDivs - 1;
    isl_val *factor = isl_aff_get_coefficient_val(aff, isl_dim_div, last);
    isl_aff *floored = isl_aff_get_div(aff, last);
    isl_val *less = isl_aff_get_denominator_val(floored);
    less = isl_val_sub(isl_val_one(isl_aff_get_ctx(aff)), isl_val_inv(less));
    if (isl_val_is_neg(factor) == isl_bool_true)
      floored = isl_aff_add_constant_val(floored, isl_val_neg(less));
    else
      isl_val_free(less);
    floored = isl_aff_scale_val(floored, factor);
    aff = isl_aff_set_coefficient_si(aff, isl_dim_div, last, 0);
    aff = isl_aff_add(aff, floored);
  }
  return aff;
}

/// The integer value * scale, or false when it is not an int64_t of moderate
/// size.
static bool scaledInt(isl_val *value, isl_val *scale, int64_t *result) {
  value = isl_val_mul(value, isl_val_copy(scale));
  bool good = isl_val_is_int(value) == isl_bool_true &&
              isl_val_cmp_si(value, INT32_MAX) < 0 &&
              isl_val_cmp_si(value, -INT32_MAX) > 0;
  *result = good ? isl_val_get_num_si(value) : 0;
  isl_val_free(value);
  return good;
}

/// 1 + floor(aff) as a term: floor((p + q) / q) = ceil((p + 1) / q).
static bool termOf(isl_aff *aff, unsigned numParams, BerthFoldTerm *term) {
  aff = boundFloors(aff);
  *term = (BerthFoldTerm){0};
  isl_val *scale = isl_aff_get_denominator_val(aff);
  isl_val *one = isl_val_one(isl_aff_get_ctx(aff));
  bool good = aff && scaledInt(isl_val_copy(scale), one, &term->divisor) &&
              scaledInt(isl_aff_get_constant_val(aff), scale, &term->constant);
  for (unsigned p = 0; good && p < numParams; ++p)
    good = scaledInt(isl_aff_get_coefficient_val(aff, isl_dim_param, (int)p),
                     scale, &term->coefficients[p]);
  term->constant += 1;
  isl_val_free(one);
  isl_val_free(scale);
  isl_aff_free(aff);
  return good;
}

isl_aff *berthFoldTermOver(isl_set *over, const BerthFoldTerm *term) {
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(over));
  isl_aff *aff = isl_aff_zero_on_domain(local);
  aff = isl_aff_set_constant_si(aff, (int)term->constant);
  isl_size numParams = isl_set_dim(over, isl_dim_param);
  for (isl_size p = 0; p < numParams; ++p)
    aff = isl_aff_set_coefficient_si(aff, isl_dim_param, (int)p,
                                     (int)term->coefficients[p]);
  isl_val *divisor =
      isl_val_int_from_si(isl_set_get_ctx(over), (long)term->divisor);
  return isl_aff_ceil(isl_aff_scale_down_val(aff, divisor));
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

enum { MaxPieces = 24 };

/// Where the parameters are in `domain`, the modulus must be `term` at least.
typedef struct Piece {
  isl_set *domain;
  BerthFoldTerm term;
  bool kept; ///< the term is one of the modulus's
} Piece;

typedef struct Pieces {
  const BerthFoldProblem *problem;
  size_t count;
  Piece list[MaxPieces];
} Pieces;

/// The largest value of a term over `domain`; -1 when it has none that is
/// moderate.
static int64_t largestOver(isl_set *domain, const BerthFoldTerm *term) {
  isl_set *points = isl_set_from_params(isl_set_copy(domain));
  isl_aff *value = berthFoldTermOver(points, term);
  isl_val *largest = isl_set_max_val(points, value);
  int64_t result = -1;
  if (largest && isl_val_is_int(largest) == isl_bool_true &&
      isl_val_cmp_si(largest, INT32_MAX) < 0 && isl_val_cmp_si(largest, 0) >= 0)
    result = isl_val_get_num_si(largest);
  isl_val_free(largest);
  isl_aff_free(value);
  isl_set_free(points);
  return result;
}

/// The term, or the largest value that it has in its domain if it has larger
/// ones elsewhere: 60 - n counts where n < 0, too, and must not grow there.
static BerthFoldTerm boundTerm(const BerthFoldProblem *problem, isl_set *domain,
                               BerthFoldTerm term) {
  int64_t inside = largestOver(domain, &term);
  int64_t anywhere = inside < 0 ? 0 : largestOver(problem->context, &term);
  if (inside < 0 || anywhere == inside)
    return term;
  return (BerthFoldTerm){.constant = inside, .divisor = 1};
}

/// Takes `domain`.
static bool addTerm(Pieces *pieces, isl_set *domain,
                    const BerthFoldTerm *term) {
  if (pieces->count == MaxPieces) {
    isl_set_free(domain);
    return false;
  }
  pieces->list[pieces->count++] = (Piece){domain, *term, true};
  return true;
}

static isl_stat addPiece(isl_set *domain, isl_aff *aff, void *user) {
  Pieces *pieces = user;
  BerthFoldTerm term;
  domain = isl_set_intersect(domain, isl_set_copy(pieces->problem->context));
  if (isl_set_is_empty(domain) == isl_bool_true) {
    isl_set_free(domain);
    isl_aff_free(aff);
    return isl_stat_ok;
  }
  if (!termOf(aff, pieces->problem->numParams, &term)) {
    isl_set_free(domain);
    return isl_stat_error;
  }
  term = boundTerm(pieces->problem, domain, term);
  return addTerm(pieces, domain, &term) ? isl_stat_ok : isl_stat_error;
}

/// Throughout the piece's domain some kept term is as large as its own.
static bool isCovered(const Pieces *pieces, const Piece *piece) {
  isl_set *shortOf = isl_set_copy(piece->domain);
  for (size_t i = 0; i < pieces->count; ++i) {
    if (!pieces->list[i].kept)
      continue;
    isl_aff *needed = berthFoldTermOver(shortOf, &piece->term);
    isl_aff *other = berthFoldTermOver(shortOf, &pieces->list[i].term);
    isl_set *below =
        isl_set_from_basic_set(isl_aff_gt_basic_set(needed, other));
    shortOf = isl_set_intersect(shortOf, below);
  }
  bool covered = isl_set_is_empty(shortOf) == isl_bool_true;
  isl_set_free(shortOf);
  return covered;
}

static bool allCovered(const Pieces *pieces) {
  for (size_t i = 0; i < pieces->count; ++i)
    if (!isCovered(pieces, &pieces->list[i]))
      return false;
  return true;
}

/// Whether `a` should go before `b`: terms that depend on parameters, which may
/// become larger than the array ever was, before numbers; then by their values
/// where all parameters are large.
static bool goesFirst(const BerthFoldTerm *a, const BerthFoldTerm *b) {
  int64_t sumA = 0, sumB = 0;
  bool numberA = true, numberB = true;
  for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p) {
    sumA += a->coefficients[p];
    sumB += b->coefficients[p];
    numberA &= a->coefficients[p] == 0;
    numberB &= b->coefficients[p] == 0;
  }
  if (numberA != numberB)
    return numberB;
  return (sumA * 1000 + a->constant) / a->divisor >
         (sumB * 1000 + b->constant) / b->divisor;
}

/// Drops terms in the order of goesFirst; the rest are the row's.
static bool reduceTerms(Pieces *pieces, BerthFoldRow *row) {
  bool tried[MaxPieces] = {false};
  for (size_t round = 0; round < pieces->count; ++round) {
    size_t next = pieces->count;
    for (size_t i = 0; i < pieces->count; ++i)
      if (!tried[i] &&
          (next == pieces->count ||
           goesFirst(&pieces->list[i].term, &pieces->list[next].term)))
        next = i;
    tried[next] = true;
    pieces->list[next].kept = false;
    pieces->list[next].kept = !allCovered(pieces);
  }
  for (size_t i = 0; i < pieces->count; ++i) {
    if (!pieces->list[i].kept)
      continue;
    if (row->numTerms == BERTH_FOLD_MAX_TERMS)
      return false;
    row->terms[row->numTerms++] = pieces->list[i].term;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Moduli
//===----------------------------------------------------------------------===//

/// { d } -> { m.d }, one-dimensional.
static isl_set *imageOf(isl_set *slice, const int64_t *m) {
  isl_map *map = isl_map_from_aff(berthFoldLinearForm(slice, m));
  return isl_set_apply(isl_set_copy(slice), map);
}

/// Sets the terms of `row` to more than its |m.d| on the slice (kept), and to 1
/// at least if `positive`.
static bool rangeTerms(const BerthFoldProblem *problem, isl_set *slice,
                       const int64_t *m, bool positive, BerthFoldRow *row) {
  isl_set *image = isl_set_coalesce(imageOf(slice, m));
  bool good =
      isl_set_dim_has_upper_bound(image, isl_dim_set, 0) == isl_bool_true;
  if (!good) {
    isl_set_free(image);
    return false;
  }
  isl_pw_aff *largest = isl_pw_aff_coalesce(isl_set_dim_max(image, 0));
  Pieces pieces = {.problem = problem};
  BerthFoldTerm one = {.constant = 1, .divisor = 1};
  good =
      largest &&
      isl_pw_aff_foreach_piece(largest, addPiece, &pieces) == isl_stat_ok &&
      (!positive || addTerm(&pieces, isl_set_copy(problem->context), &one)) &&
      reduceTerms(&pieces, row);
  isl_pw_aff_free(largest);
  for (size_t i = 0; i < pieces.count; ++i)
    isl_set_free(pieces.list[i].domain);
  return good;
}

static bool rangeModulus(const BerthFoldProblem *problem, isl_set *slice,
                         BerthFoldRow *row) {
  return rangeTerms(problem, slice, row->coefficients, true, row);
}

bool berthFoldLargestTerm(const BerthFoldProblem *problem, isl_set *set,
                          const int64_t *m, BerthFoldTerm *term) {
  BerthFoldRow row = {.numTerms = 0};
  if (!rangeTerms(problem, set, m, false, &row) || row.numTerms != 1)
    return false;
  *term = row.terms[0];
  return true;
}

static void setLatticeModulus(BerthFoldRow *row, int64_t s) {
  row->numTerms = 1;
  row->terms[0] = (BerthFoldTerm){.constant = s, .divisor = 1};
}

static bool isOne(const BerthFoldRow *row, unsigned numParams) {
  bool one = row->numTerms == 1 && row->terms[0].constant == 1 &&
             row->terms[0].divisor == 1;
  for (unsigned p = 0; p < numParams; ++p)
    one &= row->terms[0].coefficients[p] == 0;
  return one;
}

bool berthFoldRealise(const BerthFoldProblem *problem,
                      const BerthFoldSkeleton *skeleton,
                      BerthFoldMapping *mapping) {
  *mapping = (BerthFoldMapping){.method = skeleton->method,
                                .numDims = problem->numDims,
                                .numParams = problem->numParams,
                                .numReuse = skeleton->numReuse,
                                .classModulus = 1};
  memcpy(mapping->reuse, skeleton->reuse.at, sizeof mapping->reuse);
  isl_set *slice = isl_set_copy(problem->difference);
  bool good = true;
  for (unsigned r = 0; good && r < skeleton->numRows; ++r) {
    BerthFoldRow row = {0};
    memcpy(row.coefficients, skeleton->rows.at[r], sizeof row.coefficients);
    if (r < skeleton->numLattice) {
      setLatticeModulus(&row, skeleton->divisors[r]);
      slice =
          berthFoldSliceModulo(slice, row.coefficients, skeleton->divisors[r]);
    } else {
      good = rangeModulus(problem, slice, &row);
      slice = berthFoldSliceZero(slice, row.coefficients);
    }
    slice = isl_set_coalesce(slice);
    if (!isOne(&row, problem->numParams))
      mapping->rows[mapping->numRows++] = row;
  }
  good = good && isl_set_is_empty(slice) == isl_bool_true;
  isl_set_free(slice);
  return good;
}

bool berthFoldWholeRow(const BerthFoldProblem *problem, unsigned d,
                       BerthFoldRow *row) {
  *row = (BerthFoldRow){.plain = true};
  row->coefficients[d] = 1;
  isl_set *cells = isl_set_copy(problem->cells);
  cells = isl_set_intersect_params(cells, isl_set_copy(problem->context));
  isl_set *negative = isl_set_copy(cells);
  negative = isl_set_upper_bound_si(negative, isl_dim_set, d, -1);
  bool good = isl_set_is_empty(negative) == isl_bool_true &&
              rangeModulus(problem, cells, row);
  isl_set_free(negative);
  isl_set_free(cells);
  return good;
}

//===----------------------------------------------------------------------===//
// Plain rows
//===----------------------------------------------------------------------===//

/// Some cell has v < 0, or v >= every term and thus >= b.
static bool needsModulo(const BerthFoldProblem *problem,
                        const BerthFoldRow *row) {
  isl_set *cells = isl_set_copy(problem->cells);
  cells = isl_set_intersect_params(cells, isl_set_copy(problem->context));
  isl_aff *v = berthFoldLinearForm(cells, row->coefficients);
  isl_set *negative =
      isl_set_from_basic_set(isl_aff_neg_basic_set(isl_aff_copy(v)));
  negative = isl_set_intersect(negative, isl_set_copy(cells));
  isl_set *above = cells;
  for (size_t t = 0; t < row->numTerms; ++t) {
    isl_aff *term = berthFoldTermOver(above, &row->terms[t]);
    isl_set *beyond =
        isl_set_from_basic_set(isl_aff_ge_basic_set(isl_aff_copy(v), term));
    above = isl_set_intersect(above, beyond);
  }
  isl_aff_free(v);
  bool needed = isl_set_is_empty(negative) != isl_bool_true ||
                isl_set_is_empty(above) != isl_bool_true;
  isl_set_free(negative);
  isl_set_free(above);
  return needed;
}

void berthFoldMarkPlain(const BerthFoldProblem *problem,
                        BerthFoldMapping *mapping) {
  for (size_t r = 0; r < mapping->numRows; ++r) {
    BerthFoldRow *row = &mapping->rows[r];
    bool carries = false;
    for (size_t j = 0; j < r; ++j)
      carries |= row->carries[j] != 0 || row->carrySlopes[j] != 0;
    row->plain = !carries && !needsModulo(problem, row);
  }
}

/// False on overflow.
static bool termAt(const BerthFoldTerm *term, size_t numParams,
                   const int64_t *params, int64_t *value) {
  int64_t sum = term->constant;
  for (size_t p = 0; p < numParams; ++p) {
    int64_t product;
    if (__builtin_mul_overflow(term->coefficients[p], params[p], &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return false;
  }
  *value = -berthFloorDiv(-sum, term->divisor);
  return true;
}

/// The modulus of a row at given parameters; INT64_MAX on overflow.
static int64_t modulusAt(const BerthFoldRow *row, size_t numParams,
                         const int64_t *params) {
  int64_t largest = 1;
  for (size_t t = 0; t < row->numTerms; ++t) {
    int64_t value;
    if (!termAt(&row->terms[t], numParams, params, &value))
      return INT64_MAX;
    largest = value > largest ? value : largest;
  }
  return largest;
}

/// The cell behind the mapping's turn, if there is one.
static void turnCell(const BerthFoldMapping *mapping, const int64_t *params,
                     const int64_t *x, int64_t *turned) {
  const BerthFoldTurn *turn = &mapping->turn;
  memcpy(turned, x, mapping->numDims * sizeof *x);
  int64_t from, sum;
  if (!turn->exists ||
      !termAt(&turn->from, mapping->numParams, params, &from) ||
      !termAt(&turn->sum, mapping->numParams, params, &sum) ||
      x[turn->along] < from)
    return;
  turned[turn->along] = 2 * from - 1 - x[turn->along];
  turned[turn->aside] = sum - x[turn->aside];
}

/// How far row `r` goes.
static int64_t extentAt(const BerthFoldMapping *mapping, size_t r,
                        const int64_t *params) {
  const BerthFoldRow *row = &mapping->rows[r];
  int64_t extent = modulusAt(row, mapping->numParams, params);
  return __builtin_add_overflow(extent, row->mirror, &extent) ? INT64_MAX
                                                              : extent;
}

int64_t berthFoldMappingSize(const BerthFoldMapping *mapping,
                             const int64_t *params) {
  int64_t size = 1;
  for (size_t r = 0; r < mapping->numRows; ++r)
    if (__builtin_mul_overflow(size, extentAt(mapping, r, params), &size))
      return INT64_MAX;
  return size;
}

int64_t berthFoldMappingApply(const BerthFoldMapping *mapping,
                              const int64_t *params, const int64_t *cell) {
  int64_t quotients[BERTH_FOLD_MAX_DIMS], x[BERTH_FOLD_MAX_DIMS], place = 0;
  turnCell(mapping, params, cell, x);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    const BerthFoldRow *row = &mapping->rows[r];
    int64_t b = modulusAt(row, mapping->numParams, params), v = 0;
    for (size_t d = 0; d < mapping->numDims; ++d)
      v += row->coefficients[d] * x[d];
    for (size_t j = 0; j < r; ++j)
      v -= (row->carries[j] +
            (row->carrySlopes[j]
                 ? row->carrySlopes[j] * params[mapping->carryParam]
                 : 0)) *
           quotients[j];
    quotients[r] = berthFloorDiv(v, b);
    place = place * (b + row->mirror) + berthFloorMod(v, b);
  }
  return place;
}
