//===- OpRows.h - Rows by their names ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Finding the rows of a description, and laying one over another. RowOf.h asks
// Berth's own description and the target's; all others ask OpTable.h.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPROWS_H
#define BERTH_LIB_IR_OPS_OPROWS_H

#include "IR/Ops/OpRow.h"
#include "mlir-c/IR.h"

/// The first row of that name, and how many there are; NULL and 0.
const BerthOpRow *berthFindRow(const BerthOpRows *rows, MlirStringRef name,
                               size_t *count);

/// What holds of all ops of the families that the name is in, whatever other
/// rows they have: the `traits`, `threads` and `asyncIf` of those rows that are
/// without conditions. That operands are told, or work goes on, is none of it.
BerthOpRow berthFamilyRow(const BerthOpRows *rows, MlirStringRef name);

/// True if the family's row adds anything to that.
bool berthFamilyShares(const BerthOpRow *family);

/// True if it says more, or is for some ops only: so it is a row of those that
/// have none by their names.
bool berthFamilyMakesRow(const BerthOpRow *family);

/// The rows of the family with the longest name, of those that the name is in
/// and that make rows, and how many there are; NULL and 0.
const BerthOpRow *berthFindFamily(const BerthOpRows *rows, MlirStringRef name,
                                  size_t *count);

/// True for the name of a family, "npu.dma_*".
bool berthIsFamily(const char *name);
bool berthIsInFamily(MlirStringRef name, const BerthOpRow *family);

/// What an entry says of an op, laid over what is known of it (NULL: nothing).
BerthOpRow berthLayRow(const BerthOpRow *known, const BerthOpRow *entry);

/// True if the row tells when what the op starts has ended, but not by a
/// barrier of a description.
bool berthRowEndsByGroups(const BerthOpRow *row);

/// As strcmp, of a name that has a length.
int berthCompareNames(MlirStringRef name, const char *other);

#endif // BERTH_LIB_IR_OPS_OPROWS_H
