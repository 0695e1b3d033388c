//===- BoundsTest.c - No bound is above what can be reached --------------===//
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

#include "../AddBuffer.h"
#include "../BruteForce.h"
#include "../RandomProblem.h"
#include "Pack/Improve/BoundWindows.h"
#include "Pack/Incumbent/Bounds.h"
#include "Pack/Incumbent/Cliques.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"

enum { kAlignments, kFixed, kReleases, kSums, kCliques, kWindows, kNumBounds };

static int64_t boundByWindows(const BerthTask *task, BerthMemory *arena) {
  const BerthPackOptions options = {0};
  BerthHostState host;
  BerthAnswer answer;
  BerthIncumbent incumbent;
  assert_true(berthAnswerInit(&answer, task, arena));
  berthHostInit(&host, task, arena, 0, &options);
  berthIncumbentInit(&incumbent, task, &host.host, &answer);
  incumbent.goal = 0; // go on above a capacity
  berthRaiseByWindows(&incumbent, &host.host);
  assert_false(incumbent.failed);
  return incumbent.lowerBound;
}

// The load is a sum itself; it takes more than that for sums to say something.
static void computeAll(const BerthTask *task, BerthMemory *arena, int64_t known,
                       int64_t *bounds) {
  int64_t alignment;
  BerthBound why;
  bounds[kAlignments] = berthBoundAlignments(task, arena, &alignment, &why);
  bounds[kFixed] = berthBoundFixed(task, arena, &why);
  bounds[kReleases] = berthBoundReleases(task, arena, &why);
  bounds[kSums] = berthBoundSums(task, arena, known);
  BerthClique clique;
  BerthCliqueQuestion question = {.limit = INT64_MAX, .maxStates = 1 << 12};
  bounds[kCliques] = berthBoundCliques(task, arena, &question, &clique);
  bounds[kWindows] = boundByWindows(task, arena);
}

// Compares the bounds with the truth; counts which are better than the task's.
static void compare(const BerthProblemData *data, unsigned *better) {
  BerthMemory arena = {0};
  BerthReduction reduction;
  int64_t bounds[kNumBounds], least = brutePeak(data, 0, kBruteBytes);
  if (least < 0) // out of reach of brute force
    return;
  assert_int_equal(berthNormalize(data, ~0u, &arena, &reduction), 0);
  int64_t bound = reduction.task.lowerBound;
  int64_t known = bound < least ? bound + 1 : bound;
  computeAll(&reduction.task, &arena, known, bounds);
  for (int k = 0; k < kNumBounds; ++k) {
    if (bounds[k] > least)
      fail_msg("bound %d: %lld, brute force: %lld", k, (long long)bounds[k],
               (long long)least);
    better[k] += bounds[k] > (k == kSums ? known : bound);
  }
  berthMemoryFree(&arena);
}

static void testRandomProblems(void **state) {
  (void)state;
  const uint32_t all = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS |
                       BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
                       BERTH_CAN_HARD_EDGES | BERTH_CAN_RESERVED |
                       BERTH_CAN_GROUPS | BERTH_CAN_DISTANCES;
  unsigned better[kNumBounds] = {0};
  for (uint64_t seed = 1; seed <= randomCount(10000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = 6,
                            .maxTime = seed % 2 ? 7 : 3,
                            .maxSize = seed % 3 ? 4 : 7,
                            .features = randomFeatures(seed, all)});
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, better);
    berthProblemDestroy(problem);
  }
  for (int k = 0; k < kNumBounds; ++k)
    if (!better[k])
      fail_msg("bound %d never raised anything", k);
}

static void add(BerthProblem *problem, int64_t size, int64_t lower,
                int64_t upper, int64_t alignment, int64_t fixed) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.alignment = alignment;
  buffer.fixedOffset = fixed;
  addLive(problem, buffer, lower, upper);
}

static void expect(BerthProblem *problem, int kind, int64_t expected) {
  BerthMemory arena = {0};
  BerthReduction reduction;
  int64_t bounds[kNumBounds];
  assert_int_equal(
      berthNormalize(berthProblemGetData(problem), ~0u, &arena, &reduction), 0);
  computeAll(&reduction.task, &arena, reduction.task.lowerBound, bounds);
  assert_int_equal(bounds[kind], expected);
  berthMemoryFree(&arena);
  berthProblemDestroy(problem);
}

// Three items of 5 at multiples of 8: 8 + 8 + 5.
static void testAlignments(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  for (int i = 0; i < 3; ++i)
    add(problem, 5, 0, 1, 8, BERTH_NONE);
  expect(problem, kAlignments, 21);
}

// A hole of 3 below the pin takes no item of 4.
static void testFixed(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  add(problem, 2, 0, 1, 1, 3);
  add(problem, 4, 0, 1, 1, BERTH_NONE);
  add(problem, 5, 0, 1, 1, BERTH_NONE);
  expect(problem, kFixed, 5 + 9);
}

