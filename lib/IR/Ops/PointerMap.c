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

static void place(BerthPointerMap *map, const void *key, size_t value) {
  size_t slot = berthPointerMapSlotOf(map, key);
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
    map->slots[berthPointerMapSlotOf(map, key)].value = value;
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
