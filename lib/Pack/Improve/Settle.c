//===- Settle.c - Letting a plan sink -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Settle.h"

#include "Pack/Place/Place.h"
#include "Support/Sort.h"

// What ends above this is of no use. Above a capacity it is not the peak that
// counts, but what all items have above it.
static int64_t highestOfUse(const BerthIncumbent *incumbent) {
  bool byPeak = incumbent->task->numPools == 1 && incumbent->complete &&
                incumbent->score.excess == 0;
  return byPeak ? incumbent->peak : INT64_MAX;
}

// False: something would end above `most`.
static bool placeUpTo(BerthPlacement *placement, const uint32_t *order,
                      int64_t most) {
  const BerthTask *task = placement->task;
  for (uint32_t k = 0; k < task->numItems && !placement->failed; ++k) {
    uint32_t item = order[k];
    berthPlacementAdd(placement, item, BERTH_FIT_FIRST);
    if (placement->answer->offsets[item] > most - task->sizes[item])
      return false;
  }
  return !placement->failed;
}

// An empty placement.
static bool begin(BerthPlacement *placement, const BerthTask *task,
                  const BerthHost *host, const BerthPairTable *pairs,
                  BerthAnswer *candidate, BerthMemory *arena) {
  if (!pairs)
    return berthPlacementInit(placement, task, host, candidate, arena);
  berthPlacementGoOn(placement, task, host, pairs, candidate, arena);
  return true;
}

void berthOfferSettled(BerthIncumbent *incumbent, const BerthHost *host,
                       const BerthPairTable *pairs, BerthAnswer *candidate) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  BerthSorting sorting;
  BerthPlacement placement = {0};
  bool ready = berthSortingInit(&sorting, task->numItems, &arena);
  if (ready) {
    for (uint32_t i = 0; i < task->numItems; ++i) {
      sorting.keys[i] = (uint64_t)candidate->offsets[i];
      candidate->offsets[i] = BERTH_NONE;
    }
    berthSort(&sorting);
    ready = begin(&placement, task, host, pairs, candidate, &arena);
  }
  if (ready && placeUpTo(&placement, sorting.order, highestOfUse(incumbent)))
    berthIncumbentOffer(incumbent, candidate);
  incumbent->failed |= !ready || placement.failed;
  berthMemoryFree(&arena);
}
