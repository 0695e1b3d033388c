//===- Covers.h - Where ops begin to overwrite a buffer together ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At such an op the buffer may hold anything: it is overwritten from end to end
// before it is read. So it counts as overwritten there, and what other buffers'
// writes spoil from there on is found as ever.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_COVERS_H
#define BERTH_LIB_IR_VERIFY_BYTES_COVERS_H

#include "IR/Verify/Roots/Views.h"

typedef struct BerthCover {
  uint32_t root;
  size_t next; ///< another one of the same op, or BERTH_NOT_FOUND
} BerthCover;

typedef struct BerthCovers {
  BerthPointerMap firstOf; ///< op -> index into `items`
  BerthCover *items;
  size_t count, capacity;
} BerthCovers;

/// Those of all roots or, unless `isWanted` is NULL, of these.
BerthCovers berthCoversOf(const BerthViews *views, MlirRegion body,
                          const bool *isWanted);
/// Adds one that begins with the op.
void berthCoversNote(BerthCovers *covers, MlirOperation op, uint32_t root);
void berthCoversFree(BerthCovers *covers);

#endif // BERTH_LIB_IR_VERIFY_BYTES_COVERS_H
