//===- Clones.c - Ops that stand a second time ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Clones.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

void berthClonesSet(BerthClones *clones, MlirValue from, MlirValue to) {
  clones->values = berthGrow(clones->values, clones->numValues,
                             &clones->capacity, sizeof *clones->values);
  berthPointerMapSet(&clones->numberOf, from.ptr, clones->numValues);
  clones->values[clones->numValues++] = to;
}

MlirValue berthClonesGet(const BerthClones *clones, MlirValue value) {
  size_t number = berthPointerMapFind(&clones->numberOf, value.ptr);
  return number == BERTH_NOT_FOUND ? value : clones->values[number];
}

static MlirWalkResult replaceOperands(MlirOperation op, void *userData) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue old = mlirOperationGetOperand(op, i);
    MlirValue now = berthClonesGet(userData, old);
    if (!mlirValueEqual(old, now))
      mlirOperationSetOperand(op, i, now);
  }
  return MlirWalkResultAdvance;
}

MlirOperation berthCloneOp(BerthClones *clones, BerthInsertPoint at,
                           MlirOperation op) {
  MlirOperation clone = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(at.block, at.before, clone);
  mlirOperationWalk(clone, replaceOperands, clones, MlirWalkPreOrder);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    berthClonesSet(clones, mlirOperationGetResult(op, i),
                   mlirOperationGetResult(clone, i));
  return clone;
}

void berthClonesFree(BerthClones *clones) {
  berthPointerMapFree(&clones->numberOf);
  free(clones->values);
}

void berthDestroyIfUnused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return;
  mlirOperationDestroy(op);
}
