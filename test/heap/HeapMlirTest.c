//===- HeapMlirTest.c - C and MLIR, word for word ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links lib/Heap/*.mlir, lowered to an object, and makes the same calls on two
// arenas: one served by the C library, one by the MLIR functions. After every
// call the results and every word of the arenas must be the same. Good and bad
// requests, all strides up to 64, all modes, overwritten words.
//
//===----------------------------------------------------------------------===//

#include "Heap/FreeLists.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

//===----------------------------------------------------------------------===//
// The lowered functions, through their C interface
//===----------------------------------------------------------------------===//

typedef struct MemRef {
  uint32_t *allocated;
  uint32_t *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} MemRef;

uint32_t _mlir_ciface_berth_heap_init(MemRef *heap, uint32_t mode);
void _mlir_ciface_berth_heap_alloc(BerthHeapBlock *result, MemRef *heap,
                                   uint32_t count, uint32_t stride);
void _mlir_ciface_berth_heap_alloc_aligned(BerthHeapBlock *result, MemRef *heap,
                                           uint32_t words, uint32_t alignment);
uint32_t _mlir_ciface_berth_heap_free(MemRef *heap, uint32_t handle);
bool _mlir_ciface_berth_heap_check(MemRef *heap);
uint32_t _mlir_ciface_berth_heap_class_of(uint32_t size);

enum { MostWords = 8192 };

static uint32_t inC[MostWords];
static uint32_t inMlir[MostWords];
static MemRef heap;
static uint32_t handles[MostWords];
static uint32_t numHandles;
static uint32_t state;

static uint32_t next(uint32_t bound) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % bound;
}

static void expectSameWords(void) {
  assert_memory_equal(inC, inMlir, sizeof inC);
}

static void start(uint32_t words, uint32_t mode) {
  memset(inC, 0xcd, sizeof inC);
  memset(inMlir, 0xcd, sizeof inMlir);
  heap = (MemRef){inMlir, inMlir, 0, words, 1};
  numHandles = 0;
  state = words * 2654435761u + mode + 1;
  assert_int_equal(_mlir_ciface_berth_heap_init(&heap, mode),
                   berthHeapInit(inC, words, mode));
  expectSameWords();
}

//===----------------------------------------------------------------------===//
// One call on both
//===----------------------------------------------------------------------===//

static void keep(BerthHeapBlock here, BerthHeapBlock there) {
  assert_int_equal(here.handle, there.handle);
  assert_int_equal(here.address, there.address);
  if (here.handle)
    handles[numHandles++] = here.handle;
}

static void allocBoth(uint32_t count, uint32_t stride) {
  BerthHeapBlock there;
  _mlir_ciface_berth_heap_alloc(&there, &heap, count, stride);
  keep(berthHeapAlloc(inC, count, stride), there);
}

static void allocAlignedBoth(uint32_t words, uint32_t alignment) {
  BerthHeapBlock there;
  _mlir_ciface_berth_heap_alloc_aligned(&there, &heap, words, alignment);
  keep(berthHeapAllocAligned(inC, words, alignment), there);
}

static BerthHeapStatus freeBoth(uint32_t handle) {
  BerthHeapStatus status = berthHeapFree(inC, handle);
  assert_int_equal(_mlir_ciface_berth_heap_free(&heap, handle), status);
  return status;
}

static void freeSome(void) {
  uint32_t index = next(numHandles);
  assert_int_equal(freeBoth(handles[index]), BERTH_HEAP_OK);
  handles[index] = handles[--numHandles];
}

/// A handle into a block of floats below zero.
static void freeInside(void) {
  uint32_t block = handles[next(numHandles)];
  if ((inC[block] & BERTH_HEAP_TAG_SIZE) < 2)
    return;
  inC[block + 1] = inMlir[block + 1] = 0xbf800000; // -1.0
  assert_int_equal(freeBoth(block + 1), BERTH_HEAP_FOREIGN);
}

/// A handle that is none. Unchecked, only those that one look can tell.
static void freeBad(uint32_t words, bool checked) {
  uint32_t handle = checked ? next(words + 4) : next(8);
  for (uint32_t i = 0; i < numHandles; ++i)
    if (handles[i] == handle)
      return;
  freeBoth(handle);
}

