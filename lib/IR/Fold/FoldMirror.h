//===- FoldMirror.h - Rows that a ring holds twice ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where slices would go around the end of a ring of b rows, its first rows are
// there once more behind the last one (lib/Fold/Methods/Slices.c):
//
//     row    0  1  2  3 | 4  5       rows 4 and 5 are 0 and 1 once more
//
// Whoever reads takes whichever he comes to. What is written at row r is copied
// to its other place, r + b or r - b, before anybody can read there.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDMIRROR_H
#define BERTH_LIB_IR_FOLD_FOLDMIRROR_H

#include "IR/Fold/FoldNest.h"
#include "IR/Ops/Build.h"

/// The folded array, one of whose rows is mirrored.
typedef struct BerthFoldMirror {
  MlirValue folded;
  intptr_t rank;
  intptr_t dim; ///< -1: no mirrored rows
  int64_t rows; ///< b
  int64_t size; ///< mirrored rows
} BerthFoldMirror;

BerthFoldMirror berthFoldMirrorOf(const BerthFoldNest *nest,
                                  const BerthFoldMapping *mapping,
                                  MlirValue folded);

/// Whether both places of all that is written can be kept the same: see
/// berthFoldMirrorOwner.
bool berthFoldCanMirror(const BerthFoldNest *nest);

/// The op behind which what access `k` has written through a view is copied: of
/// the block where the array's own view is made. All that touches the array in
/// it goes through that view, to the same one of two places.
MlirOperation berthFoldMirrorOwner(const BerthFoldNest *nest, size_t k);

/// Copies what has been written to `part` of the folded array.
void berthFoldMirrorBox(const BerthFoldMirror *mirror, BerthInsertPoint at,
                        const BerthSubView *part);

/// Stores `value` to the other place of an element, if it has one.
void berthFoldMirrorElement(const BerthFoldMirror *mirror, BerthInsertPoint at,
                            MlirValue value, const MlirValue *subscripts);

#endif // BERTH_LIB_IR_FOLD_FOLDMIRROR_H
