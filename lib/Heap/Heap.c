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
//   - blocks lie end to end from the first one to TOP, and the last one of them
//     is live;
//   - no two free blocks are neighbours;
//   - a tag's PREVIOUS_FREE flag says whether the block in front is free, and
//     if so, the word before the tag is that block's size;
//   - REST is a free block or 0; the other free blocks, and nothing else, are
//   in
//     the lists of their classes.
//
// lib/Heap/Heap.mlir is this file, function by function; a test holds the two
// together. Change both or neither.
//
//===----------------------------------------------------------------------===//

#include "FreeLists.h"

#include <stdatomic.h>

/// What stays out of the two calls at the end, so that they need no registers
/// saved where they do the little that most of them do.
#define APART __attribute__((noinline)) static

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

/// Writes both ends of a free block. The block in front of it is live.
static inline void writeFree(uint32_t *arena, uint32_t block, uint32_t size) {
  arena[block] = size;
  arena[block + size - 1] = size;
}

static BerthHeapStatus fail(uint32_t *arena, BerthHeapStatus status) {
  if (!arena[BERTH_HEAP_STATUS])
    arena[BERTH_HEAP_STATUS] = status;
  return status;
}

static bool isChecked(const uint32_t *arena) {
  return arena[BERTH_HEAP_MODE] & BERTH_HEAP_CHECKED;
}

