//===- HandedOn.h - Buffers that a loop's turns hand on ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a turn makes may be carried to the next one, from there to the one after
// that, and so on. Each place at which a loop carries a value has its value
// from one place of the turn before, so these ways make a tree, and how old a
// buffer is that a value holds follows from the value alone:
//
//   scf.for iter_args(%b = ..., %c = ...) {     %b: 1 turn old, %c: 2
//     %a = memref.alloc()                       %a: made in this one
//     ...
//     scf.yield %a, %b
//   }
//
// Where the buffer is made in a branch (scf.if), not every turn makes one. So
// age is counted in buffers: what the other branch hands on is as old as if the
// turn had made none. Of several ways the oldest buffer counts.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_HANDEDON_H
#define BERTH_LIB_IR_PREPARE_HANDEDON_H

#include "IR/Pointers/CallSummary.h"

enum { BERTH_MOST_TURNS_BACK = 7, BERTH_MOST_MAKERS = 8 };

/// Allocations of one kind in a loop, of which a turn runs one at most: one, or
/// some in different branches.
typedef struct BerthMakers {
  MlirOperation allocs[BERTH_MOST_MAKERS];
  int count;
} BerthMakers;

/// A loop whose turns follow one another: scf.for, affine.for, scf.while.
typedef struct BerthTurnTaker {
  MlirOperation loop;
  bool isWhile;
  MlirBlock first;        ///< what it carries are arguments of this block
  intptr_t firstArgument; ///< the first of these
  intptr_t firstInitial;  ///< the operand that it has at first
  intptr_t numCarried;
  MlirOperation yield;     ///< hands on to the next turn
  MlirOperation condition; ///< of scf.while: hands on to the second block and
                           ///< to what is behind the loop; else null
  MlirBlock second;
} BerthTurnTaker;

/// False where the op is none.
bool berthIsTurnTaker(MlirOperation op, BerthTurnTaker *taker);

/// A place of the loop at which an earlier turn's buffer comes in.
typedef struct BerthCarriedPlace {
  intptr_t index; ///< of numCarried
  int age;        ///< how many buffers ago this one was made, at most
} BerthCarriedPlace;

/// What becomes of an allocation in a turn.
typedef struct BerthHandedOn {
  BerthCarriedPlace *places; ///< in the order in which they are reached; each
                             ///< once
  size_t numPlaces, capacity;
  int turnsBack; ///< that many buffers made before are used when a new one is
  bool isFreed;  ///< some turn, or what is behind the loop, frees one
} BerthHandedOn;

/// True if all that is done with what the turns of the loop allocate here is to
/// read and write it at its place, to hand it on and to free it. Else nothing
/// is known.
bool berthFollowHandedOn(const BerthTurnTaker *taker, const BerthMakers *makers,
                         const BerthAliasOptions *alias,
                         BerthCallSummaries *summaries, BerthHandedOn *result);
void berthHandedOnFree(BerthHandedOn *handedOn);

/// True if nobody uses the value but for plain accesses, views and
/// deallocations in front of the loop, deallocations behind it, and the loop
/// itself, once. `*isFreed`: there are deallocations.
bool berthIsUsedUpTo(MlirOperation loop, MlirValue value,
                     const BerthAliasOptions *alias,
                     BerthCallSummaries *summaries, bool *isFreed);

#endif // BERTH_LIB_IR_PREPARE_HANDEDON_H
