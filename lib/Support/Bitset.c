//===- Bitset.c - Sets that know their neighbours ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Bitset.h"

bool berthOrderedSetInit(BerthOrderedSet *set, BerthMemory *memory,
                         uint32_t limit) {
  *set = (BerthOrderedSet){0};
  size_t words = limit;
  do {
    words = berthBitWords(words ? words : 1);
    uint64_t *level = BERTH_MEMORY_NEW(memory, uint64_t, words);
    if (!level)
      return false;
    set->numWords[set->numLevels] = words;
    set->levels[set->numLevels++] = level;
  } while (words > 1);
  return true;
}

void berthOrderedSetInsert(BerthOrderedSet *set, uint32_t member) {
  for (unsigned level = 0; level < set->numLevels; ++level) {
    bool known = set->levels[level][member / 64] != 0;
    berthBitSet(set->levels[level], member);
    if (known)
      return; // the word had members: nothing changes above
    member /= 64;
  }
}

void berthOrderedSetErase(BerthOrderedSet *set, uint32_t member) {
  for (unsigned level = 0; level < set->numLevels; ++level) {
    berthBitClear(set->levels[level], member);
    member /= 64;
    if (set->levels[level][member])
      return; // the word still has members: nothing changes above
  }
}

// From word `at` of `level`, the smallest member below it.
static uint32_t descendLowest(const BerthOrderedSet *set, unsigned level,
                              size_t at) {
  while (true) {
    at = at * 64 + (size_t)__builtin_ctzll(set->levels[level][at]);
    if (level-- == 0)
      return (uint32_t)at;
  }
}

static uint32_t descendHighest(const BerthOrderedSet *set, unsigned level,
                               size_t at) {
  while (true) {
    at = at * 64 + 63 - (size_t)__builtin_clzll(set->levels[level][at]);
    if (level-- == 0)
      return (uint32_t)at;
  }
}

uint32_t berthOrderedSetNext(const BerthOrderedSet *set, uint64_t from) {
  for (unsigned level = 0; level < set->numLevels; ++level) {
    size_t word = from / 64;
    if (word >= set->numWords[level])
      return UINT32_MAX;
    uint64_t bits = set->levels[level][word] & ~UINT64_C(0) << from % 64;
    if (bits) {
      size_t bit = word * 64 + (size_t)__builtin_ctzll(bits);
      return level ? descendLowest(set, level - 1, bit) : (uint32_t)bit;
    }
    from = word + 1;
  }
  return UINT32_MAX;
}

uint32_t berthOrderedSetPrevious(const BerthOrderedSet *set, uint32_t before) {
  for (unsigned level = 0; level < set->numLevels; ++level) {
    size_t word = before / 64;
    uint64_t mask = (UINT64_C(1) << before % 64) - 1;
    uint64_t bits =
        word < set->numWords[level] ? set->levels[level][word] & mask : 0;
    if (bits) {
      size_t bit = word * 64 + 63 - (size_t)__builtin_clzll(bits);
      return level ? descendHighest(set, level - 1, bit) : (uint32_t)bit;
    }
    before = (uint32_t)word;
  }
  return UINT32_MAX;
}
