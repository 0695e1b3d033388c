//===- Problem.c - Reading sources, building problems --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stations: read every text -> check -> live ranges -> embed all arrays in one
// space -> conflicts -> difference set. isl runs with ISL_ON_ERROR_CONTINUE, so
// that running out of its budget comes back as NULL.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // strdup, strndup

#include "Fold/Problem/Problem.h"

#include "Fold/Problem/Conflict.h"
#include "Fold/Problem/Source.h"
#include "Support/Allocate.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

typedef struct ArrayTable {
  struct {
    char *name;
    unsigned rank;
  } * arrays;
  unsigned numArrays;
  size_t capacity;
  bool failed; ///< for lack of memory
  bool clash;  ///< one name with two ranks, or a tuple without a plain name
} ArrayTable;

static isl_stat noteArray(isl_set *set, void *user) {
  ArrayTable *table = user;
  const char *name = isl_set_get_tuple_name(set);
  unsigned rank = (unsigned)isl_set_dim(set, isl_dim_set);
  if (!name)
    name = "A";
  if (isl_set_is_wrapping(set) == isl_bool_true)
    table->clash = true;
  for (unsigned i = 0; i < table->numArrays; ++i)
    if (!strcmp(table->arrays[i].name, name))
      table->clash = true; // a union set has one set for each tuple
  char *copy = strdup(name);
  isl_set_free(set);
  if (!copy || !berthReserve(&table->arrays, &table->capacity,
                             (size_t)table->numArrays + 1)) {
    free(copy);
    table->failed = true;
    return isl_stat_error;
  }
  table->arrays[table->numArrays].name = copy;
  table->arrays[table->numArrays].rank = rank;
  ++table->numArrays;
  return isl_stat_ok;
}

static int byName(const void *left, const void *right) {
  const char *a = *(char *const *)left, *b = *(char *const *)right;
  size_t lengthA = strlen(a), lengthB = strlen(b);
  if (lengthA != lengthB)
    return lengthA < lengthB ? -1 : 1;
  return strcmp(a, b);
}

static void freeTable(ArrayTable *table) {
  for (unsigned i = 0; i < table->numArrays; ++i)
    free(table->arrays[i].name);
  free(table->arrays);
}

/// The number of the array that a set is of.
static unsigned arrayNumber(const BerthFoldProblem *problem, isl_set *set) {
  const char *name = isl_set_get_tuple_name(set);
  for (unsigned i = 0; i < problem->numArrays; ++i)
    if (!strcmp(problem->arrayNames[i], name ? name : "A"))
      return i;
  return 0;
}

static BerthStatus nameArrays(BerthFoldProblem *problem, isl_union_set *cells,
                              BerthError *error) {
  if (!cells)
    return berthFoldIslError(problem->ctx, "the list of cells", error);
  ArrayTable table = {0};
  isl_union_set_foreach_set(cells, noteArray, &table);
  BerthStatus status = BERTH_SUCCESS;
  unsigned rank = 0;
  for (unsigned i = 0; i < table.numArrays; ++i)
    rank = table.arrays[i].rank > rank ? table.arrays[i].rank : rank;
  problem->numDims = rank + (table.numArrays > 1 ? 1 : 0);
  if (table.clash)
    status = berthErrorSet(error, BERTH_INVALID,
                           "an array needs one name and one number of indices");
  else if (table.numArrays == 0)
    status = berthErrorSet(error, BERTH_INVALID,
                           "no array cell is accessed (is the domain empty?)");
  else if (problem->numDims > BERTH_FOLD_MAX_DIMS)
    status = berthErrorSet(error, BERTH_INVALID,
                           "cells have %u dimensions, more than %d",
                           problem->numDims, BERTH_FOLD_MAX_DIMS);
  problem->arrayNames = calloc(table.numArrays + 1, sizeof(char *));
  if (table.failed || !problem->arrayNames) {
    freeTable(&table);
    return berthOutOfMemory(error);
  }
  for (unsigned i = 0; i < table.numArrays; ++i) {
    problem->arrayNames[i] = table.arrays[i].name;
    table.arrays[i].name = NULL;
  }
  problem->numArrays = table.numArrays;
  qsort(problem->arrayNames, table.numArrays, sizeof(char *), byName);
  freeTable(&table);
  return status;
}

