//===- PackTest.c - The way in, end to end -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "../AddBuffer.h"
#include "berth-c/Packer.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on
#include <string.h>

static BerthPlan packWith(const BerthProblem *problem, const char *packer) {
  BerthPackOptions options = {.packer = packer};
  BerthPlan plan;
  BerthError error = {{0}, 0, 0};
  BerthStatus status =
      berthPack(berthProblemGetData(problem), &options, &plan, &error);
  if (status)
    fail_msg("%s", error.message);
  return plan;
}

// The example that Wave publishes; lifetimes there include their ends.
static void testWaveExample(void **state) {
  (void)state;
  static const int64_t kBuffers[][3] = {{10, 1, 5}, {5, 2, 6}, {8, 1, 3},
                                        {4, 4, 7},  {6, 3, 8}, {12, 5, 9}};
  static const int64_t kOffsets[] = {12, 28, 0, 33, 22, 0};
  BerthProblem *problem = berthProblemCreate();
  for (size_t i = 0; i < 6; ++i)
    addPlain(problem, kBuffers[i][0], kBuffers[i][1], kBuffers[i][2] + 1);
  BerthPlan plan = packWith(problem, "first-fit");
  for (size_t i = 0; i < 6; ++i)
    assert_int_equal(plan.offsets[i], kOffsets[i]);
  assert_int_equal(plan.peak, 37);
  assert_int_equal(plan.load, 37);
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  assert_int_equal(plan.stopped, BERTH_STOP_BOUND);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testEmptyProblem(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthPlan plan = packWith(problem, NULL);
  assert_int_equal(plan.peak, 0);
  assert_int_equal(plan.numBuffers, 0);
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testUnknownPacker(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthPackOptions options = {.packer = "nonesuch"};
  BerthPlan plan;
  BerthError error;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &options, &plan, &error),
      BERTH_INVALID);
  assert_non_null(strstr(error.message, "nonesuch"));
  assert_non_null(strstr(error.message, "first-fit"));
  berthProblemDestroy(problem);
}

// Three buffers live together need 30 bytes; two of them explain it already.
// More segments than there is memory for: the index, the data and berthPack say
// so, and nothing that comes later makes the problem whole again.
static void testNoMemory(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthSegment segment = {0, 1};
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = 1;
  buffer.numSegments = SIZE_MAX;
  buffer.segments = &segment;
  assert_int_equal(berthProblemAddBuffer(problem, &buffer), UINT32_MAX);
  assert_int_equal(addPlain(problem, 1, 0, 1), UINT32_MAX);
  assert_null(berthProblemGetData(problem));
  BerthPlan plan;
  BerthError error;
  assert_int_equal(berthPack(berthProblemGetData(problem), NULL, &plan, &error),
                   BERTH_RESOURCE);
  assert_non_null(strstr(error.message, "out of memory"));
  berthProblemDestroy(problem);
}

static void testTableOfPackers(void **state) {
  (void)state;
  size_t index = berthPackerFind("auto");
  assert_true(index < berthPackerCount());
  assert_string_equal(berthPackerName(index), "auto");
  assert_true(strlen(berthPackerSummary(index)) > 0);
  uint32_t proves = BERTH_CAN_PROVE | BERTH_CAN_GROUPS;
  assert_int_equal(berthPackerCapabilities(index) & proves, proves);
  assert_int_equal(berthPackerFind("nonsense"), SIZE_MAX);
}

// Reports what is no plan, then one, and answers with that.
static BerthStatus packCarelessly(const BerthPacker *self,
                                  const BerthTask *task, const BerthHost *host,
                                  BerthAnswer *answer) {
  (void)self;
  host->report(host->context, answer); // no offset yet
  answer->offsets[0] = 0;
  answer->pools[0] = UINT32_MAX;
  host->report(host->context, answer); // no such pool
  answer->pools[0] = 0;
  answer->offsets[0] = INT64_MAX;
  host->report(host->context, answer); // its end is no number
  answer->offsets[0] = 0;
  assert_int_equal(task->numItems, 1);
  host->report(host->context, answer);
  return BERTH_SUCCESS;
}

static void noteProgress(void *userData, int64_t bestPeak, int64_t lowerBound,
                         uint64_t steps) {
  (void)lowerBound;
  (void)steps;
  assert_int_equal(bestPeak, 8);
  ++*(int *)userData;
}

static void testCarelessReports(void **state) {
  (void)state;
  const BerthPacker packer = {.version = BERTH_PACKER_ABI,
                              .size = sizeof packer,
                              .name = "careless",
                              .pack = packCarelessly};
  BerthProblem *problem = berthProblemCreate();
  addPlain(problem, 8, 0, 1);
  int told = 0;
  BerthPackOptions options = {.progress = noteProgress, .userData = &told};
  BerthPlan plan;
  BerthError error;
  assert_int_equal(berthPackWith(&packer, berthProblemGetData(problem),
                                 &options, &plan, &error),
                   BERTH_SUCCESS);
  assert_int_equal(told, 1);
  assert_int_equal(plan.peak, 8);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testInfeasibleByLoad(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addPlain(problem, 10, 0, 5);
  addPlain(problem, 12, 1, 4);
  addPlain(problem, 8, 2, 3);
  berthProblemSetCapacity(problem, 20);
  BerthPlan plan = packWith(problem, "first-fit");
  assert_int_equal(plan.status, BERTH_PLAN_INFEASIBLE);
  assert_int_equal(plan.numConflict, 2);
  assert_int_equal(plan.conflict[0], 0);
  assert_int_equal(plan.conflict[1], 1);
  assert_true(plan.conflictIrreducible);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

// Whether they come in order or not; a buffer without one is "b<index>".
static void testIdsAreUnique(void **state) {
  (void)state;
  static const struct {
    const char *ids[3];
    size_t bad; ///< the buffer to blame, or SIZE_MAX
  } kCases[] = {
      {{"a", "b", "c"}, SIZE_MAX},
      {{"9", "10", "11"}, SIZE_MAX},
      {{"c", "a", "b"}, SIZE_MAX},
      {{"b0", "b1", NULL}, SIZE_MAX},
      {{NULL, NULL, NULL}, SIZE_MAX},
      {{"a", "a", "b"}, 1},
      {{"b", "a", "a"}, 2},
      {{"a", "b", "a"}, 2},
      {{NULL, "b0", "c"}, 1},
      {{"b2", "c", NULL}, 2},
      {{"", "a", ""}, 2},
  };
  for (size_t i = 0; i < sizeof kCases / sizeof *kCases; ++i) {
    BerthProblem *problem = berthProblemCreate();
    BerthSegment segment = {0, 1};
    size_t bad = SIZE_MAX;
    for (size_t b = 0; b < 3; ++b) {
      BerthBuffer buffer = berthBufferDefault();
      buffer.id = kCases[i].ids[b];
      buffer.size = 1;
      buffer.numSegments = 1;
      buffer.segments = &segment;
      berthProblemAddBuffer(problem, &buffer);
    }
    berthProblemCheck(berthProblemGetData(problem), &bad, NULL);
    assert_int_equal(bad, kCases[i].bad);
    berthProblemDestroy(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testWaveExample),
      cmocka_unit_test(testEmptyProblem),
      cmocka_unit_test(testUnknownPacker),
      cmocka_unit_test(testNoMemory),
      cmocka_unit_test(testTableOfPackers),
      cmocka_unit_test(testCarelessReports),
      cmocka_unit_test(testInfeasibleByLoad),
      cmocka_unit_test(testIdsAreUnique),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
