//===- HeapTest.c - The heap's promises, one by one ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "berth-c/Heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { Words = 256 };

static uint32_t arena[Words];

/// Where the blocks of an arena of 256 words begin: 13 words and a list for
/// each class, of which the last begins at 256.
enum { First = 13 + 25 };

static void reset(uint32_t mode) {
  memset(arena, 0xcd, sizeof arena);
  assert_int_equal(berthHeapInit(arena, Words, mode), BERTH_HEAP_OK);
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

static void testArenaTooSmallOrTooLarge(void **context) {
  (void)context;
  memset(arena, 0xcd, sizeof arena);
  uint32_t before[Words];
  memcpy(before, arena, sizeof arena);
  assert_int_equal(berthHeapInit(arena, 0, 0), BERTH_HEAP_BAD_ARENA);
  assert_int_equal(berthHeapInit(arena, 28, 0), BERTH_HEAP_BAD_ARENA);
  assert_int_equal(berthHeapInit(arena, UINT64_C(0x40000000), 0),
                   BERTH_HEAP_BAD_ARENA);
  assert_int_equal(berthHeapInit(arena, UINT64_C(1) << 32 | 64, 0),
                   BERTH_HEAP_BAD_ARENA);
  assert_memory_equal(arena, before, sizeof arena);
}

static void testSmallestArenaHoldsOneBlock(void **context) {
  (void)context;
  assert_int_equal(berthHeapInit(arena, BERTH_HEAP_MIN_WORDS, 0), 0);
  BerthHeapBlock block = berthHeapAlloc(arena, 3, 1);
  assert_int_equal(block.address, 26);
  assert_int_equal(block.handle, 25);
  assert_int_equal(berthHeapAlloc(arena, 0, 1).handle, 0);
  assert_int_equal(berthHeapFree(arena, block.handle), BERTH_HEAP_OK);
  assert_int_equal(berthHeapAlloc(arena, 4, 1).handle, 0);
  assert_int_equal(berthHeapAlloc(arena, 2, 1).handle, 25);
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static void testAddressCountsStrides(void **context) {
  (void)context;
  uint32_t large[512];
  for (uint32_t stride = 1; stride <= 64; ++stride) {
    assert_int_equal(berthHeapInit(large, 512, BERTH_HEAP_CHECKED), 0);
    BerthHeapBlock first = berthHeapAlloc(large, 1, stride);
    BerthHeapBlock second = berthHeapAlloc(large, 1, stride);
    assert_true(first.handle && second.handle);
    assert_int_equal(first.address * stride, first.handle + 1);
    assert_int_equal(second.address * stride, second.handle + 1);
    assert_int_not_equal(second.address, first.address);
  }
}

static void testZeroElementsHaveABlockOfTheirOwn(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  BerthHeapBlock first = berthHeapAlloc(arena, 0, 4);
  BerthHeapBlock second = berthHeapAlloc(arena, 0, 4);
  assert_true(first.handle && second.handle);
  assert_int_not_equal(first.address, second.address);
  assert_int_equal(berthHeapFree(arena, first.handle), BERTH_HEAP_OK);
  assert_int_equal(berthHeapFree(arena, second.handle), BERTH_HEAP_OK);
}

/// Allocates blocks of three sizes, each with another behind it, and frees
/// them.
static void makeHoles(const uint32_t *sizes, uint32_t *holes) {
  for (int i = 0; i < 3; ++i) {
    holes[i] = berthHeapAlloc(arena, sizes[i], 1).handle;
    assert_true(berthHeapAlloc(arena, 4, 1).handle);
  }
  for (int i = 0; i < 3; ++i)
    assert_int_equal(berthHeapFree(arena, holes[i]), BERTH_HEAP_OK);
}

/// Frees leave holes of 11, 21 and 41 words, and each request is of one's
/// class.
static void testTakesTheSmallestHoleThatFits(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  static const uint32_t sizes[] = {10, 40, 20};
  uint32_t holes[3];
  makeHoles(sizes, holes);
  assert_int_equal(berthHeapAlloc(arena, 9, 1).handle, holes[0]);
  assert_int_equal(berthHeapAlloc(arena, 15, 1).handle, holes[2]);
  assert_int_equal(berthHeapAlloc(arena, 30, 1).handle, holes[1]);
}

/// Of the newest four of its class, a request takes the smallest that fits.
static void testTakesTheSmallestOfItsClass(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  static const uint32_t sizes[] = {18, 16, 17};
  uint32_t holes[3];
  makeHoles(sizes, holes);
  assert_int_equal(berthHeapAlloc(arena, 17, 1).handle, holes[2]);
  assert_int_equal(berthHeapAlloc(arena, 15, 1).handle, holes[1]);
}

/// What is left of a cut is cut next, and grows where its neighbours are freed.
static void testTheRestIsCutAgain(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  uint32_t hole = berthHeapAlloc(arena, 60, 1).handle;
  uint32_t behind = berthHeapAlloc(arena, 20, 1).handle;
  assert_true(berthHeapAlloc(arena, 4, 1).handle);
  berthHeapFree(arena, hole);
  assert_int_equal(berthHeapAlloc(arena, 9, 1).handle, hole);
  assert_int_equal(arena[BERTH_HEAP_REST], hole + 10);
  assert_int_equal(berthHeapAlloc(arena, 5, 1).handle, hole + 10);
  assert_int_equal(arena[BERTH_HEAP_REST], hole + 16);
  berthHeapFree(arena, behind);
  assert_int_equal(arena[hole + 16], 45 + 21);
  berthHeapFree(arena, hole + 10);
  assert_int_equal(arena[BERTH_HEAP_REST], hole + 10);
  assert_int_equal(berthHeapAlloc(arena, 71, 1).handle, hole + 10);
  assert_int_equal(arena[BERTH_HEAP_REST], 0);
}

/// Blocks freed from behind need no list: the top goes back to where it was.
static void testStacksFallBack(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  uint32_t handles[4];
  for (uint32_t i = 0; i < 4; ++i)
    handles[i] = berthHeapAlloc(arena, 5 + i, 1).handle;
  berthHeapFree(arena, handles[2]);
  berthHeapFree(arena, handles[3]);
  assert_int_equal(arena[BERTH_HEAP_TOP], handles[2]);
  berthHeapFree(arena, handles[1]);
  assert_int_equal(arena[BERTH_HEAP_TOP], handles[1]);
  assert_int_equal(berthHeapAlloc(arena, 100, 1).handle, handles[1]);
}

/// A request that would be refused otherwise looks at every block: here the
/// fifth of its class is the only one that fits.
static void testWalksBeforeItRefuses(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  uint32_t holes[5];
  for (uint32_t i = 0; i < 5; ++i) {
    holes[i] = berthHeapAlloc(arena, i ? 15 : 18, 1).handle;
    assert_true(berthHeapAlloc(arena, 4, 1).handle);
  }
  uint32_t left = Words - arena[BERTH_HEAP_TOP];
  assert_true(berthHeapAlloc(arena, left - 1, 1).handle);
  for (int i = 0; i < 5; ++i)
    berthHeapFree(arena, holes[i]);
  assert_int_equal(berthHeapAlloc(arena, 18, 1).handle, holes[0]);
  assert_int_equal(berthHeapAlloc(arena, 18, 1).handle, 0);
}

static void testExhaustionChangesNothing(void **context) {
  (void)context;
  reset(0);
  BerthHeapBlock block = berthHeapAlloc(arena, 100, 1);
  uint32_t before[Words];
  memcpy(before, arena, sizeof arena);
  assert_int_equal(berthHeapAlloc(arena, 200, 1).handle, 0);
  assert_int_equal(arena[BERTH_HEAP_STATUS], BERTH_HEAP_EXHAUSTED);
  before[BERTH_HEAP_STATUS] = BERTH_HEAP_EXHAUSTED;
  assert_memory_equal(arena, before, sizeof arena);
  assert_int_equal(berthHeapFree(arena, block.handle), BERTH_HEAP_OK);
  assert_true(berthHeapAlloc(arena, 200, 1).handle);
}

static void expectBadSize(uint32_t count, uint32_t stride) {
  reset(0);
  BerthHeapBlock block = berthHeapAlloc(arena, count, stride);
  assert_int_equal(block.handle, 0);
  assert_int_equal(block.address, 0);
  assert_int_equal(arena[BERTH_HEAP_STATUS], BERTH_HEAP_BAD_SIZE);
}

static void testSizesThatAreNone(void **context) {
  (void)context;
  expectBadSize(1, 0);
  expectBadSize((uint32_t)-1, 1); // a negative number taken for a count
  expectBadSize((uint32_t)-8, 16);
  expectBadSize(0x10000, 0x10000); // 2^32
  expectBadSize(0x10001, 0x10001); // 2^32 + 2^17 + 1
  expectBadSize(0x40000000, 1);
  reset(0);
  assert_int_equal(berthHeapAlloc(arena, 0, 0x3fffffff).handle, 0);
  assert_int_equal(arena[BERTH_HEAP_STATUS], BERTH_HEAP_EXHAUSTED);
}

static void testHighWaterAndStatusAreKept(void **context) {
  (void)context;
  reset(0);
  BerthHeapBlock first = berthHeapAlloc(arena, 31, 1);
  assert_int_equal(arena[BERTH_HEAP_USED], 32);
  assert_int_equal(arena[BERTH_HEAP_HIGH_WATER], First + 32);
  berthHeapFree(arena, first.handle);
  berthHeapAlloc(arena, 4, 1);
  assert_int_equal(arena[BERTH_HEAP_USED], 5);
  assert_int_equal(arena[BERTH_HEAP_HIGH_WATER], First + 32);
  berthHeapAlloc(arena, 1000, 1);
  berthHeapAlloc(arena, 1, 0);
  assert_int_equal(arena[BERTH_HEAP_STATUS], BERTH_HEAP_EXHAUSTED);
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

/// All orders of freeing four neighbours leave one block.
static void testEveryOrderMerges(void **context) {
  (void)context;
  for (int order = 0; order < 256; ++order) {
    int picks[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
    int seen = 1 << picks[0] | 1 << picks[1] | 1 << picks[2] | 1 << picks[3];
    if (seen != 15)
      continue;
    reset(BERTH_HEAP_CHECKED);
    uint32_t handles[4];
    for (uint32_t i = 0; i < 4; ++i)
      handles[i] = berthHeapAlloc(arena, 5 + i, 1).handle;
    for (int i = 0; i < 4; ++i)
      assert_int_equal(berthHeapFree(arena, handles[picks[i]]), 0);
    assert_int_equal(arena[BERTH_HEAP_TOP], First);
    assert_int_equal(arena[BERTH_HEAP_REST], 0);
  }
}

static void expectFreeFails(uint32_t handle, BerthHeapStatus status) {
  arena[BERTH_HEAP_STATUS] = 0;
  uint32_t before[Words];
  memcpy(before, arena, sizeof arena);
  assert_int_equal(berthHeapFree(arena, handle), status);
  assert_int_equal(arena[BERTH_HEAP_STATUS], status);
  before[BERTH_HEAP_STATUS] = status;
  assert_memory_equal(arena, before, sizeof arena);
}

static void testDoubleFreeWithoutChecks(void **context) {
  (void)context;
  reset(0);
  uint32_t first = berthHeapAlloc(arena, 8, 1).handle;
  uint32_t second = berthHeapAlloc(arena, 8, 1).handle;
  uint32_t last = berthHeapAlloc(arena, 8, 1).handle;
  assert_int_equal(berthHeapFree(arena, first), BERTH_HEAP_OK);
  expectFreeFails(first, BERTH_HEAP_DOUBLE_FREE);
  assert_int_equal(berthHeapFree(arena, second), BERTH_HEAP_OK);
  expectFreeFails(second, BERTH_HEAP_DOUBLE_FREE); // merged into the first
  assert_int_equal(berthHeapFree(arena, last), BERTH_HEAP_OK);
  arena[last] = BERTH_HEAP_TAG_USED | 9; // free space: anybody may write
  expectFreeFails(last, BERTH_HEAP_DOUBLE_FREE); // fallen back to the top
  expectFreeFails(last + 20, BERTH_HEAP_FOREIGN);
  expectFreeFails(0xffffffff, BERTH_HEAP_FOREIGN);
  expectFreeFails(First - 1, BERTH_HEAP_FOREIGN);
  expectFreeFails(3, BERTH_HEAP_FOREIGN);
}

/// Floats below zero have the flag of a tag, but no block is as large as that,
/// and none has no words.
static void testContentThatLooksLikeATag(void **context) {
  (void)context;
  reset(0);
  uint32_t first = berthHeapAlloc(arena, 8, 1).handle;
  berthHeapAlloc(arena, 8, 1);
  uint32_t top = arena[BERTH_HEAP_TOP];
  arena[first + 1] = 0xbf800000; // -1.0
  arena[first + 2] = 0x80000000; // -0.0
  arena[first + 3] = BERTH_HEAP_TAG_USED | (top - first - 2);
  for (uint32_t word = 1; word < 4; ++word)
    expectFreeFails(first + word, BERTH_HEAP_FOREIGN);
  assert_int_equal(berthHeapFree(arena, first), BERTH_HEAP_OK);
}

static void testCheckedModeNamesBadHandles(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  uint32_t first = berthHeapAlloc(arena, 8, 1).handle;
  uint32_t second = berthHeapAlloc(arena, 8, 1).handle;
  berthHeapAlloc(arena, 8, 1);
  arena[first + 3] = BERTH_HEAP_TAG_USED | 6; // looks like a tag
  expectFreeFails(first + 3, BERTH_HEAP_FOREIGN);
  berthHeapFree(arena, first);
  berthHeapFree(arena, second);
  arena[second] = BERTH_HEAP_TAG_USED | 9; // free space: anybody may write
  expectFreeFails(second, BERTH_HEAP_DOUBLE_FREE);
  expectFreeFails(Words - 1, BERTH_HEAP_FOREIGN);
  expectFreeFails(Words, BERTH_HEAP_FOREIGN);
  expectFreeFails(First - 1, BERTH_HEAP_FOREIGN);
  assert_int_equal(berthHeapFree(arena, 0), BERTH_HEAP_OK);
}

/// Whatever word of the bookkeeping is changed, to whatever value: the check
/// finds it, and neither alloc nor free touches such an arena.
static void testEveryOverwrittenWordIsFound(void **context) {
  (void)context;
  static const uint32_t values[] = {
      0, 1, 5, 8, 0x3f800000, 40, 0xffffffff, 0x80000000, 0x80000007};
  reset(BERTH_HEAP_CHECKED);
  uint32_t handles[8];
  for (uint32_t i = 0; i < 8; ++i)
    handles[i] = berthHeapAlloc(arena, 5 + 3 * i, 1).handle;
  berthHeapFree(arena, handles[3]);
  berthHeapFree(arena, handles[5]);
  berthHeapAlloc(arena, 4, 1); // cuts the first of them: there is a rest
  berthHeapFree(arena, handles[1]);
  assert_true(arena[BERTH_HEAP_REST]);
  uint32_t good[Words];
  memcpy(good, arena, sizeof arena);
  bool isTag[Words] = {false};
  for (uint32_t block = First; block < arena[BERTH_HEAP_TOP];) {
    uint32_t size = arena[block] & BERTH_HEAP_TAG_SIZE;
    bool isFree = !(arena[block] & BERTH_HEAP_TAG_USED);
    isTag[block] = true;
    isTag[block + size - 1] |= isFree;
    isTag[block + 1] = isTag[block + 2] =
        isFree && block != arena[BERTH_HEAP_REST];
    block += size;
  }
  for (uint32_t word = BERTH_HEAP_MAPS; word < First; ++word)
    isTag[word] = true;
  isTag[BERTH_HEAP_TOP] = isTag[BERTH_HEAP_USED] = isTag[BERTH_HEAP_REST] =
      true;
  for (uint32_t word = 0; word < Words; ++word) {
    for (size_t v = 0; isTag[word] && v < sizeof values / sizeof *values; ++v) {
      memcpy(arena, good, sizeof arena);
      arena[word] = values[v];
      if (values[v] == good[word])
        continue;
      assert_int_equal(berthHeapCheck(arena, NULL), BERTH_HEAP_BAD_TAG);
      assert_int_equal(berthHeapAlloc(arena, 1, 1).handle, 0);
      assert_int_equal(arena[BERTH_HEAP_STATUS], BERTH_HEAP_BAD_TAG);
      expectFreeFails(handles[0], BERTH_HEAP_BAD_TAG);
    }
  }
}

static void testCheckNamesTheWord(void **context) {
  (void)context;
  reset(BERTH_HEAP_CHECKED);
  uint32_t first = berthHeapAlloc(arena, 8, 1).handle;
  uint32_t second = berthHeapAlloc(arena, 8, 1).handle;
  arena[first + 1 + 8] = 0; // one past the payload
  uint32_t word = 0;
  assert_int_equal(berthHeapCheck(arena, &word), BERTH_HEAP_BAD_TAG);
  assert_int_equal(word, second);
}

static void testStatusesHaveNames(void **context) {
  (void)context;
  for (int status = 0; status <= BERTH_HEAP_BAD_ARENA; ++status) {
    const char *text = berthHeapStatusString((BerthHeapStatus)status);
    assert_string_not_equal(text, "unknown status");
  }
  assert_string_equal(berthHeapStatusString((BerthHeapStatus)99),
                      "unknown status");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testArenaTooSmallOrTooLarge),
      cmocka_unit_test(testSmallestArenaHoldsOneBlock),
      cmocka_unit_test(testAddressCountsStrides),
      cmocka_unit_test(testZeroElementsHaveABlockOfTheirOwn),
      cmocka_unit_test(testTakesTheSmallestHoleThatFits),
      cmocka_unit_test(testTakesTheSmallestOfItsClass),
      cmocka_unit_test(testTheRestIsCutAgain),
      cmocka_unit_test(testStacksFallBack),
      cmocka_unit_test(testWalksBeforeItRefuses),
      cmocka_unit_test(testExhaustionChangesNothing),
      cmocka_unit_test(testSizesThatAreNone),
      cmocka_unit_test(testHighWaterAndStatusAreKept),
      cmocka_unit_test(testEveryOrderMerges),
      cmocka_unit_test(testDoubleFreeWithoutChecks),
      cmocka_unit_test(testContentThatLooksLikeATag),
      cmocka_unit_test(testCheckedModeNamesBadHandles),
      cmocka_unit_test(testEveryOverwrittenWordIsFound),
      cmocka_unit_test(testCheckNamesTheWord),
      cmocka_unit_test(testStatusesHaveNames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
