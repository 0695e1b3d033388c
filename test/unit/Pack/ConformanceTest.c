//===- ConformanceTest.c - What every packer must keep -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// On tiny problems, which brute force can judge; FeaturesTest.c has larger
// ones.
//
//===---------------------------------------------------------------------===//

#include "BruteForce.h"
#include "EveryPacker.h"

#include <stdlib.h>

//===---------------------------------------------------------------------===//
// Simple cases
//===---------------------------------------------------------------------===//

static void testEmpty(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthProblem *problem = berthProblemCreate();
    BerthPlan plan = mustPack(problem, packer);
    assert_int_equal(plan.peak, 0);
    assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

static void testOneBuffer(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthProblem *problem = berthProblemCreate();
    addPlain(problem, 7, -3, 4);
    BerthPlan plan = mustPack(problem, packer);
    assert_int_equal(plan.lowerBound, 7);
    assert_int_equal(plan.peak, plan.offsets[0] + 7);
    assert_int_equal(plan.status == BERTH_PLAN_OPTIMAL, plan.peak == 7);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

// Buffers of one size form an interval graph to colour: in the order of their
// starts first fit is perfect, and nobody may need more than twice the load
// (plugins may: one of them stacks all). The size is one beside which the words
// that the heap keeps for itself are few.
static void testEqualSizes(void **state) {
  (void)state;
  for (size_t packer = 0; packer < berthPackerCount(); ++packer) {
    BerthProblem *problem = berthProblemCreate();
    for (int64_t i = 0; i < 40; ++i)
      addPlain(problem, 512, i, i + 1 + i * 7 % 5);
    BerthPlan plan = mustPack(problem, packer);
    assert_true(plan.peak <= 2 * plan.load);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

// Offsets up to 2^62 and beyond; sums that reach 2^63 are refused.
static void testHugeSizes(void **state) {
  (void)state;
  const int64_t huge = INT64_C(1) << 62;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthProblem *problem = berthProblemCreate();
    addPlain(problem, huge, 0, 2);
    addPlain(problem, huge / 2 + 1, 1, 3);
    BerthPlan plan = mustPack(problem, packer);
    assert_int_equal(plan.load, huge + huge / 2 + 1);
    berthPlanFree(&plan);
    addPlain(problem, huge / 2 - 1, 5, 6);
    BerthError error;
    assert_int_equal(
        tryPack(berthProblemGetData(problem), packer, &plan, &error),
        BERTH_INVALID);
    berthProblemDestroy(problem);
  }
}

// The largest sum there may be, in one buffer and in two. Only `heap` needs
// bytes beside the buffers.
static void testLargestSum(void **state) {
  (void)state;
  size_t heap = berthPackerFind("heap");
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    for (int64_t rest = 0; packer != heap && rest < 2; ++rest) {
      BerthProblem *problem = berthProblemCreate();
      addPlain(problem, INT64_MAX - rest, 0, 2);
      if (rest)
        addPlain(problem, rest, 1, 3);
      BerthPlan plan = mustPack(problem, packer);
      assert_true(plan.peak == INT64_MAX);
      assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
      berthPlanFree(&plan);
      berthProblemDestroy(problem);
    }
  }
  if (heap == SIZE_MAX)
    return; // not built
  BerthProblem *problem = berthProblemCreate();
  addPlain(problem, INT64_MAX - 64, 0, 2);
  BerthPlan plan = {0};
  BerthError error;
  assert_int_equal(tryPack(berthProblemGetData(problem), heap, &plan, &error),
                   BERTH_INVALID);
  berthProblemDestroy(problem);
}

static void testEmptyLifetimeIsRefused(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthProblem *problem = berthProblemCreate();
    addPlain(problem, 1, 5, 5);
    BerthPlan plan;
    BerthError error;
    assert_int_equal(
        tryPack(berthProblemGetData(problem), packer, &plan, &error),
        BERTH_INVALID);
    berthProblemDestroy(problem);
  }
}

static void testAlignments(void **state) {
  (void)state;
  static const int64_t kAlignments[] = {1 << 20, 3, 7, 4096, 1000};
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    if (!(capabilitiesOf(packer) & BERTH_CAN_ALIGNMENT))
      continue;
    BerthProblem *problem = berthProblemCreate();
    for (int64_t i = 0; i < 20; ++i) {
      BerthBuffer buffer = berthBufferDefault();
      buffer.size = 1 + i * 37 % 50;
      buffer.alignment = kAlignments[i % 5];
      addLive(problem, buffer, i / 2, i / 2 + 1 + i % 4);
    }
    BerthPlan plan = mustPack(problem, packer);
    for (size_t i = 0; i < 20; ++i)
      assert_int_equal(plan.offsets[i] % kAlignments[i % 5], 0);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

//===---------------------------------------------------------------------===//
// Random problems
//===---------------------------------------------------------------------===//

// A claim about a tiny problem against the truth.
static void judge(const BerthProblemData *problem, const BerthPlan *plan) {
  int64_t least = brutePeak(problem, 0, kBruteBytes);
  if (least < 0 || problem->numPools)
    return;
  assert_true(plan->lowerBound <= least || problem->numCuts > 0);
  if (problem->numCuts)
    return;
  if (plan->status == BERTH_PLAN_OPTIMAL)
    assert_int_equal(plan->peak, least);
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    assert_true(least > problem->capacity);
  else if (plan->status != BERTH_PLAN_BUDGET && problem->capacity)
    assert_true(least <= problem->capacity);
}

static void packRandom(uint64_t seed, size_t packer, uint32_t features) {
  RandomSource source = randomFromSeed(seed);
  RandomShape shape = {
      .maxBuffers = 5, .maxTime = 8, .maxSize = 5, .features = features};
  BerthProblem *problem = randomProblem(&source, &shape);
  const BerthProblemData *data = berthProblemGetData(problem);
  if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS) {
    BerthPlan plan = mustPack(problem, packer);
    judge(data, &plan);
    berthPlanFree(&plan);
  }
  berthProblemDestroy(problem);
}

static void testRandomProblems(void **state) {
  (void)state;
  const uint32_t spared =
      BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_HINTS | BERTH_CAN_GROUPS |
      BERTH_CAN_CAPACITY | BERTH_CAN_PRICED_EDGES | BERTH_CAN_DISTANCES;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    uint32_t can = capabilitiesOf(packer);
    if (!(can & BERTH_CAN_HARD_EDGES) && !(can & BERTH_CAN_PRICED_EDGES))
      can &= ~(uint32_t)BERTH_CAN_PRICED_EDGES;
    for (uint64_t seed = 0; seed < 600; ++seed) {
      uint32_t some = (can & kRefusable) | spared;
      if (!(can & BERTH_CAN_HARD_EDGES))
        some &= ~(uint32_t)BERTH_CAN_PRICED_EDGES;
      packRandom(seed, packer, randomFeatures(seed, some));
    }
  }
}

