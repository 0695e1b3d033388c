//===- Conflict.c - From accesses to the difference set ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are points [stage, schedule..., access]: stage 0 holds what is live on
// entry, 1 the body, 2 what is live on exit; within one instance reads (access
// 0) come before writes (access 1).
//
// A cell x is live from a write t_w to a read t_r that may see its value. It
// conflicts with a cell y written at t when t does not come before t_w and t_r
// does not come before t or at t. In a total order that is t_w <= t < t_r; a
// write at t_w itself counts, for it needs its own cell (Darte, Isoard, Yuki,
// section 2). Every approximation here makes the relation larger.
//
//===----------------------------------------------------------------------===//

#include "Fold/Problem/Conflict.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

enum { StageIn = 0, StageBody = 1, StageOut = 2 };
enum { AccessRead = 0, AccessWrite = 1 };

/// Adds one dimension of value `value` to the range of `map`, at `position`.
static isl_map *insertTime(isl_map *map, unsigned position, int value) {
  map = isl_map_insert_dims(map, isl_dim_out, position, 1);
  return isl_map_fix_si(map, isl_dim_out, position, value);
}

typedef struct PadState {
  unsigned numTimes;
  isl_union_map *result;
} PadState;

/// S -> [t...] becomes S -> [stage body, t..., 0...] with numTimes dimensions
/// after the stage.
static isl_stat padSchedule(isl_map *map, void *user) {
  PadState *state = user;
  map = isl_map_reset_tuple_id(map, isl_dim_out); // one time space for all
  for (unsigned dim = (unsigned)isl_map_dim(map, isl_dim_out);
       dim < state->numTimes; ++dim)
    map = insertTime(map, dim, 0);
  map = insertTime(map, 0, StageBody);
  state->result = isl_union_map_add_map(state->result, map);
  return isl_stat_ok;
}

static isl_stat longestTime(isl_map *map, void *user) {
  unsigned *longest = user;
  isl_size dim = isl_map_dim(map, isl_dim_out);
  if (dim > (isl_size)*longest)
    *longest = (unsigned)dim;
  isl_map_free(map);
  return isl_stat_ok;
}

isl_union_map *berthFoldBodyTimes(isl_union_map *schedule, unsigned *numTimes) {
  *numTimes = 0;
  isl_union_map_foreach_map(schedule, longestTime, numTimes);
  PadState state = {*numTimes,
                    isl_union_map_empty(isl_union_map_get_space(schedule))};
  isl_union_map_foreach_map(schedule, padSchedule, &state);
  isl_union_map_free(schedule);
  return state.result;
}

/// { s -> [stage, 0...] : s in instances }.
static isl_union_map *constantTimes(isl_union_set *instances, unsigned numTimes,
                                    int stage) {
  isl_space *space =
      isl_space_params_alloc(isl_union_set_get_ctx(instances), 0);
  space = isl_space_set_from_params(space);
  space = isl_space_add_dims(space, isl_dim_set, numTimes + 1);
  isl_set *time = isl_set_universe(space);
  time = isl_set_fix_si(time, isl_dim_set, 0, stage);
  for (unsigned dim = 1; dim <= numTimes; ++dim)
    time = isl_set_fix_si(time, isl_dim_set, dim, 0);
  return isl_union_map_from_domain_and_range(instances,
                                             isl_union_set_from_set(time));
}

typedef struct AppendState {
  int access;
  isl_union_map *result;
} AppendState;

static isl_stat appendOne(isl_map *map, void *user) {
  AppendState *state = user;
  map = insertTime(map, (unsigned)isl_map_dim(map, isl_dim_out), state->access);
  state->result = isl_union_map_add_map(state->result, map);
  return isl_stat_ok;
}

/// The times with the access dimension.
static isl_union_map *accessTimes(isl_union_map *times, int access) {
  AppendState state = {access,
                       isl_union_map_empty(isl_union_map_get_space(times))};
  isl_union_map_foreach_map(times, appendOne, &state);
  return state.result;
}

//===----------------------------------------------------------------------===//
// Live ranges
//===----------------------------------------------------------------------===//

/// { [A[x] -> name[]] -> A[x] : A[x] in cells }: one instance per cell, of a
/// space that no statement has.
static isl_union_map *boundaryAccesses(isl_union_set *cells, const char *name) {
  isl_space *space = isl_space_params_alloc(isl_union_set_get_ctx(cells), 0);
  space = isl_space_set_from_params(space);
  space = isl_space_set_tuple_name(space, isl_dim_set, name);
  isl_union_set *tag = isl_union_set_from_set(isl_set_universe(space));
  return isl_union_map_domain_map(
      isl_union_map_from_domain_and_range(cells, tag));
}

