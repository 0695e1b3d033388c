//===- Registry.c - The table of packers ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Registry.h"

#include <stddef.h>
#include <string.h>

// In the order of --packer=list.
static const BerthPacker *const kPackers[] = {
    &berthPackerFirstFit,
    &berthPackerBestFitSize,
    &berthPackerBestFitLifetime,
    &berthPackerGreedyBySize,
    &berthPackerGreedyByConflicts,
    &berthPackerUpstreamBestFit,
    &berthPackerGreedyByBreadth,
    &berthPackerSomas,
    &berthPackerStrip,
    &berthPackerHillClimb,
    &berthPackerGreedyInOrder,
    &berthPackerMinCostFlow,
    &berthPackerColoring,
    &berthPackerMinimalloc,
    &berthPackerBoxing,
    &berthPackerHeap,
    &berthPackerLocalSearch,
    &berthPackerSkyline,
    &berthPackerBeam,
    &berthPackerExact,
    &berthPackerAuto,
};

size_t berthPackerCount(void) { return sizeof kPackers / sizeof *kPackers; }

const BerthPacker *berthPackerGet(size_t index) { return kPackers[index]; }

const char *berthPackerName(size_t index) { return kPackers[index]->name; }

const char *berthPackerSummary(size_t index) {
  return kPackers[index]->summary;
}

// Merging groups is done for every packer, before it runs.
uint32_t berthPackerCapabilities(size_t index) {
  return kPackers[index]->capabilities | BERTH_CAN_GROUPS;
}

size_t berthPackerFind(const char *name) {
  for (size_t i = 0; i < berthPackerCount(); ++i)
    if (strcmp(kPackers[i]->name, name) == 0)
      return i;
  return SIZE_MAX;
}

uint32_t berthPackerTraits(const BerthPacker *packer) {
  size_t end = offsetof(BerthPacker, traits) + sizeof packer->traits;
  return packer->size >= end ? packer->traits : 0;
}
