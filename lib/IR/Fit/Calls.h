//===- Calls.h - Functions for memory that is elsewhere ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a call is given memory in another space than the function's argument
// says, it becomes one of a copy of the function with the types that it gives.
// Calls that give the same share a copy. Where no call of a private function is
// left, it goes: then it has only changed its types.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_CALLS_H
#define BERTH_LIB_IR_FIT_CALLS_H

#include "mlir-c/IR.h"

#include <stddef.h>

typedef struct BerthFitCopy {
  MlirOperation original;
  MlirOperation copy;
} BerthFitCopy;

/// Zero-initialise; then berthFitCopiesFree.
typedef struct BerthFitCopies {
  size_t count, capacity;
  BerthFitCopy *items;
} BerthFitCopies;

/// Makes the copies that the calls in `scope` need, at the end of the module.
void berthFitRetypeCalls(MlirOperation scope, BerthFitCopies *copies);

/// Drops private functions in `root` of which there are copies, and that nobody
/// calls or names.
void berthFitDropOriginals(MlirOperation root, const BerthFitCopies *copies);

void berthFitCopiesFree(BerthFitCopies *copies);

#endif // BERTH_LIB_IR_FIT_CALLS_H
