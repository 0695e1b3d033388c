//===- Place.c - Several arrays in one piece of memory -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folded array is seldom full: it grows while it is filled and shrinks while
// it is read. Another one may use what is not wanted yet or any more, though
// both are live:
//
//     address ^  B B B B B B        Each A is read once, by then two B are
//             |  B B B B A A        written. A starts at N - 1: what B has
//             |  B B A A A A        reached by then has been read.
//             |  A A A A A A
//             +-------------> time
//
// Each array is folded by itself; its cell x has the address p(x) then. If x of
// one array and y of another conflict, their offsets must not differ by
// q(y) - p(x). So each array in turn goes to the least offset that is in none
// of these sets.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/CertifyPlacement.h"

#include "Fold/Mapping/Rows.h"
#include "Fold/Problem/Conflict.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// One array of several
//===----------------------------------------------------------------------===//

/// Conflicts of the cells of array `k` with those of array `l`.
static isl_map *conflictsOf(const BerthFoldProblem *problem, size_t k,
                            size_t l) {
  isl_map *pairs = isl_map_copy(problem->conflicts);
  pairs = isl_map_fix_si(pairs, isl_dim_in, 0, (int)k);
  return isl_map_fix_si(pairs, isl_dim_out, 0, (int)l);
}

/// The problem of array `k` alone, without its number. It has no trace, and
/// lives in `problem`'s isl.
static BerthFoldProblem problemOf(const BerthFoldProblem *problem, size_t k) {
  BerthFoldProblem one = *problem;
  one.numArrays = 1;
  one.arrayNames = problem->arrayNames + k;
  one.dimNames = problem->dimNames + 1;
  one.numDims = problem->numDims - 1;
  one.liveRanges = one.writeTimes = NULL;
  one.cells =
      isl_set_fix_si(isl_set_copy(problem->cells), isl_dim_set, 0, (int)k);
  one.cells = isl_set_project_out(one.cells, isl_dim_set, 0, 1);
  one.conflicts = conflictsOf(problem, k, k);
  one.conflicts = isl_map_project_out(one.conflicts, isl_dim_in, 0, 1);
  one.conflicts = isl_map_project_out(one.conflicts, isl_dim_out, 0, 1);
  one.difference = berthFoldDifferences(isl_map_copy(one.conflicts));
  return one;
}

BerthStatus berthFoldFindAlone(const BerthFoldProblem *problem, size_t array,
                               const BerthFoldOptions *options,
                               BerthFoldResult *result, BerthError *error) {
  BerthFoldProblem one = problemOf(problem, array);
  BerthStatus status = berthFoldFind(&one, options, result, error);
  isl_set_free(one.cells);
  isl_map_free(one.conflicts);
  isl_set_free(one.difference);
  return status;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// { [k, x] -> [address in the folded array k] }.
static isl_map *addressesOf(const BerthFoldProblem *problem, size_t k,
                            const BerthFoldMapping *mapping) {
  int64_t none[BERTH_FOLD_MAX_DIMS] = {0};
  isl_aff *address = berthFoldLinearForm(problem->cells, none);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    const BerthFoldRow *row = &mapping->rows[r];
    int64_t form[BERTH_FOLD_MAX_DIMS] = {0};
    memcpy(form + 1, row->coefficients, mapping->numDims * sizeof *form);
    isl_val *b =
        isl_val_int_from_si(problem->ctx, (long)row->terms[0].constant);
    isl_aff *index = berthFoldLinearForm(problem->cells, form);
    address = isl_aff_scale_val(address, isl_val_copy(b));
    index = isl_aff_mod_val(index, b);
    address = isl_aff_add(address, index);
  }
  isl_map *map = isl_map_from_aff(address);
  return isl_map_fix_si(map, isl_dim_in, 0, (int)k);
}

