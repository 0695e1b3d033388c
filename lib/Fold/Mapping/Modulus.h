//===- Modulus.h - Moduli for all parameters ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_MODULUS_H
#define BERTH_LIB_FOLD_MAPPING_MODULUS_H

#include "Fold/Mapping/Rows.h"

/// Turns a skeleton into a mapping for all parameters. False when a modulus is
/// unbounded or no affine expressions cover it.
bool berthFoldRealise(const BerthFoldProblem *problem,
                      const BerthFoldSkeleton *skeleton,
                      BerthFoldMapping *mapping);

/// The row x_d mod b where b is more than every x_d: the index as it is. False
/// if some x_d is negative or has no bound.
bool berthFoldWholeRow(const BerthFoldProblem *problem, unsigned d,
                       BerthFoldRow *row);

/// 1 + the largest m.x over the set as one term for all parameters, or more; no
/// less than that anywhere. False if there is none, or several are needed.
bool berthFoldLargestTerm(const BerthFoldProblem *problem, isl_set *set,
                          const int64_t *m, BerthFoldTerm *term);

/// The term as an expression over the space of `over`, which may have no
/// dimensions but parameters.
isl_aff *berthFoldTermOver(isl_set *over, const BerthFoldTerm *term);

/// Marks the rows whose modulo can be left out.
void berthFoldMarkPlain(const BerthFoldProblem *problem,
                        BerthFoldMapping *mapping);

#endif // BERTH_LIB_FOLD_MAPPING_MODULUS_H
