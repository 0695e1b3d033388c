//===- Repair.c - Orders, repaired where they fail ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What is placed is what stands before the item in question: nothing is taken
// away again. Fixed items stand first in every order.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Repair.h"

#include "Pack/Place/PairTable.h"
#include "Pack/Task/Errands.h"
#include "Pack/Task/Ranges.h"
#include "Support/Checked.h"
#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

enum {
  kWalks = 8,      ///< that begin at one order, so that threads can share them
  kPatience = 400, ///< repairs of a walk; with 12 as with 32 far worse
  kDraws = 2,
  kMostBetter = 4 ///< better plans of a walk, as one that is cut short is lost
};

/// One order after another.
typedef struct Walk {
  uint32_t *order;
  uint32_t *ranks;    ///< item -> its place in the order
  int64_t *offsets;   ///< of what stands before the place in question
  BerthRange *ranges; ///< room for what is forbidden to an item
  uint64_t random;
  int64_t peak;    ///< of the best plan that it has seen
  uint32_t *found; ///< the order of that
  int64_t *foundOffsets;
  unsigned better; ///< how many were better than the one before
} Walk;

struct BerthRepair {
  BerthIncumbent *incumbent;
  const BerthPairTable *pairs;
  uint32_t numItems;
  uint32_t numFixed;
  uint32_t *order; ///< of the best plan
  int64_t peak;    ///< its
  bool shakes;     ///< a walk from it has bettered nothing
  uint64_t walked; ///< walks that are over
  uint32_t *scratch;
  uint64_t *keys;
  Walk walks[kWalks];
};
typedef struct BerthRepair Repair;

static bool isFixed(const BerthTask *task, uint32_t item) {
  return task->fixedOffsets[item] != BERTH_NONE;
}

//===---------------------------------------------------------------------===//
// Placing
//===---------------------------------------------------------------------===//

// What reserved bytes and what stands before the item forbid; `*looked` counts
// on.
static size_t gather(const Repair *repair, const Walk *walk, uint32_t item,
                     uint64_t *looked) {
  const BerthTask *task = repair->incumbent->task;
  const BerthPairTable *pairs = repair->pairs;
  uint32_t rank = walk->ranks[item];
  size_t count = 0;
  for (size_t r = 0; r < task->pools[0].numReserved; ++r) {
    BerthRange range = task->pools[0].reserved[r];
    range.lower -= task->sizes[item] - 1;
    count = berthRangesAdd(walk->ranges, count, range);
  }
  for (size_t at = pairs->begin[item]; at < pairs->begin[item + 1]; ++at) {
    const BerthForbidden *entry = &pairs->entries[at];
    if (walk->ranks[entry->other] >= rank)
      continue;
    ++*looked;
    int64_t offset = walk->offsets[entry->other];
    if (offset + entry->upper > 0)
      count = berthRangesAdd(
          walk->ranges, count,
          (BerthRange){offset + entry->lower, offset + entry->upper});
  }
  return count;
}

// The lowest offset that is left.
static int64_t findLowest(const Repair *repair, const Walk *walk, uint32_t item,
                          uint64_t *looked) {
  int64_t alignment = repair->incumbent->task->alignments[item], from = 0;
  size_t count = gather(repair, walk, item, looked);
  for (size_t i = 0; i < count; ++i) {
    int64_t offset = berthRoundUp(from, alignment);
    if (offset < walk->ranges[i].lower)
      return offset;
    if (walk->ranges[i].upper > from)
      from = walk->ranges[i].upper;
  }
  return berthRoundUp(from, alignment);
}

//===---------------------------------------------------------------------===//
// Repairs
//===---------------------------------------------------------------------===//

