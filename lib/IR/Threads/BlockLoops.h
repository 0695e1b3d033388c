//===- BlockLoops.h - Loops that blocks form among themselves ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_BLOCKLOOPS_H
#define BERTH_LIB_IR_THREADS_BLOCKLOOPS_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

/// Notes for each block of the region, in how many loops of its blocks it
/// stands; blocks in none are left out. A loop that is entered at several
/// places counts for some of its blocks only.
void berthFindBlockLoops(MlirRegion region, BerthPointerMap *numLoopsOf);

#endif // BERTH_LIB_IR_THREADS_BLOCKLOOPS_H
