//===- Blocks.c - Fewer, larger items ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Blocks.h"

#include "Pack/Improve/Join.h"
#include "Pack/Improve/Settle.h"
#include "Pack/Incumbent/Inner.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"

/// The blocks that are left as a task; `numbers` receives which they are.
static bool blockTask(const BerthTask *whole, const BerthBlocks *b,
                      uint32_t *numbers, BerthMemory *arena, BerthTask *task) {
  static const BerthPool pool = {.id = NULL};
  uint32_t n = 0;
  for (uint32_t x = 0; x < b->count; ++x)
    if (b->blocks[x].parent == UINT32_MAX)
      numbers[n++] = x;
  uint32_t *lowers = BERTH_MEMORY_NEW(arena, uint32_t, n),
           *uppers = BERTH_MEMORY_NEW(arena, uint32_t, n),
           *begin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  int64_t *sizes = BERTH_MEMORY_NEW(arena, int64_t, n),
          *ones = BERTH_MEMORY_NEW(arena, int64_t, n),
          *none = BERTH_MEMORY_NEW(arena, int64_t, n),
          *begins = BERTH_MEMORY_NEW(arena, int64_t, n),
          *ends = BERTH_MEMORY_NEW(arena, int64_t, n),
          *loads = BERTH_MEMORY_NEW(arena, int64_t, whole->numSections + 1);
  uint64_t *masks = BERTH_MEMORY_NEW(arena, uint64_t, n);
  BerthPiece *pieces = BERTH_MEMORY_NEW(arena, BerthPiece, n);
  uint32_t *edges = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  if (arena->failed)
    return false;
  for (uint32_t k = 0; k < n; ++k) {
    const BerthBlock *block = &b->blocks[numbers[k]];
    begins[k] = lowers[k] = block->lower;
    ends[k] = uppers[k] = block->upper;
    sizes[k] = block->size;
    ones[k] = 1;
    none[k] = BERTH_NONE;
    masks[k] = 1;
    begin[k + 1] = k + 1;
    pieces[k] = (BerthPiece){block->lower, block->upper, 0, block->size};
    for (uint32_t s = block->lower; s < block->upper; ++s)
      loads[s] += block->size;
  }
  *task = (BerthTask){.version = whole->version,
                      .size = whole->size,
                      .numItems = n,
                      .numSections = whole->numSections,
                      .sizes = sizes,
                      .alignments = ones,
                      .fixedOffsets = none,
                      .hints = none,
                      .weights = ones,
                      .poolMasks = masks,
                      .lowers = lowers,
                      .uppers = uppers,
                      .begins = begins,
                      .ends = ends,
                      .sectionLoads = loads,
                      .pieceBegin = begin,
                      .pieces = pieces,
                      .hardBegin = edges,
                      .numPools = 1,
                      .pools = &pool,
                      .unit = whole->unit,
                      .seed = whole->seed,
                      .threads = whole->threads,
                      .weightedSizes = sizes,
                      .allowedPools = masks,
                      .rowNumbers = numbers};
  berthTaskFillBounds(task);
  return true;
}

/// The blocks' offsets in memory.
static bool packBlocks(const BerthTask *whole, const BerthHost *host,
                       const BerthBlocks *b, BerthSolve solve,
                       BerthMemory *arena) {
  BerthInner part = {0};
  uint32_t *numbers = BERTH_MEMORY_NEW(&part.arena, uint32_t, b->count);
  if (numbers && blockTask(whole, b, numbers, &part.arena, &part.task) &&
      berthInnerBegin(&part, berthHostState(host), 0))
    solve(&part.incumbent);
  for (uint32_t k = 0; part.incumbent.complete && k < part.task.numItems; ++k)
    b->blocks[numbers[k]].offset = part.answer.offsets[k];
  bool packed = part.incumbent.complete;
  arena->failed |= part.arena.failed;
  if (!berthInnerEnd(&part) || !packed)
    return false;
  for (uint32_t x = b->count; x-- > 0;)
    if (b->blocks[x].parent != UINT32_MAX)
      b->blocks[x].offset += b->blocks[b->blocks[x].parent].offset;
  return true;
}

/// Into `candidate`. False: they are too many, or memory ran out, which
/// `arena` knows.
static bool packByBlocks(const BerthTask *task, const BerthHost *host,
                         BerthSolve solve, uint32_t most,
                         BerthAnswer *candidate, BerthMemory *arena) {
  BerthBlocks b;
  if (!berthJoinItems(task, host, arena, &b) || b.numLeft > most ||
      !packBlocks(task, host, &b, solve, arena))
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i)
    candidate->offsets[i] = b.blocks[i].offset;
  return true;
}

void berthImproveByBlocks(BerthIncumbent *incumbent, const BerthHost *host,
                          BerthSolve solve) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  BerthAnswer candidate;
  if (!berthIncumbentCandidate(incumbent, &arena, &candidate))
    incumbent->failed = true;
  else if (packByBlocks(task, host, solve, task->numItems / 2, &candidate,
                        &arena)) {
    if (berthTaskIsPlain(task))
      berthIncumbentOffer(incumbent, &candidate);
    else
      berthOfferSettled(incumbent, host, NULL, &candidate);
  }
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}
