//===- ConflictTest.c - Sets of buffers that cannot fit together ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What is named as a conflict does not fit by brute force, with all cuts bought
// and whatever is not named left out; and where it is said to be irreducible,
// it does once any one buffer, or group, is left out as well.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../BruteForce.h"
#include "../RandomProblem.h"

enum {
  kSome = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
          BERTH_CAN_FIXED | BERTH_CAN_HARD_EDGES | BERTH_CAN_GROUPS |
          BERTH_CAN_RESERVED | BERTH_CAN_HINTS | BERTH_CAN_DISTANCES,
  kMostBuffers = 8
};

// How often each was seen.
typedef struct Seen {
  unsigned infeasible;
  unsigned named;
  unsigned irreducible;
} Seen;

static bool isOut(const BerthProblemData *data, uint32_t buffer,
                  uint32_t leftOut) {
  int64_t group = data->buffers[buffer].group;
  return leftOut != UINT32_MAX &&
         (buffer == leftOut ||
          (group != BERTH_NONE && group == data->buffers[leftOut].group));
}

// The problem without the other buffers, and without one of these.
static BerthProblem *restricted(const BerthProblemData *data,
                                const BerthPlan *plan, uint32_t leftOut) {
  BerthProblem *problem = berthProblemCreate();
  uint32_t numberOf[kMostBuffers];
  for (uint32_t i = 0; i < kMostBuffers; ++i)
    numberOf[i] = UINT32_MAX;
  for (size_t k = 0; k < plan->numConflict; ++k)
    if (!isOut(data, plan->conflict[k], leftOut))
      numberOf[plan->conflict[k]] =
          berthProblemAddBuffer(problem, &data->buffers[plan->conflict[k]]);
  for (size_t c = 0; c < data->numCuts; ++c)
    berthProblemAddCut(problem, &data->cuts[c]);
  for (size_t e = 0; e < data->numEdges; ++e) {
    BerthEdge edge = data->edges[e];
    edge.first = numberOf[edge.first];
    edge.second = numberOf[edge.second];
    if (edge.first != UINT32_MAX && edge.second != UINT32_MAX)
      berthProblemAddEdge(problem, &edge);
  }
  for (size_t d = 0; d < data->numDistances; ++d) {
    BerthDistance distance = data->distances[d];
    distance.first = numberOf[distance.first];
    distance.second = numberOf[distance.second];
    if (distance.first != UINT32_MAX && distance.second != UINT32_MAX)
      berthProblemAddDistance(problem, &distance);
  }
  for (size_t p = 0; p < data->numPools; ++p)
    berthProblemAddPool(problem, &data->pools[p]);
  for (size_t r = 0; r < data->numReserved; ++r)
    berthProblemAddReserved(problem, data->reserved[r]);
  berthProblemSetCapacity(problem, data->capacity);
  return problem;
}

static bool fitsByForce(BerthProblem *problem) {
  const BerthProblemData *data = berthProblemGetData(problem);
  bool fits = data->numPools ? brutePools(data, ~0u, false).fits
                             : brutePeak(data, ~0u, data->capacity) >= 0;
  berthProblemDestroy(problem);
  return fits;
}

static void lookAt(const BerthProblemData *data, const BerthPlan *plan,
                   uint64_t seed, Seen *seen) {
  ++seen->infeasible;
  seen->named += plan->numConflict > 0;
  seen->irreducible += plan->conflictIrreducible;
  if (!plan->numConflict)
    return;
  if (fitsByForce(restricted(data, plan, UINT32_MAX)))
    fail_msg("seed %llu: the conflict fits", (unsigned long long)seed);
  for (size_t k = 0; plan->conflictIrreducible && k < plan->numConflict; ++k)
    if (!fitsByForce(restricted(data, plan, plan->conflict[k])))
      fail_msg("seed %llu: buffer %u is not needed", (unsigned long long)seed,
               plan->conflict[k]);
}

