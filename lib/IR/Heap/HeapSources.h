//===- HeapSources.h - Where a value in a heap may come from ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPSOURCES_H
#define BERTH_LIB_IR_HEAP_HEAPSOURCES_H

#include "IR/Heap/HeapJob.h"

/// True if the value can only be (a view of) a moved buffer.
bool berthHeapComesFromMoved(const BerthHeapJob *job, MlirValue value);

/// The one moved buffer that the value is a view of, or NULL if that is
/// decided at run time.
BerthHeapBuffer *berthHeapOnlySource(const BerthHeapJob *job, MlirValue value);

#endif // BERTH_LIB_IR_HEAP_HEAPSOURCES_H
