//===- CanonicalTest.c - The order of the rows does not matter ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// With its rows in another order, and other names, a problem has the same peak
// after the same steps, and so do the offsets but for buffers that nothing
// tells apart.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../RandomProblem.h"
#include "berth-c/Generate.h"

static void shuffle(uint32_t *order, size_t count, uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  for (size_t i = count; i-- > 1;) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    size_t j = (size_t)(seed >> 33) % (i + 1);
    uint32_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

// Row k of the copy is row order[k].
static BerthProblem *copyRows(const BerthProblemData *data,
                              const uint32_t *order) {
  BerthProblem *copy = berthProblemCreate();
  uint32_t *place = calloc(data->numBuffers + 1, sizeof *place);
  assert_true(copy && place);
  for (uint32_t k = 0; k < data->numBuffers; ++k) {
    BerthBuffer buffer = data->buffers[order[k]];
    buffer.id = NULL;
    berthProblemAddBuffer(copy, &buffer);
    place[order[k]] = k;
  }
  for (size_t c = 0; c < data->numCuts; ++c)
    berthProblemAddCut(copy, &data->cuts[c]);
  for (size_t e = 0; e < data->numEdges; ++e) {
    BerthEdge edge = data->edges[data->numEdges - 1 - e];
    edge.first = place[edge.first];
    edge.second = place[edge.second];
    berthProblemAddEdge(copy, &edge);
  }
  for (size_t d = 0; d < data->numDistances; ++d) {
    BerthDistance distance = data->distances[data->numDistances - 1 - d];
    distance.first = place[distance.first];
    distance.second = place[distance.second];
    berthProblemAddDistance(copy, &distance);
  }
  for (size_t p = 0; p < data->numPools; ++p)
    berthProblemAddPool(copy, &data->pools[p]);
  for (size_t r = 0; r < data->numReserved; ++r)
    berthProblemAddReserved(copy, data->reserved[r]);
  berthProblemSetCapacity(copy, data->capacity);
  free(place);
  return copy;
}

static BerthPlan pack(const BerthProblemData *data, const char *packer,
                      uint64_t steps) {
  BerthPackOptions options = {.packer = packer, .steps = steps};
  BerthPlan plan;
  BerthError error;
  if (berthPack(data, &options, &plan, &error))
    fail_msg("%s", error.message);
  return plan;
}

static void compare(const BerthProblemData *data, const char *packer,
                    uint64_t steps, unsigned shuffles) {
  BerthPlan plan = pack(data, packer, steps);
  uint32_t *order = calloc(data->numBuffers + 1, sizeof *order);
  assert_non_null(order);
  for (unsigned s = 0; s < shuffles; ++s) {
    shuffle(order, data->numBuffers, s + 1);
    BerthProblem *copy = copyRows(data, order);
    BerthPlan other = pack(berthProblemGetData(copy), packer, steps);
    assert_int_equal(other.peak, plan.peak);
    assert_int_equal(other.lowerBound, plan.lowerBound);
    assert_int_equal(other.steps, plan.steps);
    assert_int_equal(other.price, plan.price);
    assert_int_equal(other.poolCost, plan.poolCost);
    berthPlanFree(&other);
    berthProblemDestroy(copy);
  }
  free(order);
  berthPlanFree(&plan);
}

static void testFamilies(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t buffers = 30; buffers <= 300; buffers *= 10) {
      BerthProblem *problem = berthGenerate(family, buffers, 1, NULL);
      compare(berthProblemGetData(problem), "auto", 3000000, 4);
      compare(berthProblemGetData(problem), "local-search", 300000, 2);
      berthProblemDestroy(problem);
    }
}

static void testLarge(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("sliding"), 3000, 1, NULL);
  compare(berthProblemGetData(problem), "auto", 10000000, 2);
  berthProblemDestroy(problem);
}

// Edges, pools and the like. A group takes the first of its hints, so there are
// none.
static void testFeatures(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < randomCount(3000); ++seed) {
    RandomSource source = randomFromSeed(seed);
    RandomShape shape = {.maxBuffers = 9,
                         .maxTime = 9,
                         .maxSize = 9,
                         .features = ~(uint32_t)BERTH_CAN_HINTS};
    BerthProblem *problem = randomProblem(&source, &shape);
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, "auto", 100000, 2);
    berthProblemDestroy(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testFamilies),
      cmocka_unit_test(testLarge),
      cmocka_unit_test(testFeatures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
