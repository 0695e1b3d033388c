//===- Bitset.h - Bits, and sets that know their neighbours -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A plain bitset is an array of words. A BerthOrderedSet is a tree of them with
// 64 children a node: bit i of a level says whether word i of the level below
// is non-zero. Insert, erase, and "next member at or above" take one step a
// level, and there are four levels at 16 million.
//
//     level 1            [1 0 1 ...]
//                         |   `-----------.
//     level 0   [0 1 1 0 ...] [0 0 0 ...] [1 0 0 ...]
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_BITSET_H
#define BERTH_LIB_SUPPORT_BITSET_H

#include "Support/BumpMemory.h"

static inline size_t berthBitWords(size_t bits) { return (bits + 63) / 64; }

static inline bool berthBitTest(const uint64_t *words, size_t bit) {
  return words[bit / 64] >> bit % 64 & 1;
}

static inline void berthBitSet(uint64_t *words, size_t bit) {
  words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void berthBitClear(uint64_t *words, size_t bit) {
  words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

enum { kBerthOrderedSetLevels = 6 };

/// A set of numbers below 2^32 that finds the members next to a number.
typedef struct BerthOrderedSet {
  unsigned numLevels;
  uint64_t *levels[kBerthOrderedSetLevels];
  size_t numWords[kBerthOrderedSetLevels];
} BerthOrderedSet;

/// An empty set for members below `limit`. False when memory ran out.
bool berthOrderedSetInit(BerthOrderedSet *set, BerthMemory *memory,
                         uint32_t limit);
void berthOrderedSetInsert(BerthOrderedSet *set, uint32_t member);
void berthOrderedSetErase(BerthOrderedSet *set, uint32_t member);
/// The smallest member >= `from`, or UINT32_MAX.
uint32_t berthOrderedSetNext(const BerthOrderedSet *set, uint64_t from);
/// The largest member < `before`, or UINT32_MAX.
uint32_t berthOrderedSetPrevious(const BerthOrderedSet *set, uint32_t before);

#endif // BERTH_LIB_SUPPORT_BITSET_H
