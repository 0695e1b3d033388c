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

/// The alignment of an arena whose buffers need so much. On the heap it begins
/// at a line of cache, so that rows of whole lines do, too: that costs no bytes
/// of the plan (bench/alignment).
int64_t berthArenaAlignment(bool isOnHeap, MlirAttribute space, int64_t needed);

/// gpu.alloc. `isAsync`: in the form with tokens, at once waited for, as some
/// lowerings want it.
MlirValue berthBuildDeviceAllocation(BerthInsertPoint at, MlirType type,
                                     bool isAsync);

/// gpu.wait for these tokens; `isAsync`: it waits for none, but its result is a
/// token for all of them.
MlirValue berthBuildDeviceWait(BerthInsertPoint at, intptr_t count,
                               const MlirValue *tokens, bool isAsync);

/// The type of those tokens.
MlirType berthDeviceTokenType(MlirContext context);

/// Tells the deallocation passes that run after Berth to leave an op alone.
MlirNamedAttribute berthManualDeallocation(MlirContext context);

/// One memref.dealloc, or gpu.dealloc of what gpu.alloc has made, that later
/// deallocation passes leave alone.
void berthBuildDealloc(BerthInsertPoint at, MlirValue value);

/// The same in front of every exit of a scope's body.
void berthDeallocAtExits(MlirRegion body, MlirValue value);

#endif // BERTH_LIB_IR_OPS_ALLOCATIONS_H
