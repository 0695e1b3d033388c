//===- Subtask.c - A part of a task as a task ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Subtask.h"

#include "Pack/Task/Distances.h"
#include "Pack/Task/Task.h"
#include "Support/Sort.h"

#include <string.h>

/// What is chosen.
typedef struct Choice {
  const BerthTask *whole;
  const uint32_t *items;
  uint32_t count;
  uint32_t lower;
  uint32_t upper;
  BerthMemory *arena;
  BerthTask *task;
} Choice;

static int64_t *selectNumbers(const Choice *choice, const int64_t *from) {
  int64_t *to = BERTH_MEMORY_NEW(choice->arena, int64_t, choice->count);
  for (uint32_t k = 0; to && k < choice->count; ++k)
    to[k] = from[choice->items[k]];
  return to;
}

static bool selectFields(Choice *choice) {
  const BerthTask *whole = choice->whole;
  BerthTask *task = choice->task;
  task->sizes = selectNumbers(choice, whole->sizes);
  task->alignments = selectNumbers(choice, whole->alignments);
  task->fixedOffsets = selectNumbers(choice, whole->fixedOffsets);
  task->hints = selectNumbers(choice, whole->hints);
  task->weights = selectNumbers(choice, whole->weights);
  task->weightedSizes = selectNumbers(choice, whole->weightedSizes);
  task->begins = selectNumbers(choice, whole->begins);
  task->ends = selectNumbers(choice, whole->ends);
  uint64_t *masks = BERTH_MEMORY_NEW(choice->arena, uint64_t, choice->count);
  uint64_t *allowed = BERTH_MEMORY_NEW(choice->arena, uint64_t, choice->count);
  for (uint32_t k = 0; masks && allowed && k < choice->count; ++k) {
    masks[k] = whole->poolMasks[choice->items[k]];
    allowed[k] = whole->allowedPools[choice->items[k]];
  }
  task->poolMasks = masks;
  task->allowedPools = allowed;
  return !choice->arena->failed;
}

// The part of the piece within the window, in the window's sections; empty:
// lower == upper.
static BerthPiece clip(const Choice *choice, BerthPiece piece) {
  piece.lower = piece.lower > choice->lower ? piece.lower : choice->lower;
  piece.upper = piece.upper < choice->upper ? piece.upper : choice->upper;
  if (piece.lower >= piece.upper)
    return (BerthPiece){0};
  piece.lower -= choice->lower;
  piece.upper -= choice->lower;
  return piece;
}

// The pieces, and how much they occupy in each section.
static bool selectPieces(Choice *choice) {
  const BerthTask *whole = choice->whole;
  BerthTask *task = choice->task;
  uint32_t total = 0, at = 0, sections = choice->upper - choice->lower;
  for (uint32_t k = 0; k < choice->count; ++k)
    total += whole->pieceBegin[choice->items[k] + 1] -
             whole->pieceBegin[choice->items[k]];
  uint32_t *begin =
      BERTH_MEMORY_NEW(choice->arena, uint32_t, choice->count + 1);
  uint32_t *lowers = BERTH_MEMORY_NEW(choice->arena, uint32_t, choice->count);
  uint32_t *uppers = BERTH_MEMORY_NEW(choice->arena, uint32_t, choice->count);
  BerthPiece *pieces = BERTH_MEMORY_NEW(choice->arena, BerthPiece, total);
  int64_t *loads = BERTH_MEMORY_NEW(choice->arena, int64_t, sections + 1);
  if (choice->arena->failed)
    return false;
  for (uint32_t k = 0; k < choice->count; ++k) {
    uint32_t i = choice->items[k];
    for (uint32_t p = whole->pieceBegin[i]; p < whole->pieceBegin[i + 1]; ++p) {
      BerthPiece piece = clip(choice, whole->pieces[p]);
      if (piece.lower == piece.upper)
        continue;
      lowers[k] = at == begin[k] ? piece.lower : lowers[k];
      uppers[k] = piece.upper > uppers[k] ? piece.upper : uppers[k];
      loads[piece.lower] += piece.high - piece.low;
      loads[piece.upper] -= piece.high - piece.low;
      pieces[at++] = piece;
    }
    begin[k + 1] = at;
  }
  task->numSections = sections;
  task->sectionLoads = loads;
  task->pieceBegin = begin;
  task->pieces = pieces;
  task->lowers = lowers;
  task->uppers = uppers;
  for (uint32_t s = 1; s < sections; ++s)
    loads[s] += loads[s - 1];
  return true;
}

static bool selectEdges(Choice *choice) {
  const BerthTask *whole = choice->whole;
  uint32_t n = whole->numItems, at = 0;
  bool any = whole->hardBegin[n] > 0;
  uint32_t *begin =
      BERTH_MEMORY_NEW(choice->arena, uint32_t, choice->count + 1);
  uint32_t *numberOf = BERTH_MEMORY_NEW(choice->arena, uint32_t, any ? n : 0);
  uint32_t *partners =
      BERTH_MEMORY_NEW(choice->arena, uint32_t, whole->hardBegin[n] + 1);
  if (choice->arena->failed)
    return false;
  for (uint32_t k = 0; any && k < choice->count; ++k)
    numberOf[choice->items[k]] = k + 1;
  for (uint32_t k = 0; any && k < choice->count; ++k) {
    uint32_t i = choice->items[k];
    for (uint32_t e = whole->hardBegin[i]; e < whole->hardBegin[i + 1]; ++e)
      if (numberOf[whole->hardEdges[e]])
        partners[at++] = numberOf[whole->hardEdges[e]] - 1;
    begin[k + 1] = at;
  }
  choice->task->hardBegin = begin;
  choice->task->hardEdges = partners;
  return true;
}

// Among the chosen ones, items keep the order that logs count them in.
static bool selectRowNumbers(Choice *choice) {
  BerthSorting sorting;
  uint32_t *numbers = BERTH_MEMORY_NEW(choice->arena, uint32_t, choice->count);
  if (!numbers || !berthSortingInit(&sorting, choice->count, choice->arena))
    return false;
  for (uint32_t k = 0; k < choice->count; ++k)
    sorting.keys[k] = choice->whole->rowNumbers[choice->items[k]];
  berthSort(&sorting);
  for (uint32_t at = 0; at < choice->count; ++at)
    numbers[sorting.order[at]] = at;
  choice->task->rowNumbers = numbers;
  return true;
}

bool berthSubtask(const BerthTask *whole, const uint32_t *items, uint32_t count,
                  uint32_t lower, uint32_t upper, BerthMemory *arena,
                  BerthTask *task) {
  Choice choice = {whole, items, count, lower, upper, arena, task};
  *task = *whole;
  task->numItems = count;
  task->minimize = false;
  task->proofFile = NULL;
  task->rowNumbers = NULL;
  if (!selectFields(&choice) || !selectPieces(&choice) ||
      !selectEdges(&choice) ||
      !berthSelectDistances(whole, items, count, arena, task))
    return false;
  if (whole->proofFile && whole->rowNumbers && !selectRowNumbers(&choice))
    return false;
  berthTaskFillBounds(task);
  return true;
}
