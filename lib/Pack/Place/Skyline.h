//===- Skyline.h - Filling the lowest plateau ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A heuristic for problems of any size, after the skyline and best-fit
// heuristics for strip packing (Burke, Kendall and Whitwell 2004), where boxes
// cannot move sideways. What is packed has an outline of plateaus:
//
//     bytes ^
//           |        ______
//           |  __   |      |
//           | |  |__|      |__
//           | |   /|          |
//           +-+--/------------+--> time
//               fill here
//
// A plateau with higher neighbours is filled with the best-ranked item that
// lies within its sections; if there is none, it rises to its lower neighbour,
// and the bytes below are lost (waste).
//
// Any plateau that is locally lowest will do, so the work moves along the line
// instead of jumping to the globally lowest, which keeps it in the cache.
//
// Which item is best: with *dynamic criticality* the one that covers the
// section where load plus waste is largest so far, as that section decides the
// peak; among those, or without it, the first by a static rank.
//
// Items are seen as hulls. One run costs n log n.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_SKYLINE_H
#define BERTH_LIB_PACK_PLACE_SKYLINE_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

typedef enum BerthSkylineKey {
  BERTH_SKYLINE_SPAN, ///< most sections first
  BERTH_SKYLINE_SIZE, ///< most bytes first
  BERTH_SKYLINE_AREA, ///< sections times bytes
} BerthSkylineKey;

typedef struct BerthSkylineConfig {
  BerthSkylineKey key;
  bool dynamic;  ///< criticality before rank
  uint64_t seed; ///< varies the keys a little; 0: not at all
} BerthSkylineConfig;

/// The tables of a task, for any number of runs.
typedef struct BerthSkyline BerthSkyline;

/// NULL when memory ran out. Everything lives in `arena`.
BerthSkyline *berthSkylineCreate(const BerthTask *task, BerthMemory *arena);

/// Packs the hulls of all items, without regard to alignments, pins, edges,
/// reserved bytes and pools, and returns the peak. `*work` grows by the number
/// of tree nodes looked at.
int64_t berthSkylineRun(BerthSkyline *skyline, BerthSkylineConfig config,
                        int64_t *offsets, uint64_t *work);

#endif // BERTH_LIB_PACK_PLACE_SKYLINE_H
