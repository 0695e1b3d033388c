//===- FirstFit.c - One list of free blocks, by address ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For comparison only: D. Knuth, The Art of Computer Programming, vol. 1, 2.5,
// algorithms A and B. Allocation walks the list and takes the first block that
// fits; freeing walks it to find its place, unless a neighbour is free.
//
//===----------------------------------------------------------------------===//

#include "Allocator.h"

enum { HighWater = 0, Head = 1, First = 4 };

/// Links `block` between two neighbours in the list; either may be 0.
static void linkBetween(uint32_t *arena, uint32_t previous, uint32_t block,
                        uint32_t next) {
  arena[block + LinkPrevious] = previous;
  arena[block + LinkNext] = next;
  arena[previous ? previous + LinkNext : Head] = block;
  if (next)
    arena[next + LinkPrevious] = block;
}

static void removeBlock(uint32_t *arena, uint32_t block) {
  uint32_t previous = arena[block + LinkPrevious];
  uint32_t next = arena[block + LinkNext];
  arena[previous ? previous + LinkNext : Head] = next;
  if (next)
    arena[next + LinkPrevious] = previous;
}

static void insertByAddress(uint32_t *arena, uint32_t block) {
  uint32_t previous = 0;
  uint32_t next = arena[Head];
  while (next && next < block) {
    previous = next;
    next = arena[next + LinkNext];
  }
  linkBetween(arena, previous, block, next);
}

static void init(uint32_t *arena, uint32_t words) {
  arena[HighWater] = 0;
  arena[words - 1] = TAG_USED;
  writeFreeBlock(arena, First, words - 1 - First);
  linkBetween(arena, 0, First, 0);
}

static uintptr_t allocate(uint32_t *arena, uint32_t words) {
  uint32_t need = blockFor(words);
  uint32_t block = arena[Head];
  while (block && tagSize(arena, block) < need)
    block = arena[block + LinkNext];
  if (!block)
    return 0;
  uint32_t size = tagSize(arena, block);
  if (size - need >= LeastBlock) {
    uint32_t previous = arena[block + LinkPrevious];
    uint32_t next = arena[block + LinkNext];
    writeFreeBlock(arena, block + need, size - need);
    linkBetween(arena, previous, block + need, next);
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
  uint32_t size = tagSize(arena, block);
  uint32_t next = block + size;
  uint32_t nextSize = arena[next] & TAG_USED ? 0 : tagSize(arena, next);
  if (arena[block] & TAG_PREVIOUS_FREE) {
    uint32_t front = arena[block - 1];
    if (nextSize)
      removeBlock(arena, next);
    writeFreeBlock(arena, block - front, front + size + nextSize);
  } else if (nextSize) {
    uint32_t previous = arena[next + LinkPrevious];
    uint32_t after = arena[next + LinkNext];
    writeFreeBlock(arena, block, size + nextSize);
    linkBetween(arena, previous, block, after);
  } else {
    writeFreeBlock(arena, block, size);
    insertByAddress(arena, block);
  }
}

static uint64_t footprint(const uint32_t *arena) { return arena[HighWater]; }

const Allocator firstFitAllocator = {"first-fit", init, allocate, release,
                                     footprint};
