//===- FoldExpr.h - Affine values as isl text ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDEXPR_H
#define BERTH_LIB_IR_FOLD_FOLDEXPR_H

#include "IR/Fold/FoldPlace.h"
#include "mlir-c/AffineExpr.h"

/// Appends `value` as an affine expression in i<loop> and p<param>; false if it
/// is none. New parameters, and what is known of them, go to `params`.
bool berthFoldAppendValue(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirValue value, BerthText *text);

/// Appends an affine expression over operands: dims first, then symbols.
bool berthFoldAppendExpr(const BerthFoldPlace *place, BerthFoldParams *params,
                         MlirAffineExpr expr, MlirOperation op,
                         intptr_t firstDim, intptr_t numDims, BerthText *text);

/// The array's size in dimension `dim`, computed with `sample` for whatever is
/// known at run time only.
int64_t berthFoldSizeAt(MlirValue array, intptr_t dim, int64_t sample);

/// The value of an arith.constant of integer or index type.
bool berthFoldConstant(MlirOperation op, int64_t *value);

/// Appends " and ..." for the condition of an affine.if or scf.if (its negation
/// in region 1). False if not all of it is affine: what is appended then, if
/// anything, holds in the region but elsewhere too.
bool berthFoldAppendCondition(const BerthFoldPlace *place,
                              BerthFoldParams *params, MlirOperation branch,
                              intptr_t region, BerthText *text);

/// An affine.if or scf.if.
bool berthFoldIsBranch(MlirOperation op);

#endif // BERTH_LIB_IR_FOLD_FOLDEXPR_H
