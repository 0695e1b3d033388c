//===- Exact.h - The smallest lattice ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_EXACT_H
#define BERTH_LIB_FOLD_METHODS_EXACT_H

#include "Fold/Mapping/Rows.h"

/// The smallest lattice, proven. For constant sizes one mapping; with one
/// parameter a family, by berthFoldClasses or else berthFoldFamily.
BerthStatus berthFoldExact(const BerthFoldSearch *search, bool uniform,
                           BerthFoldResult *result, BerthError *error);

#endif // BERTH_LIB_FOLD_METHODS_EXACT_H
