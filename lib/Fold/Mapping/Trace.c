//===- Trace.c - Ground truth at small sizes -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two exhaustive checks that know nothing of slices and moduli. One goes
// through every point of D. The other goes through all writes and last reads in
// order of time, on memory as folded, and sees whether reads find their values.
//
//===----------------------------------------------------------------------===//

#include "Fold/Mapping/Trace.h"

#include "Fold/Mapping/Points.h"
#include "Fold/Mapping/Turn.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Brute force
//===----------------------------------------------------------------------===//

/// Cells x and y = x + d collide for some x. Rows without carries are linear:
/// any x does. With carries too, for quotients of congruent values differ by
/// the same everywhere.
static bool collides(const BerthFoldMapping *mapping, const int64_t *params,
                     const int64_t *d) {
  int64_t zero[BERTH_FOLD_MAX_DIMS] = {0};
  return berthFoldMappingApply(mapping, params, d) ==
         berthFoldMappingApply(mapping, params, zero);
}

static int64_t coordinate(isl_point *point, unsigned at) {
  isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)at);
  int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

/// Behind a turn, or with several arrays placed together, cells move by
/// themselves: each pair counts, not the difference alone.
typedef struct Pairs {
  const BerthFoldMapping *mapping;
  const BerthFoldPlacement *placement; ///< instead of the mapping, or NULL
  unsigned numDims;
  const int64_t *params;
  uint64_t count;
  uint64_t collisions;
} Pairs;

static int64_t addressIn(const Pairs *pairs, const int64_t *x) {
  if (!pairs->placement)
    return berthFoldMappingApply(pairs->mapping, pairs->params, x);
  const BerthFoldMapping *mapping = &pairs->placement->mappings[x[0]];
  return pairs->placement->offsets[x[0]] +
         berthFoldMappingApply(mapping, NULL, x + 1);
}

enum { MaxPairs = 1000000 };

static isl_stat addPair(isl_point *point, void *user) {
  Pairs *pairs = user;
  int64_t x[BERTH_FOLD_MAX_DIMS] = {0}, y[BERTH_FOLD_MAX_DIMS] = {0};
  for (unsigned d = 0; d < pairs->numDims; ++d) {
    x[d] = coordinate(point, d);
    y[d] = coordinate(point, pairs->numDims + d);
  }
  isl_point_free(point);
  pairs->collisions +=
      memcmp(x, y, sizeof x) != 0 && addressIn(pairs, x) == addressIn(pairs, y);
  return ++pairs->count <= MaxPairs ? isl_stat_ok : isl_stat_error;
}

/// How many there are, where counting them takes about a second at most.
static BerthStatus tellOfPairs(const BerthFoldProblem *problem, isl_set *set,
                               BerthError *error) {
  enum { CountOperations = 1000000 };
  unsigned long before = isl_ctx_get_max_operations(problem->ctx);
  isl_ctx_reset_error(problem->ctx);
  berthIslGrant(problem->ctx, CountOperations);
  isl_val *count = isl_set_count_val(set);
  long long number = count ? isl_val_get_num_si(count) : MaxPairs;
  isl_val_free(count);
  isl_ctx_reset_error(problem->ctx);
  isl_ctx_set_max_operations(problem->ctx, before);
  return berthErrorSet(error, BERTH_RESOURCE,
                       "%s%lld pairs of cells are live together at these "
                       "sizes, and no more than %d are tried one by one",
                       count ? "" : "more than ", number, MaxPairs);
}

static BerthStatus tryAllPairs(const BerthFoldProblem *problem, Pairs *pairs,
                               BerthError *error) {
  isl_set *set = isl_map_wrap(isl_map_copy(problem->conflicts));
  for (unsigned p = 0; p < problem->numParams; ++p)
    set = isl_set_fix_val(
        set, isl_dim_param, p,
        isl_val_int_from_si(problem->ctx, (long)pairs->params[p]));
  set = isl_set_make_disjoint(set);
  bool isBounded = isl_set_is_bounded(set) == isl_bool_true;
  BerthStatus status = BERTH_SUCCESS;
  if (!isBounded)
    status = berthErrorSet(error, BERTH_RESOURCE,
                           "infinitely many pairs of cells are live together "
                           "at these sizes");
  else if (isl_set_foreach_point(set, addPair, pairs) != isl_stat_ok)
    status =
        pairs->count > MaxPairs
            ? tellOfPairs(problem, set, error)
            : berthFoldIslError(problem->ctx, "trying pairs of cells", error);
  isl_set_free(set);
  return status;
}

