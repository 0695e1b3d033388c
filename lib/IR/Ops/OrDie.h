//===- OrDie.h - Memory that is there ------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where MLIR gets no memory the process ends, so passes need not ask: what they
// allocate here is there, or they do not return. Never for the packing library,
// which stands in other programs and gives the refusal back
// (Support/Allocate.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ORDIE_H
#define BERTH_LIB_IR_OPS_ORDIE_H

#include "IR/Facts/Fatal.h"
#include "Support/Allocate.h"
#include "Support/BumpMemory.h"
#include "Support/Sort.h"
#include "berth-c/Pack.h"

#include <stdlib.h>

static inline void *berthOrDie(void *memory) {
  if (!memory)
    berthFatal("Berth is out of memory");
  return memory;
}

/// `count` zeroed elements of `type` that live as long as `memory`.
#define BERTH_NEW(memory, type, count)                                         \
  ((type *)berthOrDie(berthMemoryAllocate(memory, count, sizeof(type))))

/// A copy of `count` elements of `size` bytes that lives as long as `memory`.
static inline void *berthNewCopy(BerthMemory *memory, const void *data,
                                 size_t count, size_t size) {
  return berthOrDie(berthMemoryCopy(memory, data, count, size));
}

/// `count` zeroed elements, at least one, for the caller to free.
static inline void *berthAllocateOrDie(size_t count, size_t size) {
  return berthOrDie(berthZeroed(count + 1, size));
}

static inline void berthSortingOrDie(BerthSorting *sorting, uint32_t count,
                                     BerthMemory *memory) {
  if (!berthSortingInit(sorting, count, memory))
    berthOrDie(NULL);
}

/// Once all is added: did the problem get its memory?
static inline void berthProblemOrDie(const BerthProblem *problem) {
  if (!berthProblemGetData(problem))
    berthOrDie(NULL);
}

/// The array with room for one element more than `count`.
static inline void *berthGrow(void *array, size_t count, size_t *capacity,
                              size_t size) {
  if (count >= *capacity &&
      !berthReserveElements(&array, capacity, count + 1, size))
    berthOrDie(NULL);
  return array;
}

#endif // BERTH_LIB_IR_OPS_ORDIE_H
