//===- HeapRewrite.h - Allocations become calls of the heap -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPREWRITE_H
#define BERTH_LIB_IR_HEAP_HEAPREWRITE_H

#include "IR/Heap/HeapJob.h"

/// Replaces the moved buffers' allocations and deallocations.
void berthHeapRewrite(BerthHeapJob *job);

#endif // BERTH_LIB_IR_HEAP_HEAPREWRITE_H
