//===- HeapJob.h - One scope on its way into the heap -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPJOB_H
#define BERTH_LIB_IR_HEAP_HEAPJOB_H

#include "IR/Heap/HeapOptions.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// One allocation of the scope.
typedef struct BerthHeapBuffer {
  BerthBufferInfo *info; ///< its `reason` is not used here
  bool isWanted;         ///< no plan can place it, or all are asked for
  /// Why it stays where it is, or NULL. Static storage.
  const char *reason;
  MlirOperation reasonAt;
  bool isKept; ///< a slot holds it: it may outlive the kernel
  size_t numSlotStores;
  /// Without deallocs: the last op of its block that may use it.
  MlirOperation lastUse;
  MlirValue handle;  ///< once rewritten
  MlirValue address; ///< the same in an arena of words
} BerthHeapBuffer;

typedef struct BerthHeapJob {
  const BerthHeapOptions *options;
  BerthMemory memory;
  BerthScope scope;
  BerthPoints points;
  bool isKernel;
  bool isDevice;              ///< a kernel with a heap in global memory
  bool isMarked;              ///< it has an argument for the arena
  bool hasWordsOnly;          ///< and no pointers into it (HeapWords.c)
  bool isSkippable;           ///< it reads slots, and nobody waits in it
  BerthHeapLowering lowering; ///< of such a kernel; never AUTO
  BerthHeapBuffer *buffers;   ///< as many as scope.numBuffers
  BerthPointerMap bufferOf; ///< value that is allocated -> index of its buffer
  size_t numMoved;
  MlirValue bytes; ///< the arena, memref<?xi8> or memref<Nxi8>
  MlirValue words; ///< the same, memref<?xi32>
} BerthHeapJob;

static inline bool berthHeapIsMoved(const BerthHeapBuffer *buffer) {
  return buffer->isWanted && !buffer->reason;
}

#endif // BERTH_LIB_IR_HEAP_HEAPJOB_H
