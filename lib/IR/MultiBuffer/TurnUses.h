//===- TurnUses.h - Uses of what threads fill, within a turn -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a buffer that threads of a kernel fill in each turn, and wait for there.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TURNUSES_H
#define BERTH_LIB_IR_MULTIBUFFER_TURNUSES_H

#include "IR/MultiBuffer/Filled.h"
#include "IR/Ops/OpList.h"

typedef struct BerthTurnUses {
  const BerthJob *job;
  BerthFilled *filled;
  BerthAsyncKind kind;      ///< of what fills it
  const BerthOpList *fills; ///< all in the loop that move together, in order
  MlirOperation
      wait; ///< in the body: behind it what fills the buffer has ended
} BerthTurnUses;

/// Says why the buffer gets no slots; false.
bool berthTurnUsesRefuse(const BerthTurnUses *uses, const char *reason,
                         MlirOperation at);

bool berthTurnUsesIsBroken(const BerthTurnUses *uses, const char *rule);

/// What a copy or a load writes to.
MlirValue berthTargetOfFill(MlirOperation fill);

/// True if the copy or the load goes into one of the buffers that get slots in
/// the loop.
bool berthFillsSlots(const BerthFilled *list, size_t count, MlirOperation loop,
                     MlirOperation fill);

/// True if the op is of the kind, and fills this buffer.
bool berthTurnUsesIsFill(const BerthTurnUses *uses, MlirOperation op);

/// True for groups and waits, which are told as accesses of what they end.
bool berthTurnUsesIsSignal(const BerthTurnUses *uses, MlirOperation op);

/// True if all that is done to the buffer is done behind the wait, in its turn.
bool berthUsesEndWithTurn(const BerthTurnUses *uses);

/// True if all threads meet between the last use of a slot and what fills it
/// next. What the first turns' fills pass in front of the loop is a barrier
/// there, if need be.
bool berthUsersMeetBetweenTurns(const BerthTurnUses *uses);

#endif // BERTH_LIB_IR_MULTIBUFFER_TURNUSES_H
