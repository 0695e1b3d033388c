//===- PoolFits.h - What a set of items needs in a pool ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the search for pools (Pools.h) and the one that writes down why there
// are no better ones (PoolProof.h) ask about single pools. A set of items in a
// pool is a problem of one pool, solved once as far as a small cache remembers
// it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLFITS_H
#define BERTH_LIB_PACK_CHOICES_POOLFITS_H

#include "Pack/Incumbent/Incumbent.h"

/// The items, given ascending, by themselves in one pool. False when memory ran
/// out.
bool berthPoolTask(const BerthTask *task, const uint32_t *items, uint32_t count,
                   uint32_t pool, BerthMemory *arena, BerthTask *sub);

/// Sets of items are words.
enum { kBerthMaxPoolItems = 64 };

/// What is known about a set of items in a pool.
typedef struct BerthPoolFit {
  uint64_t set; ///< 0: no entry
  uint32_t pool;
  bool refuted;  ///< proven: nothing fits
  bool solved;   ///< a plan that fits is known
  int64_t lower; ///< no plan's top is below
  int64_t peak;  ///< of the best plan that is known
} BerthPoolFit;

typedef struct BerthPoolFits {
  const BerthTask *task;
  const BerthHost *host;
  BerthSolve solve;
  BerthMemory *arena;
  uint32_t *order;     ///< of the decisions
  int64_t *leastCosts; ///< of what comes at this place of the order, or later
  BerthPoolFit *remembered;
  BerthRange *ranges; ///< room for the conflicts of two items
  size_t room;
  bool failed; ///< memory ran out
} BerthPoolFits;

/// The task has no more than kBerthMaxPoolItems. Everything lives in `arena`.
/// False when memory ran out.
bool berthPoolFitsInit(BerthPoolFits *fits, const BerthTask *task,
                       const BerthHost *host, BerthSolve solve,
                       BerthMemory *arena);

/// What the set needs in the pool; its pins must stand there.
BerthPoolFit berthPoolFit(BerthPoolFits *fits, uint64_t set, uint32_t pool);

/// Solves it once more. Writes the offsets of the best plan to `offsets`, if
/// any are wanted, or adds the tree to `tree` that refutes `*refuted`, one less
/// than the lower bound, as a height (INT64_MAX: every height).
BerthPoolFit berthPoolPlace(BerthPoolFits *fits, uint64_t set, uint32_t pool,
                            int64_t *offsets);
BerthPoolFit berthPoolRefute(BerthPoolFits *fits, uint64_t set, uint32_t pool,
                             BerthProofLog *tree, int64_t *refuted);

/// Can the item stand in the pool, if it is pinned, beside those of the set
/// that are?
bool berthPoolPinStands(BerthPoolFits *fits, uint64_t set, uint32_t item,
                        uint32_t pool);

#endif // BERTH_LIB_PACK_CHOICES_POOLFITS_H
