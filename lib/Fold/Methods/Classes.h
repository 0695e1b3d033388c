//===- Classes.h - A mapping for each class of a size -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_CLASSES_H
#define BERTH_LIB_FOLD_METHODS_CLASSES_H

#include "Fold/Mapping/Rows.h"

/// One mapping for each residue class of `param`, the only parameter that D
/// depends on, in the fewest classes; from the smallest lattices alone. False
/// if these follow no law that can be proven.
bool berthFoldClasses(const BerthFoldSearch *search, unsigned param,
                      bool uniform, BerthFoldResult *result);

#endif // BERTH_LIB_FOLD_METHODS_CLASSES_H
