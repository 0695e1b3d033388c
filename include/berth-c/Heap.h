//===- Heap.h - A heap that lives inside one arena ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A run-time allocator for sizes and lifetimes that no plan can know. All of
// it, its own bookkeeping included, lives in one array of 32-bit words that
// the caller owns; it calls nothing, keeps no pointers (only word indices, so
// the arena may be moved, mapped elsewhere or run by a GPU) and needs no more
// of C than a freestanding compiler has. berth-heap carries the same algorithm
// as MLIR functions; the two agree word for word.
//
// Why this algorithm. A kernel's shared memory is small and every word of
// bookkeeping is a word lost, so there are no size-class tables: the only
// index is a binary max-heap over the free blocks, and its nodes are the free
// blocks themselves. It costs nothing that is not free anyway, can never run
// out of room, and bounds both operations by O(log n) for n free blocks. In a
// max-heap the root tells at once whether a request can be met at all.
//
//   word 0                                                        words - 1
//   +--------+---+---------+---+-----------------------+---+--------+-----+
//   | header | T | payload | T | P L R .... (free) ... F | T | payload | END |
//   +--------+---+---------+---+-----------------------+---+--------+-----+
//     8 words  ^ handle      ^
//              tag           free blocks also hold the links of the max-heap:
//                            parent, left, right; and their size at the end
//
// A tag is the block's size in words, the tag included, with two flags on top:
// USED, and PREVIOUS_FREE. A live block costs exactly one word. A free block
// repeats its size in its last word F, which the next block reads only if its
// own PREVIOUS_FREE flag is set: so both neighbours of any block are found in
// constant time (boundary tags: D. Knuth, The Art of Computer Programming,
// vol. 1, 2.5, algorithm C and exercise 2.5-19). The smallest block has
// 5 words: tag, three links and F. END is a used tag of size 0.
//
// The max-heap is a complete binary tree in heap order, linked instead of laid
// out in an array: node k's children are nodes 2k and 2k + 1, and the path to
// node k is spelled by the bits of k after the first, 0 for left and 1 for
// right. So the last node is found in O(log n) from the count alone (linked
// heaps: M. Allen Weiss, Data Structures and Algorithm Analysis, ch. 6).
//
// Allocating w words aligned to a:
//   1. Start at the root. If the request does not fit there, fail.
//   2. Step to the smaller child that fits (left if equal) as long as one
//      does: the walk ends at a block near the smallest that fits.
//   3. Put the payload at the lowest multiple of `a` whose tag either starts
//      the block or leaves a whole free block in front of it.
//   4. What is left in front keeps its node, what is left behind takes over
//      the node or becomes a new one; a rest below 5 words stays inside.
//
// Freeing: merge with a free block behind, then with one in front (so that no
// two free blocks are ever neighbours), and let the result rise in the heap.
//
// Every decision depends on the words alone, and ties go left: the same calls
// give the same addresses everywhere.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_HEAP_H
#define BERTH_C_HEAP_H

#include "berth-c/Support.h"

BERTH_EXTERN_C_BEGIN

//===---------------------------------------------------------------------===//
// The arena, word by word
//===---------------------------------------------------------------------===//

/// The arena's header: which word holds what. Callers may read them; with
/// BERTH_HEAP_LOCKED only while no other thread is in a call.
enum {
  BERTH_HEAP_WORDS = 0,       ///< size of the arena, in words
  BERTH_HEAP_MODE = 1,        ///< BERTH_HEAP_CHECKED and the like
  BERTH_HEAP_LOCK = 2,        ///< 1 while a call is inside, else 0
  BERTH_HEAP_STATUS = 3,      ///< the first failure, a BerthHeapStatus; 0: none
  BERTH_HEAP_ROOT = 4,        ///< largest free block; 0: none
  BERTH_HEAP_FREE_BLOCKS = 5, ///< number of free blocks
  BERTH_HEAP_USED = 6,        ///< words in live blocks, tags included
  BERTH_HEAP_HIGH_WATER = 7,  ///< end of the highest block ever allocated
  BERTH_HEAP_FIRST = 8        ///< where the blocks begin
};

/// A block, by word from its tag.
enum {
  BERTH_HEAP_PARENT = 1, ///< free blocks only; 0 at the root
  BERTH_HEAP_LEFT = 2,   ///< free blocks only; 0: none
  BERTH_HEAP_RIGHT = 3,  ///< free blocks only; 0: none
  BERTH_HEAP_LEAST = 5   ///< words of the smallest block
};