static void testLargerRandomProblems(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    uint32_t can = capabilitiesOf(packer);
    for (uint64_t seed = 0; seed < 10; ++seed) {
      RandomSource source = randomFromSeed(seed);
      RandomShape shape = {.maxBuffers = 120,
                           .maxTime = 60,
                           .maxSize = 100,
                           .features = seed % 2 ? can : 0};
      shape.features &= ~(uint32_t)(BERTH_CAN_FIXED | BERTH_CAN_GROUPS);
      BerthProblem *problem = randomProblem(&source, &shape);
      BerthPlan plan = mustPack(problem, packer);
      assert_true(plan.peak >= plan.lowerBound);
      assert_true(plan.lowerBound >= plan.load);
      berthPlanFree(&plan);
      berthProblemDestroy(problem);
    }
  }
}

// What a packer cannot handle it must refuse by name, not get wrong.
static void testRefusals(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    uint32_t cannot = ~capabilitiesOf(packer) & kRefusable;
    for (uint64_t seed = 0; seed < 50; ++seed) {
      RandomSource source = randomFromSeed(seed);
      RandomShape shape = {5, 8, 5, cannot};
      BerthProblem *problem = randomProblem(&source, &shape);
      BerthPlan plan = {0};
      BerthError error;
      BerthStatus status =
          tryPack(berthProblemGetData(problem), packer, &plan, &error);
      assert_true(status == BERTH_SUCCESS || status == BERTH_INVALID);
      berthPlanFree(&plan);
      berthProblemDestroy(problem);
    }
  }
}

//===---------------------------------------------------------------------===//
// Symmetries
//===---------------------------------------------------------------------===//

static const int64_t kPlain[][3] = {
    {10, 1, 6}, {5, 2, 7}, {8, 1, 4}, {4, 4, 8},  {6, 3, 9},  {12, 5, 10},
    {3, 9, 12}, {9, 7, 9}, {2, 0, 3}, {7, 8, 12}, {1, 2, 11}, {4, 10, 14}};
enum { kNumPlain = sizeof kPlain / sizeof *kPlain };