/// Everything the flow analysis sees, restricted to the domain and the context.
typedef struct Timed {
  isl_union_map *reads;  ///< those that may find nothing written included
  isl_union_map *writes; ///< must, live-in cells included
  isl_union_map *mayWrites;
  isl_union_map *times; ///< of all instances, without the access dimension
  unsigned numTimes;    ///< of the schedule
} Timed;

static void freeTimed(Timed *timed) {
  isl_union_map_free(timed->reads);
  isl_union_map_free(timed->writes);
  isl_union_map_free(timed->mayWrites);
  isl_union_map_free(timed->times);
}

/// `map` (NULL: empty) on the domain, under the context.
static isl_union_map *restrictTo(isl_union_map *map, isl_union_set *domain) {
  if (!map)
    return isl_union_map_empty(isl_union_set_get_space(domain));
  return isl_union_map_intersect_domain(isl_union_map_copy(map),
                                        isl_union_set_copy(domain));
}

/// Adds the accesses at the program's border (live-in writes, live-out reads)
/// and their times. Takes `accesses`; keeps `cells`, which may be NULL.
static isl_union_map *addBoundary(Timed *timed, isl_union_map *accesses,
                                  isl_union_set *cells, isl_set *context,
                                  int stage) {
  if (!cells)
    return accesses;
  isl_union_set *known = isl_union_set_intersect_params(
      isl_union_set_copy(cells), isl_set_copy(context));
  isl_union_map *extra =
      boundaryAccesses(known, stage == StageIn ? "berth_in" : "berth_out");
  isl_union_set *instances = isl_union_map_domain(isl_union_map_copy(extra));
  isl_union_map *times = constantTimes(instances, timed->numTimes, stage);
  timed->times = isl_union_map_union(timed->times, times);
  return isl_union_map_union(accesses, extra);
}

static Timed timeAccesses(const BerthFoldAccesses *accesses, isl_set *context) {
  Timed timed;
  isl_union_set *domain = isl_union_set_intersect_params(
      isl_union_set_copy(accesses->domain), isl_set_copy(context));
  isl_union_map *schedule = restrictTo(accesses->schedule, domain);
  timed.times = berthFoldBodyTimes(schedule, &timed.numTimes);
  timed.reads = isl_union_map_union(restrictTo(accesses->reads, domain),
                                    restrictTo(accesses->mayReads, domain));
  timed.writes = restrictTo(accesses->writes, domain);
  timed.mayWrites = restrictTo(accesses->mayWrites, domain);
  isl_union_set_free(domain);
  timed.writes =
      addBoundary(&timed, timed.writes, accesses->liveIn, context, StageIn);
  timed.reads =
      addBoundary(&timed, timed.reads, accesses->liveOut, context, StageOut);
  return timed;
}

static isl_union_flow *computeFlow(const Timed *timed) {
  isl_union_access_info *info =
      isl_union_access_info_from_sink(isl_union_map_copy(timed->reads));
  info = isl_union_access_info_set_must_source(
      info, isl_union_map_copy(timed->writes));
  info = isl_union_access_info_set_may_source(
      info, isl_union_map_copy(timed->mayWrites));
  info = isl_union_access_info_set_schedule_map(
      info, isl_union_map_copy(timed->times));
  return isl_union_access_info_compute_flow(info);
}

/// Every read must find a value that some write or the live-in set provides,
/// but for those of `mayReads`, which may be NULL.
static BerthStatus checkSources(isl_ctx *ctx, isl_union_flow *flow,
                                isl_union_map *mayReads, BerthError *error) {
  isl_union_map *orphans = isl_union_flow_get_may_no_source(flow);
  if (mayReads)
    orphans = isl_union_map_subtract_domain(
        orphans, isl_union_map_domain(isl_union_map_copy(mayReads)));
  isl_bool none = isl_union_map_is_empty(orphans);
  BerthStatus status = BERTH_SUCCESS;
  if (none == isl_bool_error) {
    status = berthFoldIslError(ctx, "the flow analysis", error);
  } else if (none == isl_bool_false) {
    char *text = berthIslText(isl_union_map_to_str(orphans));
    status =
        berthErrorSet(error, BERTH_INVALID,
                      "a read may come before any write to its cell: %.300s",
                      text ? text : "?");
    free(text);
  }
  isl_union_map_free(orphans);
  return status;
}

/// { write -> [read -> cell] } becomes { cell -> [write time -> read time] }.
static isl_union_map *timeDependences(isl_union_map *dependences,
                                      isl_union_map *times) {
  isl_union_map *writeTimes = accessTimes(times, AccessWrite);
  isl_union_map *readTimes = accessTimes(times, AccessRead);
  isl_union_map *pairs = isl_union_map_product(writeTimes, readTimes);
  isl_union_map *ranges = isl_union_map_uncurry(dependences);
  ranges = isl_union_map_apply_domain(ranges, pairs);
  return isl_union_map_reverse(ranges);
}

