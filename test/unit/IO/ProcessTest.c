//===- ProcessTest.c - Packing in another process ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// BERTH_PACK_TOOL is the path of berth-pack, BERTH_PLUGINS the folder of the
// plugins that behave and misbehave.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "IO/Adopt.h"
#include "Reading.h"

#include <signal.h>

static BerthDocument *wave(void) {
  return expectGood("id,start,end,size\n1,1,5,10\n2,2,6,5\n3,1,3,8\n"
                    "4,4,7,4\n5,3,8,6\n6,5,9,12\n",
                    BERTH_FORMAT_CSV, false);
}

/// Packs Wave's example in a process and says how that went.
static BerthStatus packWave(const BerthPackOptions *pack,
                            BerthProcessOptions process, BerthPlan *plan,
                            BerthError *error) {
  BerthDocument *document = wave();
  if (!process.tool)
    process.tool = BERTH_PACK_TOOL;
  BerthStatus status =
      berthPackInProcess(problemOf(document), pack, &process, plan, error);
  berthDocumentDestroy(document);
  return status;
}

/// `seconds` is what the plugin has; 0: as long as any machine may take.
static void expectFailure(const char *plugin, double seconds,
                          BerthStatus expected, const char *message) {
  BerthProcessOptions process = {.plugin = plugin, .seconds = seconds};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(packWave(NULL, process, &plan, &error), expected);
  if (!strstr(error.message, message))
    fail_msg("expected '%s' but got '%s'", message, error.message);
  assert_null(plan.offsets);
}

static void packsWithAPackerOfTheTable(void **state) {
  (void)state;
  BerthPackOptions pack = {.packer = "first-fit"};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(packWave(&pack, (BerthProcessOptions){0}, &plan, &error),
                   BERTH_SUCCESS);
  const int64_t expected[] = {12, 28, 0, 33, 22, 0};
  assert_memory_equal(plan.offsets, expected, sizeof expected);
  assert_string_equal(plan.packer, "first-fit");
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  assert_int_equal(plan.peak, 37);
  assert_true(plan.steps > 0);
  berthPlanFree(&plan);
}

static void packsWithAPlugin(void **state) {
  (void)state;
  BerthProcessOptions process = {.plugin = BERTH_PLUGINS "/honest.so"};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(packWave(NULL, process, &plan, &error), BERTH_SUCCESS);
  assert_int_equal(plan.peak, 45);
  assert_int_equal(plan.status, BERTH_PLAN_FEASIBLE);
  assert_string_equal(plan.packer, "plugin");
  berthPlanFree(&plan);
}

static void survivesPluginsThatMisbehave(void **state) {
  (void)state;
  expectFailure(BERTH_PLUGINS "/crash.so", 0, BERTH_INTERNAL, "crash.so' ");
  expectFailure(BERTH_PLUGINS "/hang.so", 1, BERTH_INTERNAL,
                "gave no answer within 1 seconds");
  expectFailure(BERTH_PLUGINS "/overlap.so", 0, BERTH_INTERNAL, "is wrong");
  expectFailure(BERTH_PLUGINS "/none.so", 0, BERTH_INVALID, "none.so");
}

