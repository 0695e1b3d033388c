//===- CopyLoops.h - Loops whose threads copy and wait in each turn - C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a kernel each thread copies its part, and waits for what it has copied:
//
//   scf.for %i ... {
//     %t = nvgpu.device_async_copy ... to %a      a copy
//     %g = nvgpu.device_async_create_group %t     its group
//     nvgpu.device_async_wait %g                  its wait
//     gpu.barrier
//     use %a
//     gpu.barrier                                 all threads have used %a
//   }
//
// A thread's groups end in their order, and a wait counts how many of the
// newest may still be under way. So where all copies of the loop move ahead,
// and the groups stay where they are, each of what was copied has the place
// among all groups that it had before: only the waits in the loop have to let
// so many more of them pend as there are groups in the turns that are ahead.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_COPYLOOPS_H
#define BERTH_LIB_IR_MULTIBUFFER_COPYLOOPS_H

#include "IR/MultiBuffer/TurnUses.h"

typedef struct BerthCopyLoop {
  BerthOpList copies; ///< all in the loop, in order; they stand in its body
  BerthOpList groups; ///< the same
  BerthOpList waits;  ///< all in the loop, perhaps in regions of it
  const char *reason; ///< why its copies cannot move; NULL: they may
  MlirOperation at;   ///< the op that forbids it
} BerthCopyLoop;

BerthCopyLoop berthCopyLoopOf(MlirOperation loop);
void berthCopyLoopFree(BerthCopyLoop *loop);

/// Of a buffer that such copies fill: whether it may have slots, or why not.
bool berthMayHaveCopySlots(const BerthJob *job, bool movesAhead,
                           BerthFilled *filled);

/// Of such buffers: those get none of whose loop another copy does not go into
/// one that gets some, for the loop's waits are for all copies.
void berthLeaveMixedLoops(BerthFilled *list, size_t count);

#endif // BERTH_LIB_IR_MULTIBUFFER_COPYLOOPS_H
