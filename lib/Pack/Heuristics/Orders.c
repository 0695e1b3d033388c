//===- Orders.c - Greedy packers whose order is a matter of its own ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// greedy-by-breadth   Sections in decreasing load; of each, what is not placed
//                     yet by decreasing size into the tightest gap. Pisarchyk
//                     and Lee, "Efficient Memory Management for Deep Neural Net
//                     Inference" (2020); TFLite.
// somas               The best of several sorts, each by first and by best fit.
//                     MindSpore's SOMAS.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Sort.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// greedy-by-breadth
//===---------------------------------------------------------------------===//

// An item's breadth is the place of the first section, in that order, that its
// hull covers. Each item is found once, then leaves the index.
static bool rankByBreadth(const BerthTask *task, BerthMemory *arena,
                          uint64_t *ranks) {
  BerthOverlapIndex index;
  const uint32_t *sections = berthTaskSectionsByLoad(task, arena);
  uint32_t *found = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  if (!sections || !found || !berthOverlapInit(&index, task, true, arena))
    return false;
  for (uint32_t rank = 0; rank < task->numSections; ++rank) {
    uint32_t section = sections[rank];
    size_t count = berthOverlapQuery(&index, section, section + 1, found);
    for (size_t i = 0; i < count; ++i) {
      ranks[found[i]] = rank;
      berthOverlapErase(&index, found[i]);
    }
  }
  return true;
}

static BerthStatus packByBreadth(const BerthPacker *self, const BerthTask *task,
                                 const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kBySize = {.keys = {BERTH_KEY_SIZE_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  uint32_t *order = berthGreedyOrder(&kBySize, task, host, &arena);
  uint32_t *scratch = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  uint64_t *ranks = BERTH_MEMORY_NEW(&arena, uint64_t, task->numItems);
  bool done = order && scratch && ranks && rankByBreadth(task, &arena, ranks);
  if (done) {
    berthSortByKey(order, scratch, task->numItems, ranks);
    done = berthPlaceInOrder(order, BERTH_FIT_BEST, task, host, answer, &arena);
  }
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerGreedyByBreadth = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "greedy-by-breadth",
    .summary = "fullest times first, by decreasing size in each, tightest gap "
               "(TFLite; Pisarchyk and Lee 2020)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES,
    .pack = packByBreadth,
    .traits = BERTH_PACKER_ONE_SHOT};

//===---------------------------------------------------------------------===//
// somas
//===---------------------------------------------------------------------===//

// Which of two complete answers of a task is better: less above the capacities,
// then cheaper pools, then the lower peak.
static bool isBetter(const BerthTask *task, const BerthAnswer *a,
                     const BerthAnswer *b) {
  int64_t score[2][2] = {{0}};
  const BerthAnswer *answers[2] = {a, b};
  for (unsigned k = 0; k < 2; ++k) {
    for (uint32_t i = 0; i < task->numItems; ++i) {
      const BerthPool *pool = &task->pools[answers[k]->pools[i]];
      int64_t top = answers[k]->offsets[i] + task->sizes[i];
      if (task->numPools > 1 && pool->capacity && top > pool->capacity &&
          top - pool->capacity > score[k][0])
        score[k][0] = top - pool->capacity;
    }
    score[k][1] = berthAnswerPeak(task, answers[k]);
  }
  if (score[0][0] != score[1][0])
    return score[0][0] < score[1][0];
  return score[0][1] < score[1][1];
}

static BerthStatus packSomas(const BerthPacker *self, const BerthTask *task,
                             const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kRows[] = {
      {{BERTH_KEY_SIZE_DOWN}, BERTH_FIT_FIRST},
      {{BERTH_KEY_SIZE_DOWN}, BERTH_FIT_BEST},
      {{BERTH_KEY_SIZE_DOWN, BERTH_KEY_CONFLICTS_DOWN}, BERTH_FIT_FIRST},
      {{BERTH_KEY_SIZE_DOWN, BERTH_KEY_CONFLICTS_DOWN}, BERTH_FIT_BEST},
  };
  (void)self;
  bool done = true;
  for (size_t i = 0; done && i < sizeof kRows / sizeof *kRows; ++i) {
    BerthMemory arena = {0};
    BerthAnswer trial;
    const uint32_t *order = berthGreedyOrder(&kRows[i], task, host, &arena);
    done = order && berthAnswerInit(&trial, task, &arena) &&
           berthPlaceInOrder(order, kRows[i].fit, task, host, &trial, &arena);
    if (done && (i == 0 || isBetter(task, &trial, answer))) {
      memcpy(answer->offsets, trial.offsets,
             task->numItems * sizeof *trial.offsets);
      memcpy(answer->pools, trial.pools, task->numItems * sizeof *trial.pools);
    }
    berthMemoryFree(&arena);
  }
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerSomas = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "somas",
    .summary = "the best of two sorts by size, each by first and by best fit "
               "(MindSpore's SOMAS)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES,
    .pack = packSomas,
    .traits = BERTH_PACKER_ONE_SHOT};
