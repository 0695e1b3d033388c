//===- HeapSources.h - Where a value in a heap may come from ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPSOURCES_H
#define BERTH_LIB_IR_HEAP_HEAPSOURCES_H

#include "IR/Heap/HeapJob.h"

/// In kernels with a heap in global memory, blocks outlive the kernel in slots:
/// memory whose elements are memrefs. True if the value is what such a slot
/// holds; and if the use puts a memref into one. Whatever a slot holds is taken
/// for a block of the heap.
bool berthHeapIsSlotLoad(const BerthHeapJob *job, MlirValue value);
bool berthHeapIsSlotStore(const BerthHeapJob *job, MlirOpOperand use);

/// True if the value can only be (a view of) a moved buffer, or comes from a
/// slot.
bool berthHeapComesFromMoved(const BerthHeapJob *job, MlirValue value);

/// The one moved buffer that the value is a view of, or NULL if that is
/// decided at run time.
BerthHeapBuffer *berthHeapOnlySource(const BerthHeapJob *job, MlirValue value);

#endif // BERTH_LIB_IR_HEAP_HEAPSOURCES_H
