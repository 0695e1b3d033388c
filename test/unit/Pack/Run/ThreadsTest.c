//===- ThreadsTest.c - Threads never change the answer -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The same problem on one thread and on several: offsets, bound, status and
// steps are the same. Runs under ThreadSanitizer too (ThreadsTsan).
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../RandomProblem.h"
#include "berth-c/Generate.h"

static BerthPlan pack(const BerthProblem *problem, const char *packer,
                      unsigned threads, uint64_t steps) {
  BerthPackOptions options = {
      .packer = packer, .threads = threads, .steps = steps, .minimize = true};
  BerthPlan plan;
  BerthError error;
  if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
    fail_msg("%s: %s", packer, error.message);
  return plan;
}

static void assertSame(const BerthPlan *a, const BerthPlan *b) {
  assert_int_equal(a->status, b->status);
  assert_int_equal(a->stopped, b->stopped);
  assert_int_equal(a->lowerBound, b->lowerBound);
  assert_int_equal(a->provenLevels, b->provenLevels);
  assert_int_equal(a->steps, b->steps);
  assert_memory_equal(a->offsets, b->offsets,
                      a->numBuffers * sizeof *a->offsets);
}

static void compare(const BerthProblem *problem, const char *packer,
                    uint64_t steps) {
  BerthPlan one = pack(problem, packer, 1, steps);
  for (unsigned threads = 2; threads <= 4; threads *= 2) {
    BerthPlan several = pack(problem, packer, threads, steps);
    assertSame(&one, &several);
    berthPlanFree(&several);
  }
  berthPlanFree(&one);
}

// Hard enough that turns are made ahead, with budgets that end anywhere within
// them.
static void testGenerated(void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint32_t buffers;
    uint64_t seed;
    uint64_t steps;
  } kProblems[] = {
      {"guillotine", 60, 1, 1600000},  {"guillotine", 60, 1, 0},
      {"guillotine", 150, 2, 6000000}, {"sliding", 150, 1, 5000000},
      {"guillotine", 150, 2, 0},       {"guillotine", 150, 1, 0},
      {"random", 150, 1, 9000000},     {"random", 150, 1, 0}};
  size_t count = sizeof kProblems / sizeof *kProblems;
#ifdef BERTH_TEST_SLOWLY
  count = 4;
#endif
  for (size_t i = 0; i < count; ++i) {
    size_t family = berthFamilyFind(kProblems[i].family);
    BerthProblem *problem =
        berthGenerate(family, kProblems[i].buffers, kProblems[i].seed, NULL);
    compare(problem, "exact", kProblems[i].steps);
    compare(problem, "beam", 2500000);
    compare(problem, "auto", kProblems[i].steps);
    berthProblemDestroy(problem);
  }
}

// Walks over orders, and windows of time that they pack, by packers that find
// something again and again.
static void testOrders(void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint32_t buffers;
    uint64_t steps;
  } kProblems[] = {{"align", 60, 3000000},
                   {"gaps", 40, 1777777},
                   {"windows", 60, 2000001},
                   {"features", 60, 2500000},
                   {"align", 450, 30000000}};
  size_t count = sizeof kProblems / sizeof *kProblems;
#ifdef BERTH_TEST_SLOWLY
  count = 3;
#endif
  for (size_t i = 0; i < count; ++i) {
    size_t family = berthFamilyFind(kProblems[i].family);
    BerthProblem *problem =
        berthGenerate(family, kProblems[i].buffers, 1, NULL);
    for (uint64_t part = 1; part <= 3; ++part)
      compare(problem, "local-search", kProblems[i].steps / (7 * part));
    compare(problem, "auto", kProblems[i].steps);
    compare(problem, "auto", kProblems[i].steps / 5);
    berthProblemDestroy(problem);
  }
}

// Where plans and refutations change the targets again and again.
static void testRandom(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RandomSource source = randomFromSeed(seed);
    RandomShape shape = {.maxBuffers = 60,
                         .maxTime = 40,
                         .maxSize = 1000,
                         .features = seed % 2 ? BERTH_CAN_ALIGNMENT : 0u};
    BerthProblem *problem = randomProblem(&source, &shape);
    compare(problem, "exact", 300000 + 1000 * seed);
    berthProblemDestroy(problem);
  }
}

static bool interruptLater(void *userData) { return ++*(int *)userData > 100; }

// An interrupt while threads are ahead: nothing hangs, and the plan is valid.
// Its steps, as a budget, lead to the same plan on one thread.
static void interrupt(const char *family, const char *packer) {
  BerthProblem *problem = berthGenerate(berthFamilyFind(family), 300, 1, NULL);
  int polls = 0;
  BerthPackOptions options = {.packer = packer,
                              .threads = 4,
                              .interrupted = interruptLater,
                              .userData = &polls};
  BerthPlan plan;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &options, &plan, NULL), 0);
  assert_int_equal(plan.stopped, BERTH_STOP_INTERRUPT);
  BerthPackOptions repeat = {.packer = packer, .steps = plan.steps};
  BerthPlan again;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &repeat, &again, NULL), 0);
  assert_int_equal(again.steps, plan.steps);
  assert_memory_equal(again.offsets, plan.offsets,
                      plan.numBuffers * sizeof *plan.offsets);
  berthPlanFree(&again);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testInterrupt(void **state) {
  (void)state;
  interrupt("guillotine", "exact");
  interrupt("align", "local-search");
  interrupt("align", "auto");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testGenerated),
      cmocka_unit_test(testOrders),
      cmocka_unit_test(testRandom),
      cmocka_unit_test(testInterrupt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
