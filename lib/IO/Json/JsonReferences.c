//===- JsonReferences.c - Elements by index or by id ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/JsonReferences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A kind of element that can be referred to.
typedef struct Kind {
  const char *what;
  size_t count;
  const char *(*idOf)(const BerthProblemData *problem, size_t index);
  char prefix; ///< of the names of those without an id, or 0
} Kind;

/// False if out of memory.
static bool buildNames(const BerthProblemData *problem, const Kind *kind,
                       BerthNames *names) {
  if (names->built)
    return true;
  if (!berthNamesBuild(names, kind->count))
    return false;
  for (size_t i = 0; i < kind->count; ++i) {
    const char *id = kind->idOf(problem, i);
    if (id)
      berthNamesAdd(names, id, (uint32_t)i);
  }
  return true;
}

// Elements without an id go by the prefix and their index: "b7".
static bool findUnnamed(const BerthProblemData *problem, const Kind *kind,
                        const char *name, uint32_t *index) {
  char *end, own[24];
  if (!kind->prefix || name[0] != kind->prefix)
    return false;
  unsigned long long number = strtoull(name + 1, &end, 10);
  snprintf(own, sizeof own, "%c%llu", kind->prefix, number);
  *index = (uint32_t)number;
  return number < kind->count && strcmp(own, name) == 0 &&
         !kind->idOf(problem, *index);
}

/// Moves to the element of an array that begins at `start`.
static void moveTo(BerthJsonReader *json, size_t start, size_t index) {
  json->position = start;
  berthJsonEnterArray(json);
  for (size_t i = 0; berthJsonNextElement(json) && i < index; ++i)
    berthJsonSkip(json);
  berthJsonPeek(json);
}

/// Fails at an element that has another one's id: a reference would mean the
/// first, whichever was meant.
static void checkIds(BerthJsonReader *json, const BerthProblemData *problem,
                     const Kind *kind, BerthNames *names, size_t start) {
  uint32_t first = 0;
  if (!buildNames(problem, kind, names)) {
    berthJsonOutOfMemory(json);
    return;
  }
  for (size_t i = 0; i < kind->count; ++i) {
    const char *id = kind->idOf(problem, i);
    if (!id || (berthNamesFind(names, id, &first) && first == i))
      continue;
    moveTo(json, start, i);
    berthJsonFail(json, json->position,
                  "its id is not unique: '%.60s' is also %s %u", id, kind->what,
                  (unsigned)first);
    return;
  }
}

static uint32_t readReference(BerthJsonProblem *reader,
                              const BerthProblemData *problem, const Kind *kind,
                              BerthNames *names) {
  BerthJsonReader *json = &reader->json;
  bool byIndex = berthJsonPeek(json) != '"';
  size_t position = json->position;
  if (byIndex) {
    if (kind->count == 0)
      berthJsonFail(json, position, "there is no %s to refer to", kind->what);
    return (uint32_t)berthJsonInteger(json, 0, (int64_t)kind->count - 1,
                                      kind->what);
  }
  uint32_t index = 0;
  if (!buildNames(problem, kind, names)) {
    berthJsonOutOfMemory(json);
    return 0;
  }
  const char *name = berthJsonString(json, kind->what);
  if (!json->failed && !berthNamesFind(names, name, &index) &&
      !findUnnamed(problem, kind, name, &index))
    berthJsonFail(json, position, "there is no %s '%.60s'", kind->what, name);
  return index;
}

static const char *bufferId(const BerthProblemData *problem, size_t index) {
  return problem->buffers[index].id;
}
static const char *cutId(const BerthProblemData *problem, size_t index) {
  return problem->cuts[index].id;
}
static const char *poolId(const BerthProblemData *problem, size_t index) {
  return problem->pools[index].id;
}

/// The problem so far. After a failure it may be NULL.
static const BerthProblemData *problemOf(BerthJsonProblem *reader) {
  const BerthProblemData *problem = berthDocumentData(reader->document);
  if (!problem)
    berthJsonOutOfMemory(&reader->json);
  return problem;
}

uint32_t berthJsonBufferReference(BerthJsonProblem *reader) {
  const BerthProblemData *problem = problemOf(reader);
  if (!problem)
    return 0;
  Kind kind = {"buffer", problem->numBuffers, bufferId, 'b'};
  return readReference(reader, problem, &kind, &reader->buffers);
}

static Kind cutKind(const BerthProblemData *problem) {
  return (Kind){"cut", problem->numCuts, cutId, 0};
}
static Kind poolKind(const BerthProblemData *problem) {
  return (Kind){"pool", problem->numPools, poolId, 0};
}

uint32_t berthJsonCutReference(BerthJsonProblem *reader) {
  const BerthProblemData *problem = problemOf(reader);
  if (!problem)
    return 0;
  Kind kind = cutKind(problem);
  return readReference(reader, problem, &kind, &reader->cuts);
}

uint32_t berthJsonPoolReference(BerthJsonProblem *reader) {
  const BerthProblemData *problem = problemOf(reader);
  if (!problem)
    return 0;
  Kind kind = poolKind(problem);
  return readReference(reader, problem, &kind, &reader->pools);
}

void berthJsonCheckCutIds(BerthJsonProblem *reader, size_t start) {
  const BerthProblemData *problem = problemOf(reader);
  if (!problem || reader->json.failed)
    return;
  Kind kind = cutKind(problem);
  checkIds(&reader->json, problem, &kind, &reader->cuts, start);
}

void berthJsonCheckPoolIds(BerthJsonProblem *reader, size_t start) {
  const BerthProblemData *problem = problemOf(reader);
  if (!problem || reader->json.failed)
    return;
  Kind kind = poolKind(problem);
  checkIds(&reader->json, problem, &kind, &reader->pools, start);
}
