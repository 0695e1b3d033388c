//===- SupportTest.c - Arena, sets and sorting against the obvious -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "../Pack/RandomProblem.h"
#include "Pack/Place/Heights.h"
#include "Support/Bitset.h"
#include "Support/Bytes.h"
#include "Support/Checked.h"
#include "Support/Messages.h"
#include "Support/Nearest.h"
#include "Support/Sort.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

static void testArenaGivesZeroedAlignedMemory(void **state) {
  (void)state;
  BerthMemory arena = {0};
  for (size_t round = 0; round < 3; ++round) {
    BerthMemoryMark mark = berthMemoryGetMark(&arena);
    for (size_t size = 0; size < 20000; size = size * 2 + 1) {
      unsigned char *bytes = berthMemoryAllocate(&arena, size, 1);
      assert_non_null(bytes);
      assert_int_equal((uintptr_t)bytes % _Alignof(max_align_t), 0);
      for (size_t i = 0; i < size; ++i)
        assert_int_equal(bytes[i], 0);
      memset(bytes, 0xAB, size);
    }
    berthMemoryRelease(&arena, mark);
  }
  assert_null(berthMemoryAllocate(&arena, SIZE_MAX / 2, 4));
  assert_true(arena.failed);
  berthMemoryFree(&arena);
}

// Large chunks come from the system; what is handed out a second time is
// zeroed as well, and so is what follows it.
static void testArenaZeroesLargeMemoryAgain(void **state) {
  (void)state;
  const size_t size = (size_t)5 << 20;
  BerthMemory arena = {0};
  for (size_t round = 0; round < 3; ++round) {
    BerthMemoryMark mark = berthMemoryGetMark(&arena);
    for (size_t part = 0; part < 2 + round; ++part) {
      unsigned char *bytes = berthMemoryAllocate(&arena, size / 3, 1);
      assert_non_null(bytes);
      for (size_t i = 0; i < size / 3; ++i)
        if (bytes[i])
          fail_msg("byte %zu of part %zu in round %zu", i, part, round);
      memset(bytes, 0xCD, size / 3);
    }
    if (round)
      berthMemoryRelease(&arena, mark);
  }
  berthMemoryFree(&arena);
}

static void testOrderedSet(void **state) {
  (void)state;
  enum { kLimit = 5000 };
  static bool member[kLimit];
  BerthMemory arena = {0};
  BerthOrderedSet set;
  RandomSource source = randomFromSeed(7);
  assert_true(berthOrderedSetInit(&set, &arena, kLimit));
  for (size_t round = 0; round < 4000; ++round) {
    uint32_t at = (uint32_t)randomBelow(&source, kLimit);
    if (randomOnce(&source, 2))
      berthOrderedSetInsert(&set, at);
    else
      berthOrderedSetErase(&set, at);
    member[at] = berthBitTest(set.levels[0], at);
    uint32_t from = (uint32_t)randomBelow(&source, kLimit);
    uint32_t next = from, previous = from;
    while (next < kLimit && !member[next])
      ++next;
    while (previous > 0 && !member[previous - 1])
      --previous;
    assert_int_equal(berthOrderedSetNext(&set, from),
                     next < kLimit ? next : UINT32_MAX);
    assert_int_equal(berthOrderedSetPrevious(&set, from),
                     previous > 0 ? previous - 1 : UINT32_MAX);
  }
  berthMemoryFree(&arena);
}

// Sorted, a permutation, and stable, below and above the switch to radix sort.
static void testSortIsStable(void **state) {
  (void)state;
  enum { kMost = 3000 };
  static uint32_t order[kMost], scratch[kMost];
  static uint64_t keys[kMost];
  RandomSource source = randomFromSeed(3);
  for (uint32_t count = 0; count <= kMost; count += 1 + count / 3) {
    for (uint32_t i = 0; i < count; ++i) {
      order[i] = i;
      int64_t value = randomBelow(&source, 50) - 25;
      keys[i] = berthKeyAscending(value * (INT64_C(1) << 40));
    }
    berthSortByKey(order, scratch, count, keys);
    for (uint32_t i = 1; i < count; ++i) {
      assert_true(keys[order[i - 1]] <= keys[order[i]]);
      if (keys[order[i - 1]] == keys[order[i]])
        assert_true(order[i - 1] < order[i]);
    }
  }
  assert_true(berthKeyAscending(INT64_MIN) < berthKeyAscending(-1));
  assert_true(berthKeyDescending(1) < berthKeyDescending(0));
}

// Keys that differ in all 64 bits, in a few in the middle, and not at all.
static void testSortOfWideKeys(void **state) {
  (void)state;
  enum { kCount = 2000 };
  static const unsigned kShifts[] = {0, 20, 52, 63};
  static uint32_t order[kCount], scratch[kCount];
  static uint64_t keys[kCount];
  RandomSource source = randomFromSeed(11);
  for (size_t round = 0; round < 4; ++round) {
    for (uint32_t i = 0; i < kCount; ++i) {
      uint64_t high = (uint64_t)randomBelow(&source, INT64_MAX);
      uint64_t low = (uint64_t)randomBelow(&source, INT64_MAX);
      order[i] = kCount - 1 - i;
      keys[i] = (high << 1 ^ low) >> kShifts[round] << kShifts[round] / 2;
    }
    berthSortByKey(order, scratch, kCount, keys);
    for (uint32_t i = 1; i < kCount; ++i) {
      assert_true(keys[order[i - 1]] <= keys[order[i]]);
      if (keys[order[i - 1]] == keys[order[i]])
        assert_true(order[i - 1] > order[i]);
    }
  }
}

