//===- ConstantFacts.h - What ops make of constants ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like IR/Facts/Facts.h: implemented in lib/MLIR, decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_CONSTANTFACTS_H
#define BERTH_LIB_IR_FACTS_CONSTANTFACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// The elements that `op` leaves in its operand `output`, if its operand
/// `input` holds `value`, in order; null if that cannot be computed here. For
/// copies, and for linalg ops that do the same to each element: move it
/// (transpose, broadcast), convert it, or do arithmetic with it and numbers
/// that stand there. Elements are whole bytes, up to eight.
MlirAttribute berthOpComputeConstant(MlirOperation op, intptr_t input,
                                     intptr_t output, MlirAttribute value);

/// True for a private symbol that nobody in its symbol table names.
bool berthSymbolIsUnused(MlirOperation symbol);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_CONSTANTFACTS_H
