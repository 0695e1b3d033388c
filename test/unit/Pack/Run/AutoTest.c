//===- AutoTest.c - What the default packer promises ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../AddBuffer.h"
#include "../RandomProblem.h"
#include "berth-c/Generate.h"
#include "berth-c/Packer.h"

static BerthPlan pack(const BerthProblem *problem, const char *packer,
                      uint64_t steps) {
  BerthPackOptions options = {.packer = packer, .steps = steps};
  BerthPlan plan;
  BerthError error;
  if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
    fail_msg("%s: %s", packer, error.message);
  return plan;
}

static bool isOneShot(size_t packer) {
  return berthPackerGet(packer)->traits & BERTH_PACKER_ONE_SHOT;
}

// The published heuristics that make one plan.
static void testOneShots(void **state) {
  (void)state;
  static const char *const kOneShots[] = {
      "first-fit",      "best-fit-size",     "best-fit-lifetime",
      "greedy-by-size", "greedy-by-breadth", "greedy-in-order",
      "strip",          "min-cost-flow",     "greedy-by-conflicts",
      "somas",          "coloring",
#ifdef BERTH_WITH_HEAP
      "heap",
#endif
      "mlir-best-fit"};
  size_t marked = 0, count = sizeof kOneShots / sizeof *kOneShots;
  for (size_t p = 0; p < berthPackerCount(); ++p)
    marked += isOneShot(p);
  assert_int_equal(marked, count);
  for (size_t i = 0; i < count; ++i)
    assert_true(isOneShot(berthPackerFind(kOneShots[i])));
}

// Sanitizers see nothing in a large problem that a smaller one does not show.
#ifdef BERTH_TEST_SLOWLY
enum { kMostBuffers = 160, kLastSliding = 2 };
#else
enum { kMostBuffers = 640, kLastSliding = 4 };
#endif

// Never worse than a packer that runs once and handles the problem.
static void testNeverWorseThanOneShots(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t count = 10; count <= kMostBuffers; count *= 4) {
      BerthProblem *problem = berthGenerate(family, count, count, NULL);
      BerthPlan best = pack(problem, "auto", 40000000);
      for (size_t p = 0; p < berthPackerCount(); ++p) {
        BerthPackOptions once = {.packer = berthPackerName(p)};
        BerthPlan plan;
        if (!isOneShot(p) ||
            berthPack(berthProblemGetData(problem), &once, &plan, NULL))
          continue;
        if (best.peak > plan.peak)
          fail_msg("%s %u: auto %lld, %s %lld", berthFamilyName(family), count,
                   (long long)best.peak, berthPackerName(p),
                   (long long)plan.peak);
        berthPlanFree(&plan);
      }
      berthPlanFree(&best);
      berthProblemDestroy(problem);
    }
}

// In the order of the objective; 0 as good as the other.
static int64_t compare(const BerthProblemData *data, const BerthPlan *a,
                       const BerthPlan *b) {
  bool capacity = data->capacity > 0;
  bool fitsA = a->status < BERTH_PLAN_INFEASIBLE;
  bool fitsB = b->status < BERTH_PLAN_INFEASIBLE;
  if (fitsA != fitsB)
    return fitsB - fitsA;
  if (!fitsA)
    return 0;
  if (a->poolCost != b->poolCost)
    return a->poolCost - b->poolCost;
  if (capacity && a->price != b->price)
    return a->price - b->price;
  if (a->peak != b->peak)
    return a->peak - b->peak;
  return a->price - b->price;
}

// Nor where it needs features: every packer that does not refuse a problem is
// one that can handle it.
static void testNeverWorseWithFeatures(void **state) {
  (void)state;
  unsigned compared = 0;
  for (uint64_t seed = 0; seed < randomCount(3000); ++seed) {
    RandomSource source = randomFromSeed(seed);
    RandomShape shape = {.maxBuffers = seed % 10 ? 12 : 60,
                         .maxTime = 20,
                         .maxSize = 30,
                         .features = (uint32_t)(seed * 0x9E3779B9u) >> 15};
    BerthProblem *problem = randomProblem(&source, &shape);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPackOptions options = {.steps = 100000, .minimize = true};
    BerthPlan best, plan;
    if (berthPack(data, &options, &best, NULL) == BERTH_SUCCESS) {
      for (size_t p = 0; p < berthPackerCount(); ++p) {
        BerthPackOptions once = {.packer = berthPackerName(p)};
        if (!isOneShot(p) || berthPack(data, &once, &plan, NULL))
          continue;
        if (compare(data, &best, &plan) > 0)
          fail_msg("seed %llu: auto %d cost %lld price %lld peak %lld, "
                   "%s %d cost %lld price %lld peak %lld",
                   (unsigned long long)seed, (int)best.status,
                   (long long)best.poolCost, (long long)best.price,
                   (long long)best.peak, berthPackerName(p), (int)plan.status,
                   (long long)plan.poolCost, (long long)plan.price,
                   (long long)plan.peak);
        ++compared;
        berthPlanFree(&plan);
      }
      berthPlanFree(&best);
    }
    berthProblemDestroy(problem);
  }
  assert_true(compared > randomCount(10000));
}

