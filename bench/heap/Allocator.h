//===- Allocator.h - What the heap is measured against ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One allocator under test, behind a struct of functions. Those that live in
// an arena get the same number of words each and keep all their bookkeeping
// inside; a handle is whatever their `release` wants back, never 0.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_BENCH_HEAP_ALLOCATOR_H
#define BERTH_BENCH_HEAP_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

typedef struct Allocator {
  const char *name;
  void (*init)(uint32_t *arena, uint32_t words);
  /// 0 when nothing fits.
  uintptr_t (*allocate)(uint32_t *arena, uint32_t words);
  void (*release)(uint32_t *arena, uintptr_t handle);
  /// Words from the arena's start to the end of the highest block ever used.
  uint64_t (*footprint)(const uint32_t *arena);
} Allocator;

extern const Allocator tlsfAllocator;
extern const Allocator firstFitAllocator;
extern const Allocator plainHeapAllocator;

//===---------------------------------------------------------------------===//
// Boundary tags, shared by the two allocators written for comparison
//===---------------------------------------------------------------------===//

// As in lib/Heap: a tag before each block, its size repeated at the end of a
// free one. Free blocks hold two links; 0 is no block.

#define TAG_USED UINT32_C(0x80000000)
#define TAG_PREVIOUS_FREE UINT32_C(0x40000000)
#define TAG_SIZE UINT32_C(0x3fffffff)

enum { LinkNext = 1, LinkPrevious = 2, LeastBlock = 4 };

static inline uint32_t tagSize(const uint32_t *arena, uint32_t block) {
  return arena[block] & TAG_SIZE;
}

static inline void writeFreeBlock(uint32_t *arena, uint32_t block,
                                  uint32_t size) {
  arena[block] = size;
  arena[block + size - 1] = size;
  arena[block + size] |= TAG_PREVIOUS_FREE;
}

static inline uint32_t blockFor(uint32_t words) {
  return words + 1 < LeastBlock ? LeastBlock : words + 1;
}

#endif // BERTH_BENCH_HEAP_ALLOCATOR_H
