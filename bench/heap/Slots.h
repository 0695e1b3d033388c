//===- Slots.h - The heap with one parked block for each class ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_BENCH_HEAP_SLOTS_H
#define BERTH_BENCH_HEAP_SLOTS_H

#include "Allocator.h"

typedef struct SlotCounts {
  uint64_t calls;
  uint64_t served; ///< by a slot, without a call of the heap
} SlotCounts;

extern const Allocator slotsAllocator;

/// Since the last `init`.
extern SlotCounts slotCounts;

#endif // BERTH_BENCH_HEAP_SLOTS_H
