//===- Family.h - Lattices that are affine in one size ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_FAMILY_H
#define BERTH_LIB_FOLD_METHODS_FAMILY_H

#include "Fold/Mapping/Rows.h"

/// One mapping for all values of the parameter `param`, the only one that D
/// depends on, from lattices slightly larger than the smallest: their Hermite
/// forms are affine in it. Looks at sizes from params[param] on; the other
/// parameters are as in `params`. False if none is found that can be proven.
bool berthFoldFamily(const BerthFoldSearch *search, unsigned param,
                     const int64_t *params, BerthFoldMapping *mapping);

#endif // BERTH_LIB_FOLD_METHODS_FAMILY_H
