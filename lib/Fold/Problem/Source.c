//===- Source.c - Reading and checking isl text --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // strdup, strndup

#include "Fold/Problem/Source.h"
#include "Support/Allocate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Shape of a text
//===----------------------------------------------------------------------===//

/// Fields of BerthFoldSource in their order, for errors.
static const char *const fieldNames[] = {
    "context",    "domain",  "schedule", "reads",    "writes",
    "may-writes", "live-in", "live-out", "parallel", "conflict",
    "names",      "slices",  "may-reads"};

enum {
  FieldContext = 1,
  FieldDomain,
  FieldSchedule,
  FieldReads,
  FieldWrites,
  FieldMayWrites,
  FieldLiveIn,
  FieldLiveOut,
  FieldParallel,
  FieldConflict,
  FieldSlices = FieldConflict + 2,
  FieldMayReads
};

static BerthStatus failAt(BerthError *error, unsigned field, size_t column,
                          const char *what) {
  berthErrorSet(error, BERTH_INVALID, "%s: %s", fieldNames[field - 1], what);
  if (error) {
    error->line = field;
    error->column = column + 1;
  }
  return BERTH_INVALID;
}

/// One braced text, blanks after it at most.
static BerthStatus checkBraces(const char *text, unsigned field,
                               BerthError *error) {
  size_t depth = 0, i = 0;
  bool seen = false;
  for (; text[i]; ++i) {
    if (text[i] == '{') {
      if (seen && depth == 0)
        return failAt(error, field, i, "text after the closing brace");
      seen = true;
      ++depth;
    } else if (text[i] == '}') {
      if (depth == 0)
        return failAt(error, field, i, "a closing brace without its opening");
      --depth;
    } else if (seen && depth == 0 && !isspace((unsigned char)text[i])) {
      return failAt(error, field, i, "text after the closing brace");
    }
  }
  if (!seen)
    return failAt(error, field, 0, "not an isl set or relation: no '{'");
  if (depth)
    return failAt(error, field, i, "the closing brace is missing");
  return BERTH_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static BerthStatus readSet(isl_ctx *ctx, const char *text, unsigned field,
                           isl_union_set **set, BerthError *error) {
  if (!text)
    return BERTH_SUCCESS;
  BerthStatus status = checkBraces(text, field, error);
  if (status != BERTH_SUCCESS)
    return status;
  *set = isl_union_set_read_from_str(ctx, text);
  if (*set)
    return BERTH_SUCCESS;
  isl_ctx_reset_error(ctx);
  return failAt(error, field, 0, "isl cannot read this as a set");
}

static BerthStatus readMap(isl_ctx *ctx, const char *text, unsigned field,
                           isl_union_map **map, BerthError *error) {
  if (!text)
    return BERTH_SUCCESS;
  BerthStatus status = checkBraces(text, field, error);
  if (status != BERTH_SUCCESS)
    return status;
  *map = isl_union_map_read_from_str(ctx, text);
  if (*map)
    return BERTH_SUCCESS;
  isl_ctx_reset_error(ctx);
  return failAt(error, field, 0, "isl cannot read this as a relation");
}

static BerthStatus readContext(isl_ctx *ctx, const char *text,
                               isl_set **context, BerthError *error) {
  if (!text) {
    isl_space *space = isl_space_params_alloc(ctx, 0);
    *context = isl_set_universe(space);
    return BERTH_SUCCESS;
  }
  BerthStatus status = checkBraces(text, FieldContext, error);
  if (status != BERTH_SUCCESS)
    return status;
  *context = isl_set_read_from_str(ctx, text);
  isl_ctx_reset_error(ctx);
  if (!*context || isl_set_is_params(*context) != isl_bool_true)
    return failAt(error, FieldContext, 0,
                  "must be a parameter set such as [N] -> { : N >= 1 }");
  if (isl_set_is_empty(*context) == isl_bool_true)
    return failAt(error, FieldContext, 0, "no parameter value satisfies it");
  return BERTH_SUCCESS;
}

/// "0, 2" becomes bits 0 and 2.
static BerthStatus readParallel(const char *text, uint64_t *parallel,
                                BerthError *error) {
  const char *at = text;
  while (text && *at) {
    char *end;
    while (isspace((unsigned char)*at) || *at == ',')
      ++at;
    if (!*at)
      break;
    unsigned long dim =
        isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 64;
    if (dim >= 60)
      return failAt(error, FieldParallel, (size_t)(at - text),
                    "must list time dimensions from 0 to 59");
    *parallel |= (uint64_t)1 << dim;
    at = end;
  }
  return BERTH_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Checks across fields
//===----------------------------------------------------------------------===//

static BerthStatus needFields(const BerthFoldSource *source,
                              BerthError *error) {
  if (source->conflict) {
    if (source->domain || source->schedule || source->reads || source->writes ||
        source->mayWrites || source->liveIn || source->liveOut ||
        source->parallel || source->slices || source->mayReads)
      return failAt(error, FieldConflict, 0,
                    "stands alone; only context and names go with it");
    return BERTH_SUCCESS;
  }
  const char *missing = !source->domain                      ? "domain"
                        : !source->schedule                  ? "schedule"
                        : !source->writes && !source->liveIn ? "writes"
                                                             : NULL;
  if (!missing)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "'%s' is missing (or give a conflict relation)",
                       missing);
}

/// Every instance of the domain has exactly one time.
static BerthStatus checkSchedule(const BerthFoldAccesses *accesses,
                                 BerthError *error) {
  isl_union_map *schedule =
      isl_union_map_intersect_domain(isl_union_map_copy(accesses->schedule),
                                     isl_union_set_copy(accesses->domain));
  isl_bool single = isl_union_map_is_single_valued(schedule);
  isl_union_set *timed = isl_union_map_domain(schedule);
  isl_bool covered = isl_union_set_is_subset(accesses->domain, timed);
  isl_union_set_free(timed);
  if (single != isl_bool_true)
    return failAt(error, FieldSchedule, 0, "gives an instance several times");
  if (covered != isl_bool_true)
    return failAt(error, FieldSchedule, 0,
                  "gives some instance of the domain no time");
  return BERTH_SUCCESS;
}

static BerthStatus checkDomain(const BerthFoldAccesses *accesses,
                               BerthError *error) {
  if (isl_union_set_is_empty(accesses->domain) == isl_bool_false)
    return BERTH_SUCCESS;
  return failAt(error, FieldDomain, 0, "the domain is empty");
}

static isl_stat countIfAny(isl_map *map, void *count) {
  *(isl_size *)count += isl_map_is_empty(map) == isl_bool_false;
  isl_map_free(map);
  return isl_stat_ok;
}

/// A slice that is never taken need not fit what its array folds to, and could
/// not be written down.
static BerthStatus checkSlices(const BerthFoldAccesses *accesses,
                               BerthError *error) {
  isl_size count = 0;
  if (!accesses->slices)
    return BERTH_SUCCESS;
  isl_union_map *taken =
      isl_union_map_intersect_domain(isl_union_map_copy(accesses->slices),
                                     isl_union_set_copy(accesses->domain));
  isl_union_map_foreach_map(taken, countIfAny, &count);
  isl_union_map_free(taken);
  if (count == isl_union_map_n_map(accesses->slices))
    return BERTH_SUCCESS;
  return failAt(error, FieldSlices, 0, "a slice is never taken");
}

BerthStatus berthFoldReadSource(isl_ctx *ctx, const BerthFoldSource *source,
                                BerthFoldInput *input, BerthError *error) {
  BerthFoldAccesses *to = &input->accesses;
  BerthStatus status = needFields(source, error);
  if (status == BERTH_SUCCESS)
    status = readContext(ctx, source->context, &input->context, error);
  if (status == BERTH_SUCCESS && source->conflict)
    return readMap(ctx, source->conflict, FieldConflict, &input->conflict,
                   error);
  const struct {
    const char *text;
    unsigned field;
    isl_union_set **set;
    isl_union_map **map;
  } fields[] = {{source->domain, FieldDomain, &to->domain, NULL},
                {source->schedule, FieldSchedule, NULL, &to->schedule},
                {source->reads, FieldReads, NULL, &to->reads},
                {source->writes, FieldWrites, NULL, &to->writes},
                {source->mayWrites, FieldMayWrites, NULL, &to->mayWrites},
                {source->liveIn, FieldLiveIn, &to->liveIn, NULL},
                {source->liveOut, FieldLiveOut, &to->liveOut, NULL},
                {source->slices, FieldSlices, NULL, &to->slices},
                {source->mayReads, FieldMayReads, NULL, &to->mayReads}};
  for (size_t i = 0;
       status == BERTH_SUCCESS && i < sizeof fields / sizeof *fields; ++i)
    status = fields[i].set ? readSet(ctx, fields[i].text, fields[i].field,
                                     fields[i].set, error)
                           : readMap(ctx, fields[i].text, fields[i].field,
                                     fields[i].map, error);
  if (status == BERTH_SUCCESS)
    status = readParallel(source->parallel, &to->parallel, error);
  if (status == BERTH_SUCCESS)
    status = checkDomain(to, error);
  if (status == BERTH_SUCCESS)
    status = checkSlices(to, error);
  return status == BERTH_SUCCESS ? checkSchedule(to, error) : status;
}

void berthFoldFreeInput(BerthFoldInput *input) {
  isl_union_set_free(input->accesses.domain);
  isl_union_map_free(input->accesses.schedule);
  isl_union_map_free(input->accesses.reads);
  isl_union_map_free(input->accesses.writes);
  isl_union_map_free(input->accesses.mayWrites);
  isl_union_set_free(input->accesses.liveIn);
  isl_union_set_free(input->accesses.liveOut);
  isl_union_map_free(input->accesses.slices);
  isl_union_map_free(input->accesses.mayReads);
  isl_union_map_free(input->conflict);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The next comma-separated name at `*at`, trimmed; NULL at the end.
static char *nextName(const char **at) {
  const char *start = *at + strspn(*at, " \t,");
  size_t length = strcspn(start, ",");
  *at = start + length;
  while (length && isspace((unsigned char)start[length - 1]))
    --length;
  return length ? strndup(start, length) : NULL;
}

char **berthFoldDimNames(const char *names, unsigned numDims, bool numbered) {
  char **result = calloc(numDims + 1, sizeof *result);
  const char *at = names;
  unsigned dim = 0;
  if (!result || (numbered && !(result[dim++] = strdup("a")))) {
    free(result);
    return NULL;
  }
  for (unsigned i = 0; dim < numDims; ++dim, ++i) {
    char text[16];
    snprintf(text, sizeof text, "x%u", i);
    result[dim] = names ? nextName(&at) : strdup(text);
    if (!result[dim])
      break;
  }
  char *extra = names ? nextName(&at) : NULL;
  if (dim == numDims && !extra)
    return result;
  free(extra);
  while (dim > 0)
    free(result[--dim]);
  free(result);
  return NULL;
}

BerthStatus berthFoldOpenSource(const BerthFoldSource *source, isl_ctx **ctx,
                                BerthFoldInput *input, BerthError *error) {
  BerthStatus status = berthFoldOpen(error);
  if (status != BERTH_SUCCESS)
    return status;
  *ctx = isl_ctx_alloc();
  if (!*ctx)
    return berthOutOfMemory(error);
  isl_options_set_on_error(*ctx, ISL_ON_ERROR_CONTINUE);
  return berthFoldReadSource(*ctx, source, input, error);
}

void berthFoldCloseSource(isl_ctx *ctx, BerthFoldInput *input) {
  isl_set_free(input->context);
  berthFoldFreeInput(input);
  isl_ctx_free(ctx);
}
