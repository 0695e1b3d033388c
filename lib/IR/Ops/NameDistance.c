//===- NameDistance.c - How far a name is from another --------------------===//
//---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/NameDistance.h"

#include <string.h>

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t berthNameDistance(MlirStringRef a, const char *b) {
  enum { kLongest = 64 };
  size_t row[kLongest + 1], length = least(strlen(b), kLongest);
  for (size_t k = 0; k <= length; ++k)
    row[k] = k;
  for (size_t i = 0; i < least(a.length, kLongest); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t k = 0; k < length; ++k) {
      size_t changed = diagonal + (a.data[i] != b[k]);
      diagonal = row[k + 1];
      row[k + 1] = least(changed, least(diagonal, row[k]) + 1);
    }
  }
  return row[length];
}
