//===- VerifyTest.c - The verifier against pictures ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Random places for random problems, most of them wrong: the verifier must say
// exactly what drawing every byte says. And every rule that the check of
// problems states must be noticed when it is broken.
//
//===---------------------------------------------------------------------===//

#include "../BruteForce.h"
#include "../RandomProblem.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

enum { kMostBuffers = 5 };

// A plan with these offsets whose figures are right.
typedef struct Trial {
  int64_t offsets[kMostBuffers];
  uint32_t pools[kMostBuffers];
  uint8_t cuts[3];
  BerthPlan plan;
} Trial;

static void fillFigures(const BerthProblemData *problem, Trial *trial) {
  BerthPlan *plan = &trial->plan;
  *plan = (BerthPlan){.numBuffers = problem->numBuffers,
                      .offsets = trial->offsets,
                      .pools = trial->pools,
                      .numCuts = problem->numCuts,
                      .cutsBought = trial->cuts,
                      .status = BERTH_PLAN_BUDGET};
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t offset = trial->offsets[i], top = offset + buffer->size;
    plan->peak = top > plan->peak ? top : plan->peak;
    if (buffer->hint != BERTH_NONE)
      plan->hintDistance +=
          offset > buffer->hint ? offset - buffer->hint : buffer->hint - offset;
  }
  for (size_t i = 0; i < problem->numCuts; ++i)
    plan->price += trial->cuts[i] ? problem->cuts[i].price : 0;
}

// What the picture says: every item allowed where it is, groups together.
static bool drawn(const BerthProblemData *problem, const Trial *trial) {
  uint32_t cuts = 0;
  for (uint32_t i = 0; i < problem->numCuts; ++i)
    cuts |= (uint32_t)(trial->cuts[i] != 0) << i;
  BruteForce brute = bruteForce(problem, cuts);
  for (size_t at = 0; at < brute.numItems && at < kBruteItems; ++at) {
    BruteItem *item = &brute.items[at];
    item->offset = trial->offsets[__builtin_ctz(item->members)];
    for (uint32_t i = 0; i < problem->numBuffers; ++i)
      if (item->members >> i & 1 && trial->offsets[i] != item->offset)
        return false;
    if (!bruteAllowed(&brute, at))
      return false;
  }
  return true;
}

static void testAgainstPictures(void **state) {
  (void)state;
  const uint32_t features =
      BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
      BERTH_CAN_HINTS | BERTH_CAN_GROUPS | BERTH_CAN_HARD_EDGES |
      BERTH_CAN_PRICED_EDGES | BERTH_CAN_RESERVED | BERTH_CAN_DISTANCES;
  size_t right = 0, wrong = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    RandomSource source = randomFromSeed(seed);
    RandomShape shape = {kMostBuffers, 8, 5,
                         features &
                             (uint32_t)(seed * 0x9E3779B97F4A7C15 >> 40)};
    BerthProblem *problem = randomProblem(&source, &shape);
    const BerthProblemData *data = berthProblemGetData(problem);
    Trial trial = {{0}, {0}, {0}, {0}};
    for (size_t i = 0; i < data->numBuffers; ++i)
      trial.offsets[i] = randomBelow(&source, 14);
    for (size_t i = 0; i < data->numCuts; ++i)
      trial.cuts[i] = (uint8_t)randomBelow(&source, 2);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS) {
      fillFigures(data, &trial);
      bool expected = drawn(data, &trial);
      BerthStatus status = berthPlanVerify(data, &trial.plan, NULL);
      assert_int_equal(status == BERTH_SUCCESS, expected);
      right += expected;
      wrong += !expected;
    }
    berthProblemDestroy(problem);
  }
  assert_true(right > 500 && wrong > 500);
}

// One good buffer to spoil in many ways.
static BerthStatus checkSpoiled(void (*spoil)(BerthBuffer *, BerthSegment *,
                                              BerthGap *)) {
  BerthSegment segments[2] = {{0, 4}, {6, 9}};
  BerthGap gaps[2] = {{1, 2, 0, 4}, {7, 8, 2, 2}};
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = "victim";
  buffer.size = 8;
  buffer.alignment = 4;
  buffer.numSegments = buffer.numGaps = 2;
  buffer.segments = segments;
  buffer.gaps = gaps;
  if (spoil)
    spoil(&buffer, segments, gaps);
  BerthProblem *problem = berthProblemCreate();
  berthProblemAddBuffer(problem, &buffer);
  BerthError error = {{0}, 0, 0};
  size_t bad = SIZE_MAX;
  BerthStatus status =
      berthProblemCheck(berthProblemGetData(problem), &bad, &error);
  if (status) {
    assert_int_equal(bad, 0);
    assert_non_null(strstr(error.message, "victim"));
  }
  berthProblemDestroy(problem);
  return status;
}

#define BERTH_SPOIL(name, change)                                              \
  static void name(BerthBuffer *b, BerthSegment *s, BerthGap *g) {             \
    (void)b, (void)s, (void)g;                                                 \
    change;                                                                    \
  }
BERTH_SPOIL(zeroSize, b->size = 0)
BERTH_SPOIL(negativeSize, b->size = -8)
BERTH_SPOIL(zeroAlignment, b->alignment = 0)
BERTH_SPOIL(negativeOffset, b->fixedOffset = -2)
BERTH_SPOIL(unalignedOffset, b->fixedOffset = 6)
BERTH_SPOIL(farOffset, b->fixedOffset = INT64_MAX - 3)
BERTH_SPOIL(negativeHint, b->hint = -2)
BERTH_SPOIL(negativeWeight, b->weight = -1)
BERTH_SPOIL(negativeGroup, b->group = -5)
BERTH_SPOIL(unknownPool, b->pools = 2)
BERTH_SPOIL(noSegment, (b->numSegments = 0, b->numGaps = 0))
BERTH_SPOIL(emptySegment, s[1].upper = 6)
BERTH_SPOIL(unsortedSegments, s[1].lower = 3)
BERTH_SPOIL(emptyGap, g[0].upper = 1)
BERTH_SPOIL(unsortedGaps, (g[1].lower = 1, g[1].upper = 3))
BERTH_SPOIL(gapOutside, g[0].upper = 5)
BERTH_SPOIL(windowOutside, g[0].windowUpper = 9)
BERTH_SPOIL(windowReversed, (g[0].windowLower = 5, g[0].windowUpper = 4))

static void testCheckNotices(void **state) {
  (void)state;
  void (*const spoils[])(BerthBuffer *, BerthSegment *, BerthGap *) = {
      zeroSize,         negativeSize,    zeroAlignment, negativeOffset,
      farOffset,        unalignedOffset, negativeHint,  negativeWeight,
      negativeGroup,    unknownPool,     noSegment,     emptySegment,
      unsortedSegments, emptyGap,        unsortedGaps,  gapOutside,
      windowOutside,    windowReversed};
  assert_int_equal(checkSpoiled(NULL), BERTH_SUCCESS);
  for (size_t i = 0; i < sizeof spoils / sizeof *spoils; ++i)
    assert_int_equal(checkSpoiled(spoils[i]), BERTH_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAgainstPictures),
      cmocka_unit_test(testCheckNotices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
