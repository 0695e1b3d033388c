//===- SlotBarriers.h - Barriers between the turns of a slot --- C --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTBARRIERS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTBARRIERS_H

#include "IR/Verify/Slots/SlotCheck.h"

/// The first copy in front of the loop; the loop if there is none.
MlirOperation berthFirstSlotCopy(const BerthSlotCheck *check);

/// True if threads come to the loop once: in the first block of a kernel.
bool berthSlotLoopRunsOnce(const BerthSlotCheck *check);

/// True if all threads come to a barrier between the ops, which stand in one
/// block.
bool berthThreadsMeetBetween(const BerthSlotCheck *check, MlirOperation first,
                             MlirOperation last);

/// All threads have left a slot when the next copy goes there, and what the
/// first copies find has been written.
bool berthCheckSlotBarriers(const BerthSlotCheck *check);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTBARRIERS_H
