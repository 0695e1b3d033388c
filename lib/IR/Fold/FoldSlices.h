//===- FoldSlices.h - Views and vectors of the folded array ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDSLICES_H
#define BERTH_LIB_IR_FOLD_FOLDSLICES_H

#include "IR/Fold/FoldMirror.h"

/// Where an index of the array is found in the folded one, which has the same
/// dimensions: by the rows of a mapping, one for each, whose moduli are numbers
/// where they count; or in a window.
typedef struct BerthFoldShift {
  const BerthFoldNest *nest;
  MlirValue folded;
  const BerthFoldMapping *mapping; ///< NULL: a window
  BerthFoldWindow window;
  MlirOperation loop; ///< the window's; null: its rows go round
  BerthFoldMirror mirror;
} BerthFoldShift;

/// Points every vector access and every view of the array to the folded one.
/// Views of views get the types that follow.
void berthFoldShiftSlices(const BerthFoldShift *shift);

/// Points every other access to the folded array.
void berthFoldShiftElements(const BerthFoldShift *shift);

/// Stores the only array of the nest in a window that moves with `loop`. The
/// old allocation and its deallocation go. Adds the copies that it makes to
/// `moves`.
void berthFoldRewriteWindow(const BerthFoldNest *nest,
                            const BerthFoldWindow *window, MlirOperation loop,
                            BerthFoldMoves *moves);

/// Stores the only array of the nest, which has no slices, in a ring of as many
/// rows as the window has: x mod size.
void berthFoldRewriteRing(const BerthFoldNest *nest,
                          const BerthFoldWindow *window);

#endif // BERTH_LIB_IR_FOLD_FOLDSLICES_H
