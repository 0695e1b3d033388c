//===- Called.h - Whether a call meets a barrier ---------------- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_CALLED_H
#define BERTH_LIB_IR_VERIFY_ROOTS_CALLED_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdbool.h>

/// True if the op is a barrier, or a call of straight code that holds one.
/// `calls` keeps the answers for functions.
bool berthMeetsInside(BerthPointerMap *calls, MlirOperation op);

/// True if it is one, and nothing that others could see happens in it behind
/// its last barrier.
bool berthIsOverAtMeeting(BerthPointerMap *calls, MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_CALLED_H