// Distances take away what is forbidden, and no plan is worse for that.
static void testDistancesHelp(void **state) {
  (void)state;
  unsigned better = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind("rows"), 40, seed, NULL);
    BerthProblemData data = *berthProblemGetData(problem);
    BerthPackOptions options = {.steps = 100000};
    BerthPlan near, apart;
    assert_int_equal(berthPack(&data, &options, &near, NULL), BERTH_SUCCESS);
    data.numDistances = 0;
    assert_int_equal(berthPack(&data, &options, &apart, NULL), BERTH_SUCCESS);
    assert_true(near.peak <= apart.peak);
    better += near.peak < apart.peak;
    berthPlanFree(&near);
    berthPlanFree(&apart);
    berthProblemDestroy(problem);
  }
  assert_true(better > 10);
}

static uint32_t addBuffer(BerthProblem *problem, int64_t size, int64_t lower,
                          int64_t upper, int64_t hint) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.hint = hint;
  return addLive(problem, buffer, lower, upper);
}

// Two buffers that would swap places, and one in the middle.
static void testHintsAreUsed(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addBuffer(problem, 8, 0, 4, 16);
  addBuffer(problem, 8, 0, 4, 0);
  addBuffer(problem, 8, 0, 4, 8);
  addBuffer(problem, 4, 5, 6, 12);
  BerthPlan plan = pack(problem, "auto", 0);
  assert_int_equal(plan.peak, 24);
  assert_int_equal(plan.hintDistance, 0);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// A hint is never worth a higher peak.
static void testHintsYieldToThePeak(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addBuffer(problem, 8, 0, 4, 100);
  addBuffer(problem, 8, 0, 4, 100);
  BerthPlan plan = pack(problem, "auto", 0);
  assert_int_equal(plan.peak, 16);
  assert_int_equal(plan.hintDistance, 100 + 92);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// With a capacity the first plan that fits will do.
static void testStopsAtTheFirstFit(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("guillotine"), 200, 3, NULL);
  int64_t load = berthProblemLoad(berthProblemGetData(problem), NULL);
  berthProblemSetCapacity(problem, 2 * load);
  BerthPlan plan = pack(problem, "auto", 0);
  assert_int_equal(plan.status, BERTH_PLAN_FEASIBLE);
  assert_int_equal(plan.stopped, BERTH_STOP_FIT);
  assert_true(plan.peak <= 2 * load);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// Neither exact search nor the beam has turns here, but the order search has no
// end.
static void testSpendsItsBudget(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("features"), 600, 2, NULL);
  BerthPlan plan = pack(problem, "auto", 24000000);
  assert_true(plan.peak > plan.lowerBound);
  assert_int_equal(plan.stopped, BERTH_STOP_STEPS);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// A capacity that only the bound fits asks for the best plan, so it takes the
// same steps to it as none.
static void testCapacityAtTheBound(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind("guillotine"), 40, seed, NULL);
    BerthPlan free = pack(problem, "auto", 20000000);
    berthProblemSetCapacity(problem, free.load);
    BerthPlan tight = pack(problem, "auto", 20000000);
    assert_int_equal(tight.peak, free.peak);
    assert_int_equal(tight.steps, free.steps);
    assert_int_equal(tight.peak <= free.load,
                     tight.status <= BERTH_PLAN_FEASIBLE);
    berthPlanFree(&tight);
    berthPlanFree(&free);
    berthProblemDestroy(problem);
  }
}

// Windows of time reach the load where no order of filling plateaus does.
static void testWindows(void **state) {
  (void)state;
  for (uint64_t seed = 2; seed <= kLastSliding; seed += 2) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind("sliding"), 2500, seed, NULL);
    BerthPlan plan = pack(problem, "auto", 40000000);
    BerthPlan skyline = pack(problem, "skyline", 0);
    assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
    assert_true(plan.peak < skyline.peak);
    berthPlanFree(&plan);
    berthPlanFree(&skyline);
    berthProblemDestroy(problem);
  }
}

