//===- Cliques.c - Items that all keep apart from each other -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What is live in one section, with all its bytes, stands one above the other.
// So does what hard edges join to all of that, and what meets each other
// pairwise (SpreadCliques.h). How high such a clique must be
// is the sum of its sizes, or, where alignments, pins or reserved bytes leave
// holes, what the order of the items takes that wastes least.
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/Cliques.h"

#include "Pack/Incumbent/StackOrders.h"
#include "Pack/Task/Distances.h"
#include "Pack/Task/Overlap.h"
#include "Pack/Task/Ranges.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <string.h>

enum {
  kMaxEdges = 1 << 12,
  kMinWork = 1 << 21,
  kSpreadWork = 1 << 19,
  kTransitions = 32
};

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

typedef struct Cliques {
  const BerthTask *task;
  bool stacked;      ///< nothing can leave a hole: heights are sums
  uint32_t *section; ///< items that are whole in one section
  uint32_t numInSection;
  uint32_t *items; ///< the clique in question
  uint32_t count;
  uint64_t *bySize; ///< item -> key; large ones first
  uint64_t *byOffset;
  uint32_t *scratch;
  BerthRange *blocks; ///< sorted: pins of the clique and reserved bytes
  uint32_t numBlocks;
  BerthMemory *memory;
  BerthCliqueQuestion question;
  uint64_t work, maxWork;
  int64_t bound;
  BerthClique *best;
} Cliques;

//===---------------------------------------------------------------------===//
// How high a clique is
//===---------------------------------------------------------------------===//

// Of the items in the order of the plan, one above the other.
static int64_t heightAsPlanned(Cliques *cliques) {
  const BerthTask *task = cliques->task;
  const int64_t *offsets = cliques->question.offsets;
  int64_t height = 0;
  uint32_t block = 0;
  for (uint32_t k = 0; k < cliques->count; ++k)
    cliques->byOffset[cliques->items[k]] = (uint64_t)offsets[cliques->items[k]];
  berthInsertionSort(cliques->items, cliques->count, cliques->byOffset);
  for (uint32_t k = 0; k < cliques->count; ++k) {
    uint32_t item = cliques->items[k];
    int64_t size = task->sizes[item];
    if (task->fixedOffsets[item] != BERTH_NONE)
      continue;
    height = berthRoundUp(height, task->alignments[item]);
    for (; block < cliques->numBlocks &&
           cliques->blocks[block].lower < height + size;
         ++block)
      if (cliques->blocks[block].upper > height)
        height =
            berthRoundUp(cliques->blocks[block].upper, task->alignments[item]);
    height += size;
  }
  return larger(height, cliques->numBlocks
                            ? cliques->blocks[cliques->numBlocks - 1].upper
                            : 0);
}

// The pins become blocks; what is left is put in order.
static int64_t heightWithHoles(Cliques *cliques) {
  const BerthTask *task = cliques->task;
  BerthStack stack = {.blocks = cliques->blocks,
                      .limit = cliques->question.limit,
                      .maxStates = cliques->question.maxStates,
                      .equalOnly = task->proofFile != NULL};
  cliques->numBlocks = 0;
  for (size_t r = 0; r < task->pools[0].numReserved; ++r)
    berthRangesInsert(cliques->blocks, cliques->numBlocks++,
                      task->pools[0].reserved[r]);
  for (uint32_t k = 0; k < cliques->count; ++k) {
    uint32_t item = cliques->items[k];
    int64_t fixed = task->fixedOffsets[item];
    if (fixed == BERTH_NONE) {
      stack.sizes[stack.count] = task->sizes[item];
      stack.alignments[stack.count++] = task->alignments[item];
    } else {
      berthRangesInsert(cliques->blocks, cliques->numBlocks++,
                        (BerthRange){fixed, fixed + task->sizes[item]});
    }
  }
  stack.numBlocks = cliques->numBlocks;
  if (cliques->question.offsets &&
      heightAsPlanned(cliques) <=
          larger(cliques->bound, cliques->question.known))
    return 0;
  return berthStackLeastHeight(&stack, cliques->memory, &cliques->work);
}

static int64_t sumOfSizes(const Cliques *cliques) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < cliques->count; ++k)
    sum += cliques->task->sizes[cliques->items[k]];
  return sum;
}

// Keeps the largest ones of too many, the first of equal ones.
static void keepLargest(Cliques *cliques) {
  uint32_t most = cliques->question.maxStates ? kBerthMaxStack : kBerthFewItems;
  if (cliques->count <= most)
    return;
  berthSortByKey(cliques->items, cliques->scratch, cliques->count,
                 cliques->bySize);
  cliques->count = most;
}

static void takeIfHigher(Cliques *cliques, int64_t height) {
  if (height <= cliques->bound)
    return;
  cliques->bound = height;
  cliques->best->parts = NULL;
  cliques->best->count = cliques->count;
  memcpy(cliques->best->items, cliques->items,
         cliques->count * sizeof *cliques->items);
}

static void tryClique(Cliques *cliques) {
  cliques->work += cliques->count;
  if (!cliques->stacked)
    keepLargest(cliques);
  takeIfHigher(cliques, cliques->stacked ? sumOfSizes(cliques)
                                         : heightWithHoles(cliques));
}

