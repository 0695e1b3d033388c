//===- Window.c - The rows that one iteration of a loop sees -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that counts is which cells each iteration touches, whatever is written or
// read there: no flow of data is computed, so this is cheap.
//
//===----------------------------------------------------------------------===//

#include "Fold/Problem/Problem.h"
#include "Fold/Problem/Source.h"
#include "Support/Allocate.h"

enum { MaxSlope = 8 };

//===----------------------------------------------------------------------===//
// Iterations and their cells
//===----------------------------------------------------------------------===//

typedef struct Iterations {
  const BerthFoldLoop *loop;
  isl_union_map *times; ///< { S -> [i] }
  bool fits;            ///< no access comes behind the loop
} Iterations;

/// Instances at `place` (at all places in front of it).
static isl_map *atPlace(isl_map *schedule, int64_t place, bool inFront) {
  isl_map *at = isl_map_copy(schedule);
  return inFront ? isl_map_upper_bound_si(at, isl_dim_out, 0, (int)place - 1)
                 : isl_map_fix_si(at, isl_dim_out, 0, (int)place);
}

/// S -> [place, i, ...] becomes S -> [i].
static isl_stat addIterations(isl_map *schedule, void *user) {
  Iterations *iterations = user;
  const BerthFoldLoop *loop = iterations->loop;
  schedule = isl_map_reset_tuple_id(schedule, isl_dim_out);
  isl_size numTimes = isl_map_dim(schedule, isl_dim_out);
  isl_map *before = atPlace(schedule, loop->place, true);
  isl_map *inside = atPlace(schedule, loop->place, false);
  isl_map *known = isl_map_union(isl_map_copy(before), isl_map_copy(inside));
  iterations->fits &=
      isl_map_is_subset(schedule, known) == isl_bool_true &&
      (loop->hasFirst || isl_map_is_empty(before) == isl_bool_true) &&
      (numTimes >= 2 || isl_map_is_empty(inside) == isl_bool_true);
  isl_map_free(known);
  isl_map_free(schedule);
  if (numTimes >= 2) {
    inside =
        isl_map_project_out(inside, isl_dim_out, 2, (unsigned)numTimes - 2);
    inside = isl_map_project_out(inside, isl_dim_out, 0, 1);
    iterations->times = isl_union_map_add_map(iterations->times, inside);
  } else {
    isl_map_free(inside);
  }
  before = isl_map_project_out(before, isl_dim_out, 0,
                               numTimes > 0 ? (unsigned)numTimes : 0);
  before = isl_map_insert_dims(before, isl_dim_out, 0, 1);
  before = isl_map_fix_si(before, isl_dim_out, 0, (int)loop->first);
  iterations->times = isl_union_map_add_map(iterations->times, before);
  return isl_stat_ok;
}

static isl_union_map *unite(isl_union_map *all, isl_union_map *more) {
  return more ? isl_union_map_union(all, isl_union_map_copy(more)) : all;
}

typedef struct Kept {
  unsigned dim;
  bool fits; ///< every array has such an index
  isl_union_map *result;
} Kept;

/// S -> A[x...] becomes S -> [x_dim].
static isl_stat keepIndex(isl_map *map, void *user) {
  Kept *kept = user;
  isl_size numDims = isl_map_dim(map, isl_dim_out);
  kept->fits &= numDims > (isl_size)kept->dim;
  if (!kept->fits) {
    isl_map_free(map);
    return isl_stat_error;
  }
  map = isl_map_reset_tuple_id(map, isl_dim_out);
  map = isl_map_project_out(map, isl_dim_out, kept->dim + 1,
                            (unsigned)numDims - kept->dim - 1);
  map = isl_map_project_out(map, isl_dim_out, 0, kept->dim);
  kept->result = isl_union_map_add_map(kept->result, map);
  return isl_stat_ok;
}

/// { [i, x_dim] : iteration i touches cell x }; NULL where accesses behind the
/// loop or isl forbid it.
static isl_set *touched(const BerthFoldAccesses *accesses, isl_set *context,
                        const BerthFoldLoop *loop, unsigned dim) {
  isl_union_set *domain = isl_union_set_intersect_params(
      isl_union_set_copy(accesses->domain), isl_set_copy(context));
  isl_union_map *schedule = isl_union_map_intersect_domain(
      isl_union_map_copy(accesses->schedule), domain);
  Iterations iterations = {
      loop, isl_union_map_empty(isl_union_map_get_space(schedule)), true};
  isl_union_map_foreach_map(schedule, addIterations, &iterations);
  isl_union_map_free(schedule);
  isl_union_map *named =
      isl_union_map_empty(isl_union_map_get_space(iterations.times));
  named = unite(named, accesses->reads);
  named = unite(named, accesses->writes);
  named = unite(named, accesses->mayReads);
  named = unite(named, accesses->mayWrites);
  named = unite(named, accesses->slices);
  Kept kept = {dim, true, isl_union_map_empty(isl_union_map_get_space(named))};
  isl_union_map_foreach_map(named, keepIndex, &kept);
  isl_union_map_free(named);
  isl_union_map *cells =
      isl_union_map_apply_domain(kept.result, iterations.times);
  if (!iterations.fits || !kept.fits || isl_union_map_n_map(cells) != 1) {
    isl_union_map_free(cells);
    return NULL;
  }
  isl_map *touches = isl_map_from_union_map(cells);
  return isl_set_coalesce(isl_set_flatten(isl_map_wrap(touches)));
}

//===----------------------------------------------------------------------===//
// A source, opened
//===----------------------------------------------------------------------===//

