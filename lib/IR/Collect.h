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

#ifndef BERTH_LIB_IR_COLLECT_H
#define BERTH_LIB_IR_COLLECT_H

#include "IR/Scope.h"

typedef struct BerthCollectOptions {
  /// Memory space: NULL or "" for the scope's own default (workgroup inside
  /// kernels, the default space elsewhere), "default", "workgroup", "private",
  /// or the text of any attribute.
  const char *space;
  int64_t alignment; ///< least alignment of every buffer; 0 means 1
} BerthCollectOptions;

/// Calls back for every scope in `root`, or for `root` itself if it is one:
/// functions with bodies, gpu.funcs, and gpu.launch bodies within them (after
/// the function that holds them).
typedef void (*BerthScopeCallback)(MlirOperation scope, void *userData);
void berthForEachScope(MlirOperation root, BerthScopeCallback callback,
                       void *userData);

/// Fills in a scope with its buffers. The scope lives in `memory`. Fails on a
/// space that cannot be parsed.
BerthStatus berthScopeCollect(MlirOperation op,
                              const BerthCollectOptions *options,
                              BerthArena *memory, BerthScope *scope,
                              BerthError *error);

#endif // BERTH_LIB_IR_COLLECT_H
