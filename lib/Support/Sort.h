//===- Sort.h - Stable sorting by integer keys --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Everything Berth sorts, it sorts by integers, and ties must end in the index.
// So there is one sort: indices by a 64-bit key, stable. To sort by several
// keys, sort by the least important first.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_SORT_H
#define BERTH_LIB_SUPPORT_SORT_H

#include "Support/BumpMemory.h"

#include <stddef.h>
#include <stdint.h>

/// Sorts the indices in `order` by ascending keys[order[i]], keeping the order
/// of equal keys. `scratch` has room for `count` indices. Linear in `count` for
/// many (radix sort), a merge sort for few.
void berthSortByKey(uint32_t *order, uint32_t *scratch, size_t count,
                    const uint64_t *keys);

/// The same for a few indices, or such as are nearly sorted already. Returns by
/// how many places they moved, all in all.
static inline size_t berthInsertionSort(uint32_t *order, size_t count,
                                        const uint64_t *keys) {
  size_t moved = 0;
  for (size_t i = 1; i < count; ++i) {
    uint32_t index = order[i];
    uint64_t key = keys[index];
    size_t j = i;
    for (; j > 0 && keys[order[j - 1]] > key; --j)
      order[j] = order[j - 1];
    order[j] = index;
    moved += i - j;
  }
  return moved;
}

/// The numbers from 0 up to `count`, and what it takes to sort them.
typedef struct BerthSorting {
  uint32_t count;
  uint32_t *order;   ///< ascending at first
  uint64_t *keys;    ///< number -> key; the caller fills it in, then sorts
  uint32_t *scratch; ///< room for `count` numbers
} BerthSorting;

/// False when memory ran out, now or before.
bool berthSortingInit(BerthSorting *sorting, uint32_t count,
                      BerthMemory *memory);

/// Sorts `order` by the keys, and returns it.
uint32_t *berthSort(BerthSorting *sorting);

/// For qsort: ascending int64_t, or structs that begin with one, such as
/// BerthSegment and BerthGap. Others of the same value come in any order.
int berthCompareFirst(const void *left, const void *right);

/// Keys that sort signed values: ascending, and descending.
static inline uint64_t berthKeyAscending(int64_t value) {
  return (uint64_t)value ^ UINT64_C(1) << 63;
}
static inline uint64_t berthKeyDescending(int64_t value) {
  return ~berthKeyAscending(value);
}

#endif // BERTH_LIB_SUPPORT_SORT_H
