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
//   scf.for %i iter_args(%p = %init) {        %slot = memref.alloc()
//     %q = memref.alloc()                     scf.for %i iter_args(%p = %init)
//     linalg.op ins(%p) outs(%q)        ->      %q = select %i is even, %slot,
//     scf.yield %q                                          %init
//   }                                           ...
//
// Two slots are enough if the last instance is only used in the iteration that
// follows (or after the loop): it must not be handed on once more. The initial
// buffer is one of them if nobody but the first turn wants what it holds, also
// where there is none; else there are two besides.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_ROTATE_H
#define BERTH_LIB_IR_PREPARE_ROTATE_H

#include "IR/Ops/Backup.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/Options.h"

/// Rewrites every scf.for in `root` that hands on a fresh memref.alloc in this
/// way. The slots are ordinary allocations, in front of the loop. Where there
/// is such a loop it first takes the backup. Not in memory that threads may
/// share: they may be in different turns. Returns true if there is any.
bool berthRotateCarried(MlirOperation root, const BerthCollectOptions *options,
                        const BerthAliasOptions *alias, BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_ROTATE_H
