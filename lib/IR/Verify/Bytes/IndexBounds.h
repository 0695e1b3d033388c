//===- IndexBounds.h - Least and most of index arithmetic ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all that loops read lies apart from what they write, nobody needs to
// run them to see it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_INDEXBOUNDS_H
#define BERTH_LIB_IR_VERIFY_BYTES_INDEXBOUNDS_H

#include "IR/Verify/Bytes/IndexPrograms.h"

typedef struct BerthIndexBounds {
  int64_t least, most;
} BerthIndexBounds;

/// Bounds of all nodes of a program up to `last`, from those of the loops'
/// variables. False if some number may overflow, or be divided by 0 or less.
bool berthIndexBound(const BerthIndexProgram *program,
                     const BerthIndexBounds *variables, int last,
                     BerthIndexBounds *bounds);

#endif // BERTH_LIB_IR_VERIFY_BYTES_INDEXBOUNDS_H
