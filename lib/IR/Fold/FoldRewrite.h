//===- FoldRewrite.h - Code that uses the folded array ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDREWRITE_H
#define BERTH_LIB_IR_FOLD_FOLDREWRITE_H

#include "IR/Fold/FoldNest.h"

/// Stores the arrays of the nest in one folded array. `problem` numbers and
/// names them. The mappings of `result`, one for each class of a size, may
/// differ in their carries alone: these are chosen at run time. The old
/// allocations and their deallocations go.
void berthFoldRewrite(const BerthFoldNest *nest,
                      const BerthFoldProblem *problem,
                      const BerthFoldResult *result);

/// Stores them in one array of a single dimension, each where it was placed.
void berthFoldRewritePlaced(const BerthFoldNest *nest,
                            const BerthFoldProblem *problem,
                            const BerthFoldPlacement *placement);

#endif // BERTH_LIB_IR_FOLD_FOLDREWRITE_H
