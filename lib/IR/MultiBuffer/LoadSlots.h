//===- LoadSlots.h - Slots that TMA loads fill ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   init %m[0]                          init %m[0]; init %m[1]
//   barrier                             barrier
//                                       if there is a turn 0
//                                         arrive at %m[0] for its bytes; load
//                                                      it into slot 0
//   scf.for ... {                       scf.for ... {
//     arrive at %m[0]                     if a turn follows
//     load this turn into %a                arrive at %m[(%t + 1) mod 2]; load
//                                                it into slot (%t + 1) mod 2
//     wait %m[0], parity           ->     wait %m[%t mod 2], (%t / 2) mod 2
//     use %a                              use slot %t mod 2
//     barrier                             barrier
//   }                                   }
//
// Each turn waits for its own load, and none is made for a turn that does not
// come: behind the loop nothing is under way.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_LOADSLOTS_H
#define BERTH_LIB_IR_MULTIBUFFER_LOADSLOTS_H

#include "IR/MultiBuffer/Slots.h"

/// Gives slots to all buffers that TMA fills in one loop (LoadLoops.h), and
/// mbarriers to each slot. `slots` is the allocation of each buffer then;
/// `fill` is null. The job's analysis is of no use afterwards.
void berthBuildLoadSlots(BerthFilled *filled, size_t count,
                         const BerthSlotOptions *options);

#endif // BERTH_LIB_IR_MULTIBUFFER_LOADSLOTS_H
