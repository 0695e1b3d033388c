//===- Divergence.c - Blocks that threads run beside each other -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/Divergence.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"

#include <stdlib.h>
#include <string.h>

/// The blocks of one region as a graph.
typedef struct BerthRegionBlocks {
  size_t count;
  MlirBlock *blocks;
  BerthPointerMap indexOf;
  bool *canEnd; ///< some way from here leaves the region
  // one search:
  bool *isSeen;
  size_t *cameFrom;
  size_t *queue;
} Blocks;

static intptr_t numSuccessors(const Blocks *blocks, size_t index) {
  MlirOperation last = berthBlockGetLast(blocks->blocks[index]);
  return mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
}

static size_t successor(const Blocks *blocks, size_t index, intptr_t i) {
  MlirOperation last = berthBlockGetLast(blocks->blocks[index]);
  return berthPointerMapFind(&blocks->indexOf,
                             mlirOperationGetSuccessor(last, i).ptr);
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

/// Where no block is to be avoided.
static const size_t kNone = SIZE_MAX;

/// Breadth first from the successors of `from`, not entering `avoid`. Fills in
/// isSeen, cameFrom and the queue; returns how many blocks were reached.
static size_t search(Blocks *blocks, size_t from, size_t avoid) {
  memset(blocks->isSeen, 0, blocks->count);
  size_t head = 0, tail = 0, at = from;
  while (true) {
    for (intptr_t i = 0; i < numSuccessors(blocks, at); ++i) {
      size_t next = successor(blocks, at, i);
      if (next == avoid || blocks->isSeen[next])
        continue;
      blocks->isSeen[next] = true;
      blocks->cameFrom[next] = at;
      blocks->queue[tail++] = next;
    }
    if (head == tail)
      return tail;
    at = blocks->queue[head++];
  }
}

/// The first block in the queue at which a way ends: it leaves the region, or
/// stays in a loop for ever. kNone if every way came to the avoided block.
static size_t firstEnd(const Blocks *blocks, size_t numReached) {
  for (size_t i = 0; i < numReached; ++i) {
    size_t index = blocks->queue[i];
    if (!numSuccessors(blocks, index) || !blocks->canEnd[index])
      return index;
  }
  return kNone;
}

static bool allWaysMeetAt(Blocks *blocks, size_t branch, size_t meet) {
  return firstEnd(blocks, search(blocks, branch, meet)) == kNone;
}

static void findEnds(Blocks *blocks) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = blocks->count; i-- > 0;) {
      bool canEnd = !numSuccessors(blocks, i);
      for (intptr_t k = 0; k < numSuccessors(blocks, i); ++k)
        canEnd |= blocks->canEnd[successor(blocks, i, k)];
      isChanged |= canEnd && !blocks->canEnd[i];
      blocks->canEnd[i] |= canEnd;
    }
  }
}

/// Where the ways from a branch meet: a block on every way, so it is on the
/// shortest one; of these the first. kNone if they need not meet.
static size_t findMeeting(Blocks *blocks, size_t branch) {
  size_t end = firstEnd(blocks, search(blocks, branch, kNone));
  if (end == kNone)
    return kNone;
  size_t *way = berthAllocateOrDie(blocks->count, sizeof *way);
  size_t length = 0, meeting = kNone;
  // The branch may be on its own way, in a loop: the search began behind it.
  for (size_t at = end; at != branch && length < blocks->count;
       at = blocks->cameFrom[at])
    way[length++] = at;
  for (size_t i = length; i-- > 0 && meeting == kNone;)
    if (allWaysMeetAt(blocks, branch, way[i]))
      meeting = way[i];
  free(way);
  return meeting;
}

//===----------------------------------------------------------------------===//
// The blocks of a region
//===----------------------------------------------------------------------===//

Blocks *berthRegionBlocksCreate(MlirRegion region) {
  Blocks *blocks = berthAllocateOrDie(1, sizeof *blocks);
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    berthPointerMapInsert(&blocks->indexOf, block.ptr, blocks->count++);
  blocks->blocks = berthAllocateOrDie(blocks->count, sizeof *blocks->blocks);
  blocks->canEnd = berthAllocateOrDie(blocks->count, sizeof *blocks->canEnd);
  blocks->isSeen = berthAllocateOrDie(blocks->count, sizeof *blocks->isSeen);
  blocks->cameFrom =
      berthAllocateOrDie(blocks->count, sizeof *blocks->cameFrom);
  blocks->queue = berthAllocateOrDie(blocks->count, sizeof *blocks->queue);
  size_t i = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    blocks->blocks[i++] = block;
  findEnds(blocks);
  return blocks;
}

void berthRegionBlocksFree(Blocks *blocks) {
  if (!blocks)
    return;
  berthPointerMapFree(&blocks->indexOf);
  free(blocks->blocks);
  free(blocks->canEnd);
  free(blocks->isSeen);
  free(blocks->cameFrom);
  free(blocks->queue);
  free(blocks);
}

BerthSpread berthSpreadOf(Blocks *blocks, MlirBlock block) {
  BerthSpread spread = {.region = mlirBlockGetParentRegion(block)};
  size_t branch = berthPointerMapFind(&blocks->indexOf, block.ptr);
  size_t meeting = findMeeting(blocks, branch);
  if (meeting != kNone)
    spread.meeting = blocks->blocks[meeting];
  spread.numBlocks = search(blocks, branch, meeting);
  spread.blocks = berthAllocateOrDie(spread.numBlocks, sizeof *spread.blocks);
  for (size_t i = 0; i < spread.numBlocks; ++i)
    spread.blocks[i] = blocks->blocks[blocks->queue[i]];
  return spread;
}
