//===- LoopNames.h - The loops whose turns begin buffers anew ------ C ----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An allocation stays in its loop, a view of an arena does not: passes take it
// out. So the loop gets a name that the view has too, for berth-verify.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_LOOPNAMES_H
#define BERTH_LIB_IR_REWRITE_LOOPNAMES_H

#include "mlir-c/IR.h"

#include <stdint.h>

/// The names that a scope's loops get. Zero-initialise but `scope`.
typedef struct BerthLoopNames {
  MlirOperation scope;
  int64_t next; ///< 0: nobody has looked which ones there are
} BerthLoopNames;

/// Gives a view the name of the loop of the scope that it stands in, if there
/// is one, and if no earlier run has.
void berthNameLoopOf(BerthLoopNames *names, MlirOperation view);

#endif // BERTH_LIB_IR_REWRITE_LOOPNAMES_H
