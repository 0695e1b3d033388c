//===- Check.c - Does every word of bookkeeping still hold? --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trusts nothing: each index is checked before it is followed, so that a heap
// with any contents at all can be judged. One walk over the blocks checks each
// tag against its neighbours, and each free block's links against what they
// point to. A second one follows the lists.
//
// Why both: the first walk knows what is a block, but not whether the list that
// a block is in hangs on its head; the second one knows what hangs there, but
// not whether it is a block. A list cannot run in a circle, since the word back
// to it says where each block was come from. So it has as many blocks as there
// are, the same ones if their indices have the same sum and the same sum of
// squares: whatever single word was changed is found, and many words only
// escape if they agree in all of that.
//
//===----------------------------------------------------------------------===//

#include "FreeLists.h"

/// Blocks that were met: how many, and which.
typedef struct Tally {
  uint32_t blocks;
  uint32_t sum;
  uint32_t squares;
} Tally;

typedef struct Walk {
  const uint32_t *arena;
  uint32_t first;    ///< where the blocks begin
  uint32_t top;      ///< where they end
  uint32_t bad;      ///< the word found wrong, valid once a check has failed
  uint32_t usedSeen; ///< words
  bool restSeen;
  Tally linked; ///< by their own words
  Tally listed; ///< from the heads of the lists
} Walk;

static bool wrong(Walk *walk, uint32_t word) {
  walk->bad = word;
  return false;
}

static void count(Tally *tally, uint32_t block) {
  ++tally->blocks;
  tally->sum += block;
  tally->squares += block * block;
}

/// Whether an index may be followed: the links behind it are in the arena.
static bool inBlocks(const Walk *walk, uint32_t block) {
  return block >= walk->first && block < walk->top &&
         walk->top - block >= BERTH_HEAP_LEAST;
}

static bool checkLinks(Walk *walk, uint32_t block) {
  const uint32_t *arena = walk->arena;
  uint32_t next = arena[block + BERTH_HEAP_NEXT];
  uint32_t back = arena[block + BERTH_HEAP_BACK];
  if (back < BERTH_HEAP_LISTS || back >= walk->top || arena[back] != block)
    return wrong(walk, block + BERTH_HEAP_BACK);
  if (next && (!inBlocks(walk, next) ||
               arena[next + BERTH_HEAP_BACK] != block + BERTH_HEAP_NEXT))
    return wrong(walk, block + BERTH_HEAP_NEXT);
  count(&walk->linked, block);
  return true;
}

static bool checkFreeBlock(Walk *walk, uint32_t block, uint32_t size) {
  if (walk->arena[block] != size) // neither flag: no free block in front
    return wrong(walk, block);
  if (walk->arena[block + size - 1] != size)
    return wrong(walk, block + size - 1);
  if (block != walk->arena[BERTH_HEAP_REST])
    return checkLinks(walk, block);
  walk->restSeen = true;
  return true;
}

static bool checkBlocks(Walk *walk) {
  const uint32_t *arena = walk->arena;
  uint32_t block = walk->first;
  uint32_t expected = 0; // the PREVIOUS_FREE flag
  while (block < walk->top) {
    uint32_t size = blockSize(arena, block);
    bool isUsed = arena[block] & BERTH_HEAP_TAG_USED;
    if (size < BERTH_HEAP_LEAST || size > walk->top - block)
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
  // What is free in front of TOP belongs to it.
  return !expected || wrong(walk, BERTH_HEAP_TOP);
}

static bool checkList(Walk *walk, uint32_t class) {
  const uint32_t *arena = walk->arena;
  uint32_t back = BERTH_HEAP_LISTS + class;
  bool isMarked = arena[BERTH_HEAP_MAPS + class / 32] >> class % 32 & 1;
  if (isMarked != (arena[back] != 0))
    return wrong(walk, BERTH_HEAP_MAPS + class / 32);
  for (uint32_t block = arena[back]; block; block = arena[back]) {
    bool isListed = inBlocks(walk, block) && arena[block] >= BERTH_HEAP_LEAST &&
                    arena[block] <= walk->top - block &&
                    classOf(arena[block]) == class &&
                    arena[block + BERTH_HEAP_BACK] == back;
    if (!isListed)
      return wrong(walk, back);
    count(&walk->listed, block);
    back = block + BERTH_HEAP_NEXT;
  }
  return true;
}

static bool checkLists(Walk *walk) {
  uint32_t classes = walk->first - BERTH_HEAP_LISTS;
  for (uint32_t class = 0; class < classes; ++class)
    if (!checkList(walk, class))
      return false;
  if (nextClass(walk->arena, classes) != BERTH_HEAP_CLASSES)
    return wrong(walk, BERTH_HEAP_MAPS);
  bool isSame = walk->linked.blocks == walk->listed.blocks &&
                walk->linked.sum == walk->listed.sum &&
                walk->linked.squares == walk->listed.squares;
  return isSame || wrong(walk, BERTH_HEAP_LISTS);
}

static bool checkHeader(Walk *walk) {
  const uint32_t *arena = walk->arena;
  uint32_t highWater = arena[BERTH_HEAP_HIGH_WATER];
  if (walk->top < walk->first || walk->top > arena[BERTH_HEAP_WORDS])
    return wrong(walk, BERTH_HEAP_TOP);
  if (highWater < walk->top || highWater > arena[BERTH_HEAP_WORDS])
    return wrong(walk, BERTH_HEAP_HIGH_WATER);
  return true;
}

static bool checkCounts(Walk *walk) {
  const uint32_t *arena = walk->arena;
  if ((arena[BERTH_HEAP_REST] != 0) != walk->restSeen)
    return wrong(walk, BERTH_HEAP_REST);
  return arena[BERTH_HEAP_USED] == walk->usedSeen ||
         wrong(walk, BERTH_HEAP_USED);
}

BerthHeapStatus berthHeapCheck(const uint32_t *arena, uint32_t *word) {
  uint32_t words = arena[BERTH_HEAP_WORDS];
  Walk walk = {.arena = arena, .top = arena[BERTH_HEAP_TOP]};
  bool sane = words >= BERTH_HEAP_MIN_WORDS && words <= BERTH_HEAP_MAX_WORDS;
  if (sane)
    walk.first = firstBlock(arena);
  else
    wrong(&walk, BERTH_HEAP_WORDS);
  if (sane && checkHeader(&walk) && checkBlocks(&walk) && checkLists(&walk) &&
      checkCounts(&walk))
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
