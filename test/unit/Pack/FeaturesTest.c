//===- FeaturesTest.c - What every packer must keep, beyond tiny sizes ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Problems of some hundred buffers with alignments, pins, gaps with windows and
// hints, and what must not change when they are written down in another way. A
// packer that cannot handle a feature gets the problem without it.
//
//===---------------------------------------------------------------------===//

#include "EveryPacker.h"
#include "berth-c/Generate.h"

#include <stdlib.h>

/// How a problem is written down anew.
typedef struct Change {
  size_t rotate;   ///< the order of the buffers
  int64_t shift;   ///< of all times
  int64_t idle;    ///< times at which nothing is live, between the two halves
  int64_t stretch; ///< of all times, about the first one
} Change;

static const Change kNone = {.stretch = 1};

static BerthBuffer spare(const BerthBuffer *buffer, uint32_t can) {
  BerthBuffer result = *buffer;
  if (!(can & BERTH_CAN_ALIGNMENT))
    result.alignment = 1;
  if (!(can & BERTH_CAN_FIXED))
    result.fixedOffset = BERTH_NONE;
  return result;
}

static void addChanged(BerthProblem *problem, BerthBuffer buffer,
                       const Change *change, int64_t offset) {
  BerthSegment life = *buffer.segments;
  BerthGap gap = {0};
  life.lower = (life.lower + offset) * change->stretch + change->shift;
  life.upper = (life.upper + offset) * change->stretch + change->shift;
  buffer.segments = &life;
  if (buffer.numGaps) {
    gap = *buffer.gaps;
    gap.lower = (gap.lower + offset) * change->stretch + change->shift;
    gap.upper = (gap.upper + offset) * change->stretch + change->shift;
    buffer.gaps = &gap;
  }
  buffer.id = NULL;
  berthProblemAddBuffer(problem, &buffer);
}

// The generated problem twice, one after the other.
static BerthProblem *write(uint32_t count, uint32_t can, const Change *change) {
  BerthProblem *half =
      berthGenerate(berthFamilyFind("features"), count, count, NULL);
  const BerthProblemData *data = berthProblemGetData(half);
  BerthProblem *problem = berthProblemCreate();
  int64_t end = 0;
  for (size_t i = 0; i < count; ++i)
    if (data->buffers[i].segments->upper > end)
      end = data->buffers[i].segments->upper;
  for (size_t k = 0; k < 2 * count; ++k) {
    size_t i = (k + change->rotate) % (2 * count);
    BerthBuffer buffer = spare(&data->buffers[i % count], can);
    addChanged(problem, buffer, change, i < count ? 0 : end + change->idle);
  }
  berthProblemDestroy(half);
  return problem;
}

static BerthPlan packChanged(size_t packer, uint32_t count,
                             const Change *change) {
  BerthProblem *problem = write(count, capabilitiesOf(packer), change);
  BerthPlan plan = mustPack(problem, packer);
  assert_true(plan.peak >= plan.lowerBound);
  assert_true(plan.lowerBound >= plan.load);
  berthProblemDestroy(problem);
  return plan;
}

static void expectSame(size_t packer, uint32_t count, const Change *change) {
  BerthPlan plain = packChanged(packer, count, &kNone);
  BerthPlan changed = packChanged(packer, count, change);
  for (size_t i = 0; i < plain.numBuffers; ++i)
    if (plain.offsets[i] != changed.offsets[i])
      fail_msg("%s: buffer %zu at %lld, then %lld", packerAt(packer)->name, i,
               (long long)plain.offsets[i], (long long)changed.offsets[i]);
  assert_int_equal(plain.status, changed.status);
  assert_int_equal(plain.lowerBound, changed.lowerBound);
  assert_int_equal(plain.steps, changed.steps);
  berthPlanFree(&plain);
  berthPlanFree(&changed);
}

static const uint32_t kCounts[] = {6, 30, 150};
enum { kNumCounts = sizeof kCounts / sizeof *kCounts };

static void testShiftedTimes(void **state) {
  (void)state;
  const Change change = {.stretch = 1, .shift = -INT64_C(4000000000000000007)};
  for (size_t packer = 0; packer < countPackers(); ++packer)
    for (size_t k = 0; k < kNumCounts; ++k)
      expectSame(packer, kCounts[k], &change);
}

// Nothing is live in the middle, for longer or shorter.
static void testIdleTimes(void **state) {
  (void)state;
  const Change change = {.stretch = 1, .idle = 1000000};
  for (size_t packer = 0; packer < countPackers(); ++packer)
    for (size_t k = 0; k < kNumCounts; ++k)
      expectSame(packer, kCounts[k], &change);
}

// Between any two times comes another at which nothing begins or ends.
static void testStretchedTimes(void **state) {
  (void)state;
  const Change change = {.stretch = 2};
  for (size_t packer = 0; packer < countPackers(); ++packer)
    for (size_t k = 0; k < kNumCounts; ++k)
      expectSame(packer, kCounts[k], &change);
}

static void testPermutations(void **state) {
  (void)state;
  unsigned proven = 0;
  for (size_t packer = 0; packer < countPackers(); ++packer)
    for (size_t k = 0; k < kNumCounts; ++k) {
      const Change change = {.stretch = 1, .rotate = kCounts[k] / 2 + 1};
      BerthPlan plain = packChanged(packer, kCounts[k], &kNone);
      BerthPlan changed = packChanged(packer, kCounts[k], &change);
      if (plain.status == BERTH_PLAN_OPTIMAL &&
          changed.status == BERTH_PLAN_OPTIMAL) {
        assert_int_equal(plain.peak, changed.peak);
        ++proven;
      }
      assert_true(plain.peak >= changed.lowerBound);
      assert_true(changed.peak >= plain.lowerBound);
      berthPlanFree(&plain);
      berthPlanFree(&changed);
    }
  assert_true(proven > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testShiftedTimes),
      cmocka_unit_test(testIdleTimes),
      cmocka_unit_test(testStretchedTimes),
      cmocka_unit_test(testPermutations),
  };
  return cmocka_run_group_tests(tests, loadPlugins, unloadPlugins);
}
