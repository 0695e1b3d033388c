//===- Heap.c - Allocation and freeing inside one arena ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm and the layout are described in berth-c/Heap.h. Freestanding.
//
// Invariants between calls:
//   - blocks lie end to end from word FIRST to the END tag in the last word;
//   - no two free blocks are neighbours;
//   - a tag's PREVIOUS_FREE flag says whether the block in front is free, and
//     if so, the word before the tag is that block's size;
//   - the free blocks, and no others, are the nodes of the tree.
//
// lib/Heap/Heap.mlir is this file, function by function; a test holds the two
// together. Change both or neither.
//
//===----------------------------------------------------------------------===//

#include "FreeTree.h"

#include <stdatomic.h>

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

/// Writes both ends of a free block. The block in front of it is live.
static void writeFree(uint32_t *arena, uint32_t block, uint32_t size) {
  arena[block] = size;
  arena[block + size - 1] = size;
}

static void setPreviousFree(uint32_t *arena, uint32_t block, bool isFree) {
  if (isFree)
    arena[block] |= BERTH_HEAP_TAG_PREVIOUS_FREE;
  else
    arena[block] &= ~BERTH_HEAP_TAG_PREVIOUS_FREE;
}

static BerthHeapStatus fail(uint32_t *arena, BerthHeapStatus status) {
  if (!arena[BERTH_HEAP_STATUS])
    arena[BERTH_HEAP_STATUS] = status;
  return status;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// What is asked for. words < arena[WORDS] and 1 <= alignment < arena[WORDS],
/// so that no sum below overflows.
typedef struct Request {
  uint32_t words;
  uint32_t alignment;
} Request;

static uint32_t alignUp(uint32_t value, uint32_t alignment) {
  uint32_t rest = value % alignment;
  return rest ? value + (alignment - rest) : value;
}

/// Where the new block would start inside a free one: so that the payload, one
/// word further, is aligned, and that the words in front are none or enough
/// for a free block of their own.
static uint32_t startIn(uint32_t block, Request request) {
  uint32_t start = alignUp(block + 1, request.alignment) - 1;
  if (start != block && start - block < BERTH_HEAP_LEAST)
    start = alignUp(block + 1 + BERTH_HEAP_LEAST, request.alignment) - 1;
  return start;
}

static uint32_t blockWords(Request request) {
  uint32_t words = request.words + 1;
  return words < BERTH_HEAP_LEAST ? BERTH_HEAP_LEAST : words;
}

static bool fits(const uint32_t *arena, uint32_t block, Request request) {
  uint32_t end = startIn(block, request) + blockWords(request);
  return end <= block + blockSize(arena, block);
}

/// The child to step to: of those that fit the smaller one, the left one of
/// equals; 0 if none fits.
static uint32_t smallerFit(const uint32_t *arena, uint32_t node,
                           Request request) {
  uint32_t left = arena[node + BERTH_HEAP_LEFT];
  uint32_t right = arena[node + BERTH_HEAP_RIGHT];
  bool leftFits = left && fits(arena, left, request);
  bool rightFits = right && fits(arena, right, request);
  if (leftFits && rightFits)
    return blockSize(arena, right) < blockSize(arena, left) ? right : left;
  return leftFits ? left : rightFits ? right : 0;
}

/// A free block that fits, near the smallest that does; 0 if there is none on
/// the way down.
static uint32_t findFit(const uint32_t *arena, Request request) {
  uint32_t node = arena[BERTH_HEAP_ROOT];
  if (!node || !fits(arena, node, request))
    return 0;
  uint32_t next = smallerFit(arena, node, request);
  while (next) {
    node = next;
    next = smallerFit(arena, node, request);
  }
  return node;
}

/// Updates the tree for a free block of which `front` words stay free and
/// `tail` words at `tailBlock` become a free block; either may be 0.
static void keepRests(uint32_t *arena, uint32_t block, uint32_t front,
                      uint32_t tailBlock, uint32_t tail) {
  if (tail)
    writeFree(arena, tailBlock, tail);
  if (front) {
    writeFree(arena, block, front);
    berthFreeTreeSink(arena, block);
    if (tail)
      berthFreeTreeInsert(arena, tailBlock);
  } else if (tail) {
    berthFreeTreeReplace(arena, block, tailBlock);
    berthFreeTreeSink(arena, tailBlock);
  } else {
    berthFreeTreeRemove(arena, block);
  }
}

/// Cuts the requested block out of a free one that fits; returns its start.
static uint32_t carve(uint32_t *arena, uint32_t block, Request request) {
  uint32_t blockEnd = block + blockSize(arena, block);
  uint32_t start = startIn(block, request);
  uint32_t end = start + blockWords(request);
  if (blockEnd - end < BERTH_HEAP_LEAST)
    end = blockEnd;
  keepRests(arena, block, start - block, end, blockEnd - end);
  arena[start] = (end - start) | BERTH_HEAP_TAG_USED;
  setPreviousFree(arena, start, start != block);
  setPreviousFree(arena, blockEnd, end != blockEnd);
  arena[BERTH_HEAP_USED] += end - start;
  if (end > arena[BERTH_HEAP_HIGH_WATER])
    arena[BERTH_HEAP_HIGH_WATER] = end;
  return start;
}

static BerthHeapBlock allocate(uint32_t *arena, uint32_t words,
                               uint32_t alignment) {
  BerthHeapBlock none = {0, 0};
  if (!alignment || words > BERTH_HEAP_MAX_WORDS) {
    fail(arena, BERTH_HEAP_BAD_SIZE);
    return none;
  }
  if (arena[BERTH_HEAP_MODE] & BERTH_HEAP_CHECKED &&
      berthHeapCheck(arena, NULL)) {
    fail(arena, BERTH_HEAP_BAD_TAG);
    return none;
  }
  Request request = {words, alignment};
  uint32_t size = arena[BERTH_HEAP_WORDS];
  uint32_t found =
      words < size && alignment < size ? findFit(arena, request) : 0;
  if (!found) {
    fail(arena, BERTH_HEAP_EXHAUSTED);
    return none;
  }
  uint32_t handle = carve(arena, found, request);
  BerthHeapBlock block = {handle + 1, handle};
  return block;
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

/// What one look at the handle's own tag can tell.
static BerthHeapStatus judgeByTag(const uint32_t *arena, uint32_t handle) {
  if (handle < BERTH_HEAP_FIRST || handle >= arena[BERTH_HEAP_WORDS] - 1)
    return BERTH_HEAP_FOREIGN;
  if (!(arena[handle] & BERTH_HEAP_TAG_USED))
    return BERTH_HEAP_DOUBLE_FREE;
  return BERTH_HEAP_OK;
}

/// Walks to the block that contains the handle. All tags are known to be good.
/// A handle into free space was merged away by an earlier free.
static BerthHeapStatus judgeByWalk(const uint32_t *arena, uint32_t handle) {
  if (handle < BERTH_HEAP_FIRST || handle >= arena[BERTH_HEAP_WORDS] - 1)
    return BERTH_HEAP_FOREIGN;
  uint32_t block = BERTH_HEAP_FIRST;
  while (block + blockSize(arena, block) <= handle)
    block += blockSize(arena, block);
  if (!(arena[block] & BERTH_HEAP_TAG_USED))
    return BERTH_HEAP_DOUBLE_FREE;
  return block == handle ? BERTH_HEAP_OK : BERTH_HEAP_FOREIGN;
}

static BerthHeapStatus judge(const uint32_t *arena, uint32_t handle) {
  if (!(arena[BERTH_HEAP_MODE] & BERTH_HEAP_CHECKED))
    return judgeByTag(arena, handle);
  if (berthHeapCheck(arena, NULL))
    return BERTH_HEAP_BAD_TAG;
  return judgeByWalk(arena, handle);
}

/// Makes a live block free and one with its free neighbours. The block's own
/// tag loses its USED flag even where it is merged away, so that a second free
/// of the same handle is noticed for as long as nobody writes there.
static void release(uint32_t *arena, uint32_t block) {
  uint32_t tag = arena[block];
  uint32_t size = tag & BERTH_HEAP_TAG_SIZE;
  uint32_t next = block + size;
  bool mergeNext = !(arena[next] & BERTH_HEAP_TAG_USED);
  arena[BERTH_HEAP_USED] -= size;
  arena[block] = size;
  if (mergeNext)
    size += blockSize(arena, next);
  if (tag & BERTH_HEAP_TAG_PREVIOUS_FREE) {
    if (mergeNext)
      berthFreeTreeRemove(arena, next);
    uint32_t front = arena[block - 1];
    block -= front;
    size += front;
  } else if (mergeNext) {
    berthFreeTreeReplace(arena, next, block);
  }
  writeFree(arena, block, size);
  setPreviousFree(arena, block + size, true);
  if (mergeNext || tag & BERTH_HEAP_TAG_PREVIOUS_FREE)
    berthFreeTreeRise(arena, block);
  else
    berthFreeTreeInsert(arena, block);
}

static BerthHeapStatus deallocate(uint32_t *arena, uint32_t handle) {
  if (!handle)
    return BERTH_HEAP_OK;
  BerthHeapStatus status = judge(arena, handle);
  if (status)
    return fail(arena, status);
  release(arena, handle);
  return BERTH_HEAP_OK;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool tryLock(uint32_t *arena) {
  if (!(arena[BERTH_HEAP_MODE] & BERTH_HEAP_LOCKED))
    return true;
  _Atomic uint32_t *lock = (_Atomic uint32_t *)&arena[BERTH_HEAP_LOCK];
  return !atomic_exchange_explicit(lock, 1, memory_order_acquire);
}

static void unlock(uint32_t *arena) {
  if (!(arena[BERTH_HEAP_MODE] & BERTH_HEAP_LOCKED))
    return;
  _Atomic uint32_t *lock = (_Atomic uint32_t *)&arena[BERTH_HEAP_LOCK];
  atomic_store_explicit(lock, 0, memory_order_release);
}

BerthHeapStatus berthHeapInit(uint32_t *arena, uint64_t words, uint32_t mode) {
  if (words < BERTH_HEAP_MIN_WORDS || words > BERTH_HEAP_MAX_WORDS)
    return BERTH_HEAP_BAD_ARENA;
  uint32_t size = (uint32_t)words;
  arena[BERTH_HEAP_WORDS] = size;
  arena[BERTH_HEAP_MODE] = mode;
  arena[BERTH_HEAP_LOCK] = 0;
  arena[BERTH_HEAP_STATUS] = BERTH_HEAP_OK;
  arena[BERTH_HEAP_FREE_BLOCKS] = 0;
  arena[BERTH_HEAP_USED] = 0;
  arena[BERTH_HEAP_HIGH_WATER] = BERTH_HEAP_FIRST;
  writeFree(arena, BERTH_HEAP_FIRST, size - 1 - BERTH_HEAP_FIRST);
  arena[size - 1] = BERTH_HEAP_TAG_USED | BERTH_HEAP_TAG_PREVIOUS_FREE;
  berthFreeTreeInsert(arena, BERTH_HEAP_FIRST);
  return BERTH_HEAP_OK;
}

BerthHeapBlock berthHeapAllocAligned(uint32_t *arena, uint32_t words,
                                     uint32_t alignment) {
  BerthHeapBlock block = {0, 0};
  bool done = false;
  while (!done) {
    if (tryLock(arena)) {
      block = allocate(arena, words, alignment);
      unlock(arena);
      done = true;
    }
  }
  return block;
}

BerthHeapBlock berthHeapAlloc(uint32_t *arena, uint32_t count,
                              uint32_t stride) {
  uint64_t words = (uint64_t)count * stride;
  if (words > UINT32_MAX)
    words = UINT32_MAX;
  BerthHeapBlock block = berthHeapAllocAligned(arena, (uint32_t)words, stride);
  if (block.handle)
    block.address /= stride;
  return block;
}

BerthHeapStatus berthHeapFree(uint32_t *arena, uint32_t handle) {
  BerthHeapStatus status = BERTH_HEAP_OK;
  bool done = false;
  while (!done) {
    if (tryLock(arena)) {
      status = deallocate(arena, handle);
      unlock(arena);
      done = true;
    }
  }
  return status;
}
