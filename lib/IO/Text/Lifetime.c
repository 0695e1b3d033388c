//===- Lifetime.c - The life of one buffer under way ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Lifetime.h"
#include "Support/Allocate.h"

#include <stdlib.h>

void berthLifetimeClear(BerthLifetime *lifetime) {
  lifetime->numSegments = 0;
  lifetime->numGaps = 0;
  lifetime->numUses = 0;
}

bool berthLifetimeAddSegment(BerthLifetime *lifetime, BerthSegment segment) {
  if (!berthReserve(&lifetime->segments, &lifetime->capSegments,
                    lifetime->numSegments + 1))
    return false;
  lifetime->segments[lifetime->numSegments++] = segment;
  return true;
}

bool berthLifetimeAddGap(BerthLifetime *lifetime, BerthGap gap) {
  if (!berthReserve(&lifetime->gaps, &lifetime->capGaps, lifetime->numGaps + 1))
    return false;
  lifetime->gaps[lifetime->numGaps++] = gap;
  return true;
}

bool berthLifetimeAddUse(BerthLifetime *lifetime, BerthBufferUse use) {
  if (!berthReserve(&lifetime->uses, &lifetime->capUses, lifetime->numUses + 1))
    return false;
  lifetime->uses[lifetime->numUses++] = use;
  return true;
}

void berthLifetimeLend(const BerthLifetime *lifetime, BerthBuffer *buffer) {
  buffer->numSegments = lifetime->numSegments;
  buffer->segments = lifetime->segments;
  buffer->numGaps = lifetime->numGaps;
  buffer->gaps = lifetime->gaps;
  buffer->numUses = lifetime->numUses;
  buffer->uses = lifetime->uses;
}

void berthLifetimeFree(BerthLifetime *lifetime) {
  free(lifetime->segments);
  free(lifetime->gaps);
  free(lifetime->uses);
  *lifetime = (BerthLifetime){0};
}
