//===- RunTimeApart.h - Views that lie one above the other ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H
#define BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H

#include "IR/Verify/Roots/Views.h"

/// If some offset is computed, fills in which root lies above which other one
/// of its arena (`isApart`), once all roots are known.
void berthViewsFindApart(BerthViews *views);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H