static bool isSoundIfChecked(const uint32_t *arena) {
  return !isChecked(arena) || berthHeapCheck(arena, NULL) == BERTH_HEAP_OK;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// What is asked for. Neither number exceeds arena[WORDS], so that no sum below
/// overflows.
typedef struct Request {
  uint32_t words; ///< of the whole block
  uint32_t alignment;
  uint32_t class;
} Request;

static uint32_t alignUp(uint32_t value, uint32_t alignment) {
  uint32_t rest = value % alignment;
  return rest ? value + (alignment - rest) : value;
}

static uint32_t alignedStart(uint32_t block, uint32_t alignment) {
  uint32_t start = alignUp(block + 1, alignment) - 1;
  if (start != block && start - block < BERTH_HEAP_LEAST)
    start = alignUp(block + 1 + BERTH_HEAP_LEAST, alignment) - 1;
  return start;
}

/// Where the new block would start inside a free one: so that the payload, one
/// word further, is aligned, and that the words in front are none or enough
/// for a free block of their own.
static inline uint32_t startIn(uint32_t block, const Request *request) {
  bool isAligned = request->alignment == 1;
  return isAligned ? block : alignedStart(block, request->alignment);
}

static inline bool fitsBelow(uint32_t block, uint32_t end,
                             const Request *request) {
  return startIn(block, request) + request->words <= end;
}

static inline bool fits(const uint32_t *arena, uint32_t block,
                        const Request *request) {
  return fitsBelow(block, block + arena[block], request);
}

/// Whether the blocks of a class are at most about twice as large as they must
/// be.
static inline bool isNearClass(uint32_t class, const Request *request) {
  return class <= request->class + 3;
}

/// How many blocks of the request's own class are looked at.
enum { MostLooks = 4 };

/// The smallest block that fits of the newest in the request's own class.
static inline uint32_t findInOwnClass(const uint32_t *arena,
                                      const Request *request) {
  uint32_t best = 0;
  uint32_t block = arena[BERTH_HEAP_LISTS + request->class];
  for (int looks = 0; block && looks < MostLooks; ++looks) {
    bool isBetter = !best || arena[block] < arena[best];
    if (isBetter && fits(arena, block, request))
      best = block;
    block = arena[block + BERTH_HEAP_NEXT];
  }
  return best;
}

/// The newest block of the first class from `class` on where that one fits. All
/// do, unless alignment takes words away.
static uint32_t findInLargerClass(const uint32_t *arena, uint32_t class,
                                  const Request *request) {
  while (class < BERTH_HEAP_CLASSES) {
    uint32_t block = arena[BERTH_HEAP_LISTS + class];
    if (fits(arena, block, request))
      return block;
    class = nextClass(arena, class + 1);
  }
  return 0;
}

/// Any block that fits: what is left to do before a request is refused.
static uint32_t findAnywhere(const uint32_t *arena, const Request *request) {
  uint32_t class = nextClass(arena, request->class);
  while (class < BERTH_HEAP_CLASSES) {
    uint32_t block = arena[BERTH_HEAP_LISTS + class];
    while (block && !fits(arena, block, request))
      block = arena[block + BERTH_HEAP_NEXT];
    if (block)
      return block;
    class = nextClass(arena, class + 1);
  }
  return 0;
}

/// A free block, or the words from TOP on; 0 if only `findAnywhere` can tell.
static inline uint32_t findQuickly(const uint32_t *arena,
                                   const Request *request) {
  uint32_t class = nextClass(arena, request->class);
  if (class == request->class) {
    uint32_t block = findInOwnClass(arena, request);
    if (block)
      return block;
    class = nextClass(arena, class + 1);
  }
  bool isNear = class < BERTH_HEAP_CLASSES && isNearClass(class, request);
  uint32_t near = isNear ? arena[BERTH_HEAP_LISTS + class] : 0;
  if (isNear && fits(arena, near, request))
    return near;
  uint32_t rest = arena[BERTH_HEAP_REST];
  if (rest && fits(arena, rest, request))
    return rest;
  uint32_t block = findInLargerClass(arena, class, request);
  if (block)
    return block;
  uint32_t top = arena[BERTH_HEAP_TOP];
  return fitsBelow(top, arena[BERTH_HEAP_WORDS], request) ? top : 0;
}

/// Makes the words in front of a cut a free block.
static void keepFront(uint32_t *arena, uint32_t block, uint32_t start) {
  if (start == block)
    return;
  writeFree(arena, block, start - block);
  linkBlock(arena, block);
}

static inline void writeLive(uint32_t *arena, uint32_t start, uint32_t end,
                             bool isBehindFree) {
  arena[start] = (end - start) | BERTH_HEAP_TAG_USED |
                 (isBehindFree ? BERTH_HEAP_TAG_PREVIOUS_FREE : 0);
  arena[BERTH_HEAP_USED] += end - start;
}

/// Cuts the requested block out of the words from TOP on; returns its start.
static inline uint32_t carveTop(uint32_t *arena, const Request *request) {
  uint32_t top = arena[BERTH_HEAP_TOP];
  uint32_t start = startIn(top, request);
  uint32_t end = start + request->words;
  keepFront(arena, top, start);
  writeLive(arena, start, end, start != top);
  arena[BERTH_HEAP_TOP] = end;
  if (end > arena[BERTH_HEAP_HIGH_WATER])
    arena[BERTH_HEAP_HIGH_WATER] = end;
  return start;
}

/// What is left behind a cut is REST if a much larger block was cut, or REST.
static void keepTail(uint32_t *arena, uint32_t block, uint32_t size,
                     bool isRest) {
  writeFree(arena, block, size);
  if (!isRest) {
    linkBlock(arena, block);
    return;
  }
  if (arena[BERTH_HEAP_REST])
    linkBlock(arena, arena[BERTH_HEAP_REST]);
  arena[BERTH_HEAP_REST] = block;
}

/// Cuts the requested block out of a free one that fits; returns its start.
APART uint32_t carve(uint32_t *arena, uint32_t block, const Request *request) {
  uint32_t size = arena[block];
  uint32_t blockEnd = block + size;
  uint32_t start = startIn(block, request);
  uint32_t end = start + request->words;
  if (blockEnd - end < BERTH_HEAP_LEAST)
    end = blockEnd;
  bool isRest = true;
  if (block == arena[BERTH_HEAP_REST]) {
    arena[BERTH_HEAP_REST] = 0;
  } else {
    unlinkBlock(arena, block);
    isRest = !isNearClass(classOf(size), request);
  }
  keepFront(arena, block, start);
  if (end != blockEnd)
    keepTail(arena, end, blockEnd - end, isRest);
  else
    arena[end] &= ~BERTH_HEAP_TAG_PREVIOUS_FREE;
  writeLive(arena, start, end, start != block);
  return start;
}

static inline uint32_t carveFound(uint32_t *arena, uint32_t found,
                                  const Request *request) {
  return found == arena[BERTH_HEAP_TOP] ? carveTop(arena, request)
                                        : carve(arena, found, request);
}

static inline Request requestFor(uint32_t words, uint32_t alignment) {
  uint32_t block = words < BERTH_HEAP_LEAST ? BERTH_HEAP_LEAST : words + 1;
  return (Request){block, alignment, classOf(block)};
}

/// Returns the handle, or 0 where nothing fits.
static uint32_t place(uint32_t *arena, uint32_t words, uint32_t alignment) {
  if (words >= arena[BERTH_HEAP_WORDS] || alignment >= arena[BERTH_HEAP_WORDS])
    return 0;
  Request request = requestFor(words, alignment);
  uint32_t found = findQuickly(arena, &request);
  if (!found)
    found = findAnywhere(arena, &request);
  return found ? carveFound(arena, found, &request) : 0;
}

static BerthHeapBlock blockOf(uint32_t handle) {
  return (BerthHeapBlock){handle ? handle + 1 : 0, handle};
}

static BerthHeapBlock allocate(uint32_t *arena, uint32_t words,
                               uint32_t alignment) {
  BerthHeapStatus status = BERTH_HEAP_EXHAUSTED;
  uint32_t handle = 0;
  if (!alignment || words > BERTH_HEAP_MAX_WORDS)
    status = BERTH_HEAP_BAD_SIZE;
  else if (!isSoundIfChecked(arena))
    status = BERTH_HEAP_BAD_TAG;
  else
    handle = place(arena, words, alignment);
  if (!handle)
    fail(arena, status);
  return blockOf(handle);
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

/// The block that contains the handle. All tags are known to be good.
static uint32_t blockAround(const uint32_t *arena, uint32_t handle) {
  uint32_t block = firstBlock(arena);
  while (block + blockSize(arena, block) <= handle)
    block += blockSize(arena, block);
  return block;
}

/// Nothing beyond the high-water mark was ever a block, and nothing from TOP on
/// is one any more. What is inside a free block was one, and merged away.
static BerthHeapStatus whyNotLive(const uint32_t *arena, uint32_t handle) {
  if (handle < firstBlock(arena) || handle >= arena[BERTH_HEAP_HIGH_WATER])
    return BERTH_HEAP_FOREIGN;
  if (handle >= arena[BERTH_HEAP_TOP])
    return BERTH_HEAP_DOUBLE_FREE;
  uint32_t block = isChecked(arena) ? blockAround(arena, handle) : handle;
  return arena[block] & BERTH_HEAP_TAG_USED ? BERTH_HEAP_FOREIGN
                                            : BERTH_HEAP_DOUBLE_FREE;
}

/// As far as the block's own tag can tell. The heads of lists, in front of the
/// first block, have no flags. What a block holds may look like a tag, but
/// seldom like one of a block that ends at the top or below.
static inline bool looksLive(const uint32_t *arena, uint32_t handle) {
  return handle >= BERTH_HEAP_LISTS && handle < arena[BERTH_HEAP_TOP] &&
         arena[handle] & BERTH_HEAP_TAG_USED &&
         blockSize(arena, handle) - 1 < arena[BERTH_HEAP_TOP] - handle;
}

static BerthHeapStatus judge(const uint32_t *arena, uint32_t handle) {
  if (!isSoundIfChecked(arena))
    return BERTH_HEAP_BAD_TAG;
  if (looksLive(arena, handle) &&
      (!isChecked(arena) || blockAround(arena, handle) == handle))
    return BERTH_HEAP_OK;
  return whyNotLive(arena, handle);
}

/// Makes a live block free and one with its free neighbours. The block's own
/// tag loses its USED flag even where it is merged away, so that a second free
/// of the same handle is noticed for as long as nobody writes there.
static inline void release(uint32_t *arena, uint32_t block) {
  uint32_t tag = arena[block];
  uint32_t start = block;
  uint32_t size = tag & BERTH_HEAP_TAG_SIZE;
  uint32_t end = block + size;
  uint32_t rest = arena[BERTH_HEAP_REST];
  bool isLast = end == arena[BERTH_HEAP_TOP];
  bool isRest = false, isListed = false;
  arena[BERTH_HEAP_USED] -= size;
  arena[block] = size;
  if (!isLast && !(arena[end] & BERTH_HEAP_TAG_USED)) {
    isRest = end == rest;
    if (!isRest)
      unlinkBlock(arena, end);
    end += arena[end];
  }
  if (tag & BERTH_HEAP_TAG_PREVIOUS_FREE) {
    uint32_t front = arena[block - 1];
    start -= front;
    isListed = start != rest;
    bool stays = !isLast && !isRest && isSameClass(front, end - start);
    if (isListed && !stays) {
      unlinkBlock(arena, start);
      isListed = false;
    }
    isRest |= start == rest;
  }
  if (isRest)
    arena[BERTH_HEAP_REST] = isLast ? 0 : start;
  if (isLast) {
    arena[BERTH_HEAP_TOP] = start;
    return;
  }
  writeFree(arena, start, end - start);
  arena[end] |= BERTH_HEAP_TAG_PREVIOUS_FREE;
  if (!isRest && !isListed)
    linkBlock(arena, start);
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

/// What a thread does before it asks for the lock again. More threads than
/// cores had better give way: -DBERTH_HEAP_WAIT="sched_yield()" in a build that
/// has an operating system.
#ifndef BERTH_HEAP_WAIT
#define BERTH_HEAP_WAIT ((void)0)
#endif

/// Looks before it writes: all that wait would take the lock's line from the
/// one that is to give it back.
static bool tryLock(uint32_t *arena) {
  if (!(arena[BERTH_HEAP_MODE] & BERTH_HEAP_LOCKED))
    return true;
  _Atomic uint32_t *lock = (_Atomic uint32_t *)&arena[BERTH_HEAP_LOCK];
  if (!atomic_load_explicit(lock, memory_order_relaxed) &&
      !atomic_exchange_explicit(lock, 1, memory_order_acquire))
    return true;
  BERTH_HEAP_WAIT;
  return false;
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
  arena[BERTH_HEAP_WORDS] = (uint32_t)words;
  arena[BERTH_HEAP_MODE] = mode;
  uint32_t first = firstBlock(arena);
  for (uint32_t word = BERTH_HEAP_MODE + 1; word < first; ++word)
    arena[word] = 0;
  arena[BERTH_HEAP_TOP] = first;
  arena[BERTH_HEAP_HIGH_WATER] = first;
  return BERTH_HEAP_OK;
}

APART BerthHeapBlock allocateInTurn(uint32_t *arena, uint32_t words,
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

APART BerthHeapStatus freeInTurn(uint32_t *arena, uint32_t handle) {
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

// Most calls neither lock nor check nor fail. What the functions above would do
// with them, these two do at once, since the questions take longer than they.

BerthHeapBlock berthHeapAllocAligned(uint32_t *arena, uint32_t words,
                                     uint32_t alignment) {
  bool isPlain = !arena[BERTH_HEAP_MODE] && alignment == 1;
  if (isPlain && words < arena[BERTH_HEAP_WORDS]) {
    Request request = requestFor(words, 1);
    uint32_t found = findQuickly(arena, &request);
    if (found)
      return blockOf(carveFound(arena, found, &request));
  }
  return allocateInTurn(arena, words, alignment);
}

BerthHeapStatus berthHeapFree(uint32_t *arena, uint32_t handle) {
  if (arena[BERTH_HEAP_MODE] || !looksLive(arena, handle))
    return freeInTurn(arena, handle);
  release(arena, handle);
  return BERTH_HEAP_OK;
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
