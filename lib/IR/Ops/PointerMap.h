//===- PointerMap.h - Hash map from pointers to integers ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Open addressing with linear probing. The map cannot be iterated, so that no
// result can ever depend on the order of pointers: keep the keys in an array
// where they must be visited. Clearing costs as much as was inserted, not as
// much as was ever reserved.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_POINTERMAP_H
#define BERTH_LIB_IR_OPS_POINTERMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthPointerSlot {
  const void *key; ///< NULL: free
  size_t value;
} BerthPointerSlot;

/// Zero-initialise to get an empty map; owns its slots (malloc).
typedef struct BerthPointerMap {
  BerthPointerSlot *slots;
  size_t capacity; ///< 0 or a power of two, at least twice `count`
  size_t count;
  size_t *used; ///< the occupied slots, for clearing
} BerthPointerMap;

#define BERTH_NOT_FOUND SIZE_MAX

/// The slot that has `key`, or that it would get, of a map that is not empty.
/// Fibonacci hashing; the low bits of a pointer carry no information.
static inline size_t berthPointerMapSlotOf(const BerthPointerMap *map,
                                           const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)(hash >> 20) & (map->capacity - 1);
  while (map->slots[slot].key && map->slots[slot].key != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

/// The value of `key`, or BERTH_NOT_FOUND. (Here since nothing is done more
/// often.)
static inline size_t berthPointerMapFind(const BerthPointerMap *map,
                                         const void *key) {
  if (!map->count)
    return BERTH_NOT_FOUND;
  BerthPointerSlot slot = map->slots[berthPointerMapSlotOf(map, key)];
  return slot.key ? slot.value : BERTH_NOT_FOUND;
}

/// Adds `key` unless it is there; returns true if it was added. Out of memory
/// ends the process, as it does in MLIR itself.
bool berthPointerMapInsert(BerthPointerMap *map, const void *key, size_t value);

/// Sets the value of `key`, new or not.
void berthPointerMapSet(BerthPointerMap *map, const void *key, size_t value);

void berthPointerMapClear(BerthPointerMap *map);
void berthPointerMapFree(BerthPointerMap *map);

#endif // BERTH_LIB_IR_OPS_POINTERMAP_H