/// Writes over any word but the two that are trusted; both must judge alike.
static void overwrite(uint32_t words) {
  uint32_t word = 2 + next(words - 2);
  uint32_t before = inC[word];
  uint32_t value = next(2) ? next(words) : inC[next(words)] ^ next(2) << 31;
  if (word == BERTH_HEAP_LOCK)
    return;
  inC[word] = inMlir[word] = value;
  bool good = berthHeapCheck(inC, NULL) == BERTH_HEAP_OK;
  assert_int_equal(_mlir_ciface_berth_heap_check(&heap), good);
  if (!good) {
    allocBoth(1, 1);
    if (numHandles)
      assert_int_equal(freeBoth(handles[0]), BERTH_HEAP_BAD_TAG);
  }
  inC[word] = inMlir[word] = before;
}

static void anyCall(uint32_t words, bool checked, uint32_t allocShare) {
  uint32_t kind = next(100);
  uint32_t most = next(8) ? words / 16 + 4 : words;
  uint32_t stride = 1 + next(64);
  if (kind < 4)
    freeBad(words, checked);
  else if (kind < 5 && numHandles)
    freeInside();
  else if (kind < 6)
    allocBoth(state, next(4) * stride);
  else if (kind < 10 && checked)
    overwrite(words);
  else if (kind < 20)
    allocAlignedBoth(next(most), stride);
  else if (kind < allocShare)
    allocBoth(next(most / stride + 2), stride);
  else if (numHandles)
    freeSome();
}

static void runTrace(uint32_t words, uint32_t mode, uint32_t calls) {
  start(words, mode);
  for (uint32_t i = 0; i < calls; ++i) {
    anyCall(words, mode & BERTH_HEAP_CHECKED, i / 512 % 2 ? 55 : 70);
    expectSameWords();
    inC[BERTH_HEAP_STATUS] = inMlir[BERTH_HEAP_STATUS] = 0;
  }
  while (numHandles)
    freeSome();
  expectSameWords();
  assert_int_equal(inC[BERTH_HEAP_USED], 0);
  assert_int_equal(inC[BERTH_HEAP_REST], 0);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static void testBadArenas(void **context) {
  (void)context;
  start(0, 0);
  start(BERTH_HEAP_MIN_WORDS - 1, 0);
  for (int64_t size = 0x40000000; size < INT64_C(1) << 40; size *= 4) {
    heap.size = size;
    assert_int_equal(_mlir_ciface_berth_heap_init(&heap, 0),
                     berthHeapInit(inC, (uint64_t)size, 0));
  }
  expectSameWords();
}

static void testSmallArenas(void **context) {
  (void)context;
  for (uint32_t words = BERTH_HEAP_MIN_WORDS; words < 80; ++words)
    for (uint32_t mode = 0; mode < 4; ++mode)
      runTrace(words, mode, 500);
}

static void testLargerArenas(void **context) {
  (void)context;
  runTrace(500, 0, 20000);
  runTrace(1000, BERTH_HEAP_CHECKED, 10000);
  runTrace(4096, BERTH_HEAP_LOCKED, 20000);
  runTrace(MostWords, 0, 40000);
  runTrace(MostWords, BERTH_HEAP_CHECKED | BERTH_HEAP_LOCKED, 5000);
}

/// No arena here is large enough for a size that a float cannot hold exactly,
/// so all where a class begins or ends are asked for by themselves.
static void testClassesOfAllSizes(void **context) {
  (void)context;
  for (uint32_t begin = 4; begin <= BERTH_HEAP_TAG_SIZE / 2; begin *= 2)
    for (uint32_t quarter = 4; quarter < 8; ++quarter)
      for (uint32_t size = begin / 4 * quarter - 1;
           size <= begin / 4 * quarter + 1; ++size)
        if (size >= BERTH_HEAP_LEAST)
          assert_int_equal(_mlir_ciface_berth_heap_class_of(size),
                           classOf(size));
  assert_int_equal(classOf(BERTH_HEAP_TAG_SIZE), BERTH_HEAP_CLASSES - 1);
  assert_int_equal(_mlir_ciface_berth_heap_class_of(BERTH_HEAP_TAG_SIZE),
                   BERTH_HEAP_CLASSES - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testClassesOfAllSizes),
      cmocka_unit_test(testBadArenas),
      cmocka_unit_test(testSmallArenas),
      cmocka_unit_test(testLargerArenas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
