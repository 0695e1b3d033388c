//===- HeapTraceTest.c - Random traces, judged after every step ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Together the tests below make more than four million calls, each followed by
// a full check of the arena.
//
//===----------------------------------------------------------------------===//

#include "HeapModel.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static uint32_t state;

/// xorshift32 (G. Marsaglia, Xorshift RNGs, 2003).
static uint32_t next(uint32_t bound) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % bound;
}

/// Mostly small counts, now and then a large one.
static uint32_t randomCount(uint32_t words, uint32_t stride) {
  uint32_t most = next(8) ? words / 16 + 4 : words;
  return next(most / stride + 2);
}

static void runTrace(uint32_t words, uint32_t mode, uint32_t operations,
                     uint32_t strides) {
  HeapModel model = modelCreate(words, mode);
  state = words * 2654435761u + 1;
  uint32_t allocated[65] = {0};
  for (uint32_t i = 0; i < operations; ++i) {
    // Let the arena fill up and run empty in turn.
    uint32_t allocShare = i / 512 % 2 ? 40 : 60;
    if (model.numLive && next(100) >= allocShare) {
      modelFree(&model, next(model.numLive));
    } else {
      uint32_t stride = 1 + next(strides);
      allocated[stride] +=
          modelAlloc(&model, randomCount(words, stride), stride);
    }
    modelCheck(&model);
  }
  if (words > 200)
    for (uint32_t stride = 1; stride <= strides; ++stride)
      assert_true(allocated[stride]);
  modelFreeAll(&model);
  modelDestroy(&model);
}

static void testSmallestArenas(void **context) {
  (void)context;
  for (uint32_t words = BERTH_HEAP_MIN_WORDS; words < 64; ++words)
    runTrace(words, 0, 40000, words < 24 ? 4 : 16);
}

static void testMiddlingArenas(void **context) {
  (void)context;
  runTrace(100, 0, 400000, 64);
  runTrace(255, 0, 400000, 64);
  runTrace(1024, 0, 300000, 64);
}

static void testLargeArenas(void **context) {
  (void)context;
  runTrace(4096, 0, 400000, 64);
  runTrace(65536, 0, 80000, 64);
}

static void testSmallBlocksOnly(void **context) {
  (void)context;
  runTrace(2048, 0, 400000, 1);
  runTrace(2048, 0, 400000, 3);
}

static void testCheckedMode(void **context) {
  (void)context;
  runTrace(64, BERTH_HEAP_CHECKED, 50000, 8);
  runTrace(1024, BERTH_HEAP_CHECKED | BERTH_HEAP_LOCKED, 50000, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testSmallestArenas),
      cmocka_unit_test(testMiddlingArenas),
      cmocka_unit_test(testLargeArenas),
      cmocka_unit_test(testSmallBlocksOnly),
      cmocka_unit_test(testCheckedMode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
