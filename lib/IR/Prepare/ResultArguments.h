//===- ResultArguments.h - Results that callers provide ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a function allocates and returns outlives it, so it has no place in its
// arena. Where all its callers are known they can bring the memory, which then
// may have a place in theirs:
//
//   func private @f(%x) -> memref {        func private @f(%x, %r) {
//     %r = memref.alloc()                    ... write %r ...
//     ... write %r ...                       return
//     return %r                     ->     }
//   }
//   %y = call @f(%x)                       %y = memref.alloc()
//                                          call @f(%x, %y)
//
// This is upstream's buffer-results-to-out-params, but for results only that
// are a buffer of their own each, made once in a run: of others it makes
// copies, through which writes are no longer seen.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_RESULTARGUMENTS_H
#define BERTH_LIB_IR_PREPARE_RESULTARGUMENTS_H

#include "IR/Ops/Backup.h"
#include "IR/Scope/Collect.h"

/// Does so in all functions in `root` that the host alone runs, and says in a
/// remark why a result stays one. `breakRule`: tests.
void berthResultsToArguments(MlirOperation root,
                             const BerthCollectOptions *options,
                             const char *breakRule, BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_RESULTARGUMENTS_H
