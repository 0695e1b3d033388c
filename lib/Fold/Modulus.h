//===- Modulus.h - Moduli for all parameters ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MODULUS_H
#define BERTH_LIB_FOLD_MODULUS_H

#include "Fold/Rows.h"

/// Turns a skeleton into a mapping for all parameters. False when a modulus is
/// unbounded or no affine expressions cover it.
bool berthFoldRealise(const BerthFoldProblem *problem,
                      const BerthFoldSkeleton *skeleton,
                      BerthFoldMapping *mapping);

/// The row x_d mod b where b is more than every x_d: the index as it is. False
/// if some x_d is negative or has no bound.
bool berthFoldWholeRow(const BerthFoldProblem *problem, unsigned d,
                       BerthFoldRow *row);

/// Marks the rows whose modulo can be left out.
void berthFoldMarkPlain(const BerthFoldProblem *problem,
                        BerthFoldMapping *mapping);

#endif // BERTH_LIB_FOLD_MODULUS_H
