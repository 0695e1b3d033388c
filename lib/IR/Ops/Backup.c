//===- Backup.c - A root's contents, to go back to ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The root itself belongs to the pass manager and has to stay, so it is what is
// in its regions that is exchanged.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Backup.h"

void berthBackupTake(BerthBackup *backup, MlirOperation root) {
  if (backup && mlirOperationIsNull(backup->copy))
    backup->copy = mlirOperationClone(root);
}

void berthBackupRestore(BerthBackup *backup, MlirOperation root) {
  if (mlirOperationIsNull(backup->copy))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(root); ++i)
    mlirRegionTakeBody(mlirOperationGetRegion(root, i),
                       mlirOperationGetRegion(backup->copy, i));
  berthBackupDrop(backup);
}

void berthBackupDrop(BerthBackup *backup) {
  if (!mlirOperationIsNull(backup->copy))
    mlirOperationDestroy(backup->copy);
  backup->copy = (MlirOperation){NULL};
}