BerthStatus berthFoldTryPlacement(const BerthFoldProblem *problem,
                                  const BerthFoldPlacement *placement,
                                  uint64_t *collisions, BerthError *error) {
  Pairs pairs = {.placement = placement, .numDims = problem->numDims};
  BerthStatus status = tryAllPairs(problem, &pairs, error);
  *collisions = pairs.collisions;
  return status;
}

BerthStatus berthFoldBruteForce(const BerthFoldProblem *problem,
                                const BerthFoldMapping *mapping,
                                const int64_t *params, uint64_t *collisions,
                                BerthError *error) {
  BerthFoldPoints points;
  *collisions = 0;
  if (mapping->turn.exists) {
    Pairs pairs = {
        .mapping = mapping, .numDims = problem->numDims, .params = params};
    BerthStatus status = tryAllPairs(problem, &pairs, error);
    *collisions = pairs.collisions;
    return status;
  }
  bool good = berthFoldListPoints(problem, params, &points);
  for (size_t i = 0; good && i < points.count; ++i)
    *collisions += collides(mapping, params, points.list[i]);
  berthFoldFreePoints(&points);
  if (good)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_RESOURCE,
                       "more than %d differences at these sizes",
                       BerthFoldMaxPoints);
}

BerthStatus berthFoldForEachDifference(const BerthFoldProblem *problem,
                                       const BerthFoldMapping *mapping,
                                       const int64_t *params,
                                       BerthFoldDifferenceCallback callback,
                                       void *userData, BerthError *error) {
  BerthFoldPoints points;
  BerthFoldProblem turned;
  if (mapping->turn.exists)
    turned = berthFoldTurned(problem, &mapping->turn);
  bool good = berthFoldListPoints(mapping->turn.exists ? &turned : problem,
                                  params, &points);
  if (mapping->turn.exists)
    berthFoldFreeTurned(&turned);
  for (size_t i = 0; good && i < points.count; ++i)
    callback(points.list[i], userData);
  berthFoldFreePoints(&points);
  if (good)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_RESOURCE,
                       "more than %d differences at these sizes",
                       BerthFoldMaxPoints);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

enum { MaxTimes = 24, MaxEvents = 4000000 };

/// A value's write or one of its reads, or (`isLive` false) a write that is
/// not read: it overwrites what is there and nothing else.
typedef struct Event {
  int64_t time[MaxTimes];
  int64_t cell[BERTH_FOLD_MAX_DIMS];
  int64_t written[MaxTimes]; ///< a read's write time; a write's own
  bool isRead;
} Event;

typedef struct Events {
  const BerthFoldProblem *problem;
  size_t count;
  size_t capacity;
  size_t limit; ///< on the count
  Event *list;
  unsigned numTimes;
  bool failed;
} Events;

static Event *newEvent(Events *events) {
  if (events->count == events->capacity) {
    size_t capacity = events->capacity ? 2 * events->capacity : 256;
    void *list = events->count >= events->limit
                     ? NULL
                     : realloc(events->list, capacity * sizeof *events->list);
    if (!list) {
      events->failed = true;
      return NULL;
    }
    events->list = list;
    events->capacity = capacity;
  }
  Event *event = &events->list[events->count++];
  memset(event, 0, sizeof *event);
  return event;
}

/// A point [cell -> time] of the wrapped write times.
static isl_stat addWrite(isl_point *point, void *user) {
  Events *events = user;
  Event *event = newEvent(events);
  unsigned numDims = events->problem->numDims;
  for (unsigned d = 0; event && d < numDims; ++d)
    event->cell[d] = coordinate(point, d);
  for (unsigned t = 0; event && t < events->numTimes; ++t)
    event->written[t] = event->time[t] = coordinate(point, numDims + t);
  isl_point_free(point);
  return event ? isl_stat_ok : isl_stat_error;
}

