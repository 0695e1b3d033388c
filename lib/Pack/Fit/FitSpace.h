//===- FitSpace.h - What a fast memory has room for ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Reserved bytes split a memory into *runs*. All offsets are multiples of the
// *unit*, so what is held may count as if its sizes were rounded up to one.
// What lies on top of a run need not be: its bytes end at `upper`, and what
// they were rounded up by (at most `rounded`) may stick out. So of a run
//
//   round down(upper + rounded) - round up(lower)
//
// bytes can be held, which is no estimate but a limit that no plan exceeds.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITSPACE_H
#define BERTH_LIB_PACK_FIT_FITSPACE_H

#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

typedef struct BerthFitSpace {
  int64_t unit;
  int64_t capacity;
  size_t numRuns;
  BerthRange *runs; ///< in order; the last one has no end, be there a capacity
} BerthFitSpace;

/// False when memory ran out.
bool berthFitSpaceInit(BerthFitSpace *space, const BerthProblemData *problem,
                       int64_t unit, BerthMemory *memory);

/// The bytes that can be held, see above.
int64_t berthFitSpaceRoom(const BerthFitSpace *space, int64_t rounded);

/// The smallest capacity with room for so many bytes.
int64_t berthFitSpaceNeeded(const BerthFitSpace *space, int64_t bytes,
                            int64_t rounded);

/// The smallest capacity with a run that holds one buffer.
int64_t berthFitSpaceNeededAlone(const BerthFitSpace *space, int64_t size,
                                 int64_t alignment);

#endif // BERTH_LIB_PACK_FIT_FITSPACE_H
