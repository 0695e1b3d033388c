//===- Grow.h - Arrays without a question --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_GROW_H
#define BERTH_LIB_SUPPORT_GROW_H

#include <stddef.h>
#include <stdlib.h>

/// The array with room for one element more than `count`. Out of memory ends
/// the process, as it does in MLIR itself.
static inline void *berthGrow(void *array, size_t count, size_t *capacity,
                              size_t size) {
  if (count < *capacity)
    return array;
  *capacity = *capacity ? 2 * *capacity : 32;
  array = realloc(array, *capacity * size);
  if (!array)
    abort();
  return array;
}

/// `count` zeroed elements, at least one.
static inline void *berthAllocateOrDie(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();
  return memory;
}

#endif // BERTH_LIB_SUPPORT_GROW_H
