//===- Hyperplane.h - Range rows only ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_METHODS_HYPERPLANE_H
#define BERTH_LIB_FOLD_METHODS_HYPERPLANE_H

#include "Fold/Mapping/Rows.h"

/// Successive modulo in the canonical basis (Lefebvre, Feautrier).
void berthFoldSuccessive(const BerthFoldSearch *search,
                         BerthFoldSkeletons *found);

/// Storage hyperplanes (SMO): each satisfies as many pieces of D as possible,
/// then has the least modulus.
void berthFoldHyperplanes(const BerthFoldSearch *search,
                          BerthFoldSkeletons *found);

#endif // BERTH_LIB_FOLD_METHODS_HYPERPLANE_H
