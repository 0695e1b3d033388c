//===- PoolBoundsTest.c - Bounds of several pools, and many items --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// No bound of a tiny problem's peak or pool cost is above what brute force
// reaches; and with more items than are searched one by one the cost that
// cannot be bettered is reached and proven.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../AddBuffer.h"
#include "../BruteForce.h"
#include "../RandomProblem.h"
#include "Pack/Choices/PoolBounds.h"
#include "Pack/Choices/PoolPrices.h"
#include "Pack/Incumbent/Bounds.h"
#include "Pack/Search/Portfolio.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"

static void solve(BerthIncumbent *incumbent) {
  berthRaiseBounds(incumbent);
  if (!berthIncumbentDone(incumbent) && berthSearchCanHandle(incumbent->task))
    berthImproveBySearch(incumbent, 8);
}

typedef struct Seen {
  unsigned peaks; ///< bounds above the task's own
  unsigned costs;
} Seen;

static void compare(const BerthProblemData *data, Seen *seen) {
  const BerthPackOptions options = {0};
  BerthMemory arena = {0};
  BerthReduction reduction;
  BerthHostState host;
  BerthAnswer answer;
  BerthIncumbent incumbent;
  BerthPoolPrices prices;
  BruteBest truth = brutePools(data, 0, false);
  assert_int_equal(berthNormalize(data, ~0u, &arena, &reduction), 0);
  const BerthTask *task = &reduction.task;
  assert_true(berthAnswerInit(&answer, task, &arena));
  berthHostInit(&host, task, &arena, 0, &options);
  berthIncumbentInit(&incumbent, task, &host.host, &answer);
  berthRaisePoolBounds(&incumbent, &host.host, solve);
  assert_false(incumbent.failed);
  if (brutePoolsWithin(data, 0, incumbent.lowerBound - 1, INT64_MAX))
    fail_msg("bound %lld of the peak", (long long)incumbent.lowerBound);
  seen->peaks += incumbent.lowerBound > task->lowerBound;
  int64_t most = truth.fits ? truth.poolCost + 7 : 1000;
  assert_true(berthPoolPricesFind(&prices, task, &host.host, most, &arena));
  if (truth.fits && prices.bound > truth.poolCost)
    fail_msg("bound %lld of the cost, brute force: %lld",
             (long long)prices.bound, (long long)truth.poolCost);
  seen->costs += prices.bound > incumbent.leastPoolCost;
  berthMemoryFree(&arena);
}

static void testTiny(void **state) {
  (void)state;
  const uint32_t all = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS |
                       BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
                       BERTH_CAN_HARD_EDGES | BERTH_CAN_RESERVED |
                       BERTH_CAN_GROUPS | BERTH_CAN_DISTANCES;
  Seen seen = {0};
  for (uint64_t seed = 1; seed <= randomCount(20000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed,
        (RandomShape){.maxBuffers = 5,
                      .maxTime = 6,
                      .maxSize = 4,
                      .features = BERTH_CAN_POOLS | randomFeatures(seed, all)});
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, &seen);
    berthProblemDestroy(problem);
  }
  print_message("%u peaks, %u costs\n", seen.peaks, seen.costs);
  assert_true(seen.peaks > 0 && seen.costs > 0);
}

// Sizes 1 to 90, the small ones first, all live together: a pool of 1000 bytes
// can be filled to the last one.
static void testMany(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthPool fast = {.id = "fast", .capacity = 1000};
  BerthPool slow = {.id = "slow", .cost = 3};
  berthProblemAddPool(problem, &fast);
  berthProblemAddPool(problem, &slow);
  for (int64_t size = 1; size <= 90; ++size) {
    BerthBuffer buffer = berthBufferDefault();
    buffer.size = size;
    addLive(problem, buffer, 0, 1 + size % 7);
  }
  for (int64_t size = 1; size <= 90; ++size) {
    BerthBuffer buffer = berthBufferDefault();
    buffer.size = size;
    addLive(problem, buffer, 7, 8);
  }
  BerthPackOptions options = {.steps = UINT64_C(1) << 24};
  BerthPlan plan;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &options, &plan, NULL),
      BERTH_SUCCESS);
  assert_true(plan.poolCost == 2 * 3 * (90 * 91 / 2 - 1000));
  assert_true(plan.provenLevels & BERTH_LEVEL_POOL_COST);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTiny),
      cmocka_unit_test(testMany),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