// Where the fullest moments are packed first, the load is reached on problems
// on which windows with all around them pinned have never been enough.
static void testCores(void **state) {
  (void)state;
  static const uint64_t kSeeds[] = {19, 8, 20};
  for (size_t s = 0; s < (size_t)kLastSliding - 1; ++s) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind("sliding"), 10000, kSeeds[s], NULL);
    BerthPlan plan = pack(problem, "auto", 60000000);
    assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

// Where one run of the skyline is far from the bound, more of them come before
// what takes long.
static void testQuickOnes(void **state) {
  (void)state;
  static const char *const kFamilies[] = {"guillotine", "pinwheel"};
  for (size_t f = 0; f < sizeof kFamilies / sizeof *kFamilies; ++f) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind(kFamilies[f]), 20000, 1, NULL);
    BerthPlan skyline = pack(problem, "skyline", 0);
    BerthPlan plan = pack(problem, "auto", 2 * skyline.steps);
    assert_true(plan.peak <= skyline.peak);
    berthPlanFree(&plan);
    berthPlanFree(&skyline);
    berthProblemDestroy(problem);
  }
}

// A moment whose second half cannot be packed gets back what its first half
// was, so wherever the steps run out there is a plan (berthPack checks).
static void testCoresAreTakenBack(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("sliding"), 10000, 5, NULL);
  BerthPlan plan = pack(problem, "auto", 24000000);
  assert_int_equal(plan.stopped, BERTH_STOP_STEPS);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// berthPack checks the plans.
static void packRandom(const RandomShape *shape, const char *packer) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RandomSource source = randomFromSeed(seed);
    BerthProblem *problem = randomProblem(&source, shape);
    BerthPlan plan = pack(problem, packer, 100000);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

// Plans side by side find perfect packings, where one plan at a time leaves
// bytes over; with alignments and holes too they are plans.
static void testBeam(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind("guillotine"), 250, seed, NULL);
    BerthPlan plan = pack(problem, "beam", 60000000);
    BerthPlan skyline = pack(problem, "skyline", 0);
    assert_int_equal(plan.peak, plan.load);
    assert_true(plan.peak < skyline.peak);
    berthPlanFree(&plan);
    berthPlanFree(&skyline);
    berthProblemDestroy(problem);
  }
  RandomShape shape = {.maxBuffers = 40,
                       .maxTime = 30,
                       .maxSize = 50,
                       .features = BERTH_CAN_ALIGNMENT | BERTH_CAN_SEGMENTS};
  packRandom(&shape, "beam");
}

// Perfect packings come back from the blocks that they are joined to, within
// far fewer steps than a search takes; where items are more than boxes, the
// blocks are but an order.
static void testBlocks(void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint32_t count;
    uint64_t seed;
  } kPerfect[] = {
      {"guillotine", 200, 0}, {"guillotine", 200, 2}, {"pinwheel", 601, 3}};
  for (size_t i = 0; i < sizeof kPerfect / sizeof *kPerfect; ++i) {
    BerthProblem *problem =
        berthGenerate(berthFamilyFind(kPerfect[i].family), kPerfect[i].count,
                      kPerfect[i].seed, NULL);
    BerthPlan plan = pack(problem, "auto", 1000000);
    assert_int_equal(plan.peak, plan.load);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  RandomShape shape = {.maxBuffers = 30,
                       .maxTime = 6,
                       .maxSize = 4,
                       .features = BERTH_CAN_ALIGNMENT | BERTH_CAN_SEGMENTS};
  packRandom(&shape, "auto");
}

// The steps a run has used, given as its budget, reproduce it.
static void testStepsAreReproducible(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("sliding"), 800, 5, NULL);
  BerthPlan first = pack(problem, "auto", 3000000);
  BerthPlan again = pack(problem, "auto", first.steps);
  assert_int_equal(first.stopped, BERTH_STOP_STEPS);
  assert_memory_equal(first.offsets, again.offsets,
                      first.numBuffers * sizeof *first.offsets);
  berthPlanFree(&first);
  berthPlanFree(&again);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testOneShots),
      cmocka_unit_test(testNeverWorseThanOneShots),
      cmocka_unit_test(testNeverWorseWithFeatures),
      cmocka_unit_test(testDistancesHelp),
      cmocka_unit_test(testHintsAreUsed),
      cmocka_unit_test(testHintsYieldToThePeak),
      cmocka_unit_test(testStopsAtTheFirstFit),
      cmocka_unit_test(testSpendsItsBudget),
      cmocka_unit_test(testCapacityAtTheBound),
      cmocka_unit_test(testWindows),
      cmocka_unit_test(testCores),
      cmocka_unit_test(testCoresAreTakenBack),
      cmocka_unit_test(testQuickOnes),
      cmocka_unit_test(testBeam),
      cmocka_unit_test(testBlocks),
      cmocka_unit_test(testStepsAreReproducible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
