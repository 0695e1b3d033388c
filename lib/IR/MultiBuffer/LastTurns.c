//===- LastTurns.c - The last turns of a loop behind it -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/LastTurns.h"
#include "IR/Facts/Facts.h"
#include "IR/MultiBuffer/Clones.h"

#include <stdlib.h>

/// A use of a result of the loop.
typedef struct ResultUse {
  MlirOperation op;
  intptr_t operand;
  intptr_t result;
} ResultUse;

typedef struct ResultUses {
  ResultUse *uses;
  size_t count, capacity;
} ResultUses;

static ResultUses listUses(MlirOperation loop) {
  ResultUses list = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(loop, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      list.uses =
          berthGrow(list.uses, list.count, &list.capacity, sizeof *list.uses);
      list.uses[list.count++] = (ResultUse){
          mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), i};
    }
  return list;
}

/// One turn. What the loop hands on, from `carried` to it again.
static void buildTurn(MlirOperation loop, BerthInsertPoint at, int64_t variable,
                      MlirValue *carried, const BerthWorklist *left) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirOperation yield = berthBlockGetLast(body);
  BerthClones clones = {0};
  MlirValue old = mlirBlockGetArgument(body, 0);
  berthClonesSet(&clones, old,
                 berthBuildInteger(at, mlirValueGetType(old), variable));
  intptr_t numCarried = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < numCarried; ++i)
    berthClonesSet(&clones, mlirBlockGetArgument(body, i + 1), carried[i]);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    if (!berthWorklistHasSeen(left, op.ptr))
      berthCloneOp(&clones, at, op);
  for (intptr_t i = 0; i < numCarried; ++i)
    carried[i] = berthClonesGet(&clones, mlirOperationGetOperand(yield, i));
  berthClonesFree(&clones);
}

void berthPeelLastTurns(MlirOperation loop, const BerthLoopRange *range,
                        int64_t count, const BerthWorklist *left) {
  enum { kUpper = 1 };
  BerthInsertPoint at = berthInsertBefore(loop);
  int64_t end = range->lower + (range->count - count) * range->step;
  ResultUses uses = listUses(loop);
  intptr_t numCarried = mlirOperationGetNumResults(loop);
  MlirValue *carried =
      berthAllocateOrDie((size_t)numCarried + 1, sizeof *carried);
  for (intptr_t i = 0; i < numCarried; ++i)
    carried[i] = mlirOperationGetResult(loop, i);
  mlirOperationSetOperand(
      loop, kUpper,
      berthBuildInteger(at, mlirValueGetType(range->variable), end));
  at.before = mlirOperationGetNextInBlock(loop);
  for (int64_t k = 0; k < count; ++k)
    buildTurn(loop, at, end + k * range->step, carried, left);
  for (size_t u = 0; u < uses.count; ++u)
    mlirOperationSetOperand(uses.uses[u].op, uses.uses[u].operand,
                            carried[uses.uses[u].result]);
  free(carried);
  free(uses.uses);
}