/// What the offset of array `k` less that of array `l` must not be.
static isl_set *forbidden(const BerthFoldProblem *problem,
                          const BerthFoldPlacement *placement, size_t k,
                          size_t l) {
  isl_map *back = isl_map_reverse(conflictsOf(problem, l, k));
  isl_map *pairs = isl_map_union(conflictsOf(problem, k, l), back);
  isl_map *mine = addressesOf(problem, k, &placement->mappings[k]);
  isl_map *other = addressesOf(problem, l, &placement->mappings[l]);
  pairs = isl_map_apply_domain(pairs, mine);
  pairs = isl_map_apply_range(pairs, other);
  return isl_set_coalesce(isl_map_deltas(pairs));
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

typedef struct Placing {
  const BerthFoldProblem *problem;
  int64_t sizes[BERTH_FOLD_MAX_PLACED];
  isl_set *apart[BERTH_FOLD_MAX_PLACED][BERTH_FOLD_MAX_PLACED];
} Placing;

/// { [x] : x mod granule = 0 }, like `set`.
static isl_set *multiples(isl_set *set, int64_t granule) {
  int64_t unit[BERTH_FOLD_MAX_DIMS] = {1};
  isl_aff *rest = berthFoldLinearForm(set, unit);
  rest = isl_aff_mod_val(
      rest, isl_val_int_from_si(isl_set_get_ctx(set), (long)granule));
  return isl_set_from_basic_set(isl_aff_zero_basic_set(rest));
}

/// The least offset >= 0 of array `k` beside those that are placed; -1 if isl
/// fails.
static int64_t leastOffset(const Placing *placing, size_t k,
                           const BerthFoldPlacement *placement,
                           const bool *placed) {
  isl_space *space = isl_set_get_space(placing->problem->context);
  space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, 1);
  isl_set *free = isl_set_universe(space);
  free = isl_set_lower_bound_si(free, isl_dim_set, 0, 0);
  for (size_t l = 0; l < placement->numArrays; ++l) {
    if (!placed[l])
      continue;
    isl_set *not = isl_set_copy(placing->apart[k][l]);
    int64_t unit[BERTH_FOLD_MAX_DIMS] = {1};
    isl_aff *moved = berthFoldLinearForm(not, unit);
    moved = isl_aff_set_constant_si(moved, (int)placement->offsets[l]);
    not = isl_set_apply(not, isl_map_from_aff(moved));
    free = isl_set_subtract(free, not );
  }
  if (placement->granule > 1)
    free = isl_set_intersect(free, multiples(free, placement->granule));
  isl_val *least = isl_set_dim_min_val(free, 0);
  bool good = least && isl_val_is_int(least) == isl_bool_true &&
              isl_val_cmp_si(least, INT32_MAX) < 0;
  int64_t offset = good ? isl_val_get_num_si(least) : -1;
  isl_val_free(least);
  return offset;
}

/// Places the arrays in the given order; false if isl fails.
static bool placeInOrder(const Placing *placing, const size_t *order,
                         BerthFoldPlacement *placement) {
  bool placed[BERTH_FOLD_MAX_PLACED] = {false};
  placement->cells = 0;
  for (size_t i = 0; i < placement->numArrays; ++i) {
    size_t k = order[i];
    placement->offsets[k] = leastOffset(placing, k, placement, placed);
    if (placement->offsets[k] < 0)
      return false;
    int64_t end = placement->offsets[k] + placing->sizes[k];
    placement->cells = end > placement->cells ? end : placement->cells;
    placed[k] = true;
  }
  return true;
}

/// As they come, the other way round, or the largest first.
static void fillOrder(const Placing *placing, size_t count, int which,
                      size_t *order) {
  for (size_t i = 0; i < count; ++i)
    order[i] = which == 1 ? count - 1 - i : i;
  for (size_t i = 1; which == 2 && i < count; ++i)
    for (size_t at = i;
         at > 0 && placing->sizes[order[at - 1]] < placing->sizes[order[at]];
         --at) {
      size_t larger = order[at];
      order[at] = order[at - 1];
      order[at - 1] = larger;
    }
}

