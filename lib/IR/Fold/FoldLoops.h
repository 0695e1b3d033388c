//===- FoldLoops.h - Loops and their bounds as isl text ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDLOOPS_H
#define BERTH_LIB_IR_FOLD_FOLDLOOPS_H

#include "IR/Fold/FoldPlace.h"

/// Appends " and ..." for lower bound <= name < upper bound of a loop's
/// variable `dim` (and its stride); false if they are not affine.
bool berthFoldAppendBounds(const BerthFoldPlace *place, BerthFoldParams *params,
                           MlirOperation loop, intptr_t dim, const char *name,
                           BerthText *text);

/// Appends " and name < value", or the same for each of several values of which
/// it is the smallest; false if it is not affine.
bool berthFoldAppendBelow(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirValue value, const char *name, BerthText *text);

/// The step of a loop with one variable as a positive number; 0 if it is none.
int64_t berthFoldStep(MlirOperation loop);
/// The variable's first value, if it is a number.
bool berthFoldFirstValue(MlirOperation loop, int64_t *first);

/// Adds what is known of a parameter to the facts: sizes are not negative, the
/// variable of a loop outside of the block is within its bounds.
void berthFoldAddFacts(const BerthFoldPlace *place, BerthFoldParams *params,
                       size_t number);

bool berthFoldIsLoop(MlirOperation op);
/// One of the loops whose iterations run concurrently.
bool berthFoldIsParallel(MlirOperation op);
intptr_t berthFoldNumVariables(MlirOperation op);
MlirValue berthFoldVariable(MlirOperation op, intptr_t dim);

#endif // BERTH_LIB_IR_FOLD_FOLDLOOPS_H
