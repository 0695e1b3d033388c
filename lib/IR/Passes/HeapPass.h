//===- HeapPass.h - The pass berth-heap, in C ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Moves allocations that no plan can place, because their size or lifetime is
// known only at run time, into a heap inside an arena:
//
//   collect -> aliases -> select -> link -> rewrite
//
// Select decides which allocations go and where each is freed; link copies the
// heap's functions (lib/Heap/*.mlir) into the symbol table around the scope;
// rewrite replaces the ops. A scope is rewritten only after all of it has been
// decided.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_HEAPPASS_H
#define BERTH_LIB_IR_PASSES_HEAPPASS_H

#include "IR/Heap/HeapOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthHeapFigures {
  uint64_t moved;   ///< allocations that now come from a heap
  uint64_t refused; ///< that would have to, but cannot
} BerthHeapFigures;

/// Parses the texts of `space`, `unknown-ops`, `arena` (auto, own, argument,
/// global-device), `lowering` (auto, nvvm, rocdl, spirv) and `allocations`
/// (dynamic, all), and checks `size`. Call it when the pass is initialised.
BerthStatus berthHeapOptionsParse(MlirContext context, const char *space,
                                  const char *unknownOps, const char *arena,
                                  const char *lowering, const char *allocations,
                                  int64_t size, BerthHeapOptions *options,
                                  BerthError *error);

/// Rewrites every scope in `module`. Emits its own diagnostics and remarks.
BerthStatus berthHeapRun(MlirOperation module, const BerthHeapOptions *options,
                         BerthHeapFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_HEAPPASS_H