// The two meet the pin at different times, and each other at a third.
static void testReleases(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  add(problem, 9, 0, 1, 1, 0);
  add(problem, 9, 2, 3, 1, 0);
  add(problem, 2, 0, 2, 1, BERTH_NONE);
  add(problem, 2, 1, 3, 1, BERTH_NONE);
  expect(problem, kReleases, 9 + 2 + 2);
}

// Below the reserved bytes there is room for one 3 at a multiple of 2, but not
// for two. Above them the other one wastes a byte, whatever the order.
static void testCliques(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  add(problem, 6, 0, 1, 1, BERTH_NONE);
  add(problem, 3, 0, 1, 2, BERTH_NONE);
  add(problem, 3, 0, 1, 2, BERTH_NONE);
  berthProblemAddReserved(problem, (BerthRange){5, 9});
  expect(problem, kCliques, 9 + 1 + 3 + 6);
}

static void addTwice(BerthProblem *problem, int64_t size, BerthSegment first,
                     BerthSegment second) {
  BerthSegment segments[] = {first, second};
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.numSegments = 2;
  buffer.segments = segments;
  berthProblemAddBuffer(problem, &buffer);
}

// Each two of the three meet at a time of their own, and a fourth meets only
// one of them.
static void testSpreadCliques(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addTwice(problem, 5, (BerthSegment){0, 2}, (BerthSegment){6, 8});
  add(problem, 6, 1, 4, 1, BERTH_NONE);
  addTwice(problem, 7, (BerthSegment){3, 5}, (BerthSegment){7, 9});
  add(problem, 4, 4, 5, 1, BERTH_NONE);
  expect(problem, kCliques, 5 + 6 + 7);
}

// The whole of the first meets the second, its lower part, which stays in use,
// also the third, and so do these two. The upper part of the first is free when
// the third is live.
static void testParts(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthBuffer windowed = berthBufferDefault();
  BerthGap gap = {4, 9, 0, 5};
  windowed.size = 8;
  windowed.numGaps = 1;
  windowed.gaps = &gap;
  addLive(problem, windowed, 0, 9);
  addTwice(problem, 7, (BerthSegment){0, 4}, (BerthSegment){6, 8});
  add(problem, 6, 7, 9, 1, BERTH_NONE);
  expect(problem, kCliques, 5 + 7 + 6);
}

// The same with the lower part the one that is free for a while: when the
// second is live the upper part is what stays.
static void testPartsOfTwo(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  BerthBuffer buffer = berthBufferDefault();
  BerthGap low = {2, 4, 0, 2}, high = {4, 6, 3, 9};
  buffer.size = 9;
  buffer.numGaps = 1;
  buffer.gaps = &low;
  addLive(problem, buffer, 0, 6);
  buffer.gaps = &high;
  addLive(problem, buffer, 0, 6);
  expect(problem, kCliques, 9 + 9);
}

// Of each buffer a part stays in use while the rest is not.
static void testWindowed(void **state) {
  (void)state;
  unsigned better[kNumBounds] = {0};
  for (uint64_t seed = 1; seed <= randomCount(6000); ++seed) {
    RandomSource source = randomFromSeed(seed);
    BerthProblem *problem = randomWindowed(&source);
    assert_int_equal(
        berthProblemCheck(berthProblemGetData(problem), NULL, NULL), 0);
    compare(berthProblemGetData(problem), better);
    berthProblemDestroy(problem);
  }
  assert_true(better[kCliques] > randomCount(100));
}

// Sizes 6, 5 and 4 add up to 4, 5, 6, 9, 10, 11 and 15 only.
static void testSums(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  add(problem, 6, 0, 2, 1, BERTH_NONE);
  add(problem, 5, 0, 1, 1, BERTH_NONE);
  add(problem, 4, 1, 2, 1, BERTH_NONE);
  BerthMemory arena = {0};
  BerthReduction reduction;
  assert_int_equal(
      berthNormalize(berthProblemGetData(problem), ~0u, &arena, &reduction), 0);
  assert_int_equal(berthBoundSums(&reduction.task, &arena, 11), 11);
  assert_int_equal(berthBoundSums(&reduction.task, &arena, 12), 15);
  assert_int_equal(berthBoundSums(&reduction.task, &arena, 7), 9);
  berthMemoryFree(&arena);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testRandomProblems), cmocka_unit_test(testAlignments),
      cmocka_unit_test(testFixed),          cmocka_unit_test(testReleases),
      cmocka_unit_test(testSums),           cmocka_unit_test(testCliques),
      cmocka_unit_test(testSpreadCliques),  cmocka_unit_test(testParts),
      cmocka_unit_test(testPartsOfTwo),     cmocka_unit_test(testWindowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