static BerthProblem *draw(uint64_t seed, uint32_t always) {
  BerthProblem *problem = seededProblem(
      seed, (RandomShape){.maxBuffers = 6,
                          .maxTime = 6,
                          .maxSize = 4,
                          .features = always | randomFeatures(seed, kSome)});
  if (always & BERTH_CAN_POOLS) {
    // As drawn the last pool takes everything.
    BerthPool pools[2] = {berthProblemGetData(problem)->pools[0],
                          {.capacity = 5, .cost = 2}};
    BerthProblem *tight = berthProblemCreate();
    const BerthProblemData *data = berthProblemGetData(problem);
    for (size_t i = 0; i < data->numBuffers; ++i)
      berthProblemAddBuffer(tight, &data->buffers[i]);
    for (size_t c = 0; c < data->numCuts; ++c)
      berthProblemAddCut(tight, &data->cuts[c]);
    for (size_t e = 0; e < data->numEdges; ++e)
      berthProblemAddEdge(tight, &data->edges[e]);
    for (size_t d = 0; d < data->numDistances; ++d)
      berthProblemAddDistance(tight, &data->distances[d]);
    berthProblemAddPool(tight, &pools[0]);
    berthProblemAddPool(tight, &pools[1]);
    berthProblemDestroy(problem);
    problem = tight;
  }
  return problem;
}

// Who wants no conflict gets the same plan and the same proof.
static void expectUnexplained(const BerthProblemData *data,
                              BerthPackOptions options, const BerthPlan *plan) {
  BerthPlan other = {0};
  options.unexplained = true;
  assert_int_equal(berthPack(data, &options, &other, NULL), 0);
  assert_int_equal(other.status, plan->status);
  assert_int_equal(other.peak, plan->peak);
  assert_int_equal(other.lowerBound, plan->lowerBound);
  assert_true(other.steps <= plan->steps);
  assert_memory_equal(other.offsets, plan->offsets,
                      plan->numBuffers * sizeof *plan->offsets);
  berthPlanFree(&other);
}

static Seen lookAtMany(uint64_t from, uint64_t count, uint32_t always,
                       const char *packer) {
  Seen seen = {0};
  for (uint64_t seed = from; seed < from + randomCount(count); ++seed) {
    BerthProblem *problem = draw(seed, always);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPackOptions options = {.packer = packer};
    BerthPlan plan = {0};
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS) {
      assert_int_equal(berthPack(data, &options, &plan, NULL), 0);
      if (plan.status == BERTH_PLAN_INFEASIBLE) {
        lookAt(data, &plan, seed, &seen);
        expectUnexplained(data, options, &plan);
      }
      berthPlanFree(&plan);
    }
    berthProblemDestroy(problem);
  }
  print_message("%s: %u infeasible, %u named, %u irreducible\n", packer,
                seen.infeasible, seen.named, seen.irreducible);
  return seen;
}

// So small a problem is always explained to the end.
static void expectAll(Seen seen) {
  assert_true(seen.infeasible > randomCount(500));
  assert_int_equal(seen.named, seen.infeasible);
  assert_int_equal(seen.irreducible, seen.infeasible);
}

static void testOnePool(void **state) {
  (void)state;
  expectAll(lookAtMany(0, 10000, BERTH_CAN_CAPACITY, "exact"));
  expectAll(lookAtMany(20000, 5000, BERTH_CAN_CAPACITY, "auto"));
}

static void testPrices(void **state) {
  (void)state;
  uint32_t prices = BERTH_CAN_CAPACITY | BERTH_CAN_PRICED_EDGES;
  expectAll(lookAtMany(40000, 5000, prices, "auto"));
}

static void testPools(void **state) {
  (void)state;
  expectAll(lookAtMany(60000, 5000, BERTH_CAN_POOLS, "auto"));
  uint32_t prices = BERTH_CAN_POOLS | BERTH_CAN_PRICED_EDGES;
  expectAll(lookAtMany(80000, 3000, prices, "auto"));
}

// A packer that proves nothing still says what the load shows.
static void testLoad(void **state) {
  (void)state;
  Seen seen = lookAtMany(0, 5000, BERTH_CAN_CAPACITY, "first-fit");
  assert_int_equal(seen.named, seen.infeasible);
  assert_true(seen.irreducible > 0 && seen.irreducible < seen.named);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testOnePool),
      cmocka_unit_test(testPrices),
      cmocka_unit_test(testPools),
      cmocka_unit_test(testLoad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
