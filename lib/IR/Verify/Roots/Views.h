//===- Views.h - Arenas, their buffers, and what points there  C ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own view of aliases: for each value, the set of *roots* that
// it may point into. Roots are the buffers of arenas, or, when a called
// function is looked into, its arguments. Sets only grow; they are propagated
// over the uses of values until nothing changes.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_VIEWS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_VIEWS_H

#include "IR/Verify/Roots/RootSets.h"
#include "IR/Verify/Runs/VerifyOptions.h"

/// Finds the arenas of a scope and every value that may point into them.
BerthViews berthViewsOfScope(MlirOperation scope,
                             const BerthVerifyOptions *options,
                             BerthCallees *callees, BerthMemory *memory);

/// The same, with roots for pieces, and these for what is merged. Of a buffer
/// in pieces the first one keeps the number.
BerthViews berthViewsOfMerges(MlirOperation scope,
                              const BerthVerifyOptions *options,
                              BerthCallees *callees, BerthMemory *memory,
                              BerthPieces pieces, const BerthRoot *merges,
                              size_t numMerges);

/// The same with the function's arguments as roots.
BerthViews berthViewsOfArguments(MlirOperation function, BerthCallees *callees,
                                 BerthMemory *memory);

/// Of memory that a value is.
typedef struct BerthRootValue {
  MlirValue value;
  uint32_t root;
} BerthRootValue;

/// The same with these roots and values.
BerthViews berthViewsOfValues(const BerthRoot *roots, size_t numRoots,
                              const BerthRootValue *values, size_t numValues,
                              BerthCallees *callees, BerthMemory *memory);

void berthViewsFree(BerthViews *views);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_VIEWS_H
