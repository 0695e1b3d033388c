//===- SearchRefuted.c - What an exact search need not try again ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/SearchRefuted.h"

#include "Support/Checked.h"
#include "Support/Random.h"

#include <string.h>

enum {
  kEntries = 1 << 18,     ///< a power of two
  kRing = 1 << 22,        ///< words; the same
  kMostUnplaced = 1 << 9, ///< items of an entry
  kOffsetBits = 49,       ///< of a word; then a bit, then the item
};
_Static_assert(1 + kOffsetBits + kBerthItemBits <= 64, "a word holds it");

/// A state: the words [begin, begin + count) of the ring.
typedef struct Entry {
  uint64_t hash;
  uint64_t begin; ///< counted on round after round
  uint32_t count; ///< 0: no entry
  int64_t below;  ///< refuted for all heights below this one
} Entry;

struct BerthRefuted {
  uint64_t run;   ///< the one under way
  uint64_t end;   ///< where the next entry begins in the ring
  Entry *entries; ///< by hash
  uint64_t *ring;
  uint64_t words[kMostUnplaced]; ///< the state at hand
};

//===---------------------------------------------------------------------===//
// Twins
//===---------------------------------------------------------------------===//

static bool areTwins(const BerthSearch *search, uint32_t i, uint32_t j) {
  uint32_t begin = search->sectionBegin[i], other = search->sectionBegin[j];
  uint32_t count = search->sectionBegin[i + 1] - begin;
  return search->sizes[i] == search->sizes[j] &&
         search->alignments[i] == search->alignments[j] &&
         !berthSearchIsPinned(search, i) && !berthSearchIsPinned(search, j) &&
         search->sectionBegin[j + 1] - other == count &&
         memcmp(search->sections + begin, search->sections + other,
                count * sizeof *search->sections) == 0;
}

// Items stand in an order that their numbers determine, so twins stand side by
// side.
bool berthSearchFindTwins(BerthSearch *search) {
  search->twins = BERTH_MEMORY_NEW(search->arena, uint32_t, search->numItems);
  for (uint32_t i = 0; search->twins && i < search->numItems; ++i)
    search->twins[i] =
        i > 0 && areTwins(search, i, i - 1) ? search->twins[i - 1] : i;
  return search->twins;
}

//===---------------------------------------------------------------------===//
// States
//===---------------------------------------------------------------------===//

static bool isLeft(const BerthSearch *search, uint32_t item, uint32_t lower,
                   uint32_t upper) {
  return !search->placed[item] && search->lowers[item] >= lower &&
         search->lowers[item] < upper;
}

// What is to be known of an unplaced item. Whether anything holds it up is told
// by its minimum being above its base; by how much does not matter.
static uint64_t wordOf(const BerthSearch *search, uint32_t item) {
  uint64_t skipped = search->minimums[item] > search->bases[item];
  return (uint64_t)search->twins[item] << (kOffsetBits + 1) |
         skipped << kOffsetBits | (uint64_t)search->minimums[item];
}

// The state at hand; those of twins in the order of their words. 0: too many.
static uint32_t listWords(BerthSearch *search, uint32_t lower, uint32_t upper) {
  uint64_t *words = search->refuted->words;
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    if (!isLeft(search, i, lower, upper))
      continue;
    if (count == kMostUnplaced)
      return 0;
    uint64_t word = wordOf(search, i);
    uint32_t at = count++;
    for (; at > 0 && words[at - 1] > word; --at)
      words[at] = words[at - 1];
    words[at] = word;
  }
  search->work += search->numItems / 8 + count / 4;
  return count;
}

static uint64_t hashOf(const uint64_t *words, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t k = 0; k < count; ++k)
    hash = berthMix(hash * BERTH_RANDOM_STEP + words[k]);
  return hash;
}

// An entry whose words have been written over is void. None lies across the
// end of the ring.
static bool isSame(const BerthRefuted *refuted, const Entry *entry,
                   uint64_t hash, uint32_t count) {
  return entry->count == count && entry->hash == hash &&
         refuted->end - entry->begin <= kRing &&
         memcmp(refuted->ring + entry->begin % kRing, refuted->words,
                count * sizeof *refuted->ring) == 0;
}

static Entry *entryOf(const BerthRefuted *refuted, uint64_t hash) {
  return &refuted->entries[hash & (kEntries - 1)];
}

// What is unplaced, and what could hold it up or has done so.
static void blameAll(BerthSearch *search, uint32_t lower, uint32_t upper) {
  memset(search->nogood, 0, search->words * sizeof *search->nogood);
  for (uint32_t i = 0; i < search->numItems; ++i) {
    const uint64_t *set = search->neighbourSets + i * search->words;
    if (!isLeft(search, i, lower, upper))
      continue;
    berthBitSet(search->nogood, i);
    for (size_t w = 0; w < search->words; ++w)
      search->nogood[w] |= set[w];
  }
}

//===---------------------------------------------------------------------===//
// The table
//===---------------------------------------------------------------------===//

static bool create(BerthSearch *search) {
  BerthMemory *arena = search->arena;
  BerthRefuted *refuted = BERTH_MEMORY_NEW(arena, BerthRefuted, 1);
  if (!refuted)
    return false;
  refuted->entries = BERTH_MEMORY_NEW(arena, Entry, kEntries);
  refuted->ring = BERTH_MEMORY_NEW(arena, uint64_t, kRing);
  search->refuted = refuted;
  return !arena->failed;
}

static bool isReady(BerthSearch *search) {
  if (!search->rememberFrom || search->proof ||
      search->capacity >= INT64_C(1) << kOffsetBits)
    return false;
  if (search->refuted || search->failures < search->rememberFrom)
    return search->refuted;
  if (!create(search))
    search->result = BERTH_SEARCH_MEMORY;
  return search->result == BERTH_SEARCH_FOUND;
}

bool berthSearchIsRefuted(BerthSearch *search, uint32_t lower, uint32_t upper) {
  if (!isReady(search))
    return false;
  const BerthRefuted *refuted = search->refuted;
  uint32_t count = listWords(search, lower, upper);
  uint64_t hash = hashOf(refuted->words, count);
  const Entry *entry = entryOf(refuted, hash);
  if (!count || entry->below <= search->capacity ||
      !isSame(refuted, entry, hash, count))
    return false;
  if (entry->below - search->capacity < search->leastExcess)
    search->leastExcess = entry->below - search->capacity;
  blameAll(search, lower, upper);
  return true;
}

void berthSearchNoteRefuted(BerthSearch *search, uint32_t lower, uint32_t upper,
                            int64_t excess) {
  if (!isReady(search))
    return;
  BerthRefuted *refuted = search->refuted;
  uint32_t count = listWords(search, lower, upper);
  uint64_t hash = hashOf(refuted->words, count), room;
  if (!count)
    return;
  room = kRing - refuted->end % kRing;
  if (room < count)
    refuted->end += room;
  *entryOf(refuted, hash) = (Entry){
      hash, refuted->end, count, berthAddSaturating(search->capacity, excess)};
  memcpy(refuted->ring + refuted->end % kRing, refuted->words,
         count * sizeof *refuted->ring);
  refuted->end += count;
}
