//===- FoldArray.h - The folded array ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDARRAY_H
#define BERTH_LIB_IR_FOLD_FOLDARRAY_H

#include "IR/Fold/FoldMirror.h"

/// What is known while a nest is rewritten.
typedef struct BerthFoldRewriter {
  const BerthFoldNest *nest;
  const BerthFoldProblem *problem;
  const BerthFoldResult *result;       ///< all classes; NULL with a placement
  const BerthFoldMapping *mapping;     ///< the first one, or the array's own
  const BerthFoldPlacement *placement; ///< NULL: one mapping for all arrays
  MlirContext context;
  MlirValue folded;
  MlirValue moduli[BERTH_FOLD_MAX_DIMS]; ///< null for numbers
  /// [row][earlier row]; null unless the classes differ.
  MlirValue carries[BERTH_FOLD_MAX_DIMS][BERTH_FOLD_MAX_DIMS];
  MlirValue turnFrom, turnSum; ///< of the mapping's turn, if it has one
  BerthFoldMirror mirror;
  bool symbolic; ///< some modulus is no number, or cells are turned
} BerthFoldRewriter;

/// The modulus if it is a number, else -1.
int64_t berthFoldNumericModulus(const BerthFoldMapping *mapping, size_t r);

MlirValue berthFoldParamValue(const BerthFoldRewriter *rewrite, size_t param);

/// Allocates an array like those of the nest, with another shape.
MlirValue berthFoldAllocate(const BerthFoldNest *nest, BerthInsertPoint at,
                            size_t rank, const int64_t *shape, int32_t numSizes,
                            const MlirValue *sizes);

/// The last deallocation of the nest's arrays frees the folded one; the others
/// go.
void berthFoldMoveDeallocs(const BerthFoldNest *nest, MlirValue folded);

/// Allocates one array of a single dimension for all arrays of the nest, which
/// have been placed in it.
void berthFoldBuildPool(BerthFoldRewriter *rewrite);

/// Allocates the folded array in front of the first access, and fills in
/// `folded`, `moduli`, `carries`, `turnFrom`, `turnSum` and `symbolic`.
void berthFoldBuildArray(BerthFoldRewriter *rewrite);

/// Whether the parameters that the moduli and the carries need are known before
/// the first access, where the folded array is allocated.
bool berthFoldCanPlace(const BerthFoldNest *nest,
                       const BerthFoldProblem *problem,
                       const BerthFoldResult *result);

#endif // BERTH_LIB_IR_FOLD_FOLDARRAY_H
