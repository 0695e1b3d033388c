//===- Check.c - Does every word of bookkeeping still hold? --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trusts nothing: each index is checked before it is followed, so that a heap
// with any contents at all can be judged. One walk over the blocks checks each
// tag against its neighbours, and each free block's place in the tree by
// climbing to the root.
//
// Why climbing suffices: the climb yields the block's position k, checking
// each link both ways. A position belongs to one block only, since the way
// down from the root is given by its bits. So if all n free blocks have
// positions within 1 .. n, those positions are all taken and the tree is
// complete; that the nodes have no further children is checked on the way.
//
//===----------------------------------------------------------------------===//

#include "FreeTree.h"

typedef struct Walk {
  const uint32_t *arena;
  uint32_t end;      ///< index of the END tag
  uint32_t bad;      ///< the word found wrong, valid once a check has failed
  uint32_t freeSeen; ///< blocks
  uint32_t usedSeen; ///< words
} Walk;

static bool wrong(Walk *walk, uint32_t word) {
  walk->bad = word;
  return false;
}

/// Whether a link may be followed: the three links behind it are in the arena.
static bool inBlocks(const Walk *walk, uint32_t block) {
  return block >= BERTH_HEAP_FIRST && block < walk->end &&
         walk->end - block >= BERTH_HEAP_LEAST;
}

/// The block's position in the tree, or 0 where a link is wrong. `depth` may
/// not exceed 31: more levels than any count of blocks needs.
static uint32_t positionOf(Walk *walk, uint32_t block) {
  const uint32_t *arena = walk->arena;
  uint32_t path = 0;
  for (uint32_t depth = 0; depth < 31; ++depth) {
    uint32_t parent = arena[block + BERTH_HEAP_PARENT];
    if (!parent) {
      bool isRoot = arena[BERTH_HEAP_ROOT] == block;
      return isRoot ? path | UINT32_C(1) << depth : 0;
    }
    if (!inBlocks(walk, parent) ||
        blockSize(arena, parent) < blockSize(arena, block))
      return 0;
    bool isLeft = arena[parent + BERTH_HEAP_LEFT] == block;
    bool isRight = arena[parent + BERTH_HEAP_RIGHT] == block;
    if (isLeft == isRight)
      return 0;
    path |= (uint32_t)isRight << depth;
    block = parent;
  }
  return 0;
}

/// The node has a child on this side exactly if the tree has such a position.
static bool checkChild(Walk *walk, uint32_t link, bool expected) {
  return (walk->arena[link] != 0) == expected || wrong(walk, link);
}

static bool checkNode(Walk *walk, uint32_t block) {
  uint32_t count = walk->arena[BERTH_HEAP_FREE_BLOCKS];
  uint32_t position = positionOf(walk, block);
  if (!position || position > count)
    return wrong(walk, block + BERTH_HEAP_PARENT);
  uint64_t left = (uint64_t)position * 2;
  return checkChild(walk, block + BERTH_HEAP_LEFT, left <= count) &&
         checkChild(walk, block + BERTH_HEAP_RIGHT, left + 1 <= count);
}

static bool checkFreeBlock(Walk *walk, uint32_t block, uint32_t size) {
  if (walk->arena[block] != size) // neither flag: no free block in front
    return wrong(walk, block);
  if (walk->arena[block + size - 1] != size)
    return wrong(walk, block + size - 1);
  ++walk->freeSeen;
  return checkNode(walk, block);
}

static bool checkBlocks(Walk *walk) {
  const uint32_t *arena = walk->arena;
  uint32_t block = BERTH_HEAP_FIRST;
  uint32_t expected = 0; // the PREVIOUS_FREE flag
  while (block < walk->end) {
    uint32_t size = blockSize(arena, block);
    bool isUsed = arena[block] & BERTH_HEAP_TAG_USED;
    if (size < BERTH_HEAP_LEAST || size > walk->end - block)
      return wrong(walk, block);
    if ((arena[block] & BERTH_HEAP_TAG_PREVIOUS_FREE) != expected)
      return wrong(walk, block);
    if (isUsed)
      walk->usedSeen += size;
    else if (!checkFreeBlock(walk, block, size))
      return false;
    expected = isUsed ? 0 : BERTH_HEAP_TAG_PREVIOUS_FREE;
    block += size;
  }
  uint32_t endTag = BERTH_HEAP_TAG_USED | expected;
  return arena[walk->end] == endTag || wrong(walk, walk->end);
}

static bool checkHeader(Walk *walk) {
  const uint32_t *arena = walk->arena;
  uint32_t highWater = arena[BERTH_HEAP_HIGH_WATER];
  if (arena[BERTH_HEAP_FREE_BLOCKS] != walk->freeSeen)
    return wrong(walk, BERTH_HEAP_FREE_BLOCKS);
  if ((arena[BERTH_HEAP_ROOT] != 0) != (walk->freeSeen != 0))
    return wrong(walk, BERTH_HEAP_ROOT);
  if (arena[BERTH_HEAP_USED] != walk->usedSeen)
    return wrong(walk, BERTH_HEAP_USED);
  if (highWater < BERTH_HEAP_FIRST || highWater > walk->end)
    return wrong(walk, BERTH_HEAP_HIGH_WATER);
  return true;
}

BerthHeapStatus berthHeapCheck(const uint32_t *arena, uint32_t *word) {
  uint32_t words = arena[BERTH_HEAP_WORDS];
  Walk walk = {.arena = arena, .end = words - 1};
  bool sane = words >= BERTH_HEAP_MIN_WORDS && words <= BERTH_HEAP_MAX_WORDS;
  if (!sane)
    wrong(&walk, BERTH_HEAP_WORDS);
  if (sane && checkBlocks(&walk) && checkHeader(&walk))
    return BERTH_HEAP_OK;
  if (word)
    *word = walk.bad;
  return BERTH_HEAP_BAD_TAG;
}

const char *berthHeapStatusString(BerthHeapStatus status) {
  switch (status) {
  case BERTH_HEAP_OK:
    return "no failure";
  case BERTH_HEAP_EXHAUSTED:
    return "arena exhausted: no free block fits";
  case BERTH_HEAP_BAD_SIZE:
    return "bad size: stride 0, negative, or more words than any arena has";
  case BERTH_HEAP_DOUBLE_FREE:
    return "double free: the block is free already";
  case BERTH_HEAP_FOREIGN:
    return "foreign handle: no block of this arena starts there";
  case BERTH_HEAP_BAD_TAG:
    return "overwritten tag: somebody wrote outside a block";
  case BERTH_HEAP_BAD_ARENA:
    return "bad arena: too few or too many words";
  }
  return "unknown status";
}
