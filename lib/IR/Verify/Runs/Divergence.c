//===- Divergence.c - Where threads part and meet again -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Post-dominators as sets of bits, by the textbook's iteration (Allen and
// Cocke): a block's are itself and those that all its successors have in
// common. Blocks from which the region's end cannot be reached count as ends.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/Divergence.h"
#include "IR/Ops/OrDie.h"
#include "Support/Bitset.h"

#include <stdlib.h>
#include <string.h>

static size_t numSuccessors(const BerthBlocks *blocks, size_t block) {
  return berthBlockListCountNext(&blocks->list, block);
}

static size_t successor(const BerthBlocks *blocks, size_t block, size_t i) {
  return berthBlockListNext(&blocks->list, block, i);
}

static uint64_t *rowOf(const BerthBlocks *blocks, uint64_t *rows,
                       size_t block) {
  return rows + block * blocks->words;
}

//===----------------------------------------------------------------------===//
// Where all ways meet
//===----------------------------------------------------------------------===//

/// Blocks from which the region's end can be reached.
static bool *findEnding(const BerthBlocks *blocks) {
  bool *isEnding = BERTH_NEW(blocks->memory, bool, blocks->list.count);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t b = blocks->list.count; b-- > 0;) {
      size_t count = numSuccessors(blocks, b);
      bool ends = count == 0;
      for (size_t i = 0; i < count; ++i)
        ends |= isEnding[successor(blocks, b, i)];
      isChanged |= ends && !isEnding[b];
      isEnding[b] |= ends;
    }
  }
  return isEnding;
}

/// Narrows a block's row to what its successors have in common; true if that
/// changed it.
static bool narrow(BerthBlocks *blocks, size_t block) {
  bool isChanged = false;
  uint64_t *row = rowOf(blocks, blocks->meets, block);
  size_t count = numSuccessors(blocks, block);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t *next =
        rowOf(blocks, blocks->meets, successor(blocks, block, i));
    for (size_t w = 0; w < blocks->words; ++w) {
      uint64_t self = block / 64 == w ? UINT64_C(1) << block % 64 : 0;
      uint64_t common = row[w] & (next[w] | self);
      isChanged |= common != row[w];
      row[w] = common;
    }
  }
  return isChanged;
}

static void findMeets(BerthBlocks *blocks) {
  const bool *isEnding = findEnding(blocks);
  for (size_t b = 0; b < blocks->list.count; ++b) {
    uint64_t *row = rowOf(blocks, blocks->meets, b);
    if (isEnding[b] && numSuccessors(blocks, b))
      memset(row, 0xff, blocks->words * sizeof *row);
    berthBitSet(row, b);
  }
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t b = blocks->list.count; b-- > 0;)
      if (isEnding[b])
        isChanged |= narrow(blocks, b);
  }
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

BerthBlocks berthBlocksOf(MlirRegion region, BerthMemory *memory) {
  BerthBlocks blocks = {.memory = memory, .list = berthBlockListOf(region)};
  size_t count = blocks.list.count;
  blocks.words = berthBitWords(count);
  blocks.meets = BERTH_NEW(memory, uint64_t, count * blocks.words);
  blocks.beside = BERTH_NEW(memory, uint64_t, count * blocks.words);
  blocks.isSplit = BERTH_NEW(memory, bool, count);
  blocks.isSpread = BERTH_NEW(memory, bool, count);
  blocks.isJoin = BERTH_NEW(memory, bool, count);
  findMeets(&blocks);
  return blocks;
}

void berthBlocksFree(BerthBlocks *blocks) { berthBlockListFree(&blocks->list); }

/// Marks what control passes from a split before its join, which is not
/// entered. A split in a loop may be in its own spread. Returns true if some
/// way leaves the region.
static bool findSpread(BerthBlocks *blocks, size_t split, uint64_t *spread) {
  const uint64_t *meets = rowOf(blocks, blocks->meets, split);
  size_t *worklist = BERTH_NEW(blocks->memory, size_t, blocks->list.count + 1);
  size_t pending = 0;
  bool leaves = false;
  worklist[pending++] = split;
  while (pending) {
    size_t block = worklist[--pending];
    size_t count = numSuccessors(blocks, block);
    for (size_t i = 0; i < count; ++i) {
      size_t next = successor(blocks, block, i);
      bool isJoin = next != split && berthBitTest(meets, next);
      blocks->isJoin[next] |= isJoin;
      if (isJoin || berthBitTest(spread, next))
        continue;
      berthBitSet(spread, next);
      leaves |= numSuccessors(blocks, next) == 0;
      if (next != split)
        worklist[pending++] = next;
    }
  }
  return leaves;
}

bool berthBlocksSplit(BerthBlocks *blocks, size_t block) {
  blocks->isSplit[block] = true;
  uint64_t *spread = BERTH_NEW(blocks->memory, uint64_t, blocks->words);
  bool leaves = findSpread(blocks, block, spread);
  for (size_t b = 0; b < blocks->list.count; ++b) {
    if (!berthBitTest(spread, b))
      continue;
    blocks->isSpread[b] = true;
    uint64_t *row = rowOf(blocks, blocks->beside, b);
    for (size_t w = 0; w < blocks->words; ++w)
      row[w] |= spread[w];
  }
  return leaves;
}

bool berthBlocksAreBeside(const BerthBlocks *blocks, size_t a, size_t b) {
  return berthBitTest(rowOf(blocks, blocks->beside, a), b);
}
