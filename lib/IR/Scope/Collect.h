//===- Collect.h - Scopes and their allocations -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The first station: finds the scopes in an op, and in each scope the
// allocations in one memory space that may get a berth.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_COLLECT_H
#define BERTH_LIB_IR_SCOPE_COLLECT_H

#include "IR/Scope/CollectOptions.h"
#include "IR/Scope/Scope.h"

BERTH_EXTERN_C_BEGIN

/// Calls back for every scope in `root`, or for `root` itself if it is one:
/// functions with bodies, gpu.funcs, and gpu.launch and parallel bodies within
/// them (after the scope that holds them).
typedef void (*BerthScopeCallback)(MlirOperation scope, void *userData);
void berthForEachScope(MlirOperation root, const BerthCollectOptions *options,
                       BerthScopeCallback callback, void *userData);

/// The memory space of an allocation: its type's, or the one that a description
/// finds elsewhere.
MlirAttribute berthAllocationSpace(MlirOperation alloc, MlirType type);

/// True unless it is certain that one thread uses what is allocated.
bool berthMemoryMayBeShared(MlirOperation alloc, MlirType type,
                            const BerthCollectOptions *options);

/// A scope with its buffers; both live in `memory`.
BerthScope berthScopeCollect(MlirOperation op,
                             const BerthCollectOptions *options,
                             BerthMemory *memory);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_COLLECT_H
