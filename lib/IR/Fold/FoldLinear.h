//===- FoldLinear.h - Arrays by the numbers of their elements ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who asks how far apart bytes lie has no use for an array's dimensions: there
// it has but one, the numbers of its elements, one row behind the other. So an
// access may go through any view that keeps the elements apart: parts at places
// that loops compute, other shapes and layouts.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDLINEAR_H
#define BERTH_LIB_IR_FOLD_FOLDLINEAR_H

#include "IR/Fold/FoldAccess.h"

/// True for a view, no subview, from whose type, or its source's, it follows
/// which element of the source each of its own is.
bool berthFoldKeepsElements(MlirOperation view);

/// Appends the number of the element at the subscripts `at` of the view, or of
/// the array (BERTH_FOLD_NO_VIEW).
bool berthFoldAppendNumber(BerthFoldNest *nest, const BerthFoldPlace *place,
                           size_t array, size_t view, const BerthText *at,
                           BerthText *text);

#endif // BERTH_LIB_IR_FOLD_FOLDLINEAR_H
