//===- Turn.c - One half of the cells beside the other -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lattice moves all cells alike, and triangles that are moved only do not
// fill the plane: a third of the cells stays empty. One half turned over does,
// as triangular matrices are packed by hand:
//
//     x
//     x x          x o o o o      along: rows, from: the middle
//     o o o   ->   x x o o o      aside: columns; sum: so that each turned row
//     o o o o                     comes right behind the row it shares
//
// What is found here is a proposal. That no two conflicting cells collide, in
// one half or across, is for the certificate to say.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Turn.h"

#include "Fold/Mapping/Modulus.h"
#include "Fold/Problem/Conflict.h"

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The cells are the product of what each index takes by itself.
static bool isBox(const BerthFoldProblem *problem) {
  isl_set *box = isl_set_universe(isl_set_get_space(problem->cells));
  for (unsigned d = 0; d < problem->numDims; ++d) {
    isl_set *one = isl_set_copy(problem->cells);
    one =
        isl_set_project_out(one, isl_dim_set, d + 1, problem->numDims - d - 1);
    one = isl_set_project_out(one, isl_dim_set, 0, d);
    one = isl_set_insert_dims(one, isl_dim_set, 0, d);
    one =
        isl_set_insert_dims(one, isl_dim_set, d + 1, problem->numDims - d - 1);
    box = isl_set_intersect(box, one);
  }
  box = isl_set_intersect_params(box, isl_set_copy(problem->context));
  bool result = isl_set_is_subset(box, problem->cells) == isl_bool_true;
  isl_set_free(box);
  return result;
}

/// x_d over the cells.
static isl_aff *indexAff(const BerthFoldProblem *problem, unsigned d) {
  int64_t unit[BERTH_FOLD_MAX_DIMS] = {0};
  unit[d] = 1;
  return berthFoldLinearForm(problem->cells, unit);
}

/// The cells with x_along >= from, or all others.
static isl_set *halfOf(const BerthFoldProblem *problem,
                       const BerthFoldTurn *turn, bool turned) {
  isl_aff *x = indexAff(problem, (unsigned)turn->along);
  isl_aff *from = berthFoldTermOver(problem->cells, &turn->from);
  return isl_set_from_basic_set(turned ? isl_aff_ge_basic_set(x, from)
                                       : isl_aff_gt_basic_set(from, x));
}

/// { x -> x with x_d = from - x_d }. Takes `from`.
static isl_map *mirror(const BerthFoldProblem *problem, unsigned d,
                       isl_aff *from) {
  isl_map *map = NULL;
  for (unsigned e = 0; e < problem->numDims; ++e) {
    isl_aff *value = indexAff(problem, e);
    if (e == d)
      value = isl_aff_sub(isl_aff_copy(from), value);
    isl_map *one = isl_map_from_aff(value);
    map = map ? isl_map_flat_range_product(map, one) : one;
  }
  isl_aff_free(from);
  return map;
}

/// { x -> x with x_along = 2 from - 1 - x_along }.
static isl_map *mirrorAlong(const BerthFoldProblem *problem,
                            const BerthFoldTurn *turn) {
  isl_aff *from = berthFoldTermOver(problem->cells, &turn->from);
  from = isl_aff_scale_val(from, isl_val_int_from_si(problem->ctx, 2));
  from = isl_aff_add_constant_val(from, isl_val_int_from_si(problem->ctx, -1));
  return mirror(problem, (unsigned)turn->along, from);
}

/// { cell -> where it comes to lie }.
static isl_map *turnMap(const BerthFoldProblem *problem,
                        const BerthFoldTurn *turn) {
  isl_map *stay = isl_map_identity(
      isl_space_map_from_set(isl_set_get_space(problem->cells)));
  stay = isl_map_intersect_domain(stay, halfOf(problem, turn, false));
  isl_map *aside = mirror(problem, (unsigned)turn->aside,
                          berthFoldTermOver(problem->cells, &turn->sum));
  isl_map *move = isl_map_apply_range(mirrorAlong(problem, turn), aside);
  move = isl_map_intersect_domain(move, halfOf(problem, turn, true));
  return isl_map_union_disjoint(stay, move);
}