// The place of one of those that hold the item up, or its own if nothing does
// that can give way.
static uint32_t drawBlocker(const Repair *repair, Walk *walk, uint32_t item) {
  const BerthPairTable *pairs = repair->pairs;
  uint32_t rank = walk->ranks[item], seen = 0, drawn = rank;
  for (size_t at = pairs->begin[item]; at < pairs->begin[item + 1]; ++at) {
    uint32_t other = walk->ranks[pairs->entries[at].other];
    if (other < rank && other >= repair->numFixed &&
        berthNextRandom(&walk->random) % ++seen == 0)
      drawn = other;
  }
  return drawn;
}

// Moves it forward. False: it cannot be.
static bool moveForward(const Repair *repair, Walk *walk, uint32_t item) {
  uint32_t from = walk->ranks[item], to = 0;
  for (unsigned d = 0; d < kDraws; ++d) {
    uint32_t drawn = drawBlocker(repair, walk, item);
    to = drawn > to ? drawn : to;
  }
  if (to == from)
    return false;
  memmove(walk->order + to + 1, walk->order + to,
          (from - to) * sizeof *walk->order);
  walk->order[to] = item;
  for (uint32_t k = to; k <= from; ++k)
    walk->ranks[walk->order[k]] = k;
  return true;
}

// Swaps some pairs that stand near each other.
static void shake(const Repair *repair, Walk *walk) {
  uint32_t n = repair->numItems - repair->numFixed;
  uint32_t *order = walk->order + repair->numFixed;
  for (uint32_t swaps = n < 2 ? 0 : 1 + n / 32; swaps-- > 0;) {
    uint32_t i = (uint32_t)(berthNextRandom(&walk->random) % n);
    uint32_t j =
        (i + 1 + (uint32_t)(berthNextRandom(&walk->random) % (n / 8 + 1))) % n;
    uint32_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

static void beginWalk(const Repair *repair, Walk *walk, uint32_t index) {
  const BerthTask *task = repair->incumbent->task;
  walk->better = 0;
  walk->peak = repair->peak;
  walk->random =
      task->seed + (repair->walked + index) * UINT64_C(0xD1342543DE82EF95);
  memcpy(walk->order, repair->order, repair->numItems * sizeof *walk->order);
  if (repair->shakes || index > 0)
    shake(repair, walk);
  for (uint32_t k = 0; k < repair->numItems; ++k)
    walk->ranks[walk->order[k]] = k;
  for (uint32_t k = 0; k < repair->numFixed; ++k)
    walk->offsets[walk->order[k]] = task->fixedOffsets[walk->order[k]];
}

// Everything ends below the best plan. Returns the place of the first item that
// is in the way of going lower.
static uint32_t learn(const Repair *repair, Walk *walk) {
  const BerthTask *task = repair->incumbent->task;
  uint32_t n = repair->numItems, first = n;
  ++walk->better;
  walk->peak = 0;
  memcpy(walk->found, walk->order, n * sizeof *walk->found);
  memcpy(walk->foundOffsets, walk->offsets, n * sizeof *walk->foundOffsets);
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t item = walk->order[k];
    int64_t top = walk->offsets[item] + task->sizes[item];
    if (top > walk->peak) {
      walk->peak = top;
      first = k;
    }
  }
  return first < repair->numFixed ? n : first;
}

// The work of an errand.
static bool runWalk(void *context, unsigned hand, uint32_t index,
                    BerthHostState *host) {
  const Repair *repair = context;
  Walk *walk = &((Repair *)context)->walks[index];
  const BerthTask *task = repair->incumbent->task;
  uint32_t left = kPatience, at = repair->numFixed;
  (void)hand;
  beginWalk(repair, walk, index);
  for (;;) {
    if (at == repair->numItems) {
      at = learn(repair, walk);
      left = kPatience;
      if (at == repair->numItems || walk->better == kMostBetter)
        return true;
    }
    uint32_t item = walk->order[at];
    uint64_t looked = 1;
    int64_t offset = findLowest(repair, walk, item, &looked);
    if (!host->host.step(host->host.context, looked))
      return false;
    walk->offsets[item] = offset;
    if (offset + task->sizes[item] < walk->peak) {
      ++at;
      continue;
    }
    if (!left-- || !moveForward(repair, walk, item))
      return walk->better > 0;
    at = walk->ranks[item];
  }
}

//===---------------------------------------------------------------------===//
// The search
//===---------------------------------------------------------------------===//

static void takeWalk(Repair *repair, const Walk *walk) {
  ++repair->walked;
  repair->shakes = !walk->better;
  if (!walk->better)
    return;
  memcpy(repair->order, walk->found, repair->numItems * sizeof *repair->order);
  berthIncumbentOfferOffsets(repair->incumbent, walk->foundOffsets);
  repair->peak = repair->incumbent->peak;
}

// The order of the best plan there is, which another station has made.
static void adopt(Repair *repair) {
  const BerthIncumbent *incumbent = repair->incumbent;
  for (uint32_t i = 0; i < repair->numItems; ++i) {
    repair->order[i] = i;
    repair->keys[i] = isFixed(incumbent->task, i)
                          ? 0
                          : 1 + (uint64_t)incumbent->answer->offsets[i];
  }
  berthSortByKey(repair->order, repair->scratch, repair->numItems,
                 repair->keys);
  repair->peak = incumbent->peak;
  repair->shakes = false;
}

static bool initWalk(const Repair *repair, Walk *walk, size_t most,
                     BerthMemory *arena) {
  uint32_t n = repair->numItems;
  walk->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  walk->ranks = BERTH_MEMORY_NEW(arena, uint32_t, n);
  walk->offsets = BERTH_MEMORY_NEW(arena, int64_t, n);
  walk->found = BERTH_MEMORY_NEW(arena, uint32_t, n);
  walk->foundOffsets = BERTH_MEMORY_NEW(arena, int64_t, n);
  walk->ranges = BERTH_MEMORY_NEW(arena, BerthRange, most);
  return !arena->failed;
}

static bool initWalks(Repair *repair, BerthMemory *arena) {
  const BerthPairTable *pairs = repair->pairs;
  size_t most = 0;
  for (uint32_t i = 0; i < repair->numItems; ++i) {
    size_t own = pairs->begin[i + 1] - pairs->begin[i];
    most = own > most ? own : most;
  }
  most += repair->incumbent->task->pools[0].numReserved + 1;
  for (unsigned w = 0; w < kWalks; ++w)
    if (!initWalk(repair, &repair->walks[w], most, arena))
      return false;
  return true;
}

bool berthRepairCanHandle(const BerthTask *task) {
  return task->numPools == 1 && !(task->features & BERTH_CAN_PRICED_EDGES);
}

BerthRepair *berthRepairCreate(BerthIncumbent *incumbent,
                               const BerthPairTable *pairs,
                               BerthMemory *arena) {
  Repair *repair = BERTH_MEMORY_NEW(arena, Repair, 1);
  uint32_t n = incumbent->task->numItems;
  if (!repair)
    return NULL;
  *repair = (Repair){
      .incumbent = incumbent, .pairs = pairs, .numItems = n, .peak = INT64_MAX};
  repair->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  repair->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  repair->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  for (uint32_t i = 0; i < n; ++i)
    repair->numFixed += isFixed(incumbent->task, i);
  bool ready = !arena->failed && initWalks(repair, arena);
  return ready ? repair : NULL;
}

void berthRepairRun(BerthRepair *repair, const BerthHost *host) {
  BerthHostState *state = berthHostState(host);
  BerthIncumbent *incumbent = repair->incumbent;
  if (!incumbent->complete || repair->numFixed == repair->numItems)
    return;
  if (incumbent->peak < repair->peak)
    adopt(repair);
  while (!berthIncumbentDone(incumbent) && !state->stopped) {
    bool settled;
    uint32_t done =
        berthErrandsRun(state, kWalks, 0, runWalk, repair, &settled);
    for (uint32_t k = 0; k < done; ++k)
      takeWalk(repair, &repair->walks[k]);
  }
}
