//===- Slices.h - Mappings that keep slices in one piece ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_SLICES_H
#define BERTH_LIB_FOLD_METHODS_SLICES_H

#include "Fold/Mapping/Rows.h"

/// One row x_d mod b_d for each index d, in order, where no slice wraps around:
/// floor(x_d / b_d) is one number for all cells of a slice, or the row has
/// mirrored rows for what is beyond. Certified.
BerthStatus berthFoldSlices(const BerthFoldSearch *search,
                            const BerthFoldOptions *options,
                            BerthFoldResult *result, BerthError *error);

#endif // BERTH_LIB_FOLD_METHODS_SLICES_H
