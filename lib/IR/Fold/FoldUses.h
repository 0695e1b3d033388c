//===- FoldUses.h - The accesses and views of arrays -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDUSES_H
#define BERTH_LIB_IR_FOLD_FOLDUSES_H

#include "IR/Fold/FoldAccess.h"

/// Collects the views of the nest's arrays and the accesses to both. False with
/// `refusal` filled in where a use is neither.
bool berthFoldAddUsers(BerthFoldNest *nest, BerthFoldRefusal *refusal);

/// Fills in `refusal`; returns false.
bool berthFoldRefuse(BerthFoldRefusal *refusal, MlirOperation at,
                     const char *format, ...) BERTH_PRINTF(3, 4);

const char *berthFoldNameOf(MlirOperation op);

#endif // BERTH_LIB_IR_FOLD_FOLDUSES_H
