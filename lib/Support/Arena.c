//===- ArenaPass.c - Memory freed all at once -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // madvise

#include "Support/Arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct BerthArenaChunk {
  BerthArenaChunk *next;
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
static BerthArenaChunk *mapChunk(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE); // only advice: failure does no harm
#endif
  return memory;
}

// Chunks double up to a limit, so that small problems stay small and large ones
// take few calls. A request above that gets a chunk of its own size.
static BerthArenaChunk *addChunk(BerthArena *arena, size_t bytes) {
  size_t capacity = arena->chunks ? 2 * arena->chunks->capacity : kFirstChunk;
  if (capacity > kLargestChunk)
    capacity = kLargestChunk;
  if (capacity < bytes)
    capacity = bytes;
  bool mapped = capacity >= kLargestChunk;
  size_t whole = sizeof(BerthArenaChunk) + capacity;
  BerthArenaChunk *chunk = mapped ? mapChunk(whole) : malloc(whole);
  if (!chunk)
    return NULL;
  *chunk = (BerthArenaChunk){
      .next = arena->chunks, .capacity = capacity, .mapped = mapped};
  return arena->chunks = chunk;
}

static void freeChunk(BerthArenaChunk *chunk) {
  if (chunk->mapped)
    munmap(chunk, sizeof *chunk + chunk->capacity);
  else
    free(chunk);
}

// Hands out the next bytes of the chunk, zeroed where they may not be zero.
static void *take(BerthArenaChunk *chunk, size_t bytes) {
  unsigned char *memory = chunk->data + chunk->used;
  size_t end = chunk->used + bytes;
  size_t dirty = chunk->mapped && chunk->touched < end ? chunk->touched : end;
  if (dirty > chunk->used)
    memset(memory, 0, dirty - chunk->used);
  chunk->used = end;
  if (chunk->touched < end)
    chunk->touched = end;
  return memory;
}

void *berthArenaAllocate(BerthArena *arena, size_t count, size_t size) {
  const size_t align = alignof(max_align_t);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) ||
      bytes > SIZE_MAX / 2 - sizeof(BerthArenaChunk) - align) {
    arena->failed = true;
    return NULL;
  }
  bytes = bytes ? (bytes + align - 1) / align * align : align;
  BerthArenaChunk *chunk = arena->chunks;
  if (!chunk || chunk->capacity - chunk->used < bytes)
    chunk = addChunk(arena, bytes);
  if (!chunk) {
    arena->failed = true;
    return NULL;
  }
  return take(chunk, bytes);
}

void *berthArenaCopy(BerthArena *arena, const void *data, size_t count,
                     size_t size) {
  void *copy = berthArenaAllocate(arena, count, size);
  if (copy && count)
    memcpy(copy, data, count * size);
  return copy;
}

char *berthArenaString(BerthArena *arena, const char *string) {
  return string ? berthArenaCopy(arena, string, strlen(string) + 1, 1) : NULL;
}

BerthArenaMark berthArenaGetMark(const BerthArena *arena) {
  return (BerthArenaMark){arena->chunks,
                          arena->chunks ? arena->chunks->used : 0};
}

void berthArenaRelease(BerthArena *arena, BerthArenaMark mark) {
  while (arena->chunks != mark.chunk) {
    BerthArenaChunk *next = arena->chunks->next;
    freeChunk(arena->chunks);
    arena->chunks = next;
  }
  if (arena->chunks)
    arena->chunks->used = mark.used;
}

void berthArenaFree(BerthArena *arena) {
  berthArenaRelease(arena, (BerthArenaMark){NULL, 0});
  arena->failed = false;
}
