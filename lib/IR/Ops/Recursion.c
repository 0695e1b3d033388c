//===- Recursion.c - May a function call itself? --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global arena exists once, however many instances of its function run. The
// calls that the module shows are followed; a function that is only declared is
// taken not to call back.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Recursion.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Worklist.h"

static MlirWalkResult addCallee(MlirOperation op, void *userData) {
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee))
    berthWorklistAdd(userData, callee.ptr);
  return MlirWalkResultAdvance;
}

bool berthFunctionIsRecursive(MlirOperation function) {
  BerthWorklist list = {0};
  mlirOperationWalk(function, addCallee, &list, MlirWalkPreOrder);
  while (list.numPending) {
    MlirOperation callee = {(void *)berthWorklistTake(&list)};
    mlirOperationWalk(callee, addCallee, &list, MlirWalkPreOrder);
  }
  bool isRecursive = berthWorklistHasSeen(&list, function.ptr);
  berthWorklistFree(&list);
  return isRecursive;
}
