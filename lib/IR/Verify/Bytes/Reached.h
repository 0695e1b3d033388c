//===- Reached.h - Code that some path comes to --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_REACHED_H
#define BERTH_LIB_IR_VERIFY_BYTES_REACHED_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// False for ops in a body that no path of the scope enters (Flow.h): what they
/// write spoils nothing, and so does no loop around them at its end.
bool berthIsReached(MlirOperation op, MlirOperation scope);

#endif // BERTH_LIB_IR_VERIFY_BYTES_REACHED_H
