//===- BarrierCuts.h - The cheapest barriers for given pairs -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERCUTS_H
#define BERTH_LIB_IR_BARRIERS_BARRIERCUTS_H

#include "IR/Barriers/HittingSet.h"
#include "IR/Barriers/Pairs.h"

/// The price of a barrier in the gap of each node, which grows with the depth
/// of loops around it; 0 where there is no gap to cut. The caller frees it.
int64_t *berthCutPrices(const BerthHazards *hazards);

/// False if a barrier stands at the end of the gap: then all that a cut may
/// bring is a fence in front of it.
bool berthCutNeedsBarrier(const BerthHazards *hazards, uint32_t node);

/// Adds the gaps of a path where a barrier may go to the sets of which each
/// must have one; changes the path.
void berthAddPath(const BerthHazards *hazards, BerthHitting *paths,
                  uint32_t *path, size_t length);

/// What barriers have to separate.
typedef struct BerthToCut {
  const bool *selves; ///< per buffer: two instances of it
  size_t count, capacity;
  BerthSlicePair *pairs; ///< slices of two buffers
} BerthToCut;

/// A cheapest set of gaps whose barriers separate all pairs: sets cuts[node]
/// for each. Every pair must be separable by all cuttable gaps together.
void berthFindCuts(const BerthHazards *hazards, const BerthToCut *toCut,
                   bool *cuts);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERCUTS_H