//===----------------------------------------------------------------------===//
// Embedding: A_k[x] -> [k, x, 0...]
//===----------------------------------------------------------------------===//

typedef struct EmbedState {
  const BerthFoldProblem *problem;
  isl_union_map *result;
} EmbedState;

static isl_stat embedOne(isl_set *set, void *user) {
  EmbedState *state = user;
  const BerthFoldProblem *problem = state->problem;
  unsigned number = arrayNumber(problem, set);
  isl_map *map = isl_set_identity(set);
  map = isl_map_reset_tuple_id(map, isl_dim_out);
  if (problem->numArrays > 1) {
    map = isl_map_insert_dims(map, isl_dim_out, 0, 1);
    map = isl_map_fix_si(map, isl_dim_out, 0, (int)number);
  }
  for (unsigned dim = (unsigned)isl_map_dim(map, isl_dim_out);
       dim < problem->numDims; ++dim) {
    map = isl_map_insert_dims(map, isl_dim_out, dim, 1);
    map = isl_map_fix_si(map, isl_dim_out, dim, 0);
  }
  state->result = isl_union_map_add_map(state->result, map);
  return isl_stat_ok;
}

static isl_union_map *embedding(const BerthFoldProblem *problem,
                                isl_union_set *cells) {
  EmbedState state = {problem,
                      isl_union_map_empty(isl_union_set_get_space(cells))};
  isl_union_set_foreach_set(cells, embedOne, &state);
  return state.result;
}

