//===- StackOrdersTest.c - The best order of a stack, and less than that --===//
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

#include <stdlib.h>

#include "../RandomProblem.h"
#include "Pack/Incumbent/StackOrders.h"

enum { kItems = kBerthFewItems + 1 };

static int64_t endAbove(const BerthStack *stack, uint32_t item, int64_t from) {
  int64_t offset = from, size = stack->sizes[item];
  for (bool moved = true; moved;) {
    moved = offset % stack->alignments[item] != 0;
    offset += moved;
    for (uint32_t k = 0; k < stack->numBlocks; ++k)
      if (offset < stack->blocks[k].upper &&
          stack->blocks[k].lower < offset + size) {
        offset = stack->blocks[k].upper;
        moved = true;
      }
  }
  return offset + size;
}

// Set by set, whatever they waste.
static int64_t leastHeight(const BerthStack *stack) {
  int64_t *heights = calloc((size_t)1 << stack->count, sizeof *heights);
  assert_non_null(heights);
  for (uint32_t set = 1; set < 1u << stack->count; ++set) {
    heights[set] = INT64_MAX;
    for (uint32_t i = 0; i < stack->count; ++i) {
      if (!(set >> i & 1))
        continue;
      int64_t top = endAbove(stack, i, heights[set ^ 1u << i]);
      heights[set] = top < heights[set] ? top : heights[set];
    }
  }
  int64_t least = heights[(1u << stack->count) - 1];
  free(heights);
  return least;
}

static int64_t ask(const BerthStack *stack) {
  BerthMemory memory = {0};
  uint64_t work = 0;
  int64_t height = berthStackLeastHeight(stack, &memory, &work);
  assert_false(memory.failed);
  berthMemoryFree(&memory);
  return height;
}

static BerthStack randomStack(RandomSource *source, const BerthRange *blocks) {
  BerthStack stack = {.count = kItems,
                      .limit = INT64_MAX,
                      .maxStates = 1u << kItems,
                      .blocks = blocks,
                      .numBlocks = (uint32_t)randomBelow(source, 3)};
  int64_t alignments[] = {1, 2, 4, 8, randomBelow(source, 2) ? 16 : 6};
  for (uint32_t i = 0; i < stack.count; ++i) {
    stack.sizes[i] = 1 + randomBelow(source, 9);
    stack.alignments[i] = alignments[randomBelow(source, 5)];
  }
  return stack;
}

static void testRandomStacks(void **state) {
  (void)state;
  static const BerthRange blocks[] = {{5, 9}, {40, 41}};
  unsigned wasted = 0, early = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    RandomSource source = randomFromSeed(seed);
    BerthStack stack = randomStack(&source, blocks);
    int64_t least = leastHeight(&stack), sum = 0;
    for (uint32_t i = 0; i < stack.count; ++i)
      sum += stack.sizes[i];
    wasted += least > sum;
    for (unsigned equalOnly = 0; equalOnly < 2; ++equalOnly) {
      stack.equalOnly = equalOnly;
      assert_int_equal(ask(&stack), least);
    }
    for (int64_t apart = -2; apart <= 2; ++apart) {
      stack.limit = least + apart;
      assert_int_equal(ask(&stack), apart < 0 ? stack.limit : least);
    }
    stack.limit = INT64_MAX;
    for (stack.maxStates = 0; stack.maxStates < 40; ++stack.maxStates) {
      int64_t height = ask(&stack);
      assert_in_range(height, sum, least);
      early += height < least;
    }
  }
  assert_true(wasted > 4 && early > 40);
}

// The largest word, and sizes that differ by what all alignments divide: one
// stands for the other, or this would take 2^64 sets.
static void testAlike(void **state) {
  (void)state;
  BerthStack stack = {
      .count = kBerthMaxStack, .limit = INT64_MAX, .maxStates = 1 << 10};
  for (uint32_t i = 0; i < stack.count; ++i) {
    stack.sizes[i] = 5 + 8 * (int64_t)i;
    stack.alignments[i] = 8;
  }
  // All but the topmost one are rounded up.
  assert_int_equal(ask(&stack), 64 * 8 + 8 * 63 * 64 / 2 - 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testRandomStacks),
      cmocka_unit_test(testAlike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
