//===- FoldAlone.h - Each array by itself ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDALONE_H
#define BERTH_LIB_IR_FOLD_FOLDALONE_H

#include "IR/Fold/FoldTrial.h"

/// A trial for each array; remarks at those that come to nothing. In rounds, so
/// that a dear array takes nothing from cheap ones.
void berthFoldAttemptAll(BerthFoldTrial *trials, size_t count,
                         const MlirValue *arrays,
                         const BerthFoldPassOptions *options);

#endif // BERTH_LIB_IR_FOLD_FOLDALONE_H
