//===- PlanTest.c - Plans that are told, and changed ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Small problems whose best fit is known by hand; each change of it is refused,
// and so are problems that say what cannot be.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../AddBuffer.h"
#include "berth-c/Fit.h"

// The best fit into `capacity` bytes, which berthFitPlanFree() frees.
static BerthFitPlan fitOptimally(BerthProblem *problem, int64_t capacity) {
  BerthFitPlan plan;
  BerthError error;
  berthProblemSetCapacity(problem, capacity);
  assert_int_equal(berthFit(berthProblemGetData(problem), NULL, &plan, &error),
                   BERTH_SUCCESS);
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  return plan;
}

static void assertVerified(const BerthProblem *problem,
                           const BerthFitPlan *plan, BerthStatus status) {
  BerthError error;
  assert_int_equal(
      berthFitVerify(berthProblemGetData(problem), NULL, plan, &error), status);
}

// Whatever is changed in a plan, the verifier sees it.
static void testVerifier(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthBuffer buffer = berthBufferDefault();
  const BerthBufferUse first[] = {{0, 1, BERTH_USE_WRITE, 0, 0, 0, 0},
                                  {4, 5, BERTH_USE_READ, 0, 0, 0, 0},
                                  {9, 10, BERTH_USE_UPDATE, 0, 0, 0, 0}};
  const BerthBufferUse second[] = {{6, 7, BERTH_USE_WRITE, 0, 0, 0, 0},
                                   {8, 9, BERTH_USE_READ, 0, 0, 0, 0}};
  buffer.size = 64;
  buffer.alignment = 16;
  buffer.uses = first;
  buffer.numUses = 3;
  addLive(problem, buffer, 0, 12);
  buffer.uses = second;
  buffer.numUses = 2;
  addLive(problem, buffer, 6, 9);
  BerthFitPlan plan = fitOptimally(problem, 100);
  assert_int_equal(plan.cost, 128);
  assert_int_equal(plan.numStays, 3);
  assertVerified(problem, &plan, BERTH_SUCCESS);
  BerthError error;
  for (size_t i = 0; i < plan.numStays; ++i) {
    BerthStay *stay = &plan.stays[i], kept = *stay;
    BerthStay changes[8] = {kept, kept, kept, kept, kept, kept, kept, kept};
    changes[0].lower += 1;
    changes[1].upper -= 1;
    changes[2].offset += 1; // its alignment
    changes[3].offset += 64;
    changes[4].filled = !kept.filled;
    changes[5].spilled = !kept.spilled;
    changes[6].buffer ^= 1;
    changes[7].made = !kept.made;
    for (size_t k = 0; k < 8; ++k) {
      *stay = changes[k];
      if (berthFitVerify(berthProblemGetData(problem), NULL, &plan, &error) !=
          BERTH_INVALID)
        fail_msg("change %zu of stay %zu is not seen", k, i);
    }
    *stay = kept;
  }
  int64_t *figures[] = {&plan.cost,          &plan.bytesIn,   &plan.bytesOut,
                        &plan.bytesAccessed, &plan.bytesMade, &plan.peak};
  for (size_t i = 0; i < 6; ++i) {
    ++*figures[i];
    assertVerified(problem, &plan, BERTH_INVALID);
    --*figures[i];
  }
  --plan.numStays;
  assertVerified(problem, &plan, BERTH_INVALID);
  ++plan.numStays;
  berthFitPlanFree(&plan);
  berthProblemDestroy(problem);
}

// What is made again need not be taken out, and is as good as what was there.
static void testMadeAgain(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  const BerthBufferUse first[] = {{0, 1, BERTH_USE_WRITE, 0, 0, 0, 0},
                                  {4, 5, BERTH_USE_READ, 0, 100, 0, 0},
                                  {9, 10, BERTH_USE_READ, 0, 50, 0, 0}};
  addUsed(problem, 64, 0, 10, first, 3);
  addPlain(problem, 64, 2, 4);
  addPlain(problem, 64, 6, 8);
  BerthFitPlan plan = fitOptimally(problem, 64);
  assert_int_equal(plan.cost, 150); // 2 * 64 + 50 would be 178
  assert_int_equal(plan.bytesMade, 128);
  assert_int_equal(plan.bytesOut, 0);
  assert_true(plan.stays[1].made && plan.stays[2].made);
  plan.stays[1].lower = 3; // not where the use is
  assertVerified(problem, &plan, BERTH_INVALID);
  plan.stays[1].lower = 4;
  plan.stays[1].filled = true; // both
  assertVerified(problem, &plan, BERTH_INVALID);
  berthFitPlanFree(&plan);
  berthProblemDestroy(problem);
}

