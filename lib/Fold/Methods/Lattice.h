//===- Lattice.h - Lattice rows, then range rows ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_LATTICE_H
#define BERTH_LIB_FOLD_METHODS_LATTICE_H

#include "Fold/Mapping/Rows.h"

/// Heuristics 1 and 3 of Darte, Isoard and Yuki: reuse vectors, then the least
/// moduli, for several first vectors.
void berthFoldLattices(const BerthFoldSearch *search, unsigned heuristic,
                       BerthFoldSkeletons *found);

#endif // BERTH_LIB_FOLD_METHODS_LATTICE_H
