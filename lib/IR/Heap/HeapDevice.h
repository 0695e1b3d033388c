//===- HeapDevice.h - Heaps in the global memory of a device -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPDEVICE_H
#define BERTH_LIB_IR_HEAP_HEAPDEVICE_H

#include "IR/Heap/HeapJob.h"

/// With arena=global-device, notes in the job of a kernel where its heap is and
/// what it will be lowered to; `options` get the memory space of the arena.
BerthStatus berthHeapPrepareDevice(BerthHeapJob *job, BerthHeapOptions *options,
                                   BerthError *error);

/// Once it is decided what moves: kernels take whatever a slot holds for a
/// block of the heap, so nothing else may be put there.
BerthStatus berthHeapCheckSlotStores(const BerthHeapJob *job,
                                     BerthError *error);

/// The first op behind `op` in its block, or in a region there, at which a
/// thread may wait for others; null if there is none.
MlirOperation berthHeapFindWait(MlirOperation op);

#endif // BERTH_LIB_IR_HEAP_HEAPDEVICE_H
