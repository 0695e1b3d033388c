//===- Drains.c - Waits for what a pipeline leaves under way --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Drains.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Scope/Points.h"

typedef struct StartWalk {
  BerthAsyncKind kind;
  bool found;
} StartWalk;

static MlirWalkResult visitStart(MlirOperation op, void *userData) {
  StartWalk *walk = userData;
  walk->found |= berthOpStartsAsync(op, walk->kind);
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The last op of the block that starts something of the kind, by itself or in
/// its regions; null: none.
static MlirOperation findLastStart(MlirBlock block, BerthAsyncKind kind) {
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    StartWalk walk = {.kind = kind};
    mlirOperationWalk(op, visitStart, &walk, MlirWalkPreOrder);
    if (walk.found)
      last = op;
  }
  return last;
}

bool berthDrain(BerthJob *job, BerthAsyncKind kind, BerthDrain *drain) {
  MlirBlock block = mlirRegionGetFirstBlock(job->scope.body);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return false; // the blocks' ways would have to meet
  MlirOperation last = findLastStart(block, kind);
  int64_t mayPend;
  if (mlirOperationIsNull(last))
    return false;
  MlirOperation next = mlirOperationGetNextInBlock(last);
  if (mlirOperationIsNull(next) ||
      (berthOpWaitsForGroups(next, kind, &mayPend) && mayPend == 0))
    return false;
  berthBackupTake(job->backup, job->root);
  return berthBuildDrain(berthInsertBefore(next), kind, &drain->group,
                         &drain->wait);
}

void berthDrainUndo(BerthDrain *drain) {
  mlirOperationDestroy(drain->wait);
  if (!mlirOperationIsNull(drain->group))
    mlirOperationDestroy(drain->group);
}
