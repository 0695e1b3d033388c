//===- PlainHeap.c - A max-heap of free blocks, as plain as can be -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For comparison only: what one writes first when an allocator for a shader's
// buffer of words is asked for. Boundary tags, and a binary max-heap of the
// free blocks by size: an array of blocks at the arena's end, in which each
// free block knows its place. An allocation cuts what it wants off the front of
// the largest block, whatever it asks for, so it looks at the root only. The
// array takes an eighth of the arena.
//
//===----------------------------------------------------------------------===//

#include "Allocator.h"

enum { HighWater = 0, Count = 1, Array = 2, First = 4, Place = 1 };

static uint32_t entry(const uint32_t *arena, uint32_t place) {
  return arena[arena[Array] + place];
}

static void put(uint32_t *arena, uint32_t place, uint32_t block) {
  arena[arena[Array] + place] = block;
  arena[block + Place] = place;
}

/// Places are counted from 1.
static void rise(uint32_t *arena, uint32_t place) {
  uint32_t block = entry(arena, place);
  while (place > 1 &&
         tagSize(arena, entry(arena, place / 2)) < tagSize(arena, block)) {
    put(arena, place, entry(arena, place / 2));
    place /= 2;
  }
  put(arena, place, block);
}

static void sink(uint32_t *arena, uint32_t place) {
  uint32_t block = entry(arena, place);
  for (uint32_t child = 2 * place; child <= arena[Count]; child = 2 * place) {
    if (child < arena[Count] && tagSize(arena, entry(arena, child + 1)) >
                                    tagSize(arena, entry(arena, child)))
      ++child;
    if (tagSize(arena, entry(arena, child)) <= tagSize(arena, block))
      break;
    put(arena, place, entry(arena, child));
    place = child;
  }
  put(arena, place, block);
}

static void insert(uint32_t *arena, uint32_t block) {
  put(arena, ++arena[Count], block);
  rise(arena, arena[Count]);
}

static void removeBlock(uint32_t *arena, uint32_t block) {
  uint32_t place = arena[block + Place];
  uint32_t last = entry(arena, arena[Count]--);
  if (last == block)
    return;
  put(arena, place, last);
  rise(arena, place);
  sink(arena, arena[last + Place]);
}

static void init(uint32_t *arena, uint32_t words) {
  uint32_t end = words - words / 8;
  arena[HighWater] = 0;
  arena[Count] = 0;
  arena[Array] = end;
  arena[end] = TAG_USED;
  writeFreeBlock(arena, First, end - First);
  insert(arena, First);
}

static uintptr_t allocate(uint32_t *arena, uint32_t words) {
  uint32_t need = blockFor(words);
  uint32_t block = entry(arena, 1);
  if (!arena[Count] || tagSize(arena, block) < need)
    return 0;
  uint32_t size = tagSize(arena, block);
  if (size - need >= LeastBlock) {
    writeFreeBlock(arena, block + need, size - need);
    put(arena, 1, block + need);
    sink(arena, 1);
    size = need;
  } else {
    removeBlock(arena, block);
    arena[block + size] &= ~TAG_PREVIOUS_FREE;
  }
  arena[block] = size | TAG_USED;
  if (block + size > arena[HighWater])
    arena[HighWater] = block + size;
  return block;
}

static void release(uint32_t *arena, uintptr_t handle) {
  uint32_t block = (uint32_t)handle;
  uint32_t tag = arena[block];
  uint32_t size = tag & TAG_SIZE;
  uint32_t next = block + size;
  if (!(arena[next] & TAG_USED)) {
    removeBlock(arena, next);
    size += tagSize(arena, next);
  }
  if (tag & TAG_PREVIOUS_FREE) {
    uint32_t front = arena[block - 1];
    block -= front;
    removeBlock(arena, block);
    size += front;
  }
  writeFreeBlock(arena, block, size);
  insert(arena, block);
}

static uint64_t footprint(const uint32_t *arena) { return arena[HighWater]; }

const Allocator plainHeapAllocator = {"plain max-heap", init, allocate, release,
                                      footprint};
