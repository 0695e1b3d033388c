//===- Backup.h - A root's contents, to go back to ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some rewrites go before planning, since they change what is planned. If then
// no plan is found, the module has to be as it was.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_BACKUP_H
#define BERTH_LIB_IR_OPS_BACKUP_H

#include "mlir-c/IR.h"

typedef struct BerthBackup {
  MlirOperation copy; ///< null: none was made
} BerthBackup;

/// Copies `root` with all that is in it, unless that has been done already. To
/// be called before each such rewrite; NULL: whoever rewrites cannot fail.
void berthBackupTake(BerthBackup *backup, MlirOperation root);

/// Puts the contents back into `root`, whose own ops are destroyed, and drops
/// the backup. Does nothing where there is none.
void berthBackupRestore(BerthBackup *backup, MlirOperation root);

/// Drops the backup.
void berthBackupDrop(BerthBackup *backup);

#endif // BERTH_LIB_IR_OPS_BACKUP_H
