//===- BumpMemory.h - Memory freed all at once ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A bump allocator. A station of the pipeline allocates its tables here and
// forgets them; nothing is freed one by one. Memory comes zeroed and aligned
// for any type; large tables come from the system, in large pages where it has
// some. When the system has none left the answer is NULL, and the memory
// remembers it, so that a caller may allocate several tables and ask once.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_BUMPMEMORY_H
#define BERTH_LIB_SUPPORT_BUMPMEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthMemoryChunk BerthMemoryChunk;

/// Zero-initialise to use; then berthMemoryFree.
typedef struct BerthMemory {
  BerthMemoryChunk *chunks; ///< newest first
  bool failed;              ///< some allocation was refused
} BerthMemory;

/// A place to return to.
typedef struct BerthMemoryMark {
  BerthMemoryChunk *chunk;
  size_t used;
} BerthMemoryMark;

/// `count` zeroed elements of `size` bytes. Never NULL for a count of 0.
void *berthMemoryAllocate(BerthMemory *memory, size_t count, size_t size);

/// A copy of a string; NULL stays NULL.
char *berthMemoryString(BerthMemory *memory, const char *string);

/// A copy of `count` elements of `size` bytes.
void *berthMemoryCopy(BerthMemory *memory, const void *data, size_t count,
                      size_t size);

/// Makes room for `needed` elements: `array` points to the caller's pointer,
/// which is NULL as long as `*capacity` is 0. The old ones are copied and stay
/// where they were until all is freed, at most as much again. False when memory
/// ran out; then nothing has changed.
bool berthMemoryReserveElements(BerthMemory *memory, void *array,
                                size_t *capacity, size_t needed, size_t size);

#define berthMemoryReserve(memory, array, capacity, needed)                    \
  ((needed) <= *(capacity) ||                                                  \
   berthMemoryReserveElements((memory), (array), (capacity), (needed),         \
                              sizeof **(array)))

BerthMemoryMark berthMemoryGetMark(const BerthMemory *memory);
/// Frees all that was allocated since the mark was taken.
void berthMemoryRelease(BerthMemory *memory, BerthMemoryMark mark);
/// Frees everything; the memory can be used again.
void berthMemoryFree(BerthMemory *memory);

/// `count` zeroed elements of `type`.
#define BERTH_MEMORY_NEW(memory, type, count)                                  \
  ((type *)berthMemoryAllocate(memory, count, sizeof(type)))

#endif // BERTH_LIB_SUPPORT_BUMPMEMORY_H