typedef struct Opened {
  isl_ctx *ctx;
  BerthFoldInput input;
  isl_set *touched; ///< { [i, x_dim] }
} Opened;

static void closeSource(Opened *opened) {
  isl_set_free(opened->touched);
  berthFoldCloseSource(opened->ctx, &opened->input);
}

/// Close it in any case.
static BerthStatus openSource(const BerthFoldSource *source,
                              const BerthFoldLoop *loop, unsigned dim,
                              uint64_t maxOperations, Opened *opened,
                              BerthError *error) {
  *opened = (Opened){.ctx = NULL};
  BerthStatus status =
      berthFoldOpenSource(source, &opened->ctx, &opened->input, error);
  if (status != BERTH_SUCCESS)
    return status;
  isl_ctx_reset_operations(opened->ctx);
  isl_ctx_set_max_operations(opened->ctx, (unsigned long)maxOperations);
  opened->touched =
      touched(&opened->input.accesses, opened->input.context, loop, dim);
  if (isl_ctx_last_error(opened->ctx) != isl_error_none)
    return berthFoldIslError(opened->ctx, "the search for a window", error);
  if (!opened->touched)
    return berthErrorSet(error, BERTH_INVALID,
                         "no window: not all accesses are in the loop or in "
                         "front of it");
  return BERTH_SUCCESS;
}

/// sign * (x_dim - slope * i) over the touched cells.
static isl_aff *rowOf(const Opened *opened, int64_t slope, int sign) {
  isl_local_space *local =
      isl_local_space_from_space(isl_set_get_space(opened->touched));
  isl_aff *row = isl_aff_zero_on_domain(local);
  row = isl_aff_set_coefficient_si(row, isl_dim_in, 0, -sign * (int)slope);
  return isl_aff_set_coefficient_si(row, isl_dim_in, 1, sign);
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The largest value of the row (taken); false if there is none, or a huge one.
static bool largest(const Opened *opened, isl_aff *row, int64_t *value) {
  isl_val *most = isl_set_max_val(opened->touched, row);
  bool good = most && isl_val_is_int(most) == isl_bool_true &&
              isl_val_cmp_si(most, INT32_MAX) < 0 &&
              isl_val_cmp_si(most, -INT32_MAX) > 0;
  *value = good ? isl_val_get_num_si(most) : 0;
  isl_val_free(most);
  isl_aff_free(row);
  return good;
}

BerthStatus berthFoldFindWindow(const BerthFoldSource *source,
                                const BerthFoldLoop *loop, unsigned dim,
                                uint64_t maxOperations, BerthFoldWindow *window,
                                BerthError *error) {
  Opened opened;
  BerthStatus status =
      openSource(source, loop, dim, maxOperations, &opened, error);
  *window = (BerthFoldWindow){.dim = dim, .size = INT64_MAX};
  // The size is a convex function of the slope.
  bool shrinks = status == BERTH_SUCCESS;
  for (int64_t slope = 1; shrinks && slope <= MaxSlope; ++slope) {
    int64_t last, first;
    shrinks = largest(&opened, rowOf(&opened, slope, 1), &last) &&
              largest(&opened, rowOf(&opened, slope, -1), &first) &&
              last + first + 1 < window->size;
    if (shrinks)
      *window = (BerthFoldWindow){.dim = dim,
                                  .slope = slope,
                                  .first = -first,
                                  .size = last + first + 1,
                                  .turns = 1};
  }
  if (status == BERTH_SUCCESS &&
      isl_ctx_last_error(opened.ctx) != isl_error_none)
    status = berthFoldIslError(opened.ctx, "the search for a window", error);
  if (opened.ctx)
    window->operations = berthIslOperations(opened.ctx);
  if (status == BERTH_SUCCESS && window->size == INT64_MAX)
    status = berthErrorSet(error, BERTH_INVALID,
                           "no window: its rows do not follow the loop");
  closeSource(&opened);
  return status;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// No touched cell has row >= limit (row taken).
static bool staysBelow(const Opened *opened, isl_aff *row, int64_t limit) {
  isl_aff *least = isl_aff_zero_on_domain(isl_aff_get_domain_local_space(row));
  least = isl_aff_set_constant_si(least, (int)limit);
  isl_set *beyond = isl_set_from_basic_set(isl_aff_ge_basic_set(row, least));
  beyond = isl_set_intersect(beyond, isl_set_copy(opened->touched));
  bool result = isl_set_is_empty(beyond) == isl_bool_true;
  isl_set_free(beyond);
  return result;
}

BerthStatus berthFoldCheckWindow(const BerthFoldSource *source,
                                 const BerthFoldLoop *loop,
                                 const BerthFoldWindow *window,
                                 uint64_t maxOperations, BerthError *error) {
  Opened opened;
  BerthStatus status =
      openSource(source, loop, window->dim, maxOperations, &opened, error);
  if (status == BERTH_SUCCESS) {
    isl_aff *up = rowOf(&opened, window->slope, 1);
    isl_aff *down = rowOf(&opened, window->slope, -1);
    bool below = staysBelow(&opened, up, window->first + window->size);
    bool above = staysBelow(&opened, down, 1 - window->first);
    if (isl_ctx_last_error(opened.ctx) != isl_error_none)
      status = berthFoldIslError(opened.ctx, "the check of a window", error);
    else if (!below || !above || window->slope < 1 || loop->step < 1)
      status = berthErrorSet(error, BERTH_INVALID,
                             "an iteration touches a row outside its window");
  }
  closeSource(&opened);
  return status;
}