// The example, times mapped to time * scale + shift, buffers rotated.
static BerthPlan packPlain(size_t packer, int64_t scale, int64_t shift,
                           size_t rotate) {
  BerthProblem *problem = berthProblemCreate();
  for (size_t i = 0; i < kNumPlain; ++i) {
    const int64_t *buffer = kPlain[(i + rotate) % kNumPlain];
    addPlain(problem, buffer[0], buffer[1] * scale + shift,
             buffer[2] * scale + shift);
  }
  BerthPlan plan = mustPack(problem, packer);
  berthProblemDestroy(problem);
  return plan;
}

// Shifted times give the same bytes out.
static void testTimeShift(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthPlan plain = packPlain(packer, 1, 0, 0);
    BerthPlan shifted = packPlain(packer, 1, -1000000007, 0);
    for (size_t i = 0; i < kNumPlain; ++i)
      assert_int_equal(plain.offsets[i], shifted.offsets[i]);
    assert_int_equal(plain.steps, shifted.steps);
    berthPlanFree(&plain);
    berthPlanFree(&shifted);
  }
}

// A time at which nothing new happens changes nothing.
static void testIdleTime(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthPlan plain = packPlain(packer, 1, 0, 0);
    BerthPlan stretched = packPlain(packer, 3, 0, 0);
    for (size_t i = 0; i < kNumPlain; ++i)
      assert_int_equal(plain.offsets[i], stretched.offsets[i]);
    berthPlanFree(&plain);
    berthPlanFree(&stretched);
  }
}

static void testPermutation(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthPlan plain = packPlain(packer, 1, 0, 0);
    BerthPlan rotated = packPlain(packer, 1, 0, 5);
    if (plain.status == BERTH_PLAN_OPTIMAL &&
        rotated.status == BERTH_PLAN_OPTIMAL)
      assert_int_equal(plain.peak, rotated.peak);
    berthPlanFree(&plain);
    berthPlanFree(&rotated);
  }
}

static void testSameTwice(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    BerthPlan first = packPlain(packer, 1, 0, 0);
    BerthPlan second = packPlain(packer, 1, 0, 0);
    for (size_t i = 0; i < kNumPlain; ++i)
      assert_int_equal(first.offsets[i], second.offsets[i]);
    assert_int_equal(first.steps, second.steps);
    berthPlanFree(&first);
    berthPlanFree(&second);
  }
}

// A spent budget still leaves a valid plan.
static void testTinyBudget(void **state) {
  (void)state;
  for (size_t packer = 0; packer < countPackers(); ++packer) {
    for (uint64_t steps = 1; steps < 200; steps += 1 + steps / 2) {
      BerthProblem *problem = berthProblemCreate();
      for (size_t i = 0; i < kNumPlain; ++i)
        addPlain(problem, kPlain[i][0], kPlain[i][1], kPlain[i][2]);
      BerthPackOptions options = {.steps = steps};
      BerthPlan plan;
      BerthError error;
      assert_int_equal(berthPackWith(packerAt(packer),
                                     berthProblemGetData(problem), &options,
                                     &plan, &error),
                       BERTH_SUCCESS);
      berthPlanFree(&plan);
      berthProblemDestroy(problem);
    }
  }
}

// What lies behind the end of a struct is not read, though it is there.
static void testOlderStruct(void **state) {
  (void)state;
  const BerthPacker *honest = packerAt(berthPackerCount() + 1);
  const BerthPacker *older = packerAt(berthPackerCount() + 2);
  assert_true(berthPackerTraits(honest) & BERTH_PACKER_ONE_SHOT);
  assert_int_equal(berthPackerTraits(older), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testEmpty),
      cmocka_unit_test(testOneBuffer),
      cmocka_unit_test(testEqualSizes),
      cmocka_unit_test(testHugeSizes),
      cmocka_unit_test(testLargestSum),
      cmocka_unit_test(testEmptyLifetimeIsRefused),
      cmocka_unit_test(testAlignments),
      cmocka_unit_test(testRandomProblems),
      cmocka_unit_test(testLargerRandomProblems),
      cmocka_unit_test(testRefusals),
      cmocka_unit_test(testTimeShift),
      cmocka_unit_test(testIdleTime),
      cmocka_unit_test(testPermutation),
      cmocka_unit_test(testSameTwice),
      cmocka_unit_test(testTinyBudget),
      cmocka_unit_test(testOlderStruct),
  };
  return cmocka_run_group_tests(tests, loadPlugins, unloadPlugins);
}