BerthFoldProblem berthFoldTurned(const BerthFoldProblem *problem,
                                 const BerthFoldTurn *turn) {
  BerthFoldProblem turned = *problem;
  isl_map *map = turnMap(problem, turn);
  turned.cells = isl_set_apply(isl_set_copy(problem->cells), isl_map_copy(map));
  turned.conflicts =
      isl_map_apply_domain(isl_map_copy(problem->conflicts), isl_map_copy(map));
  turned.conflicts = isl_map_apply_range(turned.conflicts, map);
  turned.difference = berthFoldDifferences(isl_map_copy(turned.conflicts));
  turned.liveRanges = turned.writeTimes = NULL;
  return turned;
}

void berthFoldFreeTurned(BerthFoldProblem *turned) {
  isl_set_free(turned->cells);
  isl_map_free(turned->conflicts);
  isl_set_free(turned->difference);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// ceil((first + last + more) / 2) of x_d over all cells: more than half of
/// them, or half if `more` is 1 or the number is even.
static bool middleOf(const BerthFoldProblem *problem, unsigned d, int64_t more,
                     BerthFoldTerm *middle) {
  int64_t unit[BERTH_FOLD_MAX_DIMS] = {0};
  BerthFoldTerm last, first; // last + 1, and 1 - first
  unit[d] = 1;
  if (!berthFoldLargestTerm(problem, problem->cells, unit, &last))
    return false;
  unit[d] = -1;
  if (!berthFoldLargestTerm(problem, problem->cells, unit, &first) ||
      last.divisor != 1 || first.divisor != 1)
    return false;
  *middle = (BerthFoldTerm){.divisor = 2};
  middle->constant = last.constant - first.constant + more;
  bool even = true;
  for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p) {
    middle->coefficients[p] = last.coefficients[p] - first.coefficients[p];
    even &= middle->coefficients[p] % 2 == 0;
  }
  if (!even)
    return true;
  for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p)
    middle->coefficients[p] /= 2;
  middle->constant = -berthFloorDiv(-middle->constant, 2);
  middle->divisor = 1;
  return true;
}

/// Pairs of conflicting cells, the first one not turned, the second one turned
/// along but not aside, that come to one row: but for `aside` their indices are
/// equal.
static isl_set *sharingPairs(const BerthFoldProblem *problem,
                             const BerthFoldTurn *turn) {
  isl_map *pairs = isl_map_copy(problem->conflicts);
  isl_map *back = isl_map_reverse(isl_map_copy(problem->conflicts));
  pairs = isl_map_union(pairs, back);
  pairs = isl_map_intersect_domain(pairs, halfOf(problem, turn, false));
  pairs = isl_map_intersect_range(pairs, halfOf(problem, turn, true));
  pairs = isl_map_apply_range(pairs, mirrorAlong(problem, turn));
  for (unsigned d = 0; d < problem->numDims; ++d)
    if (d != turn->aside)
      pairs = isl_map_equate(pairs, isl_dim_in, (int)d, isl_dim_out, (int)d);
  return isl_set_flatten(isl_map_wrap(pairs));
}

/// The least sum by which each turned row lies behind the row it shares.
static bool findSum(const BerthFoldProblem *problem, BerthFoldTurn *turn) {
  isl_set *pairs = sharingPairs(problem, turn);
  int64_t both[2 * BERTH_FOLD_MAX_DIMS] = {0};
  both[turn->aside] = both[problem->numDims + turn->aside] = 1;
  bool found = isl_set_is_empty(pairs) == isl_bool_false &&
               berthFoldLargestTerm(problem, pairs, both, &turn->sum) &&
               turn->sum.divisor == 1;
  isl_set_free(pairs);
  return found;
}

size_t berthFoldListTurns(const BerthFoldProblem *problem,
                          BerthFoldTurn *turns) {
  size_t count = 0;
  if (problem->numArrays != 1 || problem->numDims < 2 || isBox(problem))
    return 0;
  for (unsigned along = 0; along < problem->numDims; ++along)
    for (int64_t more = 0; more <= 1; ++more) {
      BerthFoldTurn turn = {.exists = true, .along = along};
      if (!middleOf(problem, along, more, &turn.from))
        continue;
      for (unsigned aside = 0; aside < problem->numDims; ++aside) {
        turn.aside = aside;
        if (aside != along && count < BERTH_FOLD_MAX_TURNS &&
            findSum(problem, &turn))
          turns[count++] = turn;
      }
    }
  return count;
}
