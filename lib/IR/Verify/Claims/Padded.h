//===- Padded.h - Rows with padding behind them ------------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation with the mark berth.padded = n has longer rows than its n
// elements that are used. Nobody may see the rest: all that leads there is a
// view without it, and who uses that takes strides, or is told the right one.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_PADDED_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_PADDED_H

#include "mlir-c/IR.h"

#include <stddef.h>

/// Checks all such allocations in `root`, emits an error for each use that is
/// wrong, and returns their number.
size_t berthVerifyPadded(MlirOperation root);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_PADDED_H