/// A point [cell -> [write time -> read time]] of the wrapped live ranges.
static isl_stat addRead(isl_point *point, void *user) {
  Events *events = user;
  Event *event = newEvent(events);
  unsigned numDims = events->problem->numDims, numTimes = events->numTimes;
  if (event)
    event->isRead = true;
  for (unsigned d = 0; event && d < numDims; ++d)
    event->cell[d] = coordinate(point, d);
  for (unsigned t = 0; event && t < numTimes; ++t) {
    event->written[t] = coordinate(point, numDims + t);
    event->time[t] = coordinate(point, numDims + numTimes + t);
  }
  isl_point_free(point);
  return event ? isl_stat_ok : isl_stat_error;
}

static int byTime(const void *left, const void *right) {
  const Event *a = left, *b = right;
  for (unsigned t = 0; t < MaxTimes; ++t)
    if (a->time[t] != b->time[t])
      return a->time[t] < b->time[t] ? -1 : 1;
  if (a->isRead != b->isRead)
    return a->isRead ? -1 : 1;
  return memcmp(a->cell, b->cell, sizeof a->cell);
}

static bool listWrapped(Events *events, isl_map *map, const int64_t *params,
                        isl_stat (*add)(isl_point *, void *)) {
  isl_set *set = isl_map_wrap(isl_map_copy(map));
  for (unsigned p = 0; p < events->problem->numParams; ++p)
    set = isl_set_fix_val(
        set, isl_dim_param, p,
        isl_val_int_from_si(events->problem->ctx, (long)params[p]));
  set = isl_set_make_disjoint(set);
  bool good = isl_set_is_bounded(set) == isl_bool_true &&
              isl_set_foreach_point(set, add, events) == isl_stat_ok;
  isl_set_free(set);
  return good;
}

