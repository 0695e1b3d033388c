//===- HeapInline.c - Kernels without calls of the heap -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vulkan's shaders cannot pass a storage buffer to a function without an
// optional feature, and MLIR's inliner does not inline into gpu.func. The
// heap's functions have one block each and none calls itself, so inlining is: a
// copy of the body in front of the call, until no call is left.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapInline.h"
#include "IR/Heap/HeapLink.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"

#include <stdlib.h>

static MlirWalkResult collectCall(MlirOperation op, void *userData) {
  if (berthOpIs(op, BERTH_OP_CALL))
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

static void inlineCall(MlirOperation call, MlirOperation function) {
  MlirOperation copy = mlirOperationClone(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(copy, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  mlirOperationGetOperand(call, i));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(mlirOperationGetNextInBlock(op))) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, call);
    op = next;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, i),
                                  mlirOperationGetOperand(op, i));
  mlirOperationDestroy(call);
  mlirOperationDestroy(copy);
}

/// False if no call was there.
static bool inlineOnce(MlirOperation kernel) {
  BerthOpList list = {0};
  mlirOperationWalk(kernel, collectCall, &list, MlirWalkPreOrder);
  bool any = false;
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation function = berthHeapFindLinked(list.ops[i]);
    if (mlirOperationIsNull(function))
      continue;
    inlineCall(list.ops[i], function);
    any = true;
  }
  free(list.ops);
  return any;
}

void berthHeapInline(MlirOperation kernel) {
  while (inlineOnce(kernel)) {
  }
}
