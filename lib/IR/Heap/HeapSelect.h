//===- HeapSelect.h - Which allocations move into the heap --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPSELECT_H
#define BERTH_LIB_IR_HEAP_HEAPSELECT_H

#include "IR/Heap/HeapJob.h"

/// Decides which buffers move, and where each is freed.
void berthHeapSelect(BerthHeapJob *job);

#endif // BERTH_LIB_IR_HEAP_HEAPSELECT_H
