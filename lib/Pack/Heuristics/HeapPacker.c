//===- HeapPacker.c - What an online allocator would have used -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packer `heap` replays the problem, section by section, through the
// allocator of lib/Heap: what ends is freed, then what begins is allocated,
// both by index. It looks at nothing that lies ahead, so its peak (tags and
// header included) is the baseline that planning has to beat.
//
//   1. An item lives from its first to its last section. A hard edge to an
//      item that begins later keeps the earlier one alive until then: that is
//      all an online allocator can do about it.
//   2. Choose the unit, the bytes that one word of the heap stands for: 4, or
//      for large problems the least power of two at which all items together
//      fit an arena of 2^24 words even if none were ever freed. So no request
//      can fail, and the large free block at the end stays the largest.
//   3. Replay. The offset of a buffer is its word times the unit.
//
//===----------------------------------------------------------------------===//

#include "Support/BumpMemory.h"
#include "Support/Checked.h"
#include "Support/Sort.h"
#include "berth-c/Heap.h"
#include "berth-c/Packer.h"

#include <stdlib.h>

enum { SmallestUnit = 4, MostWords = 1 << 24 };

typedef struct Replay {
  const BerthTask *task;
  const BerthHost *host;
  uint32_t *ends;    ///< by item: the section in which it is freed
  uint32_t *byStart; ///< items in the order of their allocation
  uint32_t *byEnd;   ///< items in the order of their freeing
  uint32_t *handles; ///< by item
  uint32_t *words;   ///< the heap's arena
  int64_t unit;      ///< bytes per word
  uint32_t numWords;
} Replay;

//===----------------------------------------------------------------------===//
// When
//===----------------------------------------------------------------------===//

static uint32_t endOf(const BerthTask *task, uint32_t item) {
  uint32_t end = task->uppers[item];
  for (uint32_t e = task->hardBegin[item]; e < task->hardBegin[item + 1]; ++e) {
    uint32_t start = task->lowers[task->hardEdges[e]];
    if (start >= end)
      end = start + 1;
  }
  return end;
}

static bool orderEvents(Replay *replay, BerthMemory *arena) {
  const BerthTask *task = replay->task;
  uint32_t n = task->numItems;
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  replay->ends = BERTH_MEMORY_NEW(arena, uint32_t, n);
  replay->byStart = BERTH_MEMORY_NEW(arena, uint32_t, n);
  replay->byEnd = BERTH_MEMORY_NEW(arena, uint32_t, n);
  replay->handles = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    replay->ends[i] = endOf(task, i);
    replay->byStart[i] = replay->byEnd[i] = i;
    keys[i] = task->lowers[i];
  }
  berthSortByKey(replay->byStart, scratch, n, keys);
  for (uint32_t i = 0; i < n; ++i)
    keys[i] = replay->ends[i];
  berthSortByKey(replay->byEnd, scratch, n, keys);
  return true;
}

//===----------------------------------------------------------------------===//
// How large
//===----------------------------------------------------------------------===//

static int64_t wordsOf(int64_t bytes, int64_t unit) {
  return bytes / unit + (bytes % unit != 0);
}

/// In words; saturates where no arena could serve it anyway.
static int64_t alignmentWords(int64_t alignment, int64_t unit) {
  return alignment / berthGcd(alignment, unit);
}

/// Words that suffice if nothing is ever freed; saturates.
static int64_t wordsForAll(const BerthTask *task, int64_t unit) {
  int64_t sum = BERTH_HEAP_LISTS + BERTH_HEAP_CLASSES + BERTH_HEAP_LEAST;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t slack = 2 * BERTH_HEAP_LEAST;
    sum = berthAddSaturating(sum, wordsOf(task->sizes[i], unit) + slack);
    sum = berthAddSaturating(sum, alignmentWords(task->alignments[i], unit));
  }
  return sum;
}

static BerthStatus createArena(Replay *replay) {
  int64_t unit = SmallestUnit;
  while (wordsForAll(replay->task, unit) > MostWords) {
    if (!berthMultiply(unit, 2, &unit))
      return BERTH_INVALID; // an odd alignment beyond any arena
  }
  replay->unit = unit;
  replay->numWords = (uint32_t)wordsForAll(replay->task, unit);
  replay->words = calloc(replay->numWords, sizeof(uint32_t));
  bool isThere =
      replay->words && !berthHeapInit(replay->words, replay->numWords, 0);
  return isThere ? BERTH_SUCCESS : BERTH_RESOURCE;
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// False if the end leaves the range of 64 bits.
static bool allocateItem(Replay *replay, uint32_t item, BerthAnswer *answer) {
  const BerthTask *task = replay->task;
  BerthHeapBlock block = berthHeapAllocAligned(
      replay->words, (uint32_t)wordsOf(task->sizes[item], replay->unit),
      (uint32_t)alignmentWords(task->alignments[item], replay->unit));
  int64_t *offset = &answer->offsets[item], top;
  replay->handles[item] = block.handle;
  return block.handle && berthMultiply(block.address, replay->unit, offset) &&
         berthAdd(*offset, task->sizes[item], &top);
}

static bool replayAll(Replay *replay, BerthAnswer *answer) {
  const BerthTask *task = replay->task;
  uint32_t freed = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    uint32_t item = replay->byStart[i];
    uint32_t now = task->lowers[item];
    for (; replay->ends[replay->byEnd[freed]] <= now; ++freed)
      berthHeapFree(replay->words, replay->handles[replay->byEnd[freed]]);
    // Without a step limit of its own: half a replay would be no plan.
    replay->host->step(replay->host->context, 1);
    if (!allocateItem(replay, item, answer))
      return false;
  }
  return true;
}

static BerthStatus packHeap(const BerthPacker *self, const BerthTask *task,
                            const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  Replay replay = {.task = task, .host = host};
  BerthMemory arena = {0};
  BerthStatus status =
      orderEvents(&replay, &arena) ? createArena(&replay) : BERTH_RESOURCE;
  // Tags and header may push the last offset out of the range; another packer
  // may still have a plan.
  if (!status && !replayAll(&replay, answer))
    status = BERTH_INVALID;
  free(replay.words);
  berthMemoryFree(&arena);
  answer->stopped = BERTH_STOP_EXHAUSTED;
  return status;
}

const BerthPacker berthPackerHeap = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "heap",
    .summary = "replays the lifetimes through the run-time heap, bookkeeping "
               "included: the online baseline",
    .capabilities = BERTH_CAN_ALIGNMENT | BERTH_CAN_HARD_EDGES,
    .pack = packHeap,
    .traits = BERTH_PACKER_ONE_SHOT,
};
