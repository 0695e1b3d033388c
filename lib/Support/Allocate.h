//===- Memory.h - Memory that may be refused ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The packing library stands inside other programs, so it never ends the
// process: where memory is refused, a call gives back what it has and returns
// BERTH_RESOURCE.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_ALLOCATE_H
#define BERTH_LIB_SUPPORT_ALLOCATE_H

#include "berth-c/Support.h"

/// Says so in `error` and returns BERTH_RESOURCE.
BerthStatus berthOutOfMemory(BerthError *error);

/// Is it that? A budget used up is BERTH_RESOURCE too.
bool berthIsOutOfMemory(const BerthError *error);

/// What a failed system call means: BERTH_RESOURCE where memory was refused,
/// else BERTH_INVALID, as then the path or the file is to blame.
BerthStatus berthStatusOfErrno(int number);

/// `count` zeroed elements of `size` bytes, at least one; NULL if refused.
void *berthZeroed(size_t count, size_t size);

/// A NUL-terminated copy of `length` bytes; NULL if refused.
char *berthCopyText(const char *data, size_t length);

/// What berthReserve calls. `array` is the address of a pointer.
bool berthReserveElements(void *array, size_t *capacity, size_t needed,
                          size_t size);

/// Makes room for `needed` elements in `*array` (malloc), at least doubling it.
/// False if that was refused; the array is then as it was.
#define berthReserve(array, capacity, needed)                                  \
  ((needed) <= *(capacity) ||                                                  \
   berthReserveElements((array), (capacity), (needed), sizeof **(array)))

#endif // BERTH_LIB_SUPPORT_ALLOCATE_H
