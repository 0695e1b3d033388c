//===- OwnRows.h - What an op's own attributes say ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A compiler that prints text can say on the op what a target description says
// of its name:
//
//   "npu.dma"(%x, %a) {berth.reads = [0], berth.writes = [1], berth.pending}
//
// Each attribute is turned into JSON and read by the code that reads the key of
// that name in a description (TargetOps.h). What comes out is a row, laid over
// the one that the op has by its name; ops with equal attributes share it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_OWNROWS_H
#define BERTH_LIB_IR_TARGET_OWNROWS_H

#include "IR/Target/Target.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthOwnRows BerthOwnRows;

/// Reads the attributes of all ops in `root`, and lays what they say over the
/// rows of `use`. Attributes that say nothing sensible, and unknown ones that
/// begin with "berth.", are errors at their ops; then `*rows` is NULL, as it is
/// where there are no such attributes.
BerthStatus berthOwnRowsRead(BerthTargetUse *use, MlirOperation root,
                             BerthOwnRows **rows);

/// Once the use has been left; NULL is allowed.
void berthOwnRowsDestroy(BerthOwnRows *rows);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_TARGET_OWNROWS_H
