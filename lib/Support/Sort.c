//===- Sort.c - Stable sorting by integer keys ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Sort.h"

#include <stdbool.h>
#include <string.h>

enum {
  kInsertionRun = 8,
  kRadixFrom = 512,
  kDigitBits = 11, // tables of this size stay in the nearest cache
  kDigitMask = (1 << kDigitBits) - 1
};

// Merges the sorted halves [0, middle) and [middle, count) of `from`.
static void merge(uint32_t *to, const uint32_t *from, size_t middle,
                  size_t count, const uint64_t *keys) {
  size_t left = 0, right = middle;
  for (size_t i = 0; i < count; ++i) {
    bool takeLeft = right == count ||
                    (left < middle && keys[from[left]] <= keys[from[right]]);
    to[i] = takeLeft ? from[left++] : from[right++];
  }
}

static void mergeSort(uint32_t *order, uint32_t *scratch, size_t count,
                      const uint64_t *keys) {
  for (size_t at = 0; at < count; at += kInsertionRun)
    berthInsertionSort(order + at,
                       count - at < kInsertionRun ? count - at : kInsertionRun,
                       keys);
  for (size_t run = kInsertionRun; run < count; run *= 2) {
    for (size_t at = 0; at + run < count; at += 2 * run) {
      size_t length = count - at < 2 * run ? count - at : 2 * run;
      merge(scratch + at, order + at, run, length, keys);
      memcpy(order + at, scratch + at, length * sizeof *order);
    }
  }
}

// The bits in which the keys differ lie in [low, high); false: all are sorted
// already, as what comes in order of time often is.
static bool findBits(const uint32_t *order, size_t count, const uint64_t *keys,
                     unsigned *low, unsigned *high) {
  uint64_t first = keys[order[0]], last = first, differing = 0;
  bool sorted = true;
  for (size_t i = 1; i < count; ++i) {
    uint64_t key = keys[order[i]];
    differing |= key ^ first;
    sorted &= last <= key;
    last = key;
  }
  if (sorted)
    return false;
  *low = (unsigned)__builtin_ctzll(differing);
  *high = 64 - (unsigned)__builtin_clzll(differing);
  return true;
}

// How many keys have each value of each digit from bit `low` on.
static void countDigits(const uint32_t *order, size_t count,
                        const uint64_t *keys, unsigned low, unsigned digits,
                        uint32_t counts[][1 << kDigitBits]) {
  memset(counts, 0, digits * sizeof *counts);
  for (size_t i = 0; i < count; ++i) {
    uint64_t key = keys[order[i]] >> low;
    for (unsigned digit = 0; digit < digits; ++digit, key >>= kDigitBits)
      ++counts[digit][key & kDigitMask];
  }
}

// One pass a digit, least significant first, over the bits in which the keys
// differ at all: small ranges cost few passes.
static void radixSort(uint32_t *order, uint32_t *scratch, size_t count,
                      const uint64_t *keys) {
  uint32_t counts[64 / kDigitBits + 1][1 << kDigitBits];
  uint32_t *from = order, *to = scratch;
  unsigned low, high;
  if (!findBits(order, count, keys, &low, &high))
    return;
  unsigned digits = (high - low + kDigitBits - 1) / kDigitBits;
  countDigits(order, count, keys, low, digits, counts);
  for (unsigned digit = 0; digit < digits; ++digit, low += kDigitBits) {
    uint32_t *places = counts[digit];
    for (uint32_t value = 0, sum = 0; value <= kDigitMask; ++value) {
      uint32_t here = places[value];
      places[value] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; ++i)
      to[places[keys[from[i]] >> low & kDigitMask]++] = from[i];
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != order)
    memcpy(order, from, count * sizeof *order);
}

void berthSortByKey(uint32_t *order, uint32_t *scratch, size_t count,
                    const uint64_t *keys) {
  if (count < kRadixFrom)
    mergeSort(order, scratch, count, keys);
  else
    radixSort(order, scratch, count, keys);
}

bool berthSortingInit(BerthSorting *sorting, uint32_t count,
                      BerthMemory *memory) {
  *sorting =
      (BerthSorting){.count = count,
                     .order = BERTH_MEMORY_NEW(memory, uint32_t, count),
                     .keys = BERTH_MEMORY_NEW(memory, uint64_t, count),
                     .scratch = BERTH_MEMORY_NEW(memory, uint32_t, count)};
  if (memory->failed)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    sorting->order[i] = i;
  return true;
}

uint32_t *berthSort(BerthSorting *sorting) {
  berthSortByKey(sorting->order, sorting->scratch, sorting->count,
                 sorting->keys);
  return sorting->order;
}

int berthCompareFirst(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}
