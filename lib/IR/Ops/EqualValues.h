//===- EqualValues.h - Values that are equal by construction -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_EQUALVALUES_H
#define BERTH_LIB_IR_OPS_EQUALVALUES_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// True if both are one value, or results of the same speculatable op on the
/// same operands, so that they are equal wherever both are defined.
bool berthIsSameValue(MlirValue a, MlirValue b);

/// True if both ops have the same attributes by the same names.
bool berthHaveSameAttributes(MlirOperation a, MlirOperation b);

/// The value of an integer constant (any op with an integer attribute `value`
/// and no operands).
bool berthValueIsConstant(MlirValue value, int64_t *constant);

#endif // BERTH_LIB_IR_OPS_EQUALVALUES_H
