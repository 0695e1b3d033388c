//===- SlotCopies.h - The copies that bring what turns use ---- C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With copies n turns ahead, that of turn t stands in turn t - n, those of
// turns 0 to n - 1 in front of the loop:
//
//     k = 0 .. n - 1:  if there is a turn k:     copy what(k) to slot k
//     turn t:          if there is a turn t + n: copy what(t + n) to its slot
//                      use slot t
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTCOPIES_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTCOPIES_H

#include "IR/Verify/Slots/SlotCheck.h"

/// Finds the copies and how far ahead they are. False, and told, unless each
/// turn uses its own slot, behind them.
bool berthCheckSlotTurns(BerthSlotCheck *check);

/// Unless they are made for turns that there are, and for all of these; and
/// unless those in front of the loop copy what the ones in it would.
bool berthCheckSlotCopies(BerthSlotCheck *check);

/// Unless the last turns, where they stand behind the loop, use what has been
/// copied for them. (Of transfers: SlotTags.h.)
bool berthCheckSlotLastTurns(const BerthSlotCheck *check);

/// Unless nobody writes what they read between their place and that in their
/// turn.
bool berthCheckSlotSources(const BerthSlotCheck *check);

/// True if what is computed in turn `turn` of the loop, from 0 and perhaps
/// below it, is what `before` is in front of the loop.
bool berthSlotValuesAreLike(const BerthTurnLoop *loop, MlirValue in,
                            MlirValue before, int64_t turn);

/// What the copy reads.
MlirValue berthSlotSource(const BerthSlotAccess *copy);

/// True if nobody may write the source. What is said of the descriptor of a
/// tensor is not said of that.
bool berthSlotSourceIsConstant(MlirValue source);

/// True if a write to `target` may be one to the source: a memref, or the
/// descriptor of a tensor, which is in no memory of a workgroup.
bool berthMayBeSlotSource(MlirValue target, MlirValue source);

/// True for what orders accesses, those to such a source too, and makes none.
bool berthOnlyOrdersSlots(MlirOperation op, MlirValue source);

/// True if an op in turn `turn` of the loop does what one in front of it does,
/// but for operand `target` and its mbarrier's number; -1: there is no target.
bool berthSlotOpsAreLike(const BerthSlotCheck *check, MlirOperation in,
                         intptr_t target, MlirOperation before, int64_t turn);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTCOPIES_H
