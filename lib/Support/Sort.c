//===- Sort.c - Stable sorting by integer keys ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Sort.h"

#include <stdbool.h>
#include <string.h>

enum { kInsertionRun = 8, kRadixFrom = 512, kDigits = 8 };

static void insertionSort(uint32_t *order, size_t count, const uint64_t *keys) {
  for (size_t i = 1; i < count; ++i) {
    uint32_t index = order[i];
    size_t j = i;
    for (; j > 0 && keys[order[j - 1]] > keys[index]; --j)
      order[j] = order[j - 1];
    order[j] = index;
  }
}

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
    insertionSort(order + at,
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

// One counting pass a byte, least significant first; bytes in which all keys
// agree are skipped, so small ranges cost few passes.
static void radixSort(uint32_t *order, uint32_t *scratch, size_t count,
                      const uint64_t *keys) {
  static const size_t kBuckets = 256;
  size_t counts[8][256] = {{0}};
  for (size_t i = 0; i < count; ++i)
    for (unsigned digit = 0; digit < kDigits; ++digit)
      ++counts[digit][keys[order[i]] >> 8 * digit & 255];
  uint32_t *from = order, *to = scratch;
  for (unsigned digit = 0; digit < kDigits; ++digit) {
    size_t *count1 = counts[digit];
    if (count1[keys[order[0]] >> 8 * digit & 255] == count)
      continue;
    for (size_t bucket = 0, sum = 0; bucket < kBuckets; ++bucket) {
      size_t here = count1[bucket];
      count1[bucket] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; ++i)
      to[count1[keys[from[i]] >> 8 * digit & 255]++] = from[i];
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
