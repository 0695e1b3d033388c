//===- BranchOperands.c - What branches pass to a block -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IR/Ops/BranchOperands.h"

bool berthBlockGetIncoming(MlirBlock block, BerthValuePairCallback callback,
                           void *userData) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  bool allSay = true;
  for (MlirBlock from = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(from);
       from = mlirBlockGetNextInRegion(from)) {
    MlirOperation end = berthBlockGetLast(from);
    intptr_t count =
        mlirOperationIsNull(end) ? 0 : mlirOperationGetNumSuccessors(end);
    for (intptr_t i = 0; i < count; ++i)
      if (mlirBlockEqual(mlirOperationGetSuccessor(end, i), block))
        allSay &= berthBranchGetOperands(end, i, callback, userData);
  }
  return allSay;
}
