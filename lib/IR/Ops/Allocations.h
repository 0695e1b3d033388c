//===- Allocations.h - Memory that Berth takes and gives back ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ALLOCATIONS_H
#define BERTH_LIB_IR_OPS_ALLOCATIONS_H

#include "IR/Ops/Build.h"

/// memref.alloc or memref.alloca. `isFreed`: Berth frees it, and later
/// deallocation passes leave it alone. `size` is the dynamic size of a type
/// that has one, else null.
MlirValue berthBuildAllocation(BerthInsertPoint at, bool isOnHeap,
                               MlirType type, MlirValue size, int64_t alignment,
                               bool isFreed);

/// One memref.dealloc that later deallocation passes leave alone.
void berthBuildDealloc(BerthInsertPoint at, MlirValue value);

/// The same in front of every exit of a scope's body.
void berthDeallocAtExits(MlirRegion body, MlirValue value);

#endif // BERTH_LIB_IR_OPS_ALLOCATIONS_H
