//===- Conflict.c - Which items cannot fit together ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where a search has proven that nothing fits, a smaller set of items usually
// does not fit either, and says more to the user. Items are left out, first
// many at once, then one by one; what is still refuted without them was not
// needed. If every single item turned out to be needed, that is, the rest fits
// without it, the set is irreducible. (Deletion filter: Chinneck and Dravnieks
// 1991.)
//
//===---------------------------------------------------------------------===//

#include "Pack/Gaps.h"
#include "Pack/Host.h"
#include "Pack/Improve.h"
#include "Pack/Search.h"
#include "Support/Checked.h"

#include <string.h>

enum { kRounds = 4, kNodes = 20000, kSteps = 1 << 26 };

typedef enum Verdict { VERDICT_FITS, VERDICT_REFUTED, VERDICT_UNKNOWN } Verdict;

/// The task restricted to some of its items.
typedef struct Subtask {
  const BerthTask *whole;
  const uint32_t *items; ///< ascending
  uint32_t count;
  BerthTask task;
} Subtask;

static int64_t *selectNumbers(const Subtask *sub, const int64_t *from,
                              BerthArena *arena) {
  int64_t *to = BERTH_ARENA_NEW(arena, int64_t, sub->count);
  for (uint32_t k = 0; to && k < sub->count; ++k)
    to[k] = from[sub->items[k]];
  return to;
}

static uint32_t *selectIndices(const Subtask *sub, const uint32_t *from,
                               BerthArena *arena) {
  uint32_t *to = BERTH_ARENA_NEW(arena, uint32_t, sub->count);
  for (uint32_t k = 0; to && k < sub->count; ++k)
    to[k] = from[sub->items[k]];
  return to;
}

// The pieces of the chosen items, and how much they occupy in each section.
static bool selectPieces(Subtask *sub, BerthArena *arena) {
  const BerthTask *whole = sub->whole;
  uint32_t total = whole->pieceBegin[whole->numItems], at = 0;
  uint32_t *begin = BERTH_ARENA_NEW(arena, uint32_t, sub->count + 1);
  BerthPiece *pieces = BERTH_ARENA_NEW(arena, BerthPiece, total);
  int64_t *loads = BERTH_ARENA_NEW(arena, int64_t, whole->numSections);
  if (arena->failed)
    return false;
  for (uint32_t k = 0; k < sub->count; ++k) {
    uint32_t i = sub->items[k];
    for (uint32_t p = whole->pieceBegin[i]; p < whole->pieceBegin[i + 1]; ++p) {
      BerthPiece piece = pieces[at++] = whole->pieces[p];
      for (uint32_t s = piece.lower; s < piece.upper; ++s)
        loads[s] += piece.high - piece.low;
    }
    begin[k + 1] = at;
  }
  sub->task.pieceBegin = begin;
  sub->task.pieces = pieces;
  sub->task.sectionLoads = loads;
  sub->task.load = 0;
  for (uint32_t s = 0; s < whole->numSections; ++s)
    if (loads[s] > sub->task.load)
      sub->task.load = loads[s];
  return true;
}

static bool selectEdges(Subtask *sub, BerthArena *arena) {
  const BerthTask *whole = sub->whole;
  uint32_t n = whole->numItems, at = 0;
  uint32_t *numberOf = BERTH_ARENA_NEW(arena, uint32_t, n);
  uint32_t *begin = BERTH_ARENA_NEW(arena, uint32_t, sub->count + 1);
  uint32_t *partners =
      BERTH_ARENA_NEW(arena, uint32_t, whole->hardBegin[n] + 1);
  if (arena->failed)
    return false;
  memset(numberOf, 0xff, n * sizeof *numberOf);
  for (uint32_t k = 0; k < sub->count; ++k)
    numberOf[sub->items[k]] = k;
  for (uint32_t k = 0; k < sub->count; ++k) {
    uint32_t i = sub->items[k];
    for (uint32_t e = whole->hardBegin[i]; e < whole->hardBegin[i + 1]; ++e)
      if (numberOf[whole->hardEdges[e]] != UINT32_MAX)
        partners[at++] = numberOf[whole->hardEdges[e]];
    begin[k + 1] = at;
  }
  sub->task.hardBegin = begin;
  sub->task.hardEdges = partners;
  return true;
}

static void boundSubtask(BerthTask *task) {
  task->lowerBound = task->load;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t fixed = task->fixedOffsets[i];
    int64_t top = task->sizes[i] + (fixed == BERTH_NONE ? 0 : fixed);
    task->lowerBound = top > task->lowerBound ? top : task->lowerBound;
  }
}

