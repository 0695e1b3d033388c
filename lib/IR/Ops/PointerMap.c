//===- PointerMap.c - Hash map from pointers to integers ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/PointerMap.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

enum { kFirstCapacity = 64 };

/// Fibonacci hashing; the low bits of a pointer carry no information.
static size_t slotOf(const BerthPointerMap *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)(hash >> 20) & (map->capacity - 1);
  while (map->slots[slot].key && map->slots[slot].key != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

static void place(BerthPointerMap *map, const void *key, size_t value) {
  size_t slot = slotOf(map, key);
  map->slots[slot].key = key;
  map->slots[slot].value = value;
  map->used[map->count++] = slot;
}

static void grow(BerthPointerMap *map) {
  BerthPointerMap old = *map;
  map->capacity = old.capacity ? 2 * old.capacity : kFirstCapacity;
  map->slots = berthAllocateOrDie(map->capacity, sizeof *map->slots);
  map->used = berthAllocateOrDie(map->capacity / 2, sizeof *map->used);
  map->count = 0;
  for (size_t i = 0; i < old.count; ++i) {
    BerthPointerSlot slot = old.slots[old.used[i]];
    place(map, slot.key, slot.value);
  }
  berthPointerMapFree(&old);
}

size_t berthPointerMapFind(const BerthPointerMap *map, const void *key) {
  if (!map->count)
    return BERTH_NOT_FOUND;
  BerthPointerSlot slot = map->slots[slotOf(map, key)];
  return slot.key ? slot.value : BERTH_NOT_FOUND;
}

bool berthPointerMapInsert(BerthPointerMap *map, const void *key,
                           size_t value) {
  if (berthPointerMapFind(map, key) != BERTH_NOT_FOUND)
    return false;
  if (2 * (map->count + 1) > map->capacity)
    grow(map);
  place(map, key, value);
  return true;
}

void berthPointerMapSet(BerthPointerMap *map, const void *key, size_t value) {
  if (!berthPointerMapInsert(map, key, value))
    map->slots[slotOf(map, key)].value = value;
}

void berthPointerMapClear(BerthPointerMap *map) {
  for (size_t i = 0; i < map->count; ++i)
    map->slots[map->used[i]].key = NULL;
  map->count = 0;
}

void berthPointerMapFree(BerthPointerMap *map) {
  free(map->slots);
  free(map->used);
  memset(map, 0, sizeof *map);
}
