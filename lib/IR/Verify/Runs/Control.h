//===- Control.h - How control goes through regions --------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_CONTROL_H
#define BERTH_LIB_IR_VERIFY_RUNS_CONTROL_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

/// True if control passes through the op's regions along known edges, one at a
/// time. Regions of other ops may run at the same time, or in any order.
bool berthRunsInSteps(MlirOperation op);

/// The blocks of a region, numbered through.
typedef struct BerthBlockList {
  size_t count;
  MlirBlock *blocks;
  BerthPointerMap indexOf; ///< block -> its number, where there are several
} BerthBlockList;

BerthBlockList berthBlockListOf(MlirRegion region);
void berthBlockListFree(BerthBlockList *list);

/// The number of a block of the region.
size_t berthBlockListFind(const BerthBlockList *list, MlirBlock block);

/// How many blocks control may go on to behind a block, and the number of the
/// i-th.
size_t berthBlockListCountNext(const BerthBlockList *list, size_t block);
size_t berthBlockListNext(const BerthBlockList *list, size_t block, size_t i);

#endif // BERTH_LIB_IR_VERIFY_RUNS_CONTROL_H
