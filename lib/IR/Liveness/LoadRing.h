//===- LoadRing.h - Loops behind which no TMA load is under way ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A pipeline loads the tile of a later turn into a slot of one buffer, and each
// turn waits for the mbarrier of its own slot, and then touches that:
//
//   load slot[0], mbarrier[0]                    if there is a turn 0
//   scf.for ... {
//     if (1 turn follows)
//       load slot[(turn + 1) mod 2], mbarrier[(turn + 1) mod 2]
//     wait for mbarrier[turn mod 2]
//     read slot[turn mod 2]                      surely
//   }
//
// By what TmaHold.h says of a load and a touch, each load has ended in its own
// turn. If none is made for a turn that does not come, none is under way behind
// the loop, for the thread that started it. All turns may have the same slot,
// the buffer itself, where the load of the next one stands behind the touch.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_LOADRING_H
#define BERTH_LIB_IR_LIVENESS_LOADRING_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// The loop (scf.for) behind which all TMA loads of the buffer have ended, with
/// barriers that stand behind their touches; null: none is known.
MlirOperation berthFindLoadRing(BerthBufferInfo *buffer, const char *breakRule);

#endif // BERTH_LIB_IR_LIVENESS_LOADRING_H
