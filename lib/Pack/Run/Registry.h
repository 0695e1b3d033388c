//===- Registry.h - The table of packers --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One line here and one in Registry.c is all that a new packer costs outside
// its own file.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_REGISTRY_H
#define BERTH_LIB_PACK_RUN_REGISTRY_H

#include "berth-c/Packer.h"

extern const BerthPacker berthPackerFirstFit;
extern const BerthPacker berthPackerSkyline;
extern const BerthPacker berthPackerBeam;
extern const BerthPacker berthPackerExact;
extern const BerthPacker berthPackerLocalSearch;
extern const BerthPacker berthPackerAuto;
extern const BerthPacker berthPackerBestFitSize;
extern const BerthPacker berthPackerBestFitLifetime;
extern const BerthPacker berthPackerGreedyBySize;
extern const BerthPacker berthPackerGreedyByConflicts;
extern const BerthPacker berthPackerUpstreamBestFit;
extern const BerthPacker berthPackerGreedyByBreadth;
extern const BerthPacker berthPackerSomas;
extern const BerthPacker berthPackerStrip;
extern const BerthPacker berthPackerHillClimb;
extern const BerthPacker berthPackerGreedyInOrder;
extern const BerthPacker berthPackerMinCostFlow;
extern const BerthPacker berthPackerColoring;
extern const BerthPacker berthPackerMinimalloc;
extern const BerthPacker berthPackerBoxing;
extern const BerthPacker berthPackerHeap;

/// What every packer on the placement engine (Place.h) can do.
#define BERTH_PLACEMENT_CAPABILITIES                                           \
  (BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |                 \
   BERTH_CAN_FIXED | BERTH_CAN_HARD_EDGES | BERTH_CAN_RESERVED |               \
   BERTH_CAN_POOLS)

/// The packer's BERTH_PACKER_* bits; none where its struct is an older one.
uint32_t berthPackerTraits(const BerthPacker *packer);

#endif // BERTH_LIB_PACK_RUN_REGISTRY_H
