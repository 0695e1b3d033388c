//===- Writes.h - What an op may write, by its effects alone  C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For memory of which not all pointers are known, such as a function's
// arguments: whatever is not surely something else may be written.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_WRITES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_WRITES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// `written`: null for anything.
typedef void (*BerthWriteCallback)(MlirValue written, void *userData);

/// Calls back for what the op itself (nested ops excluded) may write or free.
void berthForEachWrite(MlirOperation op, BerthWriteCallback callback,
                       void *userData);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_WRITES_H
