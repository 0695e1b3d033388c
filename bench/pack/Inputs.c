//===- Inputs.c - The instances that the benchmark packs -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Bench.h"

#include "berth-c/IO.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const BenchFile kBenchFiles[] = {
    {"minimalloc", "A.1048576", "A"}, {"minimalloc", "C.1048576", "C"},
    {"minimalloc", "D.1048576", "D"}, {"minimalloc", "E.1048576", "E"},
    {"minimalloc", "G.1048576", "G"}, {"minimalloc", "I.1048576", "I"},
    {"minimalloc", "K.1048576", "K"}, {"idealloc", "resnet50", "resnet50"},
    {"idealloc", "G_1", "G_1"},       {"idealloc", "pangu_2.6B", "pangu"}};
const size_t kNumBenchFiles = sizeof kBenchFiles / sizeof *kBenchFiles;

void benchDie(const char *what, const BerthError *error) {
  fprintf(stderr, "pack: %s: %s\n", what, error->message);
  exit(1);
}

static BerthProblem *readProblem(const char *path) {
  BerthDocument *document;
  BerthError error = {{0}, 0, 0};
  BerthReadOptions options = {0};
  if (berthDocumentRead(path, &options, &document, &error))
    benchDie(path, &error);
  const BerthProblemData *data =
      berthProblemGetData(berthDocumentGetProblem(document));
  BerthProblem *copy = berthProblemCreate();
  for (size_t i = 0; i < data->numBuffers; ++i)
    berthProblemAddBuffer(copy, &data->buffers[i]);
  berthDocumentDestroy(document);
  return copy;
}

BerthProblem *benchShuffled(const BerthProblem *problem, uint64_t copy) {
  const BerthProblemData *data = berthProblemGetData(problem);
  size_t n = data->numBuffers;
  size_t *order = malloc(n * sizeof *order);
  uint32_t *place = malloc(n * sizeof *place);
  BerthProblem *result = berthProblemCreate();
  uint64_t state = copy * UINT64_C(0x9E3779B97F4A7C15) + 1;
  if (!order || !place || !result)
    exit(1);
  for (size_t i = 0; i < n; ++i)
    order[i] = i;
  for (size_t i = n; copy && i > 1; --i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    size_t j = (size_t)(state % i), swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
  for (size_t i = 0; i < n; ++i)
    place[order[i]] = berthProblemAddBuffer(result, &data->buffers[order[i]]);
  for (size_t i = 0; i < data->numDistances; ++i) {
    BerthDistance distance = data->distances[i];
    distance.first = place[distance.first];
    distance.second = place[distance.second];
    berthProblemAddDistance(result, &distance);
  }
  berthProblemSetCapacity(result, data->capacity);
  free(place);
  free(order);
  return result;
}

static const char *instances = BERTH_INSTANCES;

void benchUseInstances(const char *folder) { instances = folder; }

bool benchHaveInstances(void) {
  bool have = access(instances, R_OK) == 0;
  if (!have)
    printf("\nno instances in %s: tables of public ones are left out (--help "
           "says what they are)\n",
           instances);
  return have;
}

BerthProblem *benchReadInstance(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s.csv", instances, folder, name);
  return access(path, R_OK) == 0 ? readProblem(path) : NULL;
}
