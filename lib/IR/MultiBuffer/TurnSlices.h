//===- TurnSlices.h - Slices that no two turns have in common ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for %i = 0 to %n step 8
//     subview %a[%i + %k, 0] [8, 16]     8 rows of their own for each turn
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TURNSLICES_H
#define BERTH_LIB_IR_MULTIBUFFER_TURNSLICES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True if what `slice` shows of `memory` in a turn of the scf.for, by
/// subviews, is apart from what it shows in another one.
bool berthTurnsTakeApart(MlirOperation loop, MlirValue slice, MlirValue memory);

#endif // BERTH_LIB_IR_MULTIBUFFER_TURNSLICES_H
