//===- FoldRemarks.h - What users are told of folding ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDREMARKS_H
#define BERTH_LIB_IR_FOLD_FOLDREMARKS_H

#include "IR/Fold/FoldTrial.h"

/// "not folded: why", at the op.
void berthFoldMissed(MlirOperation at, const char *why);

/// Adds to a refusal for want of operations what ran out, what it may save, and
/// how to have it nonetheless.
void berthFoldTellMore(const BerthFoldTrial *trial, BerthFoldRefusal *refusal);

/// What the arrays of the trial have become.
void berthFoldAnnounce(const BerthFoldTrial *trial);

/// The arrays of the nest were not packed by their live cells for want of
/// operations.
void berthFoldRemarkUnplaced(const BerthFoldNest *nest,
                             const BerthFoldBudget *budget);

/// How many pairs were left for want of operations, at an allocation.
void berthFoldRemarkPairs(MlirOperation at, const BerthFoldBudget *budget);

#endif // BERTH_LIB_IR_FOLD_FOLDREMARKS_H
