//===- SlotBuffer.h - The allocation of a buffer's slots ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_SLOTBUFFER_H
#define BERTH_LIB_IR_MULTIBUFFER_SLOTBUFFER_H

#include "IR/MultiBuffer/Filled.h"

/// A copy of the allocation that makes `count` of its buffers, one behind the
/// other, in front of an op.
MlirValue berthBuildStack(MlirOperation alloc, int64_t count,
                          MlirOperation before);

/// The allocation of all slots, where the buffer's stands, or in front of the
/// loop if that makes it. What freed the buffer frees the slots: once the loop
/// is over, if they were made in it.
MlirValue berthBuildSlotBuffer(const BerthFilled *filled, int64_t numSlots);

/// From here on the slot stands for the buffer, whose allocation goes.
void berthReplaceBySlot(BerthFilled *filled, MlirValue slots, MlirValue slot);

/// Views of what has got another layout get one, too.
void berthInferViews(MlirValue value);

#endif // BERTH_LIB_IR_MULTIBUFFER_SLOTBUFFER_H