//===---------------------------------------------------------------------===//
// Finding cliques
//===---------------------------------------------------------------------===//

static bool isWholeIn(const BerthTask *task, uint32_t item, uint32_t section) {
  for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1]; ++p)
    if (task->pieces[p].lower <= section && section < task->pieces[p].upper)
      return berthPieceIsWhole(task, item, p);
  return false;
}

static bool keepApart(Cliques *cliques, uint32_t i, uint32_t j) {
  ++cliques->work;
  return i != j && (berthItemsApart(cliques->task, i, j) ||
                    berthItemsMeetWhole(cliques->task, i, j));
}

static void addIfApart(Cliques *cliques, uint32_t item) {
  for (uint32_t k = 0; k < cliques->count; ++k)
    if (!keepApart(cliques, cliques->items[k], item))
      return;
  cliques->items[cliques->count++] = item;
}

// What the edge joins, and of the section what keeps apart from both.
static void tryEdge(Cliques *cliques, uint32_t i, uint32_t j) {
  cliques->items[0] = i;
  cliques->items[1] = j;
  cliques->count = 2;
  for (uint32_t k = 0; k < cliques->numInSection; ++k)
    addIfApart(cliques, cliques->section[k]);
  const BerthTask *task = cliques->task;
  for (uint32_t e = task->hardBegin[i]; e < task->hardBegin[i + 1]; ++e)
    addIfApart(cliques, task->hardEdges[e]);
  tryClique(cliques);
}

static void trySection(Cliques *cliques, uint32_t section) {
  const BerthTask *task = cliques->task;
  cliques->numInSection = 0;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->lowers[i] <= section && section < task->uppers[i] &&
        isWholeIn(task, i, section) && !berthItemIsSpared(task, i, section))
      cliques->section[cliques->numInSection++] = i;
  cliques->work += task->numItems;
  cliques->count = cliques->numInSection;
  memcpy(cliques->items, cliques->section,
         cliques->count * sizeof *cliques->items);
  if (!cliques->stacked)
    tryClique(cliques); // else it is the load
  for (uint32_t k = 0; k < cliques->numInSection; ++k) {
    uint32_t i = cliques->section[k];
    for (uint32_t e = task->hardBegin[i];
         e < task->hardBegin[i + 1] && cliques->work < cliques->maxWork; ++e)
      tryEdge(cliques, i, task->hardEdges[e]);
  }
}

// What no one section holds. All of it, and the largest in order; of parts only
// the sum, as what lies between them is not theirs.
static void trySpread(Cliques *cliques) {
  const BerthTask *task = cliques->task;
  uint64_t work = cliques->question.maxStates ? cliques->maxWork : kSpreadWork;
  BerthClique clique;
  int64_t sum =
      berthFindSpreadClique(task, false, work, cliques->memory, &clique);
  cliques->count = clique.count;
  if (sum) {
    memcpy(cliques->items, clique.items, clique.count * sizeof *clique.items);
    takeIfHigher(cliques, sum);
    if (!cliques->stacked)
      tryClique(cliques);
  }
  sum = berthFindSpreadClique(task, true, work, cliques->memory, &clique);
  if (sum <= cliques->bound)
    return;
  cliques->bound = sum;
  *cliques->best = clique;
}

static bool init(Cliques *cliques, BerthMemory *arena) {
  const BerthTask *task = cliques->task;
  size_t blocks = kBerthMaxStack + task->pools[0].numReserved;
  cliques->section = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  cliques->items = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  cliques->best->items = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  cliques->blocks = BERTH_MEMORY_NEW(arena, BerthRange, blocks);
  cliques->bySize = BERTH_MEMORY_NEW(arena, uint64_t, task->numItems);
  cliques->byOffset = BERTH_MEMORY_NEW(arena, uint64_t, task->numItems);
  cliques->scratch = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  for (uint32_t i = 0; !arena->failed && i < task->numItems; ++i)
    cliques->bySize[i] = berthKeyDescending(task->sizes[i]);
  return !arena->failed;
}

int64_t berthBoundCliques(const BerthTask *task, BerthMemory *arena,
                          const BerthCliqueQuestion *question,
                          BerthClique *best) {
  const uint32_t holes =
      BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED | BERTH_CAN_RESERVED;
  Cliques cliques = {.task = task,
                     .stacked = !(task->features & holes),
                     .memory = arena,
                     .question = *question,
                     .maxWork =
                         question->maxStates
                             ? (uint64_t)question->maxStates * kTransitions
                             : kMinWork,
                     .best = best};
  *best = (BerthClique){0};
  if (task->numPools > 1 || task->numItems > kMaxEdges ||
      !init(&cliques, arena))
    return 0;
  trySpread(&cliques);
  if (!(task->features & (holes | BERTH_CAN_HARD_EDGES)))
    return cliques.bound;
  const uint32_t *order = berthTaskSectionsByLoad(task, arena);
  for (uint32_t k = 0;
       order && k < task->numSections && cliques.work < cliques.maxWork; ++k)
    trySection(&cliques, order[k]);
  return cliques.bound;
}
