//===- Hulls.c - Items without holes or windows --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Hulls.h"

#include "Pack/Task/Task.h"

// The sections stay as they are: fewer would do, but none of these is wrong.
static void addLoads(const BerthTask *task, int64_t *loads) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t s = task->lowers[i]; s < task->uppers[i]; ++s)
      loads[s] += task->sizes[i];
}

bool berthTaskHulls(const BerthTask *task, BerthMemory *arena,
                    BerthTask *hulls) {
  uint32_t n = task->numItems;
  BerthPiece *pieces = BERTH_MEMORY_NEW(arena, BerthPiece, n);
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  int64_t *loads = BERTH_MEMORY_NEW(arena, int64_t, task->numSections);
  if (!pieces || !begin || !loads)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    pieces[i] =
        (BerthPiece){task->lowers[i], task->uppers[i], 0, task->sizes[i]};
    begin[i + 1] = i + 1;
  }
  addLoads(task, loads);
  *hulls = *task;
  hulls->pieceBegin = begin;
  hulls->pieces = pieces;
  hulls->sectionLoads = loads;
  hulls->distanceBegin = NULL;
  hulls->distances = NULL;
  hulls->features &=
      ~(uint32_t)(BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_DISTANCES);
  for (uint32_t s = 0; s < task->numSections; ++s)
    hulls->load = loads[s] > hulls->load ? loads[s] : hulls->load;
  if (hulls->load > hulls->lowerBound)
    hulls->lowerBound = hulls->load;
  return true;
}

// Pieces of one item stand by section, so those that meet or touch in time
// stand together.
static uint32_t widenItem(const BerthTask *task, uint32_t item,
                          BerthPiece *out) {
  uint32_t count = 0;
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1];
       ++p) {
    BerthPiece piece = {task->pieces[p].lower, task->pieces[p].upper, 0,
                        task->sizes[item]};
    if (count == 0 || piece.lower > out[count - 1].upper)
      out[count++] = piece;
    else if (piece.upper > out[count - 1].upper)
      out[count - 1].upper = piece.upper;
  }
  return count;
}

bool berthTaskApart(const BerthTask *task, BerthMemory *arena,
                    BerthTask *apart) {
  uint32_t n = task->numItems, count = 0;
  BerthPiece *pieces = BERTH_MEMORY_NEW(arena, BerthPiece, task->pieceBegin[n]);
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  int64_t *loads = BERTH_MEMORY_NEW(arena, int64_t, task->numSections);
  if (!pieces || !begin || !loads)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t first = count;
    count += widenItem(task, i, pieces + count);
    begin[i + 1] = count;
    for (uint32_t p = first; p < count; ++p)
      for (uint32_t s = pieces[p].lower; s < pieces[p].upper; ++s)
        loads[s] += task->sizes[i];
  }
  *apart = *task;
  apart->pieceBegin = begin;
  apart->pieces = pieces;
  apart->sectionLoads = loads;
  apart->distanceBegin = NULL;
  apart->distances = NULL;
  apart->features &= ~(uint32_t)(BERTH_CAN_GAPS | BERTH_CAN_DISTANCES);
  if (count == n)
    apart->features &= ~(uint32_t)BERTH_CAN_SEGMENTS;
  apart->proofFile = NULL;
  berthTaskFillBounds(apart);
  return true;
}
