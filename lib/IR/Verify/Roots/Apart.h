//===- Apart.h - Which values surely show different memory --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For memory of which not all pointers are known, such as a function's
// arguments.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_APART_H
#define BERTH_LIB_IR_VERIFY_ROOTS_APART_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True for what allocates: its result is memory that nothing else is.
bool berthIsFreshMemory(MlirValue value);

/// False if the values surely show different memory.
bool berthMayBeOneMemory(MlirValue a, MlirValue b);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_APART_H
