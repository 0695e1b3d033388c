//===- ArenaPass.h - Memory freed all at once ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A bump allocator. A station of the pipeline allocates its tables here and
// forgets them; nothing is freed one by one. Memory comes zeroed and aligned
// for any type; large tables come from the system, in large pages where it has
// some. When the system has none left the answer is NULL, and the arena
// remembers it, so that a caller may allocate several tables and ask once.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_ARENA_H
#define BERTH_LIB_SUPPORT_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthArenaChunk BerthArenaChunk;

/// Zero-initialise to use; then berthArenaFree.
typedef struct BerthArena {
  BerthArenaChunk *chunks; ///< newest first
  bool failed;             ///< some allocation was refused
} BerthArena;

/// A place to return to.
typedef struct BerthArenaMark {
  BerthArenaChunk *chunk;
  size_t used;
} BerthArenaMark;

/// `count` zeroed elements of `size` bytes. Never NULL for a count of 0.
void *berthArenaAllocate(BerthArena *arena, size_t count, size_t size);

/// A copy of a string; NULL stays NULL.
char *berthArenaString(BerthArena *arena, const char *string);

/// A copy of `count` elements of `size` bytes.
void *berthArenaCopy(BerthArena *arena, const void *data, size_t count,
                     size_t size);

BerthArenaMark berthArenaGetMark(const BerthArena *arena);
/// Frees all that was allocated since the mark was taken.
void berthArenaRelease(BerthArena *arena, BerthArenaMark mark);
/// Frees everything; the arena can be used again.
void berthArenaFree(BerthArena *arena);

/// `count` zeroed elements of `type`.
#define BERTH_ARENA_NEW(arena, type, count)                                    \
  ((type *)berthArenaAllocate(arena, count, sizeof(type)))

#endif // BERTH_LIB_SUPPORT_ARENA_H
