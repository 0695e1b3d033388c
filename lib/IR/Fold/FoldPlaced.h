//===- FoldPlaced.h - Folded arrays that overlap ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left after folding is packed by the cells that are live, not by whole
// arrays: a window whose oldest row has been read gives that row to others
// until it moves, an array that fills up row by row gives what it has not
// reached yet. The code is analysed as it is by then, moves of windows and all,
// so it makes no difference how an array was folded, or whether. Each array
// keeps its shape and becomes a view of one allocation, so slices stay in one
// piece, and no access costs more than it did.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDPLACED_H
#define BERTH_LIB_IR_FOLD_FOLDPLACED_H

#include "IR/Fold/FoldTrial.h"

/// Places arrays of `arrays` that are accessed in slices, with others of their
/// block, where that takes fewer cells than any packing of whole arrays.
/// `budget` is of its own. Returns how many arrays have been placed.
size_t berthFoldPlaceAll(size_t count, const MlirValue *arrays,
                         BerthFoldMoves *moves, BerthFoldBlocks *blocks,
                         const BerthFoldPassOptions *options);

#endif // BERTH_LIB_IR_FOLD_FOLDPLACED_H
