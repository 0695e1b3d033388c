//===- HeapPackerTest.c - The online baseline ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../AddBuffer.h"
#include "berth-c/Pack.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const BerthPackOptions heapOptions = {.packer = "heap"};

static uint32_t add(BerthProblem *problem, int64_t size, int64_t alignment,
                    int64_t lower, int64_t upper) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.alignment = alignment;
  return addLive(problem, buffer, lower, upper);
}

static BerthPlan pack(BerthProblem *problem) {
  BerthPlan plan;
  BerthError error = {.message = ""};
  BerthStatus status =
      berthPack(berthProblemGetData(problem), &heapOptions, &plan, &error);
  assert_string_equal(error.message, "");
  assert_int_equal(status, BERTH_SUCCESS);
  return plan;
}

/// By hand: 13 words of header and 22 lists, then a tag before each buffer. The
/// third one takes the place of the first, which is of its class.
static void testReplaysInOrderOfTime(void **context) {
  (void)context;
  BerthProblem *problem = berthProblemCreate();
  add(problem, 40, 1, 0, 2);
  add(problem, 16, 1, 0, 9);
  add(problem, 32, 1, 2, 9);
  BerthPlan plan = pack(problem);
  assert_int_equal(plan.offsets[0], 4 * 36);
  assert_int_equal(plan.offsets[1], 4 * (36 + 10 + 1));
  assert_int_equal(plan.offsets[2], 4 * 36);
  assert_int_equal(plan.peak, 4 * (47 + 4));
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testAnyAlignment(void **context) {
  (void)context;
  static const int64_t alignments[] = {1, 3, 7, 16, 48, 256, 1000, 4096};
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0; i < 8; ++i)
    add(problem, 10 + i, alignments[i], i / 2, i / 2 + 3);
  BerthPlan plan = pack(problem);
  for (int i = 0; i < 8; ++i)
    assert_int_equal(plan.offsets[i] % alignments[i], 0);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void testEdgesKeepTheEarlierOneAlive(void **context) {
  (void)context;
  BerthProblem *problem = berthProblemCreate();
  uint32_t first = add(problem, 64, 1, 0, 1);
  uint32_t second = add(problem, 64, 1, 5, 6);
  BerthPlan shared = pack(problem);
  assert_int_equal(shared.offsets[0], shared.offsets[1]);
  BerthEdge edge = {.first = first, .second = second};
  berthProblemAddEdge(problem, &edge);
  BerthPlan apart = pack(problem);
  assert_true(apart.offsets[1] >= apart.offsets[0] + 64);
  berthPlanFree(&shared);
  berthPlanFree(&apart);
  berthProblemDestroy(problem);
}

/// Gigabytes are replayed with a coarser unit, and the sum may be anything
/// that a problem may sum to.
static void testLargeProblems(void **context) {
  (void)context;
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0; i < 500; ++i)
    add(problem, (i % 7 + 1) << 30, 256, i, i + 4);
  BerthPlan plan = pack(problem);
  assert_true(plan.peak >= plan.load);
  assert_true(plan.peak < 4 * plan.load);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testReplaysInOrderOfTime),
      cmocka_unit_test(testAnyAlignment),
      cmocka_unit_test(testEdgesKeepTheEarlierOneAlive),
      cmocka_unit_test(testLargeProblems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
