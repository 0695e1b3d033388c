//===- Slots.c - The heap with one parked block for each class -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much a path without the lock could serve: a block that is freed is parked
// in its class's slot if that is empty, and a request takes what is parked in
// its class if that fits. Each would be one atomic that exchanges the slot's
// word, which knows no ABA. Parked blocks merge with nobody; a request that the
// heap refuses gets them freed first. Only the shares matter here, so slots are
// plain words.
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "Heap/FreeLists.h"

SlotCounts slotCounts;

static uint32_t slots[BERTH_HEAP_CLASSES];

static void init(uint32_t *arena, uint32_t words) {
  for (uint32_t class = 0; class < BERTH_HEAP_CLASSES; ++class)
    slots[class] = 0;
  slotCounts = (SlotCounts){0, 0};
  berthHeapInit(arena, words, 0);
}

static void freeParked(uint32_t *arena) {
  for (uint32_t class = 0; class < BERTH_HEAP_CLASSES; ++class) {
    berthHeapFree(arena, slots[class]);
    slots[class] = 0;
  }
}

static uintptr_t allocate(uint32_t *arena, uint32_t words) {
  uint32_t size = words < BERTH_HEAP_LEAST ? BERTH_HEAP_LEAST : words + 1;
  uint32_t *slot = &slots[classOf(size)];
  uint32_t handle = *slot;
  ++slotCounts.calls;
  if (handle && blockSize(arena, handle) >= size) {
    *slot = 0;
    ++slotCounts.served;
    return handle;
  }
  handle = berthHeapAllocAligned(arena, words, 1).handle;
  if (handle)
    return handle;
  freeParked(arena);
  return berthHeapAllocAligned(arena, words, 1).handle;
}

static void release(uint32_t *arena, uintptr_t handle) {
  uint32_t block = (uint32_t)handle;
  uint32_t *slot = &slots[classOf(blockSize(arena, block))];
  ++slotCounts.calls;
  if (*slot) {
    berthHeapFree(arena, block);
    return;
  }
  *slot = block;
  ++slotCounts.served;
}

static uint64_t footprint(const uint32_t *arena) {
  return arena[BERTH_HEAP_HIGH_WATER];
}

const Allocator slotsAllocator = {"with slots", init, allocate, release,
                                  footprint};
