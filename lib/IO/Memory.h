//===- Memory.h - Arrays that grow --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Running out of memory while reading or writing text ends the process with a
// message, as it does in LLVM: there is no state worth saving.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_MEMORY_H
#define BERTH_LIB_IO_MEMORY_H

#include <stddef.h>

/// Says so and ends the process.
_Noreturn void berthIoOutOfMemory(size_t count, size_t size);

/// realloc(pointer, count * size), never NULL.
void *berthIoRealloc(void *pointer, size_t count, size_t size);

/// A zeroed array of at least one element.
void *berthIoZeroed(size_t count, size_t size);

/// A NUL-terminated copy of `length` bytes.
char *berthIoCopy(const char *data, size_t length);

/// Makes room for `needed` elements in `*array`, at least doubling it.
#define berthGrowArray(array, capacity, needed)                                \
  ((needed) <= *(capacity)                                                     \
       ? (void)0                                                               \
       : (void)(*(capacity) = berthIoNextCapacity(*(capacity), (needed)),      \
                *(array) =                                                     \
                    berthIoRealloc(*(array), *(capacity), sizeof **(array))))

static inline size_t berthIoNextCapacity(size_t capacity, size_t needed) {
  size_t doubled = capacity < 8 ? 8 : 2 * capacity;
  return doubled > needed ? doubled : needed;
}

#endif // BERTH_LIB_IO_MEMORY_H
