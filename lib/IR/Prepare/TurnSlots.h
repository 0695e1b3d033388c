//===- TurnSlots.h - Slots that turns of a loop choose from --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Turn t of a loop, from 0, has slot t modulo their number. With arena=annotate
// the code stays as it is, and the allocation in the loop is told the places of
// all slots:
//
//   scf.for %i iter_args(%p = %init) {
//     %q = memref.alloc() {berth.offsets = [256, 0], berth.size = 256}
//
// To be planned, or checked, the slots are *shown*: they are allocations in
// front of the loop, and an op chooses one of them. Then they are hidden again,
// and the code is as it was.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_TURNSLOTS_H
#define BERTH_LIB_IR_PREPARE_TURNSLOTS_H

#include "IR/Ops/Build.h"
#include "IR/Prepare/HandedOn.h"

enum { BERTH_MOST_SLOTS = BERTH_MOST_TURNS_BACK + 1 };

/// The slots of an allocation.
typedef struct BerthSlots {
  int count;
  MlirValue values[BERTH_MOST_SLOTS];
  bool
      areNew[BERTH_MOST_SLOTS]; ///< made for this; else what a loop begins with
} BerthSlots;

/// True if the number of a turn follows from the variable of the loop, in whose
/// body the allocation stands (scf.for).
bool berthCountsTurns(const BerthTurnTaker *taker, MlirOperation alloc);

/// ((%i - lower) / step) modulo the number of slots.
MlirValue berthBuildTurnOfFor(const BerthTurnTaker *taker, BerthInsertPoint at,
                              int numSlots);

/// The slot of that number, by an op that is marked (berth.turns).
MlirValue berthBuildSlotChoice(BerthInsertPoint at, MlirValue number,
                               const BerthSlots *slots);

/// An allocation like it, in front of the loop.
MlirValue berthBuildSlot(MlirOperation alloc, MlirOperation loop);

/// An allocation whose slots are shown: it has been taken out.
typedef struct BerthShown {
  MlirOperation alloc;
  MlirOperation before; ///< stands in front of what has been built; may be null
  MlirOperation choice;
  BerthSlots slots;
} BerthShown;

/// Zero-initialise; then berthHideSlots or berthForgetShown.
typedef struct BerthShownSlots {
  BerthShown *items;
  size_t count, capacity;
} BerthShownSlots;

/// Shows the slots of an allocation of which berthCountsTurns holds.
void berthShowSlots(const BerthTurnTaker *taker, MlirOperation alloc,
                    const BerthSlots *slots, BerthShownSlots *shown);

/// Shows all that attributes tell of in `root`. Returns an allocation whose
/// attributes cannot be meant so, or null.
MlirOperation berthShowAnnotated(MlirOperation root, BerthShownSlots *shown);

/// Puts everything back. `tells`: the allocations get the places that their
/// slots have, where all have one.
void berthHideSlots(BerthShownSlots *shown, bool tells);

/// Takes the places that an earlier plan has told off an allocation.
void berthForgetSlots(MlirOperation alloc);

/// For code that is gone.
void berthForgetShown(BerthShownSlots *shown);

#endif // BERTH_LIB_IR_PREPARE_TURNSLOTS_H
