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
// Where a turn uses what k turns before have made, k + 1 slots are enough. A
// scf.while and an affine.for carry the number of the turn for that. Where the
// buffer is made in a branch of the turn (scf.if), the number of those that
// have been made is carried instead, so that what the other branch hands on
// stays. The buffers that the loop begins with are among the slots if nobody
// but the loop wants what they hold, also where it takes no turn; else there
// are others in their place.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_ROTATE_H
#define BERTH_LIB_IR_PREPARE_ROTATE_H

#include "IR/Ops/Backup.h"
#include "IR/Prepare/TurnSlots.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/Options.h"

/// Buffers that turns free, as berthRotateCarried counts them, of which some
/// slot has been seen not to be placed. Zero-initialise; then free `numbers`.
typedef struct BerthStranded {
  int64_t *numbers;
  size_t count, capacity;
  bool all; ///< none of them is tried any more
} BerthStranded;

/// Rewrites every scf.for, affine.for and scf.while in `root` that hands on a
/// fresh memref.alloc in this way. The slots are ordinary allocations, in front
/// of the loop. So it is, too, where turns free what they do not want any more,
/// but for those that are `stranded`: then either all slots are placed, so that
/// this goes, or the program is wrong (berthFindStranded). Where there is such
/// a loop it first takes the backup. Not in memory that threads may share: they
/// may be in different turns. With `shown` (not NULL) only what the body of an
/// scf.for itself makes and nobody frees; it is noted there, to be hidden
/// again. Returns true if there is any.
bool berthRotateCarried(MlirOperation root, const BerthCollectOptions *options,
                        const BerthAliasOptions *alias,
                        const BerthStranded *stranded, BerthShownSlots *shown,
                        BerthBackup *backup);

/// Adds the buffers of which a slot that turns free is placed by none of the
/// jobs; true if there are any. The marks of slots are gone then.
bool berthFindStranded(MlirOperation root, const BerthJob *jobs, size_t numJobs,
                       BerthStranded *stranded);

#endif // BERTH_LIB_IR_PREPARE_ROTATE_H