static bool listEvents(const BerthFoldProblem *problem, const int64_t *params,
                       size_t limit, Events *events) {
  *events = (Events){.problem = problem, .limit = limit};
  isl_size numTimes = isl_map_dim(problem->writeTimes, isl_dim_out);
  if (numTimes < 0 || numTimes > MaxTimes)
    return false;
  events->numTimes = (unsigned)numTimes;
  bool good = listWrapped(events, problem->writeTimes, params, addWrite) &&
              listWrapped(events, problem->liveRanges, params, addRead);
  if (good && events->count)
    qsort(events->list, events->count, sizeof *events->list, byTime);
  return good;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// What a folded place holds: the cell and the time of its last write.
typedef struct Place {
  bool full;
  int64_t cell[BERTH_FOLD_MAX_DIMS];
  int64_t written[MaxTimes];
} Place;

static uint64_t countWrongReads(const Events *events,
                                const BerthFoldMapping *mapping,
                                const int64_t *params, Place *memory) {
  uint64_t wrong = 0;
  for (size_t i = 0; i < events->count; ++i) {
    const Event *event = &events->list[i];
    Place *place = &memory[berthFoldMappingApply(mapping, params, event->cell)];
    if (event->isRead) {
      // A may-write leaves several sources: the cell must match, and the value
      // must not be older than this source.
      wrong += !place->full ||
               memcmp(place->cell, event->cell, sizeof place->cell) != 0;
      continue;
    }
    place->full = true;
    memcpy(place->cell, event->cell, sizeof place->cell);
    memcpy(place->written, event->written, sizeof place->written);
  }
  return wrong;
}

/// By cell in some order, then by the time of the write.
static int byValue(const void *left, const void *right) {
  const Event *a = left, *b = right;
  int order = memcmp(a->cell, b->cell, sizeof a->cell);
  for (unsigned t = 0; !order && t < MaxTimes; ++t)
    order = (a->written[t] > b->written[t]) - (a->written[t] < b->written[t]);
  return order ? order : byTime(left, right);
}

/// The end of the events of the value at `first`.
static size_t endOfValue(const Events *events, size_t first) {
  const Event *a = &events->list[first];
  size_t end = first + 1;
  while (end < events->count &&
         !memcmp(events->list[end].cell, a->cell, sizeof a->cell) &&
         !memcmp(events->list[end].written, a->written, sizeof a->written))
    ++end;
  return end;
}

/// Leaves, two by two, when a cell becomes live and when it is read last. After
/// a write that may or may not happen two values of one cell are live; they
/// are one interval.
static size_t keepIntervals(Events *events) {
  size_t kept = 0;
  qsort(events->list, events->count, sizeof *events->list, byValue);
  for (size_t i = 0, end; i < events->count; i = end) {
    end = endOfValue(events, i);
    Event write = events->list[i], read = events->list[end - 1];
    if (!read.isRead || write.isRead)
      continue;
    Event *last = kept ? &events->list[kept - 1] : NULL;
    if (last && !memcmp(last->cell, read.cell, sizeof read.cell) &&
        byTime(&write, last) < 0) {
      *last = byTime(last, &read) < 0 ? read : *last;
      continue;
    }
    events->list[kept++] = write;
    events->list[kept++] = read;
  }
  return kept;
}

/// The largest number of cells between write and last read at once. Leaves the
/// events in another order.
static uint64_t countLive(Events *events) {
  size_t numEnds = keepIntervals(events);
  if (numEnds)
    qsort(events->list, numEnds, sizeof *events->list, byTime);
  uint64_t live = 0, most = 0;
  for (size_t i = 0; i < numEnds; ++i) {
    live = events->list[i].isRead ? live - 1 : live + 1;
    most = live > most ? live : most;
  }
  return most;
}

static int byTimeOf(const void *left, const void *right) {
  return byTime(*(const Event *const *)left, *(const Event *const *)right);
}

/// The events are pairs of a write and a last read.
static bool tellLives(const Events *events, size_t numEnds,
                      BerthFoldLifeCallback callback, void *userData) {
  const Event **order = calloc(numEnds + 1, sizeof(Event *));
  uint64_t *places = calloc(numEnds + 1, sizeof *places);
  bool good = order && places;
  for (size_t i = 0; good && i < numEnds; ++i)
    order[i] = &events->list[i];
  if (good && numEnds)
    qsort(order, numEnds, sizeof(Event *), byTimeOf);
  for (size_t i = 0; good && i < numEnds; ++i)
    places[order[i] - events->list] = i;
  for (size_t i = 0; good && i < numEnds; i += 2) {
    BerthFoldLife life = {.from = places[i], .to = places[i + 1]};
    memcpy(life.cell, events->list[i].cell, sizeof life.cell);
    callback(&life, userData);
  }
  free(order);
  free(places);
  return good;
}

BerthStatus berthFoldForEachLife(const BerthFoldProblem *problem,
                                 const int64_t *params,
                                 BerthFoldLifeCallback callback, void *userData,
                                 BerthError *error) {
  if (!problem->liveRanges)
    return berthErrorSet(error, BERTH_INVALID,
                         "a conflict relation alone has no trace");
  Events events = {.list = NULL};
  bool good = listEvents(problem, params, MaxEvents, &events) &&
              tellLives(&events, keepIntervals(&events), callback, userData);
  free(events.list);
  if (good)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_RESOURCE, "too many events to trace");
}

uint64_t berthFoldLiveCells(const BerthFoldProblem *problem,
                            const int64_t *params, size_t maxEvents) {
  Events events = {.list = NULL};
  uint64_t live = 0;
  if (problem->liveRanges && listEvents(problem, params, maxEvents, &events))
    live = countLive(&events);
  free(events.list);
  return live;
}

BerthStatus berthFoldTrace(const BerthFoldProblem *problem,
                           const BerthFoldMapping *mapping,
                           const int64_t *params, uint64_t *wrongReads,
                           uint64_t *maxLive, BerthError *error) {
  *wrongReads = *maxLive = 0;
  if (!problem->liveRanges)
    return berthErrorSet(error, BERTH_INVALID,
                         "a conflict relation alone has no trace");
  Events events;
  int64_t size = mapping ? berthFoldMappingSize(mapping, params) : 1;
  Place *memory =
      size <= MaxEvents ? calloc((size_t)size, sizeof *memory) : NULL;
  bool good = memory && listEvents(problem, params, MaxEvents, &events);
  if (good) {
    if (mapping)
      *wrongReads = countWrongReads(&events, mapping, params, memory);
    *maxLive = countLive(&events);
  }
  if (memory)
    free(events.list);
  free(memory);
  if (good)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_RESOURCE, "too many events to trace");
}
