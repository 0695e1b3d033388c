//===- TurnWays.h - Turns of a loop along all ways ------------ C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a loop whose turns choose among buffers, with nothing but these and the
// numbers that choose. Where a region is one of several (scf.if), each way is
// walked. What a turn begins with is one of few states, since a buffer either
// holds what it held when a value got it, or not any more; so all turns are run
// once all states have been.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_TURNWAYS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_TURNWAYS_H

#include "IR/Verify/Slots/SlotUses.h"

enum { BERTH_MOST_RING_SLOTS = 16, BERTH_NO_SLOT = -1 };

/// A chain of selects that ends in a marked one: slot i where its number is i.
typedef struct BerthRingChoice {
  MlirOperation op; ///< the marked one
  MlirValue number;
  bool followsTurn; ///< turn t has number first + t, modulo that of slots;
  int64_t first;    ///< else the loop carries the number
} BerthRingChoice;

/// The slots of a loop, and all that chooses among them.
typedef struct BerthTurnRing {
  MlirOperation root;
  int64_t numSlots;
  MlirValue slots[BERTH_MOST_RING_SLOTS]; ///< behind views
  BerthRingChoice *choices;
  size_t numChoices, choiceCapacity;
  MlirOperation loop;
  MlirOperation condition; ///< of scf.while; else null
  MlirOperation yield;
  MlirBlock block; ///< whose arguments are carried, from `firstArgument` on
  intptr_t firstArgument, firstInitial, numCarried;
  BerthSlotReport report;
  void *userData;
  bool isRight;
} BerthTurnRing;

/// The buffer that a value is a view of: an allocation, or a place in an arena.
MlirValue berthRingBufferOf(MlirValue value);

/// The slot that a buffer is, or BERTH_NO_SLOT.
int berthRingSlotOf(const BerthTurnRing *ring, MlirValue buffer);

/// Runs all turns. Tells of the first fault, and clears `isRight`.
void berthRunTurnWays(BerthTurnRing *ring);

/// Tells that the op is wrong; false.
bool berthRingIsWrong(BerthTurnRing *ring, MlirOperation op, const char *why);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_TURNWAYS_H
