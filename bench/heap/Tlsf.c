//===- Tlsf.c - A good fit from two-level size classes -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For comparison only. After M. Masmano, I. Ripoll, A. Crespo, J. Real, TLSF:
// a new dynamic memory allocator for real-time systems, ECRTS 2004. A size
// class is a power of two cut into 16; a bit map per level finds the first
// class whose every block fits, so alloc and free take constant time and
// waste at most 1/16. The tables cost 550 words of the arena.
//
//===----------------------------------------------------------------------===//

#include "Allocator.h"

enum {
  Second = 16, ///< classes per power of two
  SecondBits = 4,
  Levels = 32,
  HighWater = 0,
  LevelMap = 1,
  ClassMaps = 2,                   ///< one word a level
  Lists = ClassMaps + Levels,      ///< first free block of each class
  First = Lists + Levels * Second, ///< where the blocks begin
};

static uint32_t highestBit(uint32_t value) {
  return 31 - (uint32_t)__builtin_clz(value);
}

/// Sizes below 16 have a class each, in level 0.
static uint32_t classOf(uint32_t size) {
  if (size < Second)
    return size;
  uint32_t power = highestBit(size);
  uint32_t level = power - SecondBits + 1;
  return level * Second + ((size >> (power - SecondBits)) & (Second - 1));
}

/// The first class in which every block has at least `size` words.
static uint32_t classAbove(uint32_t size) {
  if (size < Second)
    return size;
  uint32_t step = UINT32_C(1) << (highestBit(size) - SecondBits);
  return classOf(size + step - 1);
}

static void insertBlock(uint32_t *arena, uint32_t block) {
  uint32_t class = classOf(tagSize(arena, block));
  uint32_t head = arena[Lists + class];
  arena[block + LinkNext] = head;
  arena[block + LinkPrevious] = 0;
  if (head)
    arena[head + LinkPrevious] = block;
  arena[Lists + class] = block;
  arena[ClassMaps + class / Second] |= UINT32_C(1) << class % Second;
  arena[LevelMap] |= UINT32_C(1) << class / Second;
}

static void removeBlock(uint32_t *arena, uint32_t block) {
  uint32_t class = classOf(tagSize(arena, block));
  uint32_t next = arena[block + LinkNext];
  uint32_t previous = arena[block + LinkPrevious];
  if (next)
    arena[next + LinkPrevious] = previous;
  if (previous) {
    arena[previous + LinkNext] = next;
    return;
  }
  arena[Lists + class] = next;
  if (next)
    return;
  arena[ClassMaps + class / Second] &= ~(UINT32_C(1) << class % Second);
  if (!arena[ClassMaps + class / Second])
    arena[LevelMap] &= ~(UINT32_C(1) << class / Second);
}

static uint32_t findBlock(const uint32_t *arena, uint32_t size) {
  uint32_t class = classAbove(size);
  uint32_t level = class / Second;
  uint32_t classes = arena[ClassMaps + level] & (UINT32_MAX << class % Second);
  if (!classes) {
    uint32_t levels =
        level == 31 ? 0 : arena[LevelMap] & (UINT32_MAX << (level + 1));
    if (!levels)
      return 0;
    level = (uint32_t)__builtin_ctz(levels);
    classes = arena[ClassMaps + level];
  }
  return arena[Lists + level * Second + (uint32_t)__builtin_ctz(classes)];
}

static void init(uint32_t *arena, uint32_t words) {
  for (uint32_t i = 0; i < First; ++i)
    arena[i] = 0;
  arena[words - 1] = TAG_USED;
  writeFreeBlock(arena, First, words - 1 - First);
  insertBlock(arena, First);
}

static uintptr_t allocate(uint32_t *arena, uint32_t words) {
  uint32_t need = blockFor(words);
  uint32_t block = findBlock(arena, need);
  if (!block)
    return 0;
  uint32_t size = tagSize(arena, block);
  removeBlock(arena, block);
  if (size - need >= LeastBlock) {
    writeFreeBlock(arena, block + need, size - need);
    insertBlock(arena, block + need);
    size = need;
  } else {
    arena[block + size] &= ~TAG_PREVIOUS_FREE;
  }
  arena[block] = size | TAG_USED;
  if (block + size > arena[HighWater])
    arena[HighWater] = block + size;
  return block;
}

static void release(uint32_t *arena, uintptr_t handle) {
  uint32_t block = (uint32_t)handle;
  uint32_t size = tagSize(arena, block);
  uint32_t next = block + size;
  if (!(arena[next] & TAG_USED)) {
    removeBlock(arena, next);
    size += tagSize(arena, next);
  }
  if (arena[block] & TAG_PREVIOUS_FREE) {
    uint32_t front = arena[block - 1];
    block -= front;
    size += front;
    removeBlock(arena, block);
  }
  writeFreeBlock(arena, block, size);
  insertBlock(arena, block);
}

static uint64_t footprint(const uint32_t *arena) { return arena[HighWater]; }

const Allocator tlsfAllocator = {"tlsf-like", init, allocate, release,
                                 footprint};
