//===- Params.h - Values of parameters ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_PROBLEM_PARAMS_H
#define BERTH_LIB_FOLD_PROBLEM_PARAMS_H

#include "Fold/Problem/Problem.h"

/// The least value of a parameter in the context, if it is moderate, else 1;
/// small values for all parameters.
int64_t berthFoldLeastValue(const BerthFoldProblem *problem, unsigned param);
void berthFoldSmallParams(const BerthFoldProblem *problem, int64_t *params);

/// Adds the term 1 to the row's only one unless that is positive throughout the
/// context: sizes of which nothing is known may be 0.
void berthFoldKeepPositive(const BerthFoldProblem *problem, BerthFoldRow *row);

#endif // BERTH_LIB_FOLD_PROBLEM_PARAMS_H
