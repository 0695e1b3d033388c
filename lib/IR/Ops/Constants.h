//===- Constants.h - Memory that holds constants -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_CONSTANTS_H
#define BERTH_LIB_IR_OPS_CONSTANTS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// The constant memref.global with a value that the memref is, or of which it
/// is a view; null if it is none. With `isWhole` a view has all elements in
/// order.
MlirOperation berthConstantGlobalOf(MlirValue memref, bool isWhole);

/// True if the op writes its operand `output` from constants alone: from such
/// globals, of which there is one at least, and from numbers that stand there.
bool berthOpReadsConstantsOnly(MlirOperation op, intptr_t output);

#endif // BERTH_LIB_IR_OPS_CONSTANTS_H
