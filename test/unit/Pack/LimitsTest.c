//===- LimitsTest.c - Every packer heeds its limits ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The steps of a result, given as a budget, lead to the same plan, whatever
// ended the run; and a packer that is told to stop does no more than to finish
// its plan.
//
//===---------------------------------------------------------------------===//

#include "EveryPacker.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"
#include "berth-c/Generate.h"

static BerthProblem *generate(const char *family, uint32_t count) {
  return berthGenerate(berthFamilyFind(family), count, 3, NULL);
}

static BerthPlan packWith(const BerthProblem *problem, size_t packer,
                          const BerthPackOptions *options) {
  BerthPlan plan;
  BerthError error;
  if (berthPackWith(packerAt(packer), berthProblemGetData(problem), options,
                    &plan, &error))
    fail_msg("%s: %s", packerAt(packer)->name, error.message);
  return plan;
}

// Packs again with the steps of the plan, which is freed.
static void repeat(const BerthProblem *problem, size_t packer,
                   BerthPlan *plan) {
  const char *name = packerAt(packer)->name;
  BerthPackOptions options = {.steps = plan->steps};
  assert_true(plan->steps > 0);
  BerthPlan again = packWith(problem, packer, &options);
  if (again.steps != plan->steps || again.status != plan->status ||
      again.lowerBound != plan->lowerBound)
    fail_msg("%s: %llu steps, then %llu; peak %lld, then %lld", name,
             (unsigned long long)plan->steps, (unsigned long long)again.steps,
             (long long)plan->peak, (long long)again.peak);
  assert_memory_equal(again.offsets, plan->offsets,
                      plan->numBuffers * sizeof *plan->offsets);
  berthPlanFree(&again);
  berthPlanFree(plan);
}

static const struct {
  const char *family;
  uint32_t count;
} kProblems[] = {{"network", 40}, {"random", 150}, {"guillotine", 300}};
enum { kNumProblems = sizeof kProblems / sizeof *kProblems };

// Most runs end by themselves here, some by the budget.
static void testStepsOfAnyRun(void **state) {
  (void)state;
  for (size_t p = 0; p < kNumProblems; ++p) {
    BerthProblem *problem = generate(kProblems[p].family, kProblems[p].count);
    for (size_t packer = 0; packer < countPackers(); ++packer) {
      BerthPackOptions options = {.steps = 3000000};
      BerthPlan plan = packWith(problem, packer, &options);
      repeat(problem, packer, &plan);
    }
    berthProblemDestroy(problem);
  }
}

static bool interruptLater(void *userData) { return --*(int *)userData < 0; }

// The clock stops a run where an interrupt does.
static void testStepsOfInterruptedRuns(void **state) {
  (void)state;
  for (size_t p = 0; p < kNumProblems; ++p) {
    BerthProblem *problem = generate(kProblems[p].family, kProblems[p].count);
    for (size_t packer = 0; packer < countPackers(); ++packer)
      for (int polls = 0; polls < 200; polls = 3 * polls + 1) {
        int left = polls;
        BerthPackOptions options = {.interrupted = interruptLater,
                                    .userData = &left};
        BerthPlan plan = packWith(problem, packer, &options);
        repeat(problem, packer, &plan);
      }
    berthProblemDestroy(problem);
  }
}

// Here items that wait for each other would climb a byte at a time, all in one
// step.
static void testEndsAtTheBudget(void **state) {
  (void)state;
  BerthProblem *problem =
      berthGenerate(berthFamilyFind("guillotine"), 200, 6, NULL);
  BerthPackOptions options = {.packer = "exact", .steps = 8000000};
  BerthPlan plan;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &options, &plan, NULL), 0);
  assert_true(plan.steps < options.steps + options.steps / 16);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static size_t queries;

static size_t countNeighbours(void *context, uint32_t i, uint32_t *out,
                              size_t capacity) {
  (void)context;
  (void)i;
  (void)out;
  (void)capacity;
  ++queries;
  return 0;
}

// Asking for all conflicts of all items can take far longer than the limit.
static void testStopsAtOnce(void **state) {
  (void)state;
  static const BerthPackOptions kNoOptions = {0};
  BerthProblem *problem = generate("random", 300);
  for (size_t packer = 0; packer < berthPackerCount(); ++packer) {
    BerthMemory arena = {0};
    BerthReduction reduction;
    BerthHostState host;
    BerthAnswer answer;
    const BerthPacker *self = packerAt(packer);
    assert_int_equal(berthNormalize(berthProblemGetData(problem),
                                    self->capabilities, &arena, &reduction),
                     BERTH_SUCCESS);
    reduction.task.threads = 1;
    berthHostInit(&host, &reduction.task, &arena, 1, &kNoOptions);
    host.host.neighbours = countNeighbours;
    host.host.step(&host, 1);
    assert_true(host.stopped);
    queries = 0;
    assert_true(berthAnswerInit(&answer, &reduction.task, &arena));
    assert_int_equal(self->pack(self, &reduction.task, &host.host, &answer),
                     BERTH_SUCCESS);
    if (queries > 1)
      fail_msg("%s asks %zu times", self->name, queries);
    berthMemoryFree(&arena);
  }
  berthProblemDestroy(problem);
}

// What is left when the budget is spent is stacked, section by section: here
// none is live with another.
static void testStacksInSections(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0; i < 100; ++i)
    addPlain(problem, 1 + i % 7, i, i + 1);
  BerthPackOptions options = {.steps = 1};
  BerthPlan plan = packWith(problem, berthPackerFind("first-fit"), &options);
  assert_int_equal(plan.stopped, BERTH_STOP_BOUND);
  assert_int_equal(plan.peak, 7);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// Wherever the budget ends, what is stacked keeps all that a plan must keep,
// which berthPack verifies.
static void testStacksWithFeatures(void **state) {
  (void)state;
  static const char *const kPackers[] = {"first-fit", "auto"};
  for (uint64_t seed = 0; seed < randomCount(6000); ++seed) {
    RandomSource source = randomFromSeed(seed);
    RandomShape shape = {.maxBuffers = 12,
                         .maxTime = 12,
                         .maxSize = 9,
                         .features = (uint32_t)(seed * 0x9E3779B9u) >> 15};
    BerthProblem *problem = randomProblem(&source, &shape);
    BerthPackOptions options = {.steps = 1 + seed % 40};
    if (berthProblemCheck(berthProblemGetData(problem), NULL, NULL) ==
        BERTH_SUCCESS)
      for (size_t k = 0; k < 2; ++k) {
        BerthPlan plan =
            packWith(problem, berthPackerFind(kPackers[k]), &options);
        berthPlanFree(&plan);
      }
    berthProblemDestroy(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testStepsOfAnyRun),
      cmocka_unit_test(testStepsOfInterruptedRuns),
      cmocka_unit_test(testEndsAtTheBudget),
      cmocka_unit_test(testStopsAtOnce),
      cmocka_unit_test(testStacksInSections),
      cmocka_unit_test(testStacksWithFeatures),
  };
  return cmocka_run_group_tests(tests, loadPlugins, unloadPlugins);
}
