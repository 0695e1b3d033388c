//===- PoolBounds.c - What no plan in several pools is below --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PoolBounds.h"

#include "Pack/Choices/PoolFits.h"
#include "Pack/Incumbent/Inner.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"

enum { kSteps = 1 << 22 };

/// What is proven about some items in one pool.
typedef struct Proven {
  int64_t bound;
  BerthBound why; ///< items as the whole task numbers them
} Proven;

static uint32_t *nameItems(const BerthIncumbent *inner, const uint32_t *items,
                           BerthMemory *arena) {
  const BerthBound *why = &inner->bound;
  uint32_t *named = BERTH_MEMORY_NEW(arena, uint32_t, why->numItems);
  for (uint32_t k = 0; named && k < why->numItems; ++k)
    named[k] = items ? items[why->items[k]] : why->items[k];
  return named;
}

// Ends `part`, whose task is there if it was `made`. `items`: the whole task's
// numbers for those of the part; NULL: the same.
static Proven prove(BerthIncumbent *incumbent, BerthInner *part, bool made,
                    const BerthHost *host, BerthSolve solve,
                    const uint32_t *items, BerthMemory *arena) {
  const BerthIncumbent *inner = &part->incumbent;
  Proven proven = {0};
  if (made && berthInnerBegin(part, berthHostState(host), kSteps)) {
    proven.bound = part->task.lowerBound;
    solve(&part->incumbent);
    if (inner->lowerBound < INT64_MAX && inner->lowerBound > proven.bound) {
      proven.bound = inner->lowerBound;
      proven.why = inner->bound;
      proven.why.items = nameItems(inner, items, arena);
    }
  }
  incumbent->failed |= !berthInnerEnd(part) || arena->failed;
  return proven;
}

//===---------------------------------------------------------------------===//
// All pools together
//===---------------------------------------------------------------------===//

static bool joinPools(const BerthTask *task, BerthTask *joined,
                      BerthMemory *arena) {
  const uint32_t gone = BERTH_CAN_POOLS | BERTH_CAN_RESERVED |
                        BERTH_CAN_CAPACITY | BERTH_CAN_FIXED |
                        BERTH_CAN_ALIGNMENT | BERTH_CAN_HINTS;
  uint32_t n = task->numItems;
  uint64_t *masks = BERTH_MEMORY_NEW(arena, uint64_t, n);
  int64_t *ones = BERTH_MEMORY_NEW(arena, int64_t, n);
  int64_t *nones = BERTH_MEMORY_NEW(arena, int64_t, n);
  BerthPool *pool = BERTH_MEMORY_NEW(arena, BerthPool, 1);
  if (arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    masks[i] = 1;
    ones[i] = 1;
    nones[i] = BERTH_NONE;
  }
  *joined = *task;
  joined->poolMasks = joined->allowedPools = masks;
  joined->alignments = ones;
  joined->fixedOffsets = joined->hints = nones;
  joined->numPools = 1;
  joined->pools = pool;
  joined->capacity = 0;
  joined->minimize = true;
  joined->features &= ~gone;
  berthTaskFillBounds(joined);
  return true;
}

static void raiseTogether(BerthIncumbent *incumbent, const BerthHost *host,
                          BerthSolve solve, BerthMemory *arena) {
  BerthInner part = {0};
  bool made = joinPools(incumbent->task, &part.task, &part.arena);
  Proven proven = prove(incumbent, &part, made, host, solve, NULL, arena);
  berthIncumbentRaise(incumbent, proven.bound, &proven.why);
}

//===---------------------------------------------------------------------===//
// Pool by pool
//===---------------------------------------------------------------------===//

static bool livesOnlyIn(const BerthTask *task, uint32_t item, uint32_t pool) {
  return task->allowedPools[item] == UINT64_C(1) << pool;
}

static int64_t boundOfPool(BerthIncumbent *incumbent, uint32_t pool,
                           const BerthHost *host, BerthSolve solve,
                           uint32_t *items, BerthMemory *arena) {
  const BerthTask *task = incumbent->task;
  uint32_t count = 0;
  BerthInner part = {0};
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (livesOnlyIn(task, i, pool))
      items[count++] = i;
  if (!count)
    return 0;
  bool made = berthPoolTask(task, items, count, pool, &part.arena, &part.task);
  return prove(incumbent, &part, made, host, solve, items, arena).bound;
}

static void raiseByPools(BerthIncumbent *incumbent, const BerthHost *host,
                         BerthSolve solve, BerthMemory *arena) {
  const BerthTask *task = incumbent->task;
  uint32_t *items = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  BerthBound why = {.reason = BERTH_BOUND_SEARCH, .items = items};
  int64_t sum = 0;
  for (uint32_t p = 0; items && p < task->numPools; ++p)
    sum = berthAddSaturating(
        sum, boundOfPool(incumbent, p, host, solve, items, arena));
  for (uint32_t i = 0; items && i < task->numItems; ++i)
    if (!(task->allowedPools[i] & (task->allowedPools[i] - 1)))
      items[why.numItems++] = i;
  if (sum < INT64_MAX)
    berthIncumbentRaise(incumbent, sum, &why);
}

void berthRaisePoolBounds(BerthIncumbent *incumbent, const BerthHost *host,
                          BerthSolve solve) {
  BerthMemory arena = {0};
  if (incumbent->task->proofFile)
    return;
  raiseByPools(incumbent, host, solve, &arena);
  if (!berthIncumbentDone(incumbent))
    raiseTogether(incumbent, host, solve, &arena);
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}
