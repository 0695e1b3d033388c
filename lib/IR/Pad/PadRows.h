//===- PadRows.h - Rows of a buffer farther apart ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = memref.alloc() : memref<32x32xf32, 3>
//
//   %rows = memref.alloc() {berth.padded = 32} : memref<32x33xf32, 3>
//   %a = memref.subview %rows[0, 0] [32, 32] [1, 1]
//
// All that used the buffer uses the view, so it has to take strides.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PAD_PADROWS_H
#define BERTH_LIB_IR_PAD_PADROWS_H

#include "IR/Scope/Job.h"

/// Why a buffer's rows stay as they are; NULL: they may be padded.
typedef struct BerthRowsFit {
  const char *reason;
  MlirOperation at; ///< the op that forbids it, or null
} BerthRowsFit;

BerthRowsFit berthRowsMayBePadded(const BerthBufferInfo *info);

/// True if the op takes the distance of rows from its attribute.
bool berthTakesLeadDimension(MlirOperation op);

/// Puts `padding` elements behind each row, and returns the new allocation.
MlirOperation berthPadRows(const BerthBufferInfo *info, int64_t padding,
                           const char *breakRule);

#endif // BERTH_LIB_IR_PAD_PADROWS_H
