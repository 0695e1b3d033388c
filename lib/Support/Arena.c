//===- Arena.c - Memory freed all at once --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct BerthArenaChunk {
  BerthArenaChunk *next;
  size_t capacity; // bytes in `data`
  size_t used;
  alignas(max_align_t) unsigned char data[];
};

enum { kFirstChunk = 8 << 10, kLargestChunk = 4 << 20 };

// Chunks double up to a limit, so that small problems stay small and large ones
// take few calls. A request above that gets a chunk of its own size.
static BerthArenaChunk *addChunk(BerthArena *arena, size_t bytes) {
  size_t capacity = arena->chunks ? 2 * arena->chunks->capacity : kFirstChunk;
  if (capacity > kLargestChunk)
    capacity = kLargestChunk;
  if (capacity < bytes)
    capacity = bytes;
  BerthArenaChunk *chunk = malloc(sizeof(BerthArenaChunk) + capacity);
  if (!chunk)
    return NULL;
  *chunk = (BerthArenaChunk){.next = arena->chunks, .capacity = capacity};
  return arena->chunks = chunk;
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
  void *memory = chunk->data + chunk->used;
  chunk->used += bytes;
  return memset(memory, 0, bytes);
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
    free(arena->chunks);
    arena->chunks = next;
  }
  if (arena->chunks)
    arena->chunks->used = mark.used;
}

void berthArenaFree(BerthArena *arena) {
  berthArenaRelease(arena, (BerthArenaMark){NULL, 0});
  arena->failed = false;
}
