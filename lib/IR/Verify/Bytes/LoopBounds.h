//===- LoopBounds.h - Bounds of loops, made ready to be run --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop's bounds may be numbers, or be computed of the variables of loops
// around it: the last tile is what is left.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_LOOPBOUNDS_H
#define BERTH_LIB_IR_VERIFY_BYTES_LOOPBOUNDS_H

#include "IR/Verify/Bytes/IndexPrograms.h"

/// One variable of a loop: lower, lower + step, ..., below `upper`.
typedef struct BerthLoopBounds {
  MlirValue variable;
  int lower; ///< nodes of a program
  int upper;
  int step; ///< has to be above 0
} BerthLoopBounds;

/// The number of variables of a loop whose body, one block, runs once for each
/// combination of them; -1 for other ops, and for loops that are mapped to
/// threads. A node may be BERTH_INDEX_NONE.
intptr_t berthLoopCompileBounds(BerthIndexProgram *program, MlirOperation op,
                                BerthLoopBounds bounds[BERTH_LOOP_MAX_RANK]);

#endif // BERTH_LIB_IR_VERIFY_BYTES_LOOPBOUNDS_H
