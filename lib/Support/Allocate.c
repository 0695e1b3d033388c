//===- Memory.c - Memory that may be refused ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Allocate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char outOfMemory[] = "out of memory";

BerthStatus berthOutOfMemory(BerthError *error) {
  return berthErrorSet(error, BERTH_RESOURCE, "%s", outOfMemory);
}

bool berthIsOutOfMemory(const BerthError *error) {
  return strcmp(error->message, outOfMemory) == 0;
}

BerthStatus berthStatusOfErrno(int number) {
  return number == ENOMEM ? BERTH_RESOURCE : BERTH_INVALID;
}

void *berthZeroed(size_t count, size_t size) {
  return calloc(count ? count : 1, size);
}

char *berthCopyText(const char *data, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy)
    return NULL;
  if (length > 0)
    memcpy(copy, data, length);
  copy[length] = '\0';
  return copy;
}

bool berthReserveElements(void *array, size_t *capacity, size_t needed,
                          size_t size) {
  size_t larger = *capacity < 8 ? 8 : 2 * *capacity;
  if (larger < needed)
    larger = needed;
  size_t bytes;
  if (__builtin_mul_overflow(larger, size, &bytes))
    return false;
  // The caller's pointer is of another type than void *, hence the copies.
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  grown = realloc(old, bytes);
  if (!grown)
    return false;
  memcpy(array, &grown, sizeof grown);
  *capacity = larger;
  return true;
}