static void testCheckedArithmetic(void **state) {
  (void)state;
  int64_t value;
  assert_false(berthAdd(INT64_MAX, 1, &value));
  assert_true(berthAdd(INT64_MAX - 1, 1, &value));
  assert_false(berthMultiply(INT64_MAX, 2, &value));
  assert_int_equal(berthAddSaturating(INT64_MAX, 5), INT64_MAX);
  assert_int_equal(berthMultiplySaturating(INT64_C(1) << 40, 1 << 30),
                   INT64_MAX);
  assert_int_equal(berthRoundUp(13, 6), 18);
  assert_int_equal(berthRoundDown(13, 6), 12);
  assert_int_equal(berthGcd(0, 9), 9);
  assert_true(berthLcm(6, 4, &value));
  assert_int_equal(value, 12);
  assert_false(berthLcm(INT64_MAX, INT64_MAX - 1, &value));
}

static void testHeights(void **state) {
  (void)state;
  for (uint32_t sections = 1; sections < 40; ++sections) {
    BerthMemory arena = {0};
    BerthHeights heights;
    int64_t expected[40] = {0};
    RandomSource source = randomFromSeed(sections);
    assert_true(berthHeightsInit(&heights, sections, &arena));
    for (unsigned round = 0; round < 300; ++round) {
      uint32_t lower = (uint32_t)randomBelow(&source, sections);
      uint32_t upper =
          lower + 1 + (uint32_t)randomBelow(&source, sections - lower);
      int64_t height = randomBelow(&source, 10 * (1 + round)), most = 0;
      for (uint32_t s = lower; s < upper; ++s)
        most = expected[s] > most ? expected[s] : most;
      assert_int_equal(berthHeightsMost(&heights, lower, upper), most);
      if (round % 2)
        continue;
      berthHeightsRaise(&heights, lower, upper, height);
      for (uint32_t s = lower; s < upper; ++s)
        expected[s] = height > expected[s] ? height : expected[s];
    }
    berthMemoryFree(&arena);
  }
}

// A row's own phrase is its own, whichever rows have a part of it.
static void testMessagesHaveTheirNumbers(void **state) {
  (void)state;
#define BERTH_MESSAGE(number, phrase, text)                                    \
  assert_string_equal(berthMessageNumber("here: " phrase " 7"),                \
                      " [berth-" number "]");
#include "Support/Messages.def"
#undef BERTH_MESSAGE
  assert_string_equal(berthMessageNumber("nobody says this"), "");
}

static void testWordsThatWereMeant(void **state) {
  (void)state;
  static const char *const words[] = {"auto", "argument", "in-place", "exact"};
  const char *const meant[][2] = {{"arg", "argument"},
                                  {"In_Place", "in-place"},
                                  {"exat", "exact"},
                                  {"xeact", "exact"},
                                  {"inplace", "in-place"},
                                  {"ar", NULL},
                                  {"", NULL},
                                  {"out", NULL},
                                  {"nothing", NULL},
                                  {"argumente", "argument"}};
  for (size_t i = 0; i < sizeof meant / sizeof meant[0]; ++i) {
    const char *word = berthNearestWord(meant[i][0], words, 4);
    if (meant[i][1])
      assert_string_equal(word, meant[i][1]);
    else
      assert_null(word);
  }
  assert_int_equal(berthNameDistance("kitten", 6, "sitting"), 3);
  assert_int_equal(berthNameDistance("AB_C", 4, "ab-c"), 0);
  assert_int_equal(berthNameDistance("flase", 5, "false"), 1);
  char longest[300];
  memset(longest, 'a', sizeof longest);
  assert_int_equal(berthNameDistance(longest, sizeof longest, ""), 64);
}

static void testNumbersThatWereMeant(void **state) {
  (void)state;
  int64_t number;
  const struct {
    const char *text;
    int64_t number; // -1: none
  } meant[] = {{"4K", 4096}, {"1e6", 1000000}, {"2.0", 2},   {"10%", 10},
               {"64", -1},   {"2.5", -1},      {"-1e3", -1}, {"x", -1},
               {"", -1},     {"1e300", -1},    {"nan", -1},  {"1e", -1}};
  for (size_t i = 0; i < sizeof meant / sizeof meant[0]; ++i) {
    bool isMeant = berthNumberMeant(meant[i].text, &number);
    assert_int_equal(isMeant ? number : -1, meant[i].number);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testArenaGivesZeroedAlignedMemory),
      cmocka_unit_test(testArenaZeroesLargeMemoryAgain),
      cmocka_unit_test(testOrderedSet),
      cmocka_unit_test(testSortIsStable),
      cmocka_unit_test(testSortOfWideKeys),
      cmocka_unit_test(testCheckedArithmetic),
      cmocka_unit_test(testHeights),
      cmocka_unit_test(testMessagesHaveTheirNumbers),
      cmocka_unit_test(testWordsThatWereMeant),
      cmocka_unit_test(testNumbersThatWereMeant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
