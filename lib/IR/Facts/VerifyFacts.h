//===- VerifyFacts.h - Facts that only the verifier asks for ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like IR/Facts/Facts.h: implemented in lib/MLIR, decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_VERIFYFACTS_H
#define BERTH_LIB_IR_FACTS_VERIFYFACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// True if a linalg op visits the elements of two operands at equal indices,
/// each element of both once, and touches no memory but its operands.
bool berthVisitsInOneOrder(MlirOperation op, intptr_t operandA,
                           intptr_t operandB);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_VERIFYFACTS_H
