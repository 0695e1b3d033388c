//===- Existing.h - Shared memory that is declared, as buffers ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A kernel may have shared memory that nothing allocates: workgroup
// attributions, globals in workgroup memory, and dynamic shared memory. Each
// workgroup has an instance of its own, and what it holds when the kernel
// begins nobody knows, so to this kernel it is what an allocation at its entry
// would be:
//
//   workgroup(%a : memref<64xf32>)            %a = memref.alloc()
//   %b = memref.get_global @b          ->     %b = memref.alloc()
//   %d = gpu.dynamic_shared_memory            %d0 = memref.alloc() <64xi8>
//   memref.view %d[0]    <64xi8>              %d1 = memref.alloc() <32xi8>
//   memref.view %d[64]   <32xi8>
//
// All users of a global have to be seen, and all that stands in other functions
// forbids it: it is one memory for those that run together. Dynamic shared
// memory begins at byte 0 for whoever asks for it, so it is one buffer for each
// stretch of bytes that views have in common. What then gets no place is put
// back.
//
// In the same way memory space 3 is #gpu.address_space<workgroup> on chips of
// which that is known: the allocation gets a cast behind it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_EXISTING_H
#define BERTH_LIB_IR_PREPARE_EXISTING_H

#include "IR/Ops/Backup.h"
#include "IR/Prepare/ExistingItem.h"
#include "IR/Scope/Job.h"

/// Makes allocations of what there is in `root`, having taken the backup. What
/// has to stay gets a remark.
void berthTakeExisting(MlirOperation root, const BerthArenaOptions *options,
                       BerthBackup *backup, BerthExisting *existing);

/// Notes which of it the jobs place; to be called while it still stands there.
/// An error, at its kernel, where a part of dynamic shared memory would lie
/// below an arena that begins at byte 0 too.
BerthStatus berthNotePlaced(BerthExisting *existing, const BerthJob *jobs,
                            size_t numJobs);

/// Puts back what was not placed, once all plans are applied. Launches ask for
/// no dynamic shared memory any more where all of it was placed in static one.
void berthPutExistingBack(BerthExisting *existing, MlirOperation root);

void berthExistingFree(BerthExisting *existing);

#endif // BERTH_LIB_IR_PREPARE_EXISTING_H
