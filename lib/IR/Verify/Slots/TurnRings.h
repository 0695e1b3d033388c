//===- TurnRings.h - Buffers that turns of a loop make anew -- C ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each turn of a loop made a buffer of its own, it may choose one of some
// instead (berth.turns = n): turn t has number t modulo n. So what a turn has
// made is gone n turns later. The check runs the loop for as many turns as it
// takes until all goes round, with nothing but the buffers that its values
// hold:
//
//     turn     %p (carried)     %q = select
//       0      init: number 1   number 0, turn 0's     uses of %p and %q have
//       to 1      number 0         number 1, turn 1's     find what is that
//       turn's 2      number 1         number 0, turn 2's
//
// That each turn had a buffer of its own is believed.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_TURNRINGS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_TURNRINGS_H

#include "IR/Verify/Slots/SlotUses.h"

/// Checks all such choices in `root`; tells of the first fault of each.
void berthVerifyTurnRings(MlirOperation root, BerthSlotReport report,
                          void *userData);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_TURNRINGS_H
