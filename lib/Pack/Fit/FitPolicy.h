//===- FitPolicy.h - Eviction as the machine would do it ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Goes through time, brings in what is used, and where the capacity is exceeded
// evicts what is not in use now, until all fits:
//
//   furthest-use   what is used again last (Belady, "A study of replacement
//                  algorithms for a virtual-storage computer", 1966)
//   least-recent   what was used longest ago
//   largest        what frees most
//
// Where nothing is left to evict, uses are served from the slow memory, the
// largest first. An evicted buffer is out for all of the gap between two of its
// uses, for that costs no more than leaving in the middle of it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITPOLICY_H
#define BERTH_LIB_PACK_FIT_FITPOLICY_H

#include "Pack/Fit/FitTask.h"

/// Fills in a choice for every step. False where something has no room (or
/// memory ran out: then `memory` has failed). `policy` is below
/// berthFitPolicyCount().
bool berthFitPolicyRun(const BerthFitTask *task, size_t policy,
                       uint8_t *choices, BerthMemory *memory);

/// The steps, by their start and end; END steps have an end only.
typedef struct BerthFitEvents {
  uint32_t *starts; ///< steps by first section
  uint32_t numStarts;
  uint32_t *ends; ///< steps by the first section that starts when they are over
} BerthFitEvents;

bool berthFitEventsInit(BerthFitEvents *events, const BerthFitTask *task,
                        BerthMemory *memory);

#endif // BERTH_LIB_PACK_FIT_FITPOLICY_H
