//===- FoldPass.h - The pass berth-fold, in C ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_FOLDPASS_H
#define BERTH_LIB_IR_PASSES_FOLDPASS_H

#include "IR/Fold/FoldOptions.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthFoldFigures {
  uint64_t arrays; ///< looked at
  uint64_t folded;
  uint64_t joined; ///< of these, together with others
} BerthFoldFigures;

/// Folds every array under `root` that can be folded. Each that cannot is left
/// as it is, with a remark at the op that stands in the way.
void berthFoldRun(MlirOperation root, const BerthFoldPassOptions *options,
                  BerthFoldFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_FOLDPASS_H
