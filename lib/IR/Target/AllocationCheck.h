//===- AllocationCheck.h - What ops tell of what they allocate ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_ALLOCATIONCHECK_H
#define BERTH_LIB_IR_TARGET_ALLOCATIONCHECK_H

#include "IR/Ops/OpRow.h"
#include "mlir-c/IR.h"

/// Says at an op that is told to allocate what is wrong with the size, the
/// alignment or the space that it tells, and returns false if something is.
/// `teller` says where they stand: its own attribute berth.allocates (`isOwn`),
/// or an entry of the target description.
bool berthCheckAllocation(MlirOperation op, const BerthOpAllocation *allocates,
                          const char *teller, bool isOwn);

#endif // BERTH_LIB_IR_TARGET_ALLOCATIONCHECK_H
