//===- PoolsTest.c - Several pools, with pins and all the rest -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What is claimed about tiny problems with two pools, against every choice of
// pools and every offset. Fixed buffers may contradict each other, which is an
// input error, never one of Berth's own.
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
  kFeatures = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
              BERTH_CAN_HARD_EDGES | BERTH_CAN_PRICED_EDGES | BERTH_CAN_GROUPS |
              BERTH_CAN_RESERVED | BERTH_CAN_HINTS | BERTH_CAN_DISTANCES
};

// How often each outcome was seen, so that none is missing from the test.
typedef struct Seen {
  unsigned contradictory;
  unsigned optimal;
  unsigned feasible;
  unsigned infeasible;
  unsigned budget;
  unsigned missed; ///< `budget` where something fits
} Seen;

static void checkClaims(const BerthPlan *plan, const BruteBest *truth,
                        bool cuts, Seen *seen) {
  switch (plan->status) {
  case BERTH_PLAN_OPTIMAL:
    ++seen->optimal;
    assert_true(truth->fits);
    assert_int_equal(plan->poolCost, truth->poolCost);
    assert_true(cuts || plan->peak == truth->peak);
    break;
  case BERTH_PLAN_FEASIBLE:
    ++seen->feasible;
    assert_true(truth->fits);
    break;
  case BERTH_PLAN_INFEASIBLE:
    ++seen->infeasible;
    assert_false(truth->fits);
    break;
  case BERTH_PLAN_BUDGET:
    ++seen->budget;
    seen->missed += truth->fits;
    break;
  }
}

static void packOne(const BerthProblemData *data, const char *packer,
                    Seen *seen) {
  BerthPackOptions options = {.packer = packer, .steps = 3000};
  BerthPlan plan;
  BerthError error;
  BerthStatus status = berthPack(data, &options, &plan, &error);
  // With all cuts bought most is possible.
  BruteBest truth = brutePools(data, ~0u, false);
  bool agree = brutePools(data, ~0u, true).fits;
  if (status == BERTH_INVALID) {
    bool pools = strstr(error.message, "no choice of pools");
    assert_true(!pools || !agree);
    seen->contradictory += pools;
    return;
  }
  assert_true(agree);
  if (status)
    fail_msg("%s: %s", packer, error.message);
  checkClaims(&plan, &truth, data->numCuts > 0, seen);
  berthPlanFree(&plan);
}

static void packMany(const char *packer, uint64_t count) {
  Seen seen = {0};
  for (uint64_t seed = 0; seed < randomCount(count); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = 5,
                            .maxTime = 6,
                            .maxSize = 4,
                            .features = BERTH_CAN_POOLS | BERTH_CAN_FIXED |
                                        randomFeatures(seed, kFeatures)});
    packOne(berthProblemGetData(problem), packer, &seen);
    berthProblemDestroy(problem);
  }
  print_message("%s: %u contradictory, %u optimal, %u feasible, %u infeasible, "
                "%u budget (%u of them fit)\n",
                packer, seen.contradictory, seen.optimal, seen.feasible,
                seen.infeasible, seen.budget, seen.missed);
  assert_true(seen.contradictory > 0 && seen.optimal > 0 && seen.feasible > 0);
  assert_true(seen.infeasible > 0);
}

static void testPinsAndPools(void **state) {
  (void)state;
  packMany("auto", 10000);
  packMany("first-fit", 5000);
  if (berthPackerFind("hill-climb") != SIZE_MAX)
    packMany("hill-climb", 1000);
}

//===---------------------------------------------------------------------===//
// All of it
//===---------------------------------------------------------------------===//

// With its own budget auto proves everything about so small a problem.
static void solveOne(const BerthProblemData *data, uint64_t seed) {
  BerthPlan plan;
  BerthError error;
  BerthStatus status = berthPack(data, NULL, &plan, &error);
  if (status == BERTH_INVALID) // what is drawn may contradict itself
    return;
  if (status)
    fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
  BruteBest truth = brutePoolsAndCuts(data);
  bool right = truth.fits
                   ? plan.status == BERTH_PLAN_OPTIMAL &&
                         plan.poolCost == truth.poolCost &&
                         plan.peak == truth.peak && plan.price == truth.price
                   : plan.status == BERTH_PLAN_INFEASIBLE;
  if (!right)
    fail_msg("seed %llu: status %d, cost %lld, peak %lld, price %lld; brute "
             "force: %d, %lld, %lld, %lld",
             (unsigned long long)seed, (int)plan.status,
             (long long)plan.poolCost, (long long)plan.peak,
             (long long)plan.price, (int)truth.fits, (long long)truth.poolCost,
             (long long)truth.peak, (long long)truth.price);
  if (truth.fits)
    assert_true(plan.lowerBound <= truth.peak);
  berthPlanFree(&plan);
}

static void solveMany(uint64_t from, uint64_t count, uint32_t always,
                      uint32_t sometimes, uint32_t buffers) {
  for (uint64_t seed = from; seed < from + randomCount(count); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = buffers,
                            .maxTime = 6,
                            .maxSize = 4,
                            .features = BERTH_CAN_POOLS | always |
                                        randomFeatures(seed, sometimes)});
    solveOne(berthProblemGetData(problem), seed);
    berthProblemDestroy(problem);
  }
}

enum {
  kUnpriced = (kFeatures | BERTH_CAN_FIXED) & ~(unsigned)BERTH_CAN_PRICED_EDGES
};

static void testPoolsAreSettled(void **state) {
  (void)state;
  solveMany(1000000, 100000, 0, kUnpriced, 5);
}

static void testPricesAreSettled(void **state) {
  (void)state;
  solveMany(2000000, 10000, BERTH_CAN_PRICED_EDGES, kUnpriced, 4);
}

// The largest sum there may be fits a pool without a capacity, and nothing else
// will do.
static void testLargestSum(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthSegment segment = {0, 1};
  BerthPool small = {.id = "small", .capacity = 800};
  BerthPool large = {.id = "large", .cost = 1};
  BerthBuffer buffer = berthBufferDefault();
  berthProblemAddPool(problem, &small);
  berthProblemAddPool(problem, &large);
  buffer.numSegments = 1;
  buffer.segments = &segment;
  buffer.size = 801;
  berthProblemAddBuffer(problem, &buffer);
  buffer.size = INT64_MAX - 801;
  buffer.weight = 0;
  berthProblemAddBuffer(problem, &buffer);
  BerthPlan plan;
  assert_int_equal(berthPack(berthProblemGetData(problem), NULL, &plan, NULL),
                   BERTH_SUCCESS);
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  assert_true(plan.peak == INT64_MAX && plan.poolCost == 801);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testPinsAndPools),
      cmocka_unit_test(testPoolsAreSettled),
      cmocka_unit_test(testPricesAreSettled),
      cmocka_unit_test(testLargestSum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
