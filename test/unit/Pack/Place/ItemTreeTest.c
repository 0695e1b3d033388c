//===- ItemTreeTest.c - The tree of items against looking at all ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Items of short and of long lives, taken out one by one, each time with
// queries whose answers are known from looking at every item.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/ItemTree.h"
#include "../RandomProblem.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

enum { kMostItems = 300, kMostSections = 200 };

typedef struct Items {
  uint32_t count;
  uint32_t sections;
  uint32_t lowers[kMostItems];
  uint32_t uppers[kMostItems];
  uint32_t ranks[kMostItems]; ///< UINT32_MAX: taken out
  uint32_t firstAt[kMostSections + 2];
} Items;

// Sorted by start. `longLived` of eight live for any time, the others shortly.
static void drawItems(Items *items, RandomSource *random, unsigned longLived) {
  uint32_t at = 0;
  items->count = 1 + (uint32_t)randomBelow(random, kMostItems);
  items->sections = 1 + (uint32_t)randomBelow(random, kMostSections);
  for (uint32_t i = 0; i < items->count; ++i)
    items->lowers[i] = (uint32_t)((uint64_t)i * items->sections / items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    uint32_t room = items->sections - items->lowers[i];
    bool any = randomBelow(random, 8) < longLived;
    uint32_t most = any || room < 3 ? room : 3;
    items->uppers[i] =
        items->lowers[i] + 1 + (uint32_t)randomBelow(random, most);
    items->ranks[i] = (uint32_t)(i * 7919u % items->count);
  }
  for (uint32_t s = 0; s <= items->sections + 1; ++s) {
    while (at < items->count && items->lowers[at] < s)
      ++at;
    items->firstAt[s] = at;
  }
}

static uint32_t findByLooking(const Items *items, uint32_t lower,
                              uint32_t before, uint32_t above, uint32_t upper) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < items->count; ++i)
    if (lower <= items->lowers[i] && items->lowers[i] < before &&
        above < items->uppers[i] && items->uppers[i] <= upper &&
        items->ranks[i] < best)
      best = items->ranks[i];
  return best;
}

static void ask(BerthItemTree *tree, const Items *items, RandomSource *random) {
  uint32_t lower = (uint32_t)randomBelow(random, items->sections);
  uint32_t upper =
      lower + 1 + (uint32_t)randomBelow(random, (items->sections - lower));
  uint32_t critical = lower + (uint32_t)randomBelow(random, (upper - lower));
  assert_int_equal(
      berthItemTreeFind(tree, lower, critical + 1, critical, upper),
      findByLooking(items, lower, critical + 1, critical, upper));
  assert_int_equal(berthItemTreeFind(tree, lower, upper, lower, upper),
                   findByLooking(items, lower, upper, lower, upper));
}

static void testAgainstLooking(void **state) {
  (void)state;
  RandomSource random = randomFromSeed(1);
  static Items items;
  for (unsigned round = 0; round < 300; ++round) {
    BerthMemory arena = {0};
    BerthItemTree tree, other;
    drawItems(&items, &random, round % 9);
    assert_true(berthItemTreeInit(&tree, items.lowers, items.uppers,
                                  items.count, items.firstAt, &arena));
    assert_true(berthItemTreeInitLike(&other, &tree, &arena));
    ask(&tree, &(Items){.sections = items.sections}, &random); // none is there
    for (uint32_t i = 0; i < items.count; ++i)
      berthItemTreeSet(&other, i, items.ranks[i]);
    berthItemTreeBuild(&other);
    for (uint32_t left = items.count; left > 0; --left) {
      ask(&other, &items, &random);
      uint32_t item = (uint32_t)randomBelow(&random, items.count);
      items.ranks[item] = UINT32_MAX;
      berthItemTreeRemove(&other, item);
    }
    berthMemoryFree(&arena);
  }
}

// What is asked about in long lives stays a small part of all.
static void testQueriesAreShort(void **state) {
  (void)state;
  enum { kItems = 1 << 16 };
  BerthMemory arena = {0};
  BerthItemTree tree;
  RandomSource random = randomFromSeed(1);
  uint32_t *lowers = BERTH_MEMORY_NEW(&arena, uint32_t, kItems);
  uint32_t *uppers = BERTH_MEMORY_NEW(&arena, uint32_t, kItems);
  uint32_t *firstAt = BERTH_MEMORY_NEW(&arena, uint32_t, kItems + 2);
  for (uint32_t i = 0; i <= kItems + 1; ++i)
    firstAt[i] = i < kItems ? i : kItems;
  for (uint32_t i = 0; i < kItems; ++i) {
    lowers[i] = i;
    uppers[i] = i + 1 + (uint32_t)randomBelow(&random, (kItems - i));
  }
  assert_true(
      berthItemTreeInit(&tree, lowers, uppers, kItems, firstAt, &arena));
  for (uint32_t i = 0; i < kItems; ++i) // the longest first
    berthItemTreeSet(&tree, i, kItems - (uppers[i] - lowers[i]));
  berthItemTreeBuild(&tree);
  for (unsigned query = 0; query < 1000; ++query) {
    uint32_t lower = (uint32_t)randomBelow(&random, (kItems / 2));
    berthItemTreeFind(&tree, lower, lower + kItems / 8, lower,
                      lower + kItems / 8);
  }
  assert_true(tree.work / 1000 < kItems / 64);
  berthMemoryFree(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAgainstLooking),
      cmocka_unit_test(testQueriesAreShort),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
