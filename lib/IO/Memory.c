//===- Memory.c - Arrays that grow --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void berthIoOutOfMemory(size_t count, size_t size) {
  fprintf(stderr, "berth: out of memory for %zu x %zu bytes\n", count, size);
  abort();
}

void *berthIoRealloc(void *pointer, size_t count, size_t size) {
  size_t bytes;
  void *result = NULL;
  if (!__builtin_mul_overflow(count, size, &bytes))
    result = realloc(pointer, bytes ? bytes : 1);
  if (!result)
    berthIoOutOfMemory(count, size);
  return result;
}

void *berthIoZeroed(size_t count, size_t size) {
  void *result = calloc(count ? count : 1, size);
  if (!result)
    berthIoOutOfMemory(count, size);
  return result;
}

char *berthIoCopy(const char *data, size_t length) {
  char *copy = berthIoRealloc(NULL, length + 1, 1);
  if (length > 0)
    memcpy(copy, data, length);
  copy[length] = '\0';
  return copy;
}