// What does not fit is served through a tile, and no room is needed for more.
static void testTiles(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  const BerthBufferUse uses[] = {{0, 1, BERTH_USE_WRITE, 0, 0, 16, 64},
                                 {4, 8, BERTH_USE_UPDATE, 0, 0, 32, 128},
                                 {9, 10, BERTH_USE_READ, 0, 0, 0, 0}};
  addUsed(problem, 64, 0, 10, uses, 3);
  addPlain(problem, 32, 2, 7);
  BerthFitPlan plan = fitOptimally(problem, 64);
  // The first use through a tile, so that nothing is taken out; in at the end.
  assert_int_equal(plan.cost, 64 + 128 + 64);
  assert_int_equal(plan.numStays, 4);
  assert_true(plan.stays[1].tiled && plan.stays[1].lower == 4);
  assert_int_equal(
      berthFitStayBytes(berthProblemGetData(problem), &plan.stays[1]), 32);
  BerthStay kept = plan.stays[1];
  for (int i = 0; i < 5; ++i) {
    BerthStay *stay = &plan.stays[1];
    stay->tiled = i != 0;
    stay->lower += i == 1;
    stay->filled = i == 2;
    stay->spilled = i == 3;
    stay->offset = i == 4 ? 33 : kept.offset;
    assertVerified(problem, &plan, BERTH_INVALID);
    *stay = kept;
  }
  assertVerified(problem, &plan, BERTH_SUCCESS);
  berthFitPlanFree(&plan);
  berthProblemDestroy(problem);
}

static void expectInvalid(BerthProblem *problem, const char *message) {
  BerthFitPlan plan;
  BerthError error;
  assert_int_equal(berthFit(berthProblemGetData(problem), NULL, &plan, &error),
                   BERTH_INVALID);
  assert_non_null(strstr(error.message, message));
  assert_null(plan.stays);
}

static void testRefusals(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addPlain(problem, 8, 0, 4);
  expectInvalid(problem, "a fit needs a capacity");
  berthProblemSetCapacity(problem, 16);
  expectInvalid(problem, "no buffer has uses");
  BerthBuffer buffer = berthBufferDefault();
  BerthBufferUse use = {2, 6, BERTH_USE_READ, 0, 0, 0, 0};
  buffer.size = 8;
  buffer.uses = &use;
  buffer.numUses = 1;
  addLive(problem, buffer, 0, 4);
  expectInvalid(problem, "a use must lie within the lifetime");
  berthProblemDestroy(problem);

  problem = berthProblemCreate();
  berthProblemSetCapacity(problem, 16);
  use = (BerthBufferUse){2, 3, BERTH_USE_WRITE, 0, 5, 0, 0};
  addLive(problem, buffer, 0, 4);
  expectInvalid(problem, "what a use overwrites need not be made again");
  berthProblemDestroy(problem);

  problem = berthProblemCreate();
  berthProblemSetCapacity(problem, 16);
  use = (BerthBufferUse){2, 4, BERTH_USE_READ, 0, -1, 0, 0};
  addLive(problem, buffer, 0, 4);
  expectInvalid(problem, "making content again must not cost");
  berthProblemDestroy(problem);

  const struct {
    int64_t tile, slices;
    const char *message;
  } tiles[] = {{9, 1, "a tile must be a part of the buffer"},
               {4, 0, "where there is a tile, and only there"},
               {0, 3, "where there is a tile, and only there"}};
  for (size_t i = 0; i < 3; ++i) {
    problem = berthProblemCreate();
    berthProblemSetCapacity(problem, 16);
    use = (BerthBufferUse){.lower = 2,
                           .upper = 4,
                           .tile = tiles[i].tile,
                           .slices = tiles[i].slices};
    addLive(problem, buffer, 0, 4);
    expectInvalid(problem, tiles[i].message);
    berthProblemDestroy(problem);
  }

  problem = berthProblemCreate();
  berthProblemSetCapacity(problem, 16);
  buffer.fixedOffset = 0;
  use = (BerthBufferUse){2, 4, BERTH_USE_READ, 0, 0, 0, 0};
  addLive(problem, buffer, 0, 4);
  expectInvalid(problem, "a fit cannot have fixed offsets");
  berthProblemDestroy(problem);

  problem = berthProblemCreate();
  berthProblemSetCapacity(problem, 16);
  buffer.fixedOffset = BERTH_NONE;
  buffer.group = 7;
  addLive(problem, buffer, 0, 4);
  addLive(problem, buffer, 0, 4);
  expectInvalid(problem, "a fit cannot have groups of several buffers");
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testVerifier),
      cmocka_unit_test(testMadeAgain),
      cmocka_unit_test(testTiles),
      cmocka_unit_test(testRefusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
