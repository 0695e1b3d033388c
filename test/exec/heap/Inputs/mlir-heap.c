//===- mlir-heap.c - The MLIR heap under the C heap's names --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// So that tests written for lib/Heap can run on lib/Heap/*.mlir.
//
//===----------------------------------------------------------------------===//

#include "berth-c/Heap.h"

typedef struct MemRef {
  uint32_t *allocated;
  uint32_t *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} MemRef;

uint32_t _mlir_ciface_berth_heap_init(MemRef *heap, uint32_t mode);
void _mlir_ciface_berth_heap_alloc(BerthHeapBlock *result, MemRef *heap,
                                   uint32_t count, uint32_t stride);
uint32_t _mlir_ciface_berth_heap_free(MemRef *heap, uint32_t handle);
bool _mlir_ciface_berth_heap_check(MemRef *heap);

static MemRef viewOf(uint32_t *arena) {
  return (MemRef){arena, arena, 0, arena[BERTH_HEAP_WORDS], 1};
}

BerthHeapStatus berthHeapInit(uint32_t *arena, uint64_t words, uint32_t mode) {
  MemRef heap = {arena, arena, 0, (int64_t)words, 1};
  return _mlir_ciface_berth_heap_init(&heap, mode);
}

BerthHeapBlock berthHeapAlloc(uint32_t *arena, uint32_t count,
                              uint32_t stride) {
  MemRef heap = viewOf(arena);
  BerthHeapBlock block;
  _mlir_ciface_berth_heap_alloc(&block, &heap, count, stride);
  return block;
}

BerthHeapStatus berthHeapFree(uint32_t *arena, uint32_t handle) {
  MemRef heap = viewOf(arena);
  return _mlir_ciface_berth_heap_free(&heap, handle);
}

BerthHeapStatus berthHeapCheck(const uint32_t *arena, uint32_t *word) {
  (void)word;
  MemRef heap = viewOf((uint32_t *)arena);
  return _mlir_ciface_berth_heap_check(&heap) ? BERTH_HEAP_OK
                                              : BERTH_HEAP_BAD_TAG;
}
