//===- tokens.c - Transfers that come as late as can be -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op has started is done when somebody waits for its token; what nobody
// waits for, when the program ends.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <string.h>

typedef struct MemRef {
  int32_t *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} MemRef;

enum { kMost = 64 };

static struct {
  int32_t *from, *to;
  int64_t count;
} started[kMost];
static int64_t numStarted;

int64_t _mlir_ciface_start(MemRef *from, MemRef *to) {
  started[numStarted].from = from->aligned + from->offset;
  started[numStarted].to = to->aligned + to->offset;
  started[numStarted].count = from->sizes[0];
  return numStarted++;
}

static void finish(int64_t token) {
  memmove(started[token].to, started[token].from,
          (size_t)started[token].count * sizeof(int32_t));
  started[token].count = 0;
}

void _mlir_ciface_wait(int64_t token) { finish(token); }

void _mlir_ciface_finish_all(void) {
  for (int64_t i = 0; i < numStarted; ++i)
    finish(i);
}
