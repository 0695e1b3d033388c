//===- TurnCopies.h - What fills slots, for other turns ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of all buffers that the threads of a kernel fill in one loop.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TURNCOPIES_H
#define BERTH_LIB_IR_MULTIBUFFER_TURNCOPIES_H

#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/MultiBuffer/Slots.h"

typedef struct BerthTurnCopies {
  BerthFilled *filled; ///< the buffers
  size_t count;
  MlirOperation loop;
  MlirBlock body;
  int64_t numSlots;
  BerthSlotTurns turns;
  MlirValue *slots;       ///< by buffer: all of them
  BerthInsertPoint start; ///< of the body
  MlirValue turn, number; ///< of the turn at hand, and of its slot
  MlirValue *slot;        ///< by buffer: that of the turn
} BerthTurnCopies;

/// Makes the slots.
BerthTurnCopies berthTurnCopiesStart(BerthFilled *filled, size_t count,
                                     const BerthSlotOptions *options);

/// From here on the turn's slots stand for the buffers.
void berthTurnCopiesEnd(BerthTurnCopies *copies, bool movesAhead);

/// The buffer that the copy goes to, or that its view is made of.
BerthFilled *berthTurnCopiesFilledBy(const BerthTurnCopies *copies,
                                     MlirOperation copy);

/// Whether there is a turn of that number, in front of the loop; null: there
/// is, or that was asked of one in front of it.
MlirValue berthTurnCopiesBuildIsThere(const BerthTurnCopies *copies,
                                      BerthInsertPoint at, int64_t turn);

/// The ops of the body that are `needed`, for the turn whose variable and slot
/// these are. What they do at an mbarrier they do at that of the slot.
void berthTurnCopiesBuild(const BerthTurnCopies *copies, BerthInsertPoint at,
                          const BerthWorklist *needed, MlirValue variable,
                          MlirValue number);

/// Destroys the ops of the body that pass and have no use any more.
typedef bool (*BerthOpTest)(MlirOperation op, const void *data);
void berthTurnCopiesErase(const BerthTurnCopies *copies, BerthOpTest passes,
                          const void *data);

/// A barrier in front of the loop, if one of the buffers needs it.
void berthTurnCopiesBuildBarrier(const BerthTurnCopies *copies);

#endif // BERTH_LIB_IR_MULTIBUFFER_TURNCOPIES_H