static void survivesToolsThatMisbehave(void **state) {
  (void)state;
  static const struct {
    const char *tool;
    BerthStatus status;
    const char *message;
    double seconds;
  } cases[] = {
      {"/no/such/tool", BERTH_RESOURCE, "cannot run '/no/such/tool': No", 0},
      {"no-such-tool", BERTH_RESOURCE,
       "'no-such-tool', which is looked for in PATH: No", 0},
      {"true", BERTH_INTERNAL, "malformed answer", 0},
      {"false", BERTH_INTERNAL, "malformed answer", 0},
      {"yes", BERTH_INTERNAL, "gave", 0.2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    BerthProcessOptions process = {.tool = cases[i].tool,
                                   .seconds = cases[i].seconds};
    BerthPlan plan;
    BerthError error = {0};
    assert_int_equal(packWave(NULL, process, &plan, &error), cases[i].status);
    if (!strstr(error.message, cases[i].message))
      fail_msg("expected '%s' but got '%s'", cases[i].message, error.message);
  }
}

/// A child that reads nothing must not end us with a SIGPIPE, nor block us.
static void survivesAChildThatDoesNotListen(void **state) {
  (void)state;
  signal(SIGPIPE, SIG_DFL);
  BerthSegment life = {0, 1};
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = 8;
  buffer.numSegments = 1;
  buffer.segments = &life;
  BerthProblem *problem = berthProblemCreate();
  for (int i = 0; i < 50000; ++i)
    berthProblemAddBuffer(problem, &buffer);
  BerthProcessOptions process = {.tool = "true", .seconds = 10.0};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(berthPackInProcess(berthProblemGetData(problem), NULL,
                                      &process, &plan, &error),
                   BERTH_INTERNAL);
  berthProblemDestroy(problem);
}

static void passesTheWholeProblemOn(void **state) {
  (void)state;
  BerthDocument *document = expectGood(
      "{\"capacity\": 64, \"reserved\": [[0, 8]], \"buffers\": ["
      "{\"size\": 8, \"lower\": 0, \"upper\": 9, \"fixed\": 16},"
      "{\"size\": 8, \"lower\": 0, \"upper\": 9, \"group\": 1},"
      "{\"size\": 4, \"segments\": [[10, 11], [20, 21]], \"group\": 1},"
      "{\"size\": 8, \"lower\": 12, \"upper\": 19}]}",
      BERTH_FORMAT_JSON, false);
  BerthProcessOptions process = {.tool = BERTH_PACK_TOOL};
  BerthPackOptions pack = {.packer = "first-fit", .minimize = true};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(
      berthPackInProcess(problemOf(document), &pack, &process, &plan, &error),
      BERTH_SUCCESS);
  assert_int_equal(plan.offsets[0], 16);
  assert_int_equal(plan.offsets[1], 8);
  assert_int_equal(plan.offsets[2], 8);
  assert_int_equal(plan.offsets[3], 8);
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
}

static void reportsPlansOverCapacity(void **state) {
  (void)state;
  BerthDocument *document = wave();
  berthProblemSetCapacity(berthDocumentGetProblem(document), 40);
  BerthProcessOptions process = {.tool = BERTH_PACK_TOOL,
                                 .plugin = BERTH_PLUGINS "/deny.so"};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(
      berthPackInProcess(problemOf(document), NULL, &process, &plan, &error),
      BERTH_SUCCESS);
  assert_int_equal(plan.status, BERTH_PLAN_BUDGET);
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
}

/// An adopted plan is verified, whatever it says of itself.
static void adoptsNothingUnseen(void **state) {
  (void)state;
  BerthDocument *document = wave();
  int64_t offsets[] = {12, 28, 0, 33, 22, 1};
  uint32_t pools[6] = {0};
  BerthPlan given = {.numBuffers = 6,
                     .offsets = offsets,
                     .pools = pools,
                     .peak = 37,
                     .status = BERTH_PLAN_OPTIMAL};
  BerthPlan plan;
  BerthError error = {0};
  assert_int_equal(
      berthPlanAdopt(problemOf(document), &given, "test", &plan, &error),
      BERTH_INTERNAL);
  assert_non_null(strstr(error.message, "'6'"));
  offsets[5] = 0;
  given.peak = 1;
  assert_int_equal(
      berthPlanAdopt(problemOf(document), &given, "test", &plan, &error),
      BERTH_SUCCESS);
  assert_int_equal(plan.peak, 37);
  berthPlanFree(&plan);
  given.numBuffers = 5;
  assert_int_equal(
      berthPlanAdopt(problemOf(document), &given, "test", &plan, &error),
      BERTH_INTERNAL);
  berthDocumentDestroy(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packsWithAPackerOfTheTable),
      cmocka_unit_test(packsWithAPlugin),
      cmocka_unit_test(survivesPluginsThatMisbehave),
      cmocka_unit_test(survivesToolsThatMisbehave),
      cmocka_unit_test(survivesAChildThatDoesNotListen),
      cmocka_unit_test(passesTheWholeProblemOn),
      cmocka_unit_test(reportsPlansOverCapacity),
      cmocka_unit_test(adoptsNothingUnseen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