static bool buildSubtask(Subtask *sub, BerthArena *arena) {
  const BerthTask *whole = sub->whole;
  BerthTask *task = &sub->task;
  *task = *whole;
  task->numItems = sub->count;
  task->sizes = selectNumbers(sub, whole->sizes, arena);
  task->alignments = selectNumbers(sub, whole->alignments, arena);
  task->fixedOffsets = selectNumbers(sub, whole->fixedOffsets, arena);
  task->hints = selectNumbers(sub, whole->hints, arena);
  task->weights = selectNumbers(sub, whole->weights, arena);
  task->weightedSizes = selectNumbers(sub, whole->weightedSizes, arena);
  task->lowers = selectIndices(sub, whole->lowers, arena);
  task->uppers = selectIndices(sub, whole->uppers, arena);
  uint64_t *masks = BERTH_ARENA_NEW(arena, uint64_t, sub->count);
  if (arena->failed)
    return false;
  for (uint32_t k = 0; k < sub->count; ++k)
    masks[k] = whole->poolMasks[sub->items[k]];
  task->poolMasks = masks;
  task->minimize = false;
  task->proofFile = NULL;
  if (!selectPieces(sub, arena) || !selectEdges(sub, arena))
    return false;
  boundSubtask(task);
  return true;
}

// Do these items fit by themselves?
static Verdict decide(const BerthTask *whole, BerthHostState *parent,
                      const uint32_t *items, uint32_t count) {
  BerthArena arena = {0};
  Subtask sub = {.whole = whole, .items = items, .count = count};
  BerthHostState slice;
  BerthAnswer answer;
  BerthIncumbent incumbent;
  Verdict verdict = VERDICT_UNKNOWN;
  if (buildSubtask(&sub, &arena) &&
      berthAnswerInit(&answer, &sub.task, &arena)) {
    berthHostSlice(&slice, parent, &sub.task, &arena, 0);
    berthIncumbentInit(&incumbent, &sub.task, &slice.host, &answer);
    if (!berthIncumbentDone(&incumbent)) {
      if (berthSearchCanHandle(&sub.task))
        berthImproveBySearch(&incumbent, &arena, 0, kRounds);
      else
        berthImproveByGaps(&incumbent, &arena, kNodes);
    }
    verdict = incumbent.infeasible                ? VERDICT_REFUTED
              : incumbent.peak <= whole->capacity ? VERDICT_FITS
                                                  : VERDICT_UNKNOWN;
  }
  berthArenaFree(&arena);
  return verdict;
}

// Tries to do without `chunk` items at a time; returns how many are left. Is
// each of those left known to be needed?
static uint32_t filter(const BerthTask *whole, BerthHostState *host,
                       uint32_t *items, uint32_t count, uint32_t chunk,
                       uint32_t *trial, bool *allNeeded) {
  *allNeeded = true;
  for (uint32_t at = 0; at < count && !host->stopped;) {
    uint32_t out = chunk < count - at ? chunk : count - at;
    memcpy(trial, items, at * sizeof *trial);
    memcpy(trial + at, items + at + out, (count - at - out) * sizeof *trial);
    Verdict verdict =
        count == out ? VERDICT_FITS : decide(whole, host, trial, count - out);
    if (verdict == VERDICT_REFUTED) {
      count -= out;
      memcpy(items, trial, count * sizeof *items);
    } else {
      *allNeeded &= verdict == VERDICT_FITS;
      at += out;
    }
  }
  *allNeeded &= !host->stopped;
  return count;
}

static bool canExplain(const BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  return incumbent->infeasible && task->capacity && task->numPools == 1 &&
         task->lowerBound <= task->capacity &&
         !(task->features & BERTH_CAN_PRICED_EDGES) &&
         (berthSearchCanHandle(task) || berthGapsCanHandle(task));
}

void berthExplainInfeasible(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  BerthAnswer *answer = incumbent->answer;
  uint32_t count = task->numItems;
  if (!canExplain(incumbent))
    return;
  BerthArena arena = {0};
  BerthHostState slice;
  uint32_t *trial = BERTH_ARENA_NEW(&arena, uint32_t, count);
  answer->conflict = incumbent->host->allocate(incumbent->host->context,
                                               count * sizeof(uint32_t));
  if (!trial || !answer->conflict) {
    incumbent->failed = true;
    berthArenaFree(&arena);
    return;
  }
  for (uint32_t i = 0; i < count; ++i)
    answer->conflict[i] = i;
  berthHostSlice(&slice, berthHostState(incumbent->host), task, &arena, kSteps);
  bool allNeeded = false;
  for (uint32_t chunk = (count + 1) / 2; !slice.stopped; chunk /= 2) {
    count =
        filter(task, &slice, answer->conflict, count, chunk, trial, &allNeeded);
    if (chunk == 1)
      break;
  }
  answer->numConflict = count;
  answer->conflictIrreducible = allNeeded;
  berthArenaFree(&arena);
}
