//===- JoinRows.h - Several rows of a buffer as one ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows that are shorter than all banks together are copied several at a time:
// padding behind each of them would put what is copied at once into the same
// banks. So some rows stay side by side, and padding goes behind them all:
//
//   %a = memref.alloc() : memref<16x32xf16, 3>
//   nvgpu.ldmatrix %a[%r, %c]
//
//   %a = memref.alloc() {berth.joined = 32} : memref<8x64xf16, 3>
//   nvgpu.ldmatrix %a[%r / 2, %r mod 2 * 32 + %c]
//
// Each element is where it was. All that uses the buffer has to tell where by
// one subscript for rows and one for columns.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PAD_JOINROWS_H
#define BERTH_LIB_IR_PAD_JOINROWS_H

#include "IR/Pad/BankConflicts.h"

/// True if rows of the buffer may be joined.
bool berthRowsMayBeJoined(const BerthBufferInfo *info);

/// Makes `joined` rows one, and the buffer what comes of it.
void berthJoinRows(BerthBufferInfo *info, int64_t joined,
                   const char *breakRule);

#endif // BERTH_LIB_IR_PAD_JOINROWS_H
