//===- LoopTurns.h - Which turn of a loop a number tells of --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipelines number their turns from the loop's variable, and ask for a later
// one whether there is one:
//
//   scf.for %i = %lb to %ub step %s {
//     %turn = (%i - %lb) / %s                 the turn
//     %k = (%turn + 2) mod 3                  the turn + 2, modulo 3
//     scf.if (2 <= (%ub - 1 - %i) / %s)       2 turns follow
//
// or carry the number of the stage, and begin it anew at the end of the ring.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TRANSFERS_LOOPTURNS_H
#define BERTH_LIB_IR_TRANSFERS_LOOPTURNS_H

#include "IR/Transfers/SmallNumbers.h"

/// A scf.for.
typedef struct BerthLoopTurns {
  MlirOperation op;
  MlirBlock body;
  MlirValue lower, upper, step, variable;
  bool isUnsigned;
  int64_t count; ///< of turns; -1: not known
} BerthLoopTurns;

/// False for other ops.
bool berthLoopTurnsOf(MlirOperation op, BerthLoopTurns *turns);

/// (turn + ahead) mod modulus; without turn: `ahead`.
typedef struct BerthTurnNumber {
  bool isKnown;
  bool hasTurn;
  int64_t ahead;
  int64_t modulus; ///< 0: none
} BerthTurnNumber;

/// What a value is in the body; in front of the loop, numbers only.
BerthTurnNumber berthTurnNumberOf(const BerthLoopTurns *turns, MlirValue value);

/// A number that the loop carries, in the turn at hand.
typedef struct BerthCarried {
  bool isKnown;
  MlirValue argument; ///< of the body
  MlirValue next;     ///< what is handed to the next turn
  int64_t number;
} BerthCarried;

/// In the first turn, as argument `argument` of the body.
BerthCarried berthCarriedBy(const BerthLoopTurns *turns, intptr_t argument);

/// To the next turn. False: it is not known there.
bool berthCarryOn(BerthCarried *carried);

/// What is known of the turn.
BerthSmallNumbers berthKnowCarried(BerthCarried *carried);

/// True if both are the number of the same turn: perhaps modulo different
/// numbers.
bool berthIsSameTurn(BerthTurnNumber a, BerthTurnNumber b);

/// At least so many turns follow that at hand where the condition, in the body,
/// is true.
int64_t berthTurnsThatFollow(const BerthLoopTurns *turns, MlirValue condition);

/// The loop takes at least so many where the condition, in front of it, is
/// true.
int64_t berthTurnsThatCome(const BerthLoopTurns *turns, MlirValue condition);

#endif // BERTH_LIB_IR_TRANSFERS_LOOPTURNS_H
