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
// Why this algorithm. Free blocks are listed by size, in four classes for each
// power of two, so that a call looks at a few words however many blocks there
// are; the classes that have any are bits of four words (two-level segregated
// fit: M. Masmano, I. Ripoll, A. Crespo, J. Real, TLSF, ECRTS 2004). But a
// kernel's shared memory is small and every word of bookkeeping is a word lost:
// so the classes are few, as many as the arena can have use for, and the blocks
// themselves hold the links. Finer ones are made up for by a look at several
// blocks of a class.
//
//   word 0                                          TOP              words - 1
//   +--------+-------+---+---------+---+----------------+---------------------+
//   | header | lists | T | payload | T | N B .(free). F |  never used, or back
//   |
//   +--------+-------+---+---------+---+----------------+---------------------+
//    13 words          ^ handle      ^
//                      tag           free blocks also hold the links of a list:
//                                    next, back; and their size at the end
//
// A tag is the block's size in words, the tag included, with two flags on top:
// USED, and PREVIOUS_FREE. A live block costs exactly one word. A free block
// repeats its size in its last word F, which the next block reads only if its
// own PREVIOUS_FREE flag is set: so both neighbours of any block are found in
// constant time (boundary tags: D. Knuth, The Art of Computer Programming,
// vol. 1, 2.5, algorithm C and exercise 2.5-19). The smallest block has
// 4 words: tag, two links and F.
//
// Two free areas are in no list, since they change with nearly every call. From
// TOP on nothing is allocated: blocks in front of it that are freed fall back
// to it, so that stacks of blocks need no list at all. And REST is what was
// left of the block cut last (D. Lea's "designated victim"): cut again and
// again, and grown where its neighbours are freed, as in a ring of blocks.
//
// Allocating w words aligned to a takes the first of these that fits:
//   1. the smallest of the four newest blocks of the request's own class;
//   2. the newest block of the next class that has one, if that is one of the
//      three above, below twice the size;
//   3. REST;
//   4. the newest block of the next class that has one; what is left of it is
//      the new REST, and the old one goes to its list;
//   5. TOP;
//   6. any other block that fits. Only a request that would be refused
//   otherwise
//      walks lists.
// The payload is put at the lowest multiple of `a` whose tag either starts the
// block or leaves a whole free block in front of it. A rest below 4 words stays
// inside.
//
// Freeing: merge with a free block behind, then with one in front (so that no
// two free blocks are ever neighbours), and list the result.
//
// Every decision depends on the words alone: the same calls give the same
// addresses everywhere.
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
  BERTH_HEAP_WORDS = 0,      ///< size of the arena, in words
  BERTH_HEAP_MODE = 1,       ///< BERTH_HEAP_CHECKED and the like
  BERTH_HEAP_NOBODY = 2,     ///< stands in for BACK of no block; means nothing
  BERTH_HEAP_STATUS = 3,     ///< the first failure, a BerthHeapStatus; 0: none
  BERTH_HEAP_LOCK = 4,       ///< 1 while a call is inside, else 0
  BERTH_HEAP_TOP = 5,        ///< where the last live block ends
  BERTH_HEAP_USED = 6,       ///< words in live blocks, tags included
  BERTH_HEAP_HIGH_WATER = 7, ///< end of the highest block ever allocated
  BERTH_HEAP_REST = 8,       ///< what is left of the block cut last; 0: none
  BERTH_HEAP_MAPS = 9,       ///< four words: a bit for each list with a block
  BERTH_HEAP_LISTS = 13 ///< newest block of each class, 0: none; the blocks
                        ///< begin behind the class of the arena's own size
};

/// Most classes that an arena can have.
enum { BERTH_HEAP_CLASSES = 112 };

/// A block, by word from its tag.
enum {
  BERTH_HEAP_NEXT = 1, ///< in a list: the block behind; 0: none
  BERTH_HEAP_BACK = 2, ///< in a list: the word that holds this block's index
  BERTH_HEAP_LEAST = 4 ///< words of the smallest block
};

/// The flags of a tag; the other bits are the size.
#define BERTH_HEAP_TAG_USED UINT32_C(0x80000000)
#define BERTH_HEAP_TAG_PREVIOUS_FREE UINT32_C(0x40000000)
#define BERTH_HEAP_TAG_SIZE UINT32_C(0x3fffffff)

/// Words of the smallest and the largest arena.
#define BERTH_HEAP_MIN_WORDS UINT32_C(29)
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
  /// Walk all tags before every call: O(n), but every double free, foreign
  /// handle and overwritten tag is found and nothing is made worse.
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
/// any free words suffice, payload, tag and alignment together.
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

/// Checks every tag, link, list and count. On failure `*word` (may be NULL) is
/// the index of the first word found wrong. Takes no lock and changes nothing.
BERTH_EXPORT BerthHeapStatus berthHeapCheck(const uint32_t *arena,
                                            uint32_t *word);

BERTH_EXTERN_C_END

#endif // BERTH_C_HEAP_H
