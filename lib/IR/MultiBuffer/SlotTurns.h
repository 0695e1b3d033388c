//===- SlotTurns.h - The number of a loop's turn, and its slot ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All numbers are computed without sign, from the loop's own bounds, so that
// nothing overflows whatever these are.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_SLOTTURNS_H
#define BERTH_LIB_IR_MULTIBUFFER_SLOTTURNS_H

#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Build.h"

/// A scf.for.
typedef struct BerthSlotTurns {
  MlirValue lower, upper, step, variable;
  MlirType type; ///< of these
  bool isUnsigned;
  bool isRangeKnown;
  BerthLoopRange range;
  const char *breakRule;
} BerthSlotTurns;

BerthSlotTurns berthSlotTurnsOf(MlirOperation loop, const char *breakRule);

/// A number of the variable's type.
MlirValue berthSlotTurnsBuildInteger(const BerthSlotTurns *turns,
                                     BerthInsertPoint at, int64_t value);

/// In the body: the number of the turn at hand, from 0.
MlirValue berthSlotTurnsBuildNumber(const BerthSlotTurns *turns,
                                    BerthInsertPoint at);

/// True if the loop takes a turn.
MlirValue berthSlotTurnsBuildAny(const BerthSlotTurns *turns,
                                 BerthInsertPoint at);

/// True if at least `ahead` turns follow the one whose variable is `variable`.
MlirValue berthSlotTurnsBuildIsFollowed(const BerthSlotTurns *turns,
                                        BerthInsertPoint at, MlirValue variable,
                                        int64_t ahead);

/// The variable `ahead` turns after it is `variable`.
MlirValue berthSlotTurnsBuildLater(const BerthSlotTurns *turns,
                                   BerthInsertPoint at, MlirValue variable,
                                   int64_t ahead);

/// The number of the slot of the turn that comes `ahead` turns after `turn`, as
/// an index.
MlirValue berthSlotTurnsBuildSlot(const BerthSlotTurns *turns,
                                  BerthInsertPoint at, MlirValue turn,
                                  int64_t ahead, int64_t numSlots);

#endif // BERTH_LIB_IR_MULTIBUFFER_SLOTTURNS_H
