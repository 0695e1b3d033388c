//===- Heights.h - The highest top over ranges of sections --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// How high a partial plan reaches in each section, as a tree over the sections:
// raising a range and asking for the highest of one cost the logarithm of their
// number. Heights only ever grow.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_HEIGHTS_H
#define BERTH_LIB_PACK_PLACE_HEIGHTS_H

#include "Support/BumpMemory.h"

#include <stdint.h>

/// Node k stands for what its children 2k and 2k + 1 stand for; leaves begin at
/// `leaves`.
typedef struct BerthHeights {
  uint32_t leaves;
  int64_t *whole; ///< all sections of the node are at least this high
  int64_t *most;  ///< the highest of them, as far as the node knows
} BerthHeights;

/// All sections at height 0; false when memory ran out.
bool berthHeightsInit(BerthHeights *heights, uint32_t numSections,
                      BerthMemory *arena);

/// Raises the sections [lower, upper), not empty, to this height at least.
void berthHeightsRaise(BerthHeights *heights, uint32_t lower, uint32_t upper,
                       int64_t height);

/// The highest of the sections [lower, upper), not empty.
int64_t berthHeightsMost(const BerthHeights *heights, uint32_t lower,
                         uint32_t upper);

#endif // BERTH_LIB_PACK_PLACE_HEIGHTS_H
