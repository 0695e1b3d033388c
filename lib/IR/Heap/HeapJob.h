//===- HeapJob.h - One scope on its way into the heap -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPJOB_H
#define BERTH_LIB_IR_HEAP_HEAPJOB_H

#include "IR/Passes/HeapPass.h"
#include "Support/PointerMap.h"

/// One allocation of the scope.
typedef struct BerthHeapBuffer {
  BerthBufferInfo *info; ///< its `reason` is not used here
  bool isWanted;         ///< no plan can place it, or all are asked for
  /// Why it stays where it is, or NULL. Static storage.
  const char *reason;
  MlirOperation reasonAt;
  /// Without deallocs: the last op of its block that may use it.
  MlirOperation lastUse;
  MlirValue handle; ///< once rewritten
} BerthHeapBuffer;

typedef struct BerthHeapJob {
  const BerthHeapOptions *options;
  BerthMemory memory;
  BerthScope scope;
  BerthPoints points;
  bool isKernel;
  BerthHeapBuffer *buffers; ///< as many as scope.numBuffers
  BerthPointerMap bufferOf; ///< value that is allocated -> index of its buffer
  size_t numMoved;
  MlirValue bytes; ///< the arena, memref<?xi8> or memref<Nxi8>
  MlirValue words; ///< the same, memref<?xi32>
} BerthHeapJob;

static inline bool berthHeapIsMoved(const BerthHeapBuffer *buffer) {
  return buffer->isWanted && !buffer->reason;
}

/// HeapSelect.c: decides which buffers move, and where each is freed.
void berthHeapSelect(BerthHeapJob *job);

/// HeapSources.c: true if the value can only be (a view of) a moved buffer.
bool berthHeapComesFromMoved(const BerthHeapJob *job, MlirValue value);
/// The one moved buffer that the value is a view of, or NULL if that is
/// decided at run time.
BerthHeapBuffer *berthHeapOnlySource(const BerthHeapJob *job, MlirValue value);

/// HeapLink.c: makes the heap's functions known around the scope.
BerthStatus berthHeapLink(const BerthHeapJob *job, BerthError *error);
/// The same for a module that only calls the heap by itself: if it declares
/// @berth_heap_open and no scope has brought the functions.
BerthStatus berthHeapLinkDeclared(MlirOperation module,
                                  const BerthHeapOptions *options,
                                  BerthError *error);
/// True for functions that berthHeapLink has put there.
bool berthHeapIsLinked(MlirOperation function);

/// HeapArena.c: the form that the scope's arena takes, its bytes, and the ops
/// that make it.
BerthStatus berthHeapCheckArena(const BerthHeapJob *job, BerthError *error);
int64_t berthHeapArenaBytes(const BerthHeapJob *job);
int64_t berthHeapArenaAlignment(const BerthHeapJob *job);
void berthHeapCreateArena(BerthHeapJob *job);

/// HeapRewrite.c: replaces the moved buffers' allocations and deallocations.
void berthHeapRewrite(BerthHeapJob *job);

#endif // BERTH_LIB_IR_HEAP_HEAPJOB_H
