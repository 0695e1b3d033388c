//===- SlotUses.h - Who touches which slot of a buffer ------ C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer that is marked as slots (berth.slots = n) is an allocation of n
// pieces. What leads to it are views of one piece each, whose number says which
// turn of a loop has it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTUSES_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTUSES_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Turns/TurnForms.h"

/// A value that shows a slot, or a part of it.
typedef struct BerthSlotView {
  MlirValue value;
  MlirValue number; ///< of the slot; null: `constant`
  int64_t constant;
  bool isWhole; ///< all of the slot
} BerthSlotView;

typedef enum BerthSlotPlace {
  BERTH_SLOT_BEFORE, ///< in the block of the loop, in front of it
  BERTH_SLOT_IN,     ///< in a turn
  BERTH_SLOT_BEHIND
} BerthSlotPlace;

/// An op that touches a slot through one operand.
typedef struct BerthSlotAccess {
  MlirOperation op;
  intptr_t operand;
  BerthSlotPlace place;
  MlirOperation top; ///< around it, or itself, in the body or the loop's block
  int64_t slot;      ///< IN: so many turns after that at hand; else its number
  bool isCopy;       ///< it copies into the slot, and does nothing else to it
  bool fills;        ///< it writes all of the slot
} BerthSlotAccess;

/// Of one allocation.
typedef struct BerthSlotUses {
  MlirOperation alloc;
  int64_t numSlots;
  MlirOperation scope; ///< the function, or the like
  BerthTurnLoop loop;
  BerthSlotView *views;
  size_t numViews, viewCapacity;
  BerthPointerMap viewOf;    ///< value -> index in `views`
  BerthSlotAccess *accesses; ///< in the order of the program
  size_t numAccesses, accessCapacity;
} BerthSlotUses;

/// Tells of what is wrong: at `op`, with a note at `other` unless that is null.
typedef void (*BerthSlotReport)(MlirOperation op, const char *why,
                                MlirOperation other, const char *note,
                                void *userData);

/// Finds all uses, in `scope`. False if one was told that is none of a slot of
/// a loop's turn.
bool berthFindSlotUses(BerthSlotUses *uses, MlirOperation alloc,
                       MlirOperation scope, BerthSlotReport report,
                       void *userData);
void berthSlotUsesFree(BerthSlotUses *uses);

/// The op around `op`, or itself, that stands in the block; null: none does.
MlirOperation berthTopInBlock(MlirOperation op, MlirBlock block);

/// True if the ops stand in one block, and the first one in front.
bool berthStandsBefore(MlirOperation op, MlirOperation other);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTUSES_H
