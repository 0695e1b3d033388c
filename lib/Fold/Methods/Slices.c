//===- Slices.c - Mappings that keep slices in one piece ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view or a vector is a box of cells. In the folded array it has to be one,
// too: each index keeps a dimension of its own, and the box must not wrap
// around. The moduli are those of Lefebvre and Feautrier; one around which a
// slice wraps grows until none does, at most to the whole index range, where
// there is nothing to wrap. Or its first rows are mirrored behind the last, as
// many as the tallest slice has but one:
//
//     row    0  1  2  3 | 0' 1'     b = 4, slices of three rows: one that
//                                   starts at row 3 goes on in 0' and 1'
//
// Each of b rows is copied once each time that `mirror` of them are written.
//
//===----------------------------------------------------------------------===//

#include "Fold/Methods/Slices.h"

#include "Fold/Mapping/Modulus.h"
#include "Fold/Methods/Hyperplane.h"

/// A modulus is enlarged by so much at most, short of the whole range.
enum { MaxTrials = 64 };

/// { cell -> [floor(x_d / b)] }.
static isl_union_map *quotients(const BerthFoldProblem *problem, unsigned d,
                                int64_t b) {
  int64_t unit[BERTH_FOLD_MAX_DIMS] = {0};
  unit[d] = 1;
  isl_aff *x = berthFoldLinearForm(problem->cells, unit);
  x = isl_aff_scale_down_val(x, isl_val_int_from_si(problem->ctx, (long)b));
  return isl_union_map_from_map(isl_map_from_aff(isl_aff_floor(x)));
}

static bool keepsSlices(const BerthFoldProblem *problem, unsigned d,
                        int64_t b) {
  isl_union_map *slices = isl_union_map_copy(problem->slices);
  slices = isl_union_map_apply_range(slices, quotients(problem, d, b));
  bool result = isl_union_map_is_single_valued(slices) == isl_bool_true;
  isl_union_map_free(slices);
  return result;
}

/// The row that `mapping` has for index `d`; without one a modulus of 1 does.
static BerthFoldRow rowOf(const BerthFoldMapping *mapping, unsigned d) {
  for (size_t r = 0; r < mapping->numRows; ++r)
    if (mapping->rows[r].coefficients[d])
      return mapping->rows[r];
  BerthFoldRow row = {.numTerms = 1};
  row.coefficients[d] = 1;
  row.terms[0] = (BerthFoldTerm){.constant = 1, .divisor = 1};
  return row;
}

static bool isNumber(const BerthFoldRow *row) {
  bool number = row->numTerms == 1 && row->terms[0].divisor == 1;
  for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p)
    number &= row->terms[0].coefficients[p] == 0;
  return number;
}

/// How many rows further than its first one the tallest slice goes along `d`;
/// -1 if there is no end.
static int64_t reachOf(const BerthFoldProblem *problem, unsigned d) {
  isl_union_map *rows = isl_union_map_apply_range(
      isl_union_map_copy(problem->slices), quotients(problem, d, 1));
  isl_union_map *others = isl_union_map_copy(rows);
  rows = isl_union_map_apply_range(isl_union_map_reverse(rows), others);
  if (isl_union_map_is_empty(rows) == isl_bool_true) {
    isl_union_map_free(rows);
    return 0;
  }
  isl_set *distances = isl_map_deltas(isl_map_from_union_map(rows));
  int64_t unit = 1, reach = berthFoldLargest(distances, &unit);
  isl_set_free(distances);
  return reach;
}

/// The row with mirrored rows; false where that is none of numbers.
static bool mirrorRow(const BerthFoldProblem *problem, unsigned d,
                      BerthFoldRow *row) {
  int64_t reach = isNumber(row) ? reachOf(problem, d) : -1;
  if (reach < 0)
    return false;
  if (row->terms[0].constant <= reach)
    row->terms[0].constant = reach + 1;
  row->mirror = reach;
  return true;
}

/// The modulus as it is or a little larger, else the whole range of the index.
/// False if that starts below 0.
static bool growRow(const BerthFoldProblem *problem, unsigned d,
                    BerthFoldRow *row) {
  BerthFoldRow whole;
  if (!berthFoldWholeRow(problem, d, &whole))
    return false;
  int64_t range = isNumber(&whole) ? whole.terms[0].constant : INT64_MAX;
  for (int trial = 0; isNumber(row) && trial < MaxTrials; ++trial) {
    if (row->terms[0].constant >= range)
      break;
    if (keepsSlices(problem, d, row->terms[0].constant))
      return true;
    ++row->terms[0].constant;
  }
  // A symbolic modulus below the range would need a modulo by a value.
  *row = whole;
  return true;
}

/// What a row that is no number counts as, next to one that is.
static int64_t extentOf(const BerthFoldRow *row) {
  return isNumber(row) ? row->terms[0].constant + row->mirror : INT64_MAX;
}

/// A row that keeps the slices. A ring that takes so much more than one with
/// mirrored rows as the slack allows needs no copies.
static bool keepRow(const BerthFoldProblem *problem, unsigned d,
                    const BerthFoldOptions *options, bool mayMirror,
                    BerthFoldRow *row) {
  BerthFoldRow mirrored = *row;
  bool good = growRow(problem, d, row);
  if (!mayMirror || (good && isNumber(row) &&
                     row->terms[0].constant == mirrored.terms[0].constant))
    return good;
  if (!mirrorRow(problem, d, &mirrored))
    return good;
  int64_t most = extentOf(&mirrored);
  most += most * (int64_t)options->copySlack / 100;
  // Copies have to save more than they hold twice.
  if (!good || extentOf(row) > most + mirrored.mirror)
    *row = mirrored;
  return true;
}

BerthStatus berthFoldSlices(const BerthFoldSearch *search,
                            const BerthFoldOptions *options,
                            BerthFoldResult *result, BerthError *error) {
  const BerthFoldProblem *problem = search->problem;
  BerthFoldSkeletons found = {0};
  BerthFoldMapping moduli, *mapping = &result->mappings[0];
  berthFoldSuccessive(search, &found);
  bool good = berthFoldRealise(problem, &found.list[0], &moduli);
  *mapping = moduli;
  mapping->numRows = 0;
  bool mayMirror = options->mirror;
  for (unsigned d = 0; good && d < problem->numDims; ++d) {
    BerthFoldRow *row = &mapping->rows[mapping->numRows++];
    *row = rowOf(&moduli, d);
    good = keepRow(problem, d, options, mayMirror, row);
    // One index only: with two a row would be there four times.
    mayMirror &= row->mirror == 0;
  }
  if (isl_ctx_last_error(problem->ctx) != isl_error_none)
    return berthFoldIslError(problem->ctx, "keeping slices in one piece",
                             error);
  if (!good)
    return berthErrorSet(error, BERTH_INVALID,
                         "no moduli keep its slices in one piece");
  berthFoldMarkPlain(problem, mapping);
  result->numMappings = 1;
  return berthFoldCertify(problem, mapping, error);
}
