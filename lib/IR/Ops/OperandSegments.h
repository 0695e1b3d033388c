//===- OperandSegments.h - Operands of ops that have groups of them - C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute operandSegmentSizes says how many operands each group has.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPERANDSEGMENTS_H
#define BERTH_LIB_IR_OPS_OPERANDSEGMENTS_H

#include "mlir-c/IR.h"

/// How many operands the segment has.
intptr_t berthSegmentGetSize(MlirOperation op, intptr_t segment);

/// Its first operand, or where that would be.
intptr_t berthSegmentGetBegin(MlirOperation op, intptr_t segment);

/// Gives the segment these operands instead of its own.
void berthSegmentSet(MlirOperation op, intptr_t segment, intptr_t count,
                     const MlirValue *values);

#endif // BERTH_LIB_IR_OPS_OPERANDSEGMENTS_H
