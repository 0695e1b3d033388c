//===- FoldIndex.h - Index arithmetic of folded accesses ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signed, with floor semantics: what is taken modulo b lies in [0, b).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDINDEX_H
#define BERTH_LIB_IR_FOLD_FOLDINDEX_H

#include "IR/Ops/Build.h"

/// `first` where the predicate holds for a and b, else `second`.
MlirValue berthFoldSelect(BerthInsertPoint at, int predicate, MlirValue a,
                          MlirValue b, MlirValue first, MlirValue second);

MlirValue berthFoldFloorMod(BerthInsertPoint at, MlirValue v, MlirValue b);
MlirValue berthFoldFloorDiv(BerthInsertPoint at, MlirValue v, MlirValue b);

/// sum + factor * value; `sum` may be null for 0.
MlirValue berthFoldAddScaled(BerthInsertPoint at, MlirValue sum,
                             MlirValue value, int64_t factor);

#endif // BERTH_LIB_IR_FOLD_FOLDINDEX_H
