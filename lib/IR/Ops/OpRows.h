//===- OpRows.h - What is known of ops by their names -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The table of op names. RowOf.h lays over it what a target description and an
// op's own attributes say; all others ask OpTable.h.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPROWS_H
#define BERTH_LIB_IR_OPS_OPROWS_H

#include "IR/Ops/OpRow.h"
#include "mlir-c/IR.h"

/// The row of that name, or NULL.
const BerthOpRow *berthFindRow(MlirStringRef name);

/// What holds of all ops of the families that the name is in: their `traits`,
/// `threads` and `asyncIf`.
BerthOpRow berthFamilyRow(MlirStringRef name);

/// As strcmp, of a name that has a length.
int berthCompareNames(MlirStringRef name, const char *other);

#endif // BERTH_LIB_IR_OPS_OPROWS_H
