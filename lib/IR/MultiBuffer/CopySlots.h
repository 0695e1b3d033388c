//===- CopySlots.h - Slots that the threads of a kernel fill -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//                                       copy turn 0 into slot 0, if there is
//                                       one group
//   scf.for ... {                       scf.for ... {
//     copy this turn into %a              if a turn follows
//                                           copy it into slot (%t + 1) mod 2
//     group                               group
//     wait                       ->       wait {numGroups = 1}
//     barrier                             barrier
//     use %a                              use slot %t mod 2
//     barrier                             barrier
//   }                                   }
//                                       group; wait
//
// Copies stay between the barriers where they stood: the slot that one goes
// into is that of the turn before, which all threads have left there.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_COPYSLOTS_H
#define BERTH_LIB_IR_MULTIBUFFER_COPYSLOTS_H

#include "IR/MultiBuffer/Slots.h"

/// Gives slots to all buffers that threads fill in one loop (CopyLoops.h).
/// `slots` is the allocation of each then; of copies that are made ahead there
/// are several, so `fill` is null. The job's analysis is of no use afterwards.
void berthBuildCopySlots(BerthFilled *filled, size_t count,
                         const BerthSlotOptions *options);

#endif // BERTH_LIB_IR_MULTIBUFFER_COPYSLOTS_H