/// The only map of `map`, or the empty one of `space`. Takes both.
static isl_map *singleMap(isl_union_map *map, isl_space *space) {
  if (isl_union_map_is_empty(map) == isl_bool_true) {
    isl_union_map_free(map);
    return isl_map_empty(space);
  }
  isl_space_free(space);
  return isl_map_from_union_map(map);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static void setConflicts(BerthFoldProblem *problem, isl_map *conflicts) {
  conflicts =
      isl_map_intersect_params(conflicts, isl_set_copy(problem->context));
  problem->conflicts = isl_map_copy(conflicts);
  problem->difference = berthFoldDifferences(conflicts);
}

static isl_space *cellSpace(const BerthFoldProblem *problem) {
  isl_space *space = isl_set_get_space(problem->context);
  space = isl_space_set_from_params(space);
  return isl_space_add_dims(space, isl_dim_set, problem->numDims);
}

static isl_stat addUnnamed(isl_map *map, void *user) {
  isl_union_map **result = user;
  map = isl_map_reset_tuple_id(map, isl_dim_out);
  *result = isl_union_map_add_map(*result, map);
  return isl_stat_ok;
}

/// What slices name counts as used, whether or not it is accessed.
static BerthStatus setSlices(BerthFoldProblem *problem,
                             const BerthFoldAccesses *accesses,
                             BerthError *error) {
  if (problem->numArrays != 1)
    return berthErrorSet(error, BERTH_INVALID, "slices are of one array");
  isl_union_map *named = isl_union_map_intersect_domain(
      isl_union_map_copy(accesses->slices),
      isl_union_set_intersect_params(isl_union_set_copy(accesses->domain),
                                     isl_set_copy(problem->context)));
  problem->slices = isl_union_map_empty(isl_union_map_get_space(named));
  isl_union_map_foreach_map(named, addUnnamed, &problem->slices);
  isl_union_map_free(named);
  isl_union_set *cells =
      isl_union_map_range(isl_union_map_copy(problem->slices));
  if (isl_union_set_is_empty(cells) == isl_bool_true) {
    isl_union_set_free(cells);
    return BERTH_SUCCESS;
  }
  isl_set *used = isl_set_from_union_set(cells);
  if (used && isl_set_dim(used, isl_dim_set) != (isl_size)problem->numDims) {
    isl_set_free(used);
    return berthErrorSet(error, BERTH_INVALID,
                         "slices are of another number of indices");
  }
  problem->cells = isl_set_union(problem->cells, used);
  return BERTH_SUCCESS;
}

static BerthStatus fromAccesses(BerthFoldProblem *problem,
                                const BerthFoldAccesses *accesses,
                                BerthError *error) {
  isl_union_map *ranges, *writes;
  uint64_t parallel;
  BerthStatus status =
      berthFoldLiveRanges(problem->ctx, accesses, problem->context, &ranges,
                          &writes, &parallel, error);
  if (status != BERTH_SUCCESS)
    return status;
  isl_union_set *cells = isl_union_map_domain(isl_union_map_copy(writes));
  status = nameArrays(problem, cells, error);
  if (status == BERTH_SUCCESS) {
    isl_union_map *embed = embedding(problem, cells);
    ranges = isl_union_map_apply_domain(ranges, isl_union_map_copy(embed));
    writes = isl_union_map_apply_domain(writes, embed);
    problem->writeTimes = isl_map_from_union_map(isl_union_map_copy(writes));
    isl_space *times = isl_space_range(isl_map_get_space(problem->writeTimes));
    isl_space *pair = isl_space_wrap(isl_space_map_from_set(times));
    isl_space *cell = isl_space_domain(isl_map_get_space(problem->writeTimes));
    isl_space *space = isl_space_map_from_domain_and_range(cell, pair);
    problem->liveRanges = singleMap(isl_union_map_copy(ranges), space);
    problem->cells = isl_map_domain(isl_map_copy(problem->writeTimes));
    setConflicts(problem, berthFoldConflicts(problem->liveRanges,
                                             problem->writeTimes, parallel));
  }
  if (status == BERTH_SUCCESS && accesses->slices)
    status = setSlices(problem, accesses, error);
  isl_union_set_free(cells);
  isl_union_map_free(ranges);
  isl_union_map_free(writes);
  return status;
}

static BerthStatus fromConflict(BerthFoldProblem *problem,
                                isl_union_map *conflict, BerthError *error) {
  isl_union_set *cells = isl_union_map_domain(isl_union_map_copy(conflict));
  isl_union_set *others = isl_union_map_range(isl_union_map_copy(conflict));
  cells = isl_union_set_union(cells, others);
  BerthStatus status = nameArrays(problem, cells, error);
  if (status == BERTH_SUCCESS) {
    isl_union_map *embed = embedding(problem, cells);
    isl_union_map *map = isl_union_map_copy(conflict);
    map = isl_union_map_apply_domain(map, isl_union_map_copy(embed));
    map = isl_union_map_apply_range(map, embed);
    isl_space *space = isl_space_map_from_set(cellSpace(problem));
    isl_map *single = singleMap(map, space);
    isl_set *first = isl_map_domain(isl_map_copy(single));
    isl_set *second = isl_map_range(isl_map_copy(single));
    problem->cells = isl_set_union(first, second);
    setConflicts(problem, single);
  }
  isl_union_set_free(cells);
  return status;
}

/// Gives all objects the same parameters in the same order.
static void alignParams(BerthFoldProblem *problem) {
  isl_space *model = isl_set_get_space(problem->context);
  isl_space *others = isl_set_get_space(problem->difference);
  model = isl_space_align_params(model, others);
  model = isl_space_align_params(model, isl_set_get_space(problem->cells));
  if (problem->liveRanges)
    model =
        isl_space_align_params(model, isl_map_get_space(problem->liveRanges));
  problem->context =
      isl_set_align_params(problem->context, isl_space_copy(model));
  problem->conflicts =
      isl_map_align_params(problem->conflicts, isl_space_copy(model));
  problem->difference =
      isl_set_align_params(problem->difference, isl_space_copy(model));
  problem->cells = isl_set_align_params(problem->cells, isl_space_copy(model));
  if (problem->liveRanges) {
    problem->liveRanges =
        isl_map_align_params(problem->liveRanges, isl_space_copy(model));
    problem->writeTimes =
        isl_map_align_params(problem->writeTimes, isl_space_copy(model));
  }
  isl_space_free(model);
}

static BerthStatus finish(BerthFoldProblem *problem, const char *names,
                          BerthError *error) {
  alignParams(problem);
  problem->difference = isl_set_detect_equalities(problem->difference);
  if (!problem->difference || !problem->cells || !problem->context)
    return berthFoldIslError(problem->ctx, "building the difference set",
                             error);
  isl_size numParams = isl_set_dim(problem->context, isl_dim_param);
  if (numParams > BERTH_FOLD_MAX_PARAMS)
    return berthErrorSet(error, BERTH_INVALID, "%d parameters, more than %d",
                         (int)numParams, BERTH_FOLD_MAX_PARAMS);
  problem->numParams = (unsigned)numParams;
  problem->dimNames =
      berthFoldDimNames(names, problem->numDims, problem->numArrays > 1);
  if (!problem->dimNames && !names)
    return berthOutOfMemory(error);
  if (!problem->dimNames)
    return berthErrorSet(error, BERTH_INVALID,
                         "names: %u indices are needed, not '%.60s'",
                         problem->numDims - (problem->numArrays > 1), names);
  return BERTH_SUCCESS;
}

BerthStatus berthFoldProblemCreate(const BerthFoldSource *source,
                                   uint64_t maxOperations,
                                   BerthFoldProblem **result,
                                   BerthError *error) {
  *result = NULL;
  BerthStatus status = berthFoldOpen(error);
  if (status)
    return status;
  BerthFoldProblem *problem = calloc(1, sizeof *problem);
  if (!problem)
    return berthOutOfMemory(error);
  problem->ctx = isl_ctx_alloc();
  if (!problem->ctx) {
    free(problem);
    return berthOutOfMemory(error);
  }
  isl_options_set_on_error(problem->ctx, ISL_ON_ERROR_CONTINUE);
  BerthFoldInput input = {0};
  status = berthFoldReadSource(problem->ctx, source, &input, error);
  // What is wrong with a text does not depend on the budget.
  isl_ctx_reset_operations(problem->ctx);
  isl_ctx_set_max_operations(problem->ctx, (unsigned long)maxOperations);
  problem->maxOperations = maxOperations;
  problem->context = input.context;
  if (status == BERTH_SUCCESS)
    status = input.conflict ? fromConflict(problem, input.conflict, error)
                            : fromAccesses(problem, &input.accesses, error);
  berthFoldFreeInput(&input);
  if (status == BERTH_SUCCESS)
    status = finish(problem, source->names, error);
  if (status == BERTH_SUCCESS)
    *result = problem;
  else
    berthFoldProblemDestroy(problem);
  return status;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static void freeNames(char **names, unsigned count) {
  for (unsigned i = 0; names && i < count; ++i)
    free(names[i]);
  free(names);
}

void berthFoldProblemDestroy(BerthFoldProblem *problem) {
  if (!problem)
    return;
  isl_set_free(problem->context);
  isl_set_free(problem->cells);
  isl_map_free(problem->conflicts);
  isl_set_free(problem->difference);
  isl_map_free(problem->liveRanges);
  isl_map_free(problem->writeTimes);
  isl_union_map_free(problem->slices);
  freeNames(problem->arrayNames, problem->numArrays);
  freeNames(problem->dimNames, problem->numDims);
  isl_ctx_free(problem->ctx);
  free(problem);
}

uint64_t berthFoldProblemOperations(const BerthFoldProblem *problem) {
  return berthIslOperations(problem->ctx);
}

size_t berthFoldProblemNumDims(const BerthFoldProblem *problem) {
  return problem->numDims;
}

size_t berthFoldProblemNumParams(const BerthFoldProblem *problem) {
  return problem->numParams;
}

bool berthFoldProblemAdmits(const BerthFoldProblem *problem,
                            const int64_t *params) {
  unsigned long limit = isl_ctx_get_max_operations(problem->ctx);
  isl_ctx_set_max_operations(problem->ctx, 0);
  isl_set *left = isl_set_copy(problem->context);
  for (unsigned p = 0; p < problem->numParams; ++p)
    left = isl_set_fix_val(left, isl_dim_param, p,
                           isl_val_int_from_si(problem->ctx, params[p]));
  bool admits = isl_set_is_empty(left) == isl_bool_false;
  isl_set_free(left);
  isl_ctx_set_max_operations(problem->ctx, limit);
  return admits;
}

const char *berthFoldProblemParamName(const BerthFoldProblem *problem,
                                      size_t param) {
  return isl_set_get_dim_name(problem->context, isl_dim_param, (unsigned)param);
}

size_t berthFoldProblemNumArrays(const BerthFoldProblem *problem) {
  return problem->numArrays;
}

const char *berthFoldProblemArrayName(const BerthFoldProblem *problem,
                                      size_t array) {
  return problem->arrayNames[array];
}

char *berthFoldProblemDifferenceText(const BerthFoldProblem *problem) {
  return berthIslText(isl_set_to_str(problem->difference));
}
