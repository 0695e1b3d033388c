//===- Control.c - How control goes through regions -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/Control.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

bool berthRunsInSteps(MlirOperation op) {
  return berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
         !berthOpIsAsync(op);
}

BerthBlockList berthBlockListOf(MlirRegion region) {
  BerthBlockList list = {0};
  size_t capacity = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    list.blocks =
        berthGrow(list.blocks, list.count, &capacity, sizeof *list.blocks);
    list.blocks[list.count++] = block;
  }
  for (size_t i = 0; list.count > 1 && i < list.count; ++i)
    berthPointerMapInsert(&list.indexOf, list.blocks[i].ptr, i);
  return list;
}

void berthBlockListFree(BerthBlockList *list) {
  free(list->blocks);
  berthPointerMapFree(&list->indexOf);
}

size_t berthBlockListFind(const BerthBlockList *list, MlirBlock block) {
  return list->count == 1 ? 0 : berthPointerMapFind(&list->indexOf, block.ptr);
}

size_t berthBlockListCountNext(const BerthBlockList *list, size_t block) {
  MlirOperation last = berthBlockGetLast(list->blocks[block]);
  return mlirOperationIsNull(last)
             ? 0
             : (size_t)mlirOperationGetNumSuccessors(last);
}

size_t berthBlockListNext(const BerthBlockList *list, size_t block, size_t i) {
  MlirOperation last = berthBlockGetLast(list->blocks[block]);
  return berthBlockListFind(list, mlirOperationGetSuccessor(last, (intptr_t)i));
}
