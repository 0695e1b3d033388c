//===- own-words.c - Does the heap touch what it has handed out? ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls that ThreadSanitizer's instrumentation makes at each load and store
// end here instead of in its runtime: one thread, and no schedule, are enough
// to see every access of the heap to a word of a live payload. (What is wider
// than a word are results in the callers' memory.)
//
//===----------------------------------------------------------------------===//

#include "berth-c/Heap.h"

#include <stdio.h>
#include <string.h>

enum { Words = 1024, Held = 40, Calls = 200000 };

static uint32_t arena[Words];
static bool isPayload[Words];
static uint32_t strays;

static void touch(const void *address) {
  uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)arena);
  strays += offset < sizeof(arena) && isPayload[offset / sizeof(uint32_t)];
}

void __tsan_init(void) {}
void __tsan_write1(void *address) { touch(address); }
void __tsan_read4(void *address) { touch(address); }
void __tsan_write4(void *address) { touch(address); }
void __tsan_read8(void *address) { touch(address); }
void __tsan_write8(void *address) { touch(address); }
void __tsan_unaligned_write16(void *address) { touch(address); }
void *__tsan_memset(void *address, int value, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    touch((char *)address + i);
  return memset(address, value, size);
}

typedef struct Holding {
  BerthHeapBlock block;
  uint32_t stride;
  uint32_t words;
} Holding;

static void mark(const Holding *holding, bool isLive) {
  uint32_t payload = holding->block.address * holding->stride;
  for (uint32_t i = 0; holding->block.handle && i < holding->words; ++i)
    isPayload[payload + i] = isLive;
}

static uint32_t randomBelow(uint32_t bound) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (state >> 8) % bound;
}

int main(void) {
  Holding holdings[Held] = {{{0, 0}, 0, 0}};
  uint32_t refused = 0;
  berthHeapInit(arena, Words, BERTH_HEAP_LOCKED);
  for (int call = 0; call < Calls; ++call) {
    Holding *holding = &holdings[randomBelow(Held)];
    mark(holding, false);
    berthHeapFree(arena, holding->block.handle);
    holding->stride = 1 + randomBelow(24);
    uint32_t count = randomBelow(1 + 64 / holding->stride);
    holding->words = count * holding->stride;
    holding->block = berthHeapAlloc(arena, count, holding->stride);
    mark(holding, true);
    refused += !holding->block.handle;
  }
  printf("%s refused, %u payload words touched\n",
         refused > Calls / 100 ? "many" : "few", strays);
  return strays != 0;
}
