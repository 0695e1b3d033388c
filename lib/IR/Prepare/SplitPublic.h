//===- SplitPublic.h - What others call, and what calls itself hand -- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Whoever calls a public function from outside, or one whose address is taken,
// hands it no frame (HostFrames.h). So its code moves to a private function,
// which plain calls lead to from now on, and all others come by a wrapper that
// allocates:
//
//   func @f(%x) {                 func private @f_in_frame(%x) { ... }
//     ...                         func @f(%x) {
//   }                       ->      call @f_in_frame(%x)
//   func @g { call @f }           }
//                                 func @g { call @f_in_frame }
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SPLITPUBLIC_H
#define BERTH_LIB_IR_PREPARE_SPLITPUBLIC_H

#include "IR/Ops/Backup.h"
#include "IR/Scope/Collect.h"

typedef struct BerthSplitFunction {
  MlirOperation wrapper; ///< keeps the name
  MlirOperation inner;
} BerthSplitFunction;

typedef struct BerthSplitFunctions {
  size_t count, capacity;
  BerthSplitFunction *items;
} BerthSplitFunctions;

/// Splits the functions in `root` that the host alone runs, that plain calls
/// lead to and something else too.
void berthSplitPublic(MlirOperation root, const BerthCollectOptions *options,
                      BerthBackup *backup, BerthSplitFunctions *split);

/// Joins those again that were given no frame, once all plans are applied.
void berthJoinUnframed(MlirOperation root, const BerthSplitFunctions *split);

void berthSplitFunctionsFree(BerthSplitFunctions *split);

#endif // BERTH_LIB_IR_PREPARE_SPLITPUBLIC_H
