//===- Slots.h - Slots that turns of a loop use in turn ------- C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks what berth-multi-buffer has made, from the program as it stands: each
// allocation with the mark berth.slots. What is copied for turn t of a loop
// goes into slot t mod n, and nothing else does from then until turn t is over;
// it is made for turns that there are, finds what it would find in its turn,
// and has ended where the turn uses it. So each turn has a buffer of its own.
//
// What the program was before is not known: that all copies of a loop are one
// turn late, first ones too, could not be told from a program that means it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTS_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "IR/Verify/Slots/SlotUses.h"

/// Checks all slots in `root`; tells of the first fault of each.
void berthVerifySlots(MlirOperation root, const BerthVerifyOptions *options,
                      BerthSlotReport report, void *userData);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTS_H
