//===- FoldSurelyLive.h - Cells that no fold can save ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDSURELYLIVE_H
#define BERTH_LIB_IR_FOLD_FOLDSURELYLIVE_H

#include "IR/Fold/FoldAccess.h"

/// A number of cells that are surely live at once, found by a look at the
/// loads: it takes none of isl's operations. At least 1.
int64_t berthFoldSurelyLive(const BerthFoldNest *nest);

#endif // BERTH_LIB_IR_FOLD_FOLDSURELYLIVE_H
