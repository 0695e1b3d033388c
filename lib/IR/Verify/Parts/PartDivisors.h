//===- PartDivisors.h - Divisions by 0 in sizes and places ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division by 0 is no number, so that it is the same one in all threads and
// on the host says nothing. What computes the size of a block, or where a part
// begins, must not have one that the program did not have before.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTDIVISORS_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTDIVISORS_H

#include "IR/Verify/Parts/PartRanges.h"

/// An op of the kernel by which a view of the block may divide by 0, where its
/// sizes are the program's own: `part` is null. It is the cast of the view that
/// has these, or the view itself if nothing has. Null if there is none.
MlirOperation berthPartDivisionInKernel(BerthPartCase *given,
                                        MlirOperation view, MlirOperation part);

/// An op of the host by which the block's size may divide by 0, and which it is
/// there for alone; null if there is none.
MlirOperation berthPartDivisionOnHost(BerthPartCase *given);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTDIVISORS_H
