//===- LastTurns.h - The last turns of a loop behind it ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer that a turn starts for a later one needs a wait that no way
// misses. Under a condition it could be told by nobody who does not know the
// loop's bounds, so the last turns, which start none, stand behind the loop:
//
//   scf.for %i = 0 to 64 step 8 {       scf.for %i = 0 to 56 step 8 {
//     start the next one, if any          start the next one
//     wait; work                   ->     wait; work
//   }                                   }
//                                       wait; work
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_LASTTURNS_H
#define BERTH_LIB_IR_MULTIBUFFER_LASTTURNS_H

#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Worklist.h"

/// Takes the last `count` turns out of a scf.for that takes more, without the
/// ops of its body that are `left` out there.
void berthPeelLastTurns(MlirOperation loop, const BerthLoopRange *range,
                        int64_t count, const BerthWorklist *left);

#endif // BERTH_LIB_IR_MULTIBUFFER_LASTTURNS_H
