//===- Rotate.h - Two slots for a buffer that a loop hands on ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A loop that makes a new buffer in each iteration from the last one needs two
// instances at a time, so no single offset will do:
//
//   scf.for %i iter_args(%p = %init) {        %s0 = memref.alloc()
//     %q = memref.alloc()                     %s1 = memref.alloc()
//     linalg.op ins(%p) outs(%q)        ->    scf.for %i iter_args(%p = %init)
//     { scf.yield %q                              %q = select %i is even, %s0,
//     %s1
//   }                                           ...
//
// Two slots are enough if the last instance is only used in the iteration that
// follows (or after the loop): it must not be handed on once more.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_ROTATE_H
#define BERTH_LIB_IR_PREPARE_ROTATE_H

#include "IR/Ops/Backup.h"

/// Rewrites every scf.for in `root` that hands on a fresh memref.alloc in this
/// way. The slots are ordinary allocations, in front of the loop. Where there
/// is such a loop it first takes the backup.
void berthRotateCarried(MlirOperation root, BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_ROTATE_H