/// The flags of a tag; the other bits are the size.
#define BERTH_HEAP_TAG_USED UINT32_C(0x80000000)
#define BERTH_HEAP_TAG_PREVIOUS_FREE UINT32_C(0x40000000)
#define BERTH_HEAP_TAG_SIZE UINT32_C(0x3fffffff)

/// Words of the smallest and the largest arena.
#define BERTH_HEAP_MIN_WORDS UINT32_C(14)
#define BERTH_HEAP_MAX_WORDS BERTH_HEAP_TAG_SIZE

//===---------------------------------------------------------------------===//
// Calls
//===---------------------------------------------------------------------===//

typedef enum BerthHeapStatus {
  BERTH_HEAP_OK = 0,
  BERTH_HEAP_EXHAUSTED = 1,   ///< no free block fits
  BERTH_HEAP_BAD_SIZE = 2,    ///< stride 0, or count x stride is no size at all
                              ///< (more words than any arena can have)
  BERTH_HEAP_DOUBLE_FREE = 3, ///< the handle's block is free already
  BERTH_HEAP_FOREIGN = 4,     ///< the handle is none of this arena's
  BERTH_HEAP_BAD_TAG = 5,     ///< somebody wrote over a tag or a link
  BERTH_HEAP_BAD_ARENA = 6    ///< too few or too many words for an arena
} BerthHeapStatus;

/// A sentence for people. Static storage.
BERTH_EXPORT const char *berthHeapStatusString(BerthHeapStatus status);

enum {
  /// Walk all tags before every call: O(n log n), but every double free,
  /// foreign handle and overwritten tag is found and nothing is made worse.
  /// Without it a free looks only at its own tag: a plain double free is
  /// still found, anything beyond is the caller's duty, as with C's free.
  BERTH_HEAP_CHECKED = 1,
  /// Calls may come from many threads: each takes the lock word. The try-lock
  /// and the critical section share one loop, so that lanes which run in lock
  /// step cannot keep the holder from letting go.
  BERTH_HEAP_LOCKED = 2
};

/// What an allocation gives. Failure is {0, 0}; neither 0 is ever valid.
typedef struct BerthHeapBlock {
  uint32_t address; ///< of the payload, in units of the stride
  uint32_t handle;  ///< for berthHeapFree; the payload's first word less one
} BerthHeapBlock;

/// Makes `words` words at `arena` an empty heap. The payloads are aligned
/// relative to `arena`: align it as strictly as the largest alignment needs.
/// Fails with BERTH_HEAP_BAD_ARENA, writing nothing, if `words` is below
/// BERTH_HEAP_MIN_WORDS or above BERTH_HEAP_MAX_WORDS.
BERTH_EXPORT BerthHeapStatus berthHeapInit(uint32_t *arena, uint64_t words,
                                           uint32_t mode);

/// Allocates `count` elements of `stride` words each. The payload starts at
/// word `address * stride`; its contents are undefined. A count of 0 gives a
/// block of its own too. Failure leaves all blocks as they were and writes the
/// reason into the status word, if that is still 0. It never fails as long as
/// the largest free block has max(5, count x stride + 1) + stride + 4 words.
BERTH_EXPORT BerthHeapBlock berthHeapAlloc(uint32_t *arena, uint32_t count,
                                           uint32_t stride);

/// Allocates `words` words at a multiple of `alignment` words (any number, not
/// just powers of two); the address counts words.
BERTH_EXPORT BerthHeapBlock berthHeapAllocAligned(uint32_t *arena,
                                                  uint32_t words,
                                                  uint32_t alignment);

/// Frees a block; handle 0 is ignored. Failures change no block, are returned
/// and go into the status word, if that is still 0.
BERTH_EXPORT BerthHeapStatus berthHeapFree(uint32_t *arena, uint32_t handle);

/// Checks every tag, link and count. On failure `*word` (may be NULL) is the
/// index of the first word found wrong. Takes no lock and changes nothing.
BERTH_EXPORT BerthHeapStatus berthHeapCheck(const uint32_t *arena,
                                            uint32_t *word);

BERTH_EXTERN_C_END

#endif // BERTH_C_HEAP_H
