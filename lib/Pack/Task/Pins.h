//===- Pins.h - In which pools the fixed items live ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A fixed offset says where in a pool an item lies, not in which. Two fixed
// items that would share bytes must be in different pools, which is the
// colouring of a graph with a list of colours for each node:
//
//        a {0,1} --- b {0,1} --- c {0}       a: 0, b: 1, c: 0
//
// No packer can mend a bad choice, since fixed items do not move; so it is made
// once for all of them. Where there is none, the input contradicts itself. The
// search is complete: parts of the graph that do not touch are solved one by
// one, items with one pool left are settled first, and it turns back where an
// item has none left.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_PINS_H
#define BERTH_LIB_PACK_TASK_PINS_H

#include "Pack/Task/Normalize.h"

typedef enum BerthPinVerdict {
  BERTH_PINS_SETTLED,
  BERTH_PINS_CONTRADICT, ///< proven: no choice of pools is valid
  BERTH_PINS_UNDECIDED,  ///< the search ran out of steps
  BERTH_PINS_NO_MEMORY
} BerthPinVerdict;

/// What a choice of pools has to honour besides bytes, reserved ranges and hard
/// edges.
enum {
  BERTH_PINS_FIT = 1,  ///< no fixed item ends above its pool's capacity
  BERTH_PINS_FREE = 2, ///< no priced edge needs to be bought
};

/// The items of a contradiction that belong together, for people.
typedef struct BerthPinConflict {
  uint32_t count;
  uint32_t *items;
} BerthPinConflict;

/// Chooses a pool for each fixed item, cheap ones first, and writes it as a
/// mask to `masks`, which begins as a copy of the task's. On a contradiction
/// `conflict` (in `arena`) has items that cannot all be where they are.
BerthPinVerdict berthSettlePins(const BerthTask *task, unsigned wishes,
                                BerthMemory *arena, uint64_t *masks,
                                BerthPinConflict *conflict);

/// Settles the pins of a checked problem in its reduction, honouring as many
/// wishes as can be. Nothing to do for a single pool.
BerthPinVerdict berthReducePins(const BerthProblemData *problem,
                                BerthReduction *reduction, BerthMemory *arena);

#endif // BERTH_LIB_PACK_TASK_PINS_H
