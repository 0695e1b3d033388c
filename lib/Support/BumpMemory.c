//===- BumpMemory.c - Memory freed all at once ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // madvise

#include "Support/BumpMemory.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct BerthMemoryChunk {
  BerthMemoryChunk *next;
  size_t capacity; // bytes in `data`
  size_t used;
  size_t touched; // from here on `data` is still as the system gave it
  bool mapped;    // by the system, so that what is not touched is zero
  alignas(max_align_t) unsigned char data[];
};

enum { kFirstChunk = 8 << 10, kLargestChunk = 4 << 20 };

// Large tables come straight from the system: zeroed already, and in pages as
// large as it has, since faulting in a million small pages takes longer than
// much of what is done with them.
static BerthMemoryChunk *mapChunk(size_t bytes) {
  void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise(data, bytes, MADV_HUGEPAGE); // only advice: failure does no harm
#endif
  return data;
}

// Chunks double up to a limit, so that small problems stay small and large ones
// take few calls. A request above that gets a chunk of its own size.
static BerthMemoryChunk *addChunk(BerthMemory *memory, size_t bytes) {
  size_t capacity = memory->chunks ? 2 * memory->chunks->capacity : kFirstChunk;
  if (capacity > kLargestChunk)
    capacity = kLargestChunk;
  if (capacity < bytes)
    capacity = bytes;
  bool mapped = capacity >= kLargestChunk;
  size_t whole = sizeof(BerthMemoryChunk) + capacity;
  BerthMemoryChunk *chunk = mapped ? mapChunk(whole) : malloc(whole);
  if (!chunk)
    return NULL;
  *chunk = (BerthMemoryChunk){
      .next = memory->chunks, .capacity = capacity, .mapped = mapped};
  return memory->chunks = chunk;
}

static void freeChunk(BerthMemoryChunk *chunk) {
  if (chunk->mapped)
    munmap(chunk, sizeof *chunk + chunk->capacity);
  else
    free(chunk);
}

// Hands out the next bytes of the chunk, zeroed where they may not be zero.
static void *take(BerthMemoryChunk *chunk, size_t bytes) {
  unsigned char *data = chunk->data + chunk->used;
  size_t end = chunk->used + bytes;
  size_t dirty = chunk->mapped && chunk->touched < end ? chunk->touched : end;
  if (dirty > chunk->used)
    memset(data, 0, dirty - chunk->used);
  chunk->used = end;
  if (chunk->touched < end)
    chunk->touched = end;
  return data;
}

void *berthMemoryAllocate(BerthMemory *memory, size_t count, size_t size) {
  const size_t align = alignof(max_align_t);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) ||
      bytes > SIZE_MAX / 2 - sizeof(BerthMemoryChunk) - align) {
    memory->failed = true;
    return NULL;
  }
  bytes = bytes ? (bytes + align - 1) / align * align : align;
  BerthMemoryChunk *chunk = memory->chunks;
  if (!chunk || chunk->capacity - chunk->used < bytes)
    chunk = addChunk(memory, bytes);
  if (!chunk) {
    memory->failed = true;
    return NULL;
  }
  return take(chunk, bytes);
}

void *berthMemoryCopy(BerthMemory *memory, const void *data, size_t count,
                      size_t size) {
  void *copy = berthMemoryAllocate(memory, count, size);
  if (copy && count)
    memcpy(copy, data, count * size);
  return copy;
}

char *berthMemoryString(BerthMemory *memory, const char *string) {
  return string ? berthMemoryCopy(memory, string, strlen(string) + 1, 1) : NULL;
}

bool berthMemoryReserveElements(BerthMemory *memory, void *array,
                                size_t *capacity, size_t needed, size_t size) {
  size_t larger = *capacity < 8 ? 8 : 2 * *capacity;
  larger = larger < needed ? needed : larger;
  void *old, *grown = berthMemoryAllocate(memory, larger, size);
  if (!grown)
    return false;
  // The caller's pointer is of another type than void *, hence the copies.
  memcpy(&old, array, sizeof old);
  if (*capacity)
    memcpy(grown, old, *capacity * size);
  memcpy(array, &grown, sizeof grown);
  *capacity = larger;
  return true;
}

BerthMemoryMark berthMemoryGetMark(const BerthMemory *memory) {
  return (BerthMemoryMark){memory->chunks,
                           memory->chunks ? memory->chunks->used : 0};
}

void berthMemoryRelease(BerthMemory *memory, BerthMemoryMark mark) {
  while (memory->chunks != mark.chunk) {
    BerthMemoryChunk *next = memory->chunks->next;
    freeChunk(memory->chunks);
    memory->chunks = next;
  }
  if (memory->chunks)
    memory->chunks->used = mark.used;
}

void berthMemoryFree(BerthMemory *memory) {
  berthMemoryRelease(memory, (BerthMemoryMark){NULL, 0});
  memory->failed = false;
}
