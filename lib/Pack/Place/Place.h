//===- Place.h - Placing items one by one -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The engine under every packer that places one item after the other. It knows
// which offsets what is already placed forbids (holes, windows, edges, reserved
// ranges, pools and all), so a heuristic is left with its two ideas: in which
// order to place, and which of the free gaps to take.
//
//     forbidden offsets of an item, from each neighbour that is placed:
//        |####|   |#########|   |##|        free gaps are what lies between;
//     0--+----+---+---------+---+--+--->    the last one has no end
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_PLACE_H
#define BERTH_LIB_PACK_PLACE_PLACE_H

#include "Pack/Place/Heights.h"
#include "Pack/Place/PairTable.h"
#include "Pack/Task/Overlap.h"

/// What every packer on this engine can do.
#define BERTH_PLACEMENT_CAPABILITIES                                           \
  (BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |                 \
   BERTH_CAN_FIXED | BERTH_CAN_HARD_EDGES | BERTH_CAN_RESERVED |               \
   BERTH_CAN_POOLS | BERTH_CAN_DISTANCES)

/// Which free gap an item takes. All take the gap's lowest aligned offset.
typedef enum BerthFit {
  BERTH_FIT_FIRST, ///< the lowest gap
  BERTH_FIT_BEST,  ///< the tightest gap between two neighbours; where none is
                   ///< large enough, above them all
  BERTH_FIT_TOP,   ///< above all that it meets, free gaps or not
} BerthFit;

/// A partial plan under construction.
typedef struct BerthPlacement {
  const BerthTask *task;
  const BerthHost *host;
  BerthAnswer *answer;         ///< offsets and pools are written here
  const BerthPairTable *pairs; ///< or NULL
  BerthOverlapIndex index;     ///< of what is placed, where there is no table
  BerthMemory *arena;
  uint32_t *found;
  BerthRange *ranges; ///< forbidden offsets [lower, upper), see `gather`
  size_t room;
  BerthRange *pair;
  size_t pairRoom;
  BerthHeights *heights[64]; ///< of each pool, once something is stacked there
  bool failed;               ///< memory ran out
} BerthPlacement;

/// An empty placement but for the fixed items, which are placed first.
bool berthPlacementInit(BerthPlacement *placement, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer,
                        BerthMemory *arena);

/// The same with a table of the task's pairs; what has an offset in `answer`
/// is placed there.
void berthPlacementGoOn(BerthPlacement *placement, const BerthTask *task,
                        const BerthHost *host, const BerthPairTable *pairs,
                        BerthAnswer *answer, BerthMemory *arena);

static inline bool berthIsPlaced(const BerthPlacement *placement, uint32_t i) {
  return placement->answer->offsets[i] != BERTH_NONE;
}

/// Collects into `ranges` what is forbidden for the item in `pool`, ascending
/// and disjoint; returns how many ranges there are.
size_t berthPlacementGather(BerthPlacement *placement, uint32_t item,
                            uint32_t pool);

/// The offset that `fit` picks in `pool`.
int64_t berthPlacementFind(BerthPlacement *placement, uint32_t item,
                           uint32_t pool, BerthFit fit);

/// Places an item where the caller says; nothing is checked.
void berthPlacementPut(BerthPlacement *placement, uint32_t item, int64_t offset,
                       uint32_t pool);

/// Takes an item away again.
void berthPlacementRemove(BerthPlacement *placement, uint32_t item);

/// Places an item, unless it is placed already: in the cheapest pool where
/// `fit` finds room below the capacity, else where it ends lowest. Once the
/// budget is spent it is stacked on top of what lies in its sections, which is
/// always valid and costs next to nothing. Spends a step for each neighbour
/// looked at.
void berthPlacementAdd(BerthPlacement *placement, uint32_t item, BerthFit fit);

/// Adds all items in this order.
void berthPlacementAddAll(BerthPlacement *placement, const uint32_t *order,
                          BerthFit fit);

#endif // BERTH_LIB_PACK_PLACE_PLACE_H
