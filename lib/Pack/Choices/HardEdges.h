//===- HardEdges.h - Edges that were not bought off --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_HARDEDGES_H
#define BERTH_LIB_PACK_CHOICES_HARDEDGES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Where an edge and pins say no.
typedef struct BerthClash {
  const BerthEdge *edge; ///< that cannot hold: its two ends are one item, or
                         ///< are pinned on top of each other in the only pool
                         ///< that either may live in; or NULL
  bool atOdds;           ///< pins are so only in the pools settled for them
} BerthClash;

/// Can the pins stand in these pools, given that this edge holds?
bool berthPinsAllow(const BerthTask *task, const uint64_t *pools,
                    const BerthEdge *edge);

/// The task with these cuts bought: the edges that they do not free are hard.
/// False when memory ran out, or where `clash` says that one cannot hold.
bool berthHardenEdges(const BerthTask *task, const uint8_t *bought,
                      BerthMemory *arena, BerthTask *rest, BerthClash *clash);

#endif // BERTH_LIB_PACK_CHOICES_HARDEDGES_H
