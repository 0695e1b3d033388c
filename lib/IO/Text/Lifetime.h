//===- Lifetime.h - The life of one buffer under way ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_LIFETIME_H
#define BERTH_LIB_IO_TEXT_LIFETIME_H

#include "berth-c/Pack.h"

/// Its arrays serve one buffer after another; zero-initialise, then free.
typedef struct BerthLifetime {
  BerthSegment *segments;
  size_t numSegments;
  size_t capSegments;
  BerthGap *gaps;
  size_t numGaps;
  size_t capGaps;
  BerthBufferUse *uses;
  size_t numUses;
  size_t capUses;
} BerthLifetime;

/// Forgets the buffer before.
void berthLifetimeClear(BerthLifetime *lifetime);

/// These return false if out of memory.
bool berthLifetimeAddSegment(BerthLifetime *lifetime, BerthSegment segment);
bool berthLifetimeAddGap(BerthLifetime *lifetime, BerthGap gap);
bool berthLifetimeAddUse(BerthLifetime *lifetime, BerthBufferUse use);

/// Lends the arrays to a buffer.
void berthLifetimeLend(const BerthLifetime *lifetime, BerthBuffer *buffer);

void berthLifetimeFree(BerthLifetime *lifetime);

#endif // BERTH_LIB_IO_TEXT_LIFETIME_H