static BerthStatus findOffsets(Placing *placing, BerthFoldPlacement *placement,
                               BerthError *error) {
  BerthFoldPlacement best = {.cells = INT64_MAX};
  size_t count = placement->numArrays, order[BERTH_FOLD_MAX_PLACED];
  for (size_t k = 0; k < count; ++k)
    for (size_t l = 0; l < k; ++l) {
      placing->apart[k][l] = forbidden(placing->problem, placement, k, l);
      placing->apart[l][k] = isl_set_neg(isl_set_copy(placing->apart[k][l]));
    }
  for (int which = 0; which < 3; ++which) {
    fillOrder(placing, count, which, order);
    if (placeInOrder(placing, order, placement) &&
        placement->cells < best.cells)
      best = *placement;
  }
  for (size_t k = 0; k < count; ++k)
    for (size_t l = 0; l < count; ++l)
      if (k != l)
        isl_set_free(placing->apart[k][l]);
  if (best.cells == INT64_MAX)
    return berthFoldIslError(placing->problem->ctx, "placing arrays together",
                             error);
  *placement = best;
  return BERTH_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

/// Arrays that may not share any cell, and where the first ones of an order
/// start.
typedef struct Packing {
  size_t count;
  const int64_t *sizes;
  bool meet[BERTH_FOLD_MAX_PLACED][BERTH_FOLD_MAX_PLACED];
  bool placed[BERTH_FOLD_MAX_PLACED];
  int64_t offsets[BERTH_FOLD_MAX_PLACED];
  int64_t best;
} Packing;

/// The least offset of array `k` beside those that are placed.
static int64_t firstFit(const Packing *packing, size_t k) {
  int64_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t l = 0; l < packing->count; ++l) {
      int64_t end = packing->offsets[l] + packing->sizes[l];
      if (!packing->placed[l] || !packing->meet[k][l] || end <= offset ||
          packing->offsets[l] >= offset + packing->sizes[k])
        continue;
      offset = end;
      moved = true;
    }
  }
  return offset;
}

/// Tries all orders: in that of its offsets every packing can be made so.
static void packRest(Packing *packing, size_t numPlaced, int64_t cells) {
  if (cells >= packing->best)
    return;
  if (numPlaced == packing->count) {
    packing->best = cells;
    return;
  }
  for (size_t k = 0; k < packing->count; ++k) {
    if (packing->placed[k])
      continue;
    packing->offsets[k] = firstFit(packing, k);
    int64_t end = packing->offsets[k] + packing->sizes[k];
    packing->placed[k] = true;
    packRest(packing, numPlaced + 1, end > cells ? end : cells);
    packing->placed[k] = false;
  }
}

/// Some cell of one is written while one of the other is live.
static bool everMeet(const BerthFoldProblem *problem, size_t k, size_t l) {
  isl_map *pairs = conflictsOf(problem, k, l);
  bool none = isl_map_is_empty(pairs) == isl_bool_true;
  isl_map_free(pairs);
  return !none;
}

BerthStatus berthFoldCellsApart(const BerthFoldProblem *problem,
                                const BerthFoldPlacement *placement,
                                const BerthFoldShared *mayShare, int64_t *cells,
                                BerthError *error) {
  int64_t sizes[BERTH_FOLD_MAX_PLACED];
  Packing packing = {
      .count = problem->numArrays, .sizes = sizes, .best = INT64_MAX};
  BerthStatus status = berthFoldCheckPlaced(problem, placement, error);
  if (status != BERTH_SUCCESS)
    return status;
  for (size_t k = 0; k < packing.count; ++k) {
    sizes[k] = berthFoldMappingSize(&placement->mappings[k], NULL);
    for (size_t l = 0; l < k; ++l)
      packing.meet[k][l] = packing.meet[l][k] =
          !(mayShare && mayShare[k].with[l]) &&
          (everMeet(problem, k, l) || everMeet(problem, l, k));
  }
  if (isl_ctx_last_error(problem->ctx) != isl_error_none)
    return berthFoldIslError(problem->ctx, "placing arrays apart", error);
  packRest(&packing, 0, 0);
  *cells = packing.best;
  return BERTH_SUCCESS;
}

BerthStatus berthFoldPlace(const BerthFoldProblem *problem,
                           BerthFoldPlacement *placement, BerthError *error) {
  Placing placing = {.problem = problem};
  memset(placement->offsets, 0, sizeof placement->offsets);
  placement->cells = INT32_MAX;
  placement->numArrays = problem->numArrays;
  // What is no mapping of numbers is refused before it is used.
  BerthStatus status = berthFoldCheckPlaced(problem, placement, error);
  for (size_t k = 0; status == BERTH_SUCCESS && k < problem->numArrays; ++k)
    placing.sizes[k] = berthFoldMappingSize(&placement->mappings[k], NULL);
  if (status == BERTH_SUCCESS)
    status = findOffsets(&placing, placement, error);
  if (status == BERTH_SUCCESS)
    status = berthFoldCertifyPlacement(problem, placement, error);
  return status;
}
