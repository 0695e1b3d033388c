//===- FoldCells.h - The cells of one access as isl text ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDCELLS_H
#define BERTH_LIB_IR_FOLD_FOLDCELLS_H

#include "IR/Fold/FoldAccess.h"
#include "IR/Fold/FoldExpr.h"

/// Appends "A0[subscripts]", or "A0[...] : exists (...)" for a box of cells.
/// False if it is not affine.
bool berthFoldAppendCells(BerthFoldNest *nest, const BerthFoldAccess *access,
                          const BerthFoldPlace *place, BerthText *text);

/// The same for all cells of the view of the array through which it goes.
bool berthFoldAppendRootView(BerthFoldNest *nest, const BerthFoldAccess *access,
                             const BerthFoldPlace *place, BerthText *text);

/// The view of the array itself that `view` is a part of.
size_t berthFoldRootView(const BerthFoldNest *nest, size_t view);

#endif // BERTH_LIB_IR_FOLD_FOLDCELLS_H
