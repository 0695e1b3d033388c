//===- CheckNames.c - That no two buffers have one name ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Check/CheckNames.h"

#include "Pack/Problem/Problem.h"

#include <string.h>

static uint64_t hashName(const char *name) {
  uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return hash;
}

static bool sameName(const BerthProblemData *problem, size_t a, size_t b) {
  const char *first = problem->buffers[a].id, *second = problem->buffers[b].id;
  if (first && second)
    return strcmp(first, second) == 0;
  return strcmp(berthBufferName(problem, a).text,
                berthBufferName(problem, b).text) == 0;
}

// Longer names come after shorter ones, so that numbers count up.
static bool comesAfter(const char *name, size_t length, const char *before,
                       size_t lengthBefore) {
  return length != lengthBefore ? length > lengthBefore
                                : memcmp(name, before, length) > 0;
}

// Names in ascending order, as programs number their buffers, are unique; so
// are those that Berth itself would give.
static bool namesAscend(const BerthProblemData *problem) {
  const char *before = "";
  size_t lengthBefore = 0, named = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const char *name = problem->buffers[i].id;
    if (!name)
      continue;
    size_t length = strlen(name);
    if (named++ && !comesAfter(name, length, before, lengthBefore))
      return false;
    before = name;
    lengthBefore = length;
  }
  return named == 0 || named == problem->numBuffers;
}

// An open hash table of buffer indices. Buffers without an id count as
// "b<index>", which only matters where others have one.
BerthStatus berthCheckNames(BerthChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (namesAscend(problem))
    return BERTH_SUCCESS;
  size_t slots = 16;
  while (slots < 2 * problem->numBuffers)
    slots *= 2;
  uint32_t *table = BERTH_MEMORY_NEW(&checker->arena, uint32_t, slots);
  if (!table)
    return berthCheckOutOfMemory(checker);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const char *id = problem->buffers[i].id;
    uint64_t hash = hashName(id ? id : berthBufferName(problem, i).text);
    size_t slot = (hash ^ hash >> 32) & (slots - 1);
    for (; table[slot]; slot = (slot + 1) & (slots - 1))
      if (sameName(problem, table[slot] - 1, i))
        return berthCheckBlame(checker, i,
                               "its id is not unique; it is also buffer",
                               table[slot] - 1);
    table[slot] = (uint32_t)i + 1;
  }
  return BERTH_SUCCESS;
}
