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

// Never worse than a packer that runs once. Those with a budget of their own
// are iterative.
static void testNeverWorseThanOneShots(void **state) {
  (void)state;
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t count = 10; count <= 640; count *= 4) {
      BerthProblem *problem = berthGenerate(family, count, count, NULL);
      BerthPlan best = pack(problem, "auto", 50000000);
      for (size_t p = 0; p < berthPackerCount(); ++p) {
        if (berthPackerGet(p)->defaultSteps)
          continue;
        BerthPlan plan = pack(problem, berthPackerName(p), 0);
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

static uint32_t addBuffer(BerthProblem *problem, int64_t size, int64_t lower,
                          int64_t upper, int64_t hint) {
  BerthSegment segment = {lower, upper};
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.hint = hint;
  buffer.numSegments = 1;
  buffer.segments = &segment;
  return berthProblemAddBuffer(problem, &buffer);
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
      cmocka_unit_test(testNeverWorseThanOneShots),
      cmocka_unit_test(testHintsAreUsed),
      cmocka_unit_test(testHintsYieldToThePeak),
      cmocka_unit_test(testStopsAtTheFirstFit),
      cmocka_unit_test(testStepsAreReproducible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
