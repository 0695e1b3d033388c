//===- OpList.h - Ops that a walk finds, in its order --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPLIST_H
#define BERTH_LIB_IR_OPS_OPLIST_H

#include "mlir-c/IR.h"

/// Begins as zeros; `free(list.ops)` ends it.
typedef struct BerthOpList {
  size_t count, capacity;
  MlirOperation *ops;
} BerthOpList;

void berthOpListAdd(BerthOpList *list, MlirOperation op);

#endif // BERTH_LIB_IR_OPS_OPLIST_H
