//===- FreeLists.h - The free blocks, listed by size ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A class is a quarter of a power of two of sizes: 4 words, 5, 6, 7, 8 and 9,
// 10 and 11, 12 and 13, 14 and 15, 16 to 19, and so on. Each has a list, newest
// block first, and a bit that says whether there is any block in it. Inline,
// since these few instructions are most of what a call does.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_HEAP_FREELISTS_H
#define BERTH_LIB_HEAP_FREELISTS_H

#include "berth-c/Heap.h"

static inline uint32_t blockSize(const uint32_t *arena, uint32_t block) {
  return arena[block] & BERTH_HEAP_TAG_SIZE;
}

/// Of a size of at least BERTH_HEAP_LEAST words.
static inline uint32_t classOf(uint32_t size) {
  uint32_t power = 31 ^ (uint32_t)__builtin_clz(size);
  return 4 * power + (size >> (power - 2)) - 12;
}

/// Whether a size that has grown is still of its class: its highest three bits
/// are what they were.
static inline bool isSameClass(uint32_t size, uint32_t grown) {
  uint32_t power = 31 ^ (uint32_t)__builtin_clz(size);
  return (size ^ grown) >> (power - 2) == 0;
}

/// Where the blocks begin: behind one list for each class that there can be.
static inline uint32_t firstBlock(const uint32_t *arena) {
  return BERTH_HEAP_LISTS + classOf(arena[BERTH_HEAP_WORDS]) + 1;
}

/// 64 classes at a time.
static inline uint64_t classMap(const uint32_t *arena, uint32_t half) {
  const uint32_t *words = &arena[BERTH_HEAP_MAPS + 2 * half];
  return words[0] | (uint64_t)words[1] << 32;
}

/// The first class from `from` on that has a block; BERTH_HEAP_CLASSES if none
/// has.
static inline uint32_t nextClass(const uint32_t *arena, uint32_t from) {
  uint64_t map = from < 64 ? classMap(arena, 0) >> from : 0;
  if (map)
    return from + (uint32_t)__builtin_ctzll(map);
  uint32_t skipped = from < 64 ? 0 : from - 64;
  map = classMap(arena, 1) >> skipped;
  return map ? 64 + skipped + (uint32_t)__builtin_ctzll(map)
             : BERTH_HEAP_CLASSES;
}

/// Adds a free block whose tag is written.
static inline void linkBlock(uint32_t *arena, uint32_t block) {
  uint32_t class = classOf(arena[block]);
  uint32_t list = BERTH_HEAP_LISTS + class;
  uint32_t next = arena[list];
  arena[block + BERTH_HEAP_NEXT] = next;
  arena[block + BERTH_HEAP_BACK] = list;
  arena[next + BERTH_HEAP_BACK] = block + BERTH_HEAP_NEXT;
  arena[list] = block;
  arena[BERTH_HEAP_MAPS + class / 32] |= UINT32_C(1) << class % 32;
}

/// Takes a block out. Its tag must still say what it said when it was added.
static inline void unlinkBlock(uint32_t *arena, uint32_t block) {
  uint32_t class = classOf(arena[block]);
  uint32_t next = arena[block + BERTH_HEAP_NEXT];
  uint32_t back = arena[block + BERTH_HEAP_BACK];
  arena[back] = next;
  arena[next + BERTH_HEAP_BACK] = back;
  uint32_t isEmpty = !arena[BERTH_HEAP_LISTS + class];
  arena[BERTH_HEAP_MAPS + class / 32] &= ~(isEmpty << class % 32);
}

#endif // BERTH_LIB_HEAP_FREELISTS_H