BerthStatus berthFoldLiveRanges(isl_ctx *ctx, const BerthFoldAccesses *accesses,
                                isl_set *context, isl_union_map **ranges,
                                isl_union_map **writes, uint64_t *parallel,
                                BerthError *error) {
  Timed timed = timeAccesses(accesses, context);
  isl_union_flow *flow = computeFlow(&timed);
  BerthStatus status = BERTH_SUCCESS;
  *ranges = *writes = NULL;
  if (!flow)
    status = berthFoldIslError(ctx, "the flow analysis", error);
  else
    status = checkSources(ctx, flow, accesses->mayReads, error);
  if (status == BERTH_SUCCESS) {
    *ranges = timeDependences(isl_union_flow_get_full_may_dependence(flow),
                              timed.times);
    isl_union_map *all = isl_union_map_union(
        isl_union_map_copy(timed.writes), isl_union_map_copy(timed.mayWrites));
    *writes =
        isl_union_map_apply_domain(all, accessTimes(timed.times, AccessWrite));
    *writes = isl_union_map_reverse(*writes);
    *parallel = accesses->parallel << 1; // the stage comes first
  }
  isl_union_flow_free(flow);
  freeTimed(&timed);
  return status;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

isl_map *berthFoldBefore(isl_space *timeSpace, uint64_t parallel) {
  isl_space *space = isl_space_map_from_set(timeSpace);
  isl_size numTimes = isl_space_dim(space, isl_dim_in); // -1: out of budget
  isl_map *result = isl_map_empty(isl_space_copy(space));
  for (isl_size dim = 0; dim < numTimes; ++dim) {
    if (dim < 64 && (parallel >> dim & 1))
      continue;
    isl_map *level = isl_map_universe(isl_space_copy(space));
    for (isl_size equal = 0; equal < dim; ++equal)
      level = isl_map_equate(level, isl_dim_in, equal, isl_dim_out, equal);
    level = isl_map_order_lt(level, isl_dim_in, dim, isl_dim_out, dim);
    result = isl_map_union_disjoint(result, level);
  }
  isl_space_free(space);
  return result;
}

/// { [t_w -> t_r] -> t : not t before t_w, not t_r before or at t }.
static isl_map *betweenTimes(isl_space *timeSpace, uint64_t parallel) {
  isl_map *order = berthFoldBefore(isl_space_copy(timeSpace), parallel);
  isl_map *notBefore = isl_map_complement(isl_map_copy(order)); // t -> t_w
  isl_map *atOrAfter =
      isl_map_union(order, isl_map_identity(isl_space_map_from_set(
                               isl_space_copy(timeSpace)))); // t_r -> t
  isl_map *notDone = isl_map_complement(atOrAfter);
  isl_map *pairs =
      isl_map_universe(isl_space_map_from_set(timeSpace)); // t_w -> t_r
  isl_map *toWrite = isl_map_domain_map(isl_map_copy(pairs));
  isl_map *toRead = isl_map_range_map(pairs);
  isl_map *fromWrite = isl_map_apply_range(toWrite, isl_map_reverse(notBefore));
  isl_map *fromRead = isl_map_apply_range(toRead, notDone);
  return isl_map_intersect(fromWrite, fromRead);
}

/// In a total order the last read of a value says all about it; fewer pieces go
/// into the product with the writes.
static isl_map *lastReads(isl_map *ranges) {
  isl_map *last = isl_map_uncurry(ranges);
  last = isl_map_curry(isl_map_lexmax(last));
  return isl_map_coalesce(last);
}

isl_map *berthFoldConflicts(isl_map *ranges, isl_map *writes,
                            uint64_t parallel) {
  isl_space *timeSpace = isl_space_range(isl_map_get_space(writes));
  isl_map *between = betweenTimes(timeSpace, parallel);
  isl_map *times = isl_map_copy(ranges);
  times = parallel ? isl_map_coalesce(times) : lastReads(times);
  isl_map *conflicts = isl_map_apply_range(times, between);
  isl_map *writers = isl_map_reverse(isl_map_copy(writes));
  return isl_map_coalesce(isl_map_apply_range(conflicts, writers));
}

isl_set *berthFoldDifferences(isl_map *conflicts) {
  isl_set *forth = isl_map_deltas(conflicts);
  isl_set *back = isl_set_neg(isl_set_copy(forth));
  isl_set *all = isl_set_union(forth, back);
  isl_space *space = isl_set_get_space(all);
  isl_set *zero = isl_set_universe(space);
  isl_size numDims = isl_set_dim(zero, isl_dim_set);
  for (isl_size dim = 0; dim < numDims; ++dim)
    zero = isl_set_fix_si(zero, isl_dim_set, (unsigned)dim, 0);
  all = isl_set_subtract(isl_set_coalesce(all), zero);
  return isl_set_coalesce(all);
}
