//===- Unused.c - Values that nobody needs --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Unused.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"

bool berthIsUnused(MlirValue memref) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memref);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t numResults = mlirOperationGetNumResults(user);
    if (berthOpIsFree(user) && mlirOperationGetNumOperands(user) == 1 &&
        numResults == 0)
      continue;
    MlirValue source = berthViewGetSource(user);
    if (mlirValueIsNull(source) || !mlirValueEqual(source, memref) ||
        numResults != 1 || !berthIsUnused(mlirOperationGetResult(user, 0)))
      return false;
  }
  return true;
}

void berthEraseWithUsers(MlirOperation op) {
  while (mlirOperationGetNumResults(op)) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
    if (mlirOpOperandIsNull(use))
      break;
    berthEraseWithUsers(mlirOpOperandGetOwner(use));
  }
  mlirOperationDestroy(op);
}
