//===- FoldElement.c - Loads and stores of one element --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldElement.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"

#include <stdlib.h>

void berthFoldSubscripts(BerthInsertPoint at, const BerthFoldAccess *access,
                         intptr_t rank, MlirValue *subscripts) {
  MlirContext context = mlirOperationGetContext(access->op);
  intptr_t first = berthFoldMemRefOperand(access) + 1;
  for (intptr_t d = 0; d < rank; ++d) {
    if (!access->isAffine) {
      subscripts[d] = mlirOperationGetOperand(access->op, first + d);
      continue;
    }
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
    intptr_t numInputs = mlirAffineMapGetNumInputs(map);
    MlirValue *inputs = berthAllocateOrDie((size_t)numInputs, sizeof *inputs);
    for (intptr_t i = 0; i < numInputs; ++i)
      inputs[i] = mlirOperationGetOperand(access->op, first + i);
    MlirAffineMap single = mlirAffineMapGetSubMap(map, 1, &d);
    MlirNamedAttribute attribute =
        berthNamed(context, "map", mlirAffineMapAttrGet(single));
    subscripts[d] = berthBuildValue(at, BERTH_NAME_APPLY, numInputs, inputs,
                                    mlirIndexTypeGet(context), 1, &attribute);
    free(inputs);
  }
}

void berthFoldReplaceElement(BerthInsertPoint at, const BerthFoldAccess *access,
                             MlirValue array, size_t numSubscripts,
                             const MlirValue *subscripts,
                             BerthFoldReplaced *replaced) {
  MlirValue operands[BERTH_FOLD_MAX_DIMS + 2];
  intptr_t count = 0;
  if (access->isStore)
    operands[count++] = mlirOperationGetOperand(access->op, 0);
  operands[count++] = array;
  for (size_t i = 0; i < numSubscripts; ++i)
    operands[count++] = subscripts[i];
  if (access->isStore) {
    berthBuild(at, BERTH_NAME_STORE, count, operands, 0, NULL, 0, NULL);
    mlirOperationDestroy(access->op);
    return;
  }
  MlirValue old = mlirOperationGetResult(access->op, 0);
  MlirValue loaded = berthBuildValue(at, BERTH_NAME_LOAD, count, operands,
                                     mlirValueGetType(old), 0, NULL);
  mlirValueReplaceAllUsesOfWith(old, loaded);
  // The old array goes before this.
  mlirOperationSetOperand(access->op, access->operand, array);
  replaced->list = berthGrow(replaced->list, replaced->count,
                             &replaced->capacity, sizeof *replaced->list);
  replaced->list[replaced->count].old = access->op;
  replaced->list[replaced->count++].now = loaded;
}

void berthFoldEraseReplaced(BerthFoldReplaced *replaced) {
  for (size_t i = 0; i < replaced->count; ++i) {
    MlirOperation old = replaced->list[i].old;
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, 0),
                                  replaced->list[i].now);
    mlirOperationDestroy(old);
  }
  free(replaced->list);
}
