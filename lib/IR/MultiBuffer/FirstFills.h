//===- FirstFills.h - What the first turns need, ahead of other work  C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the first turn of a loop reads is brought in front of it (TileTurns.h),
// and waited for at once. It may be started in front of what stands there:
//
//   fill outs(%c)                          start %a[0] -> %x[0]
//   start %a[0] -> %x[0], wait             fill outs(%c)
//   for ...                                wait
//                                          for ...
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_FIRSTFILLS_H
#define BERTH_LIB_IR_MULTIBUFFER_FIRSTFILLS_H

#include "IR/Scope/Job.h"

/// A start that is waited for at once.
typedef struct BerthFirstFill {
  MlirOperation wait;
  MlirOperation front; ///< in front of which it may stand; null: nowhere
  size_t numOps, capacity;
  MlirOperation *ops;  ///< what it needs, in order; the start is the last
  MlirOperation *next; ///< in front of which each of them stood
} BerthFirstFill;

typedef struct BerthFirstFills {
  size_t count, capacity;
  BerthFirstFill *items;
} BerthFirstFills;

/// All that bring one of several tiles.
BerthFirstFills berthFindFirstFills(MlirOperation scope);
void berthFirstFillsFree(BerthFirstFills *fills);

/// Starts it as early as what it reads allows; false: there is no op beside
/// which it would go on. The job is of the scope.
bool berthStartFirstFill(const BerthJob *job, BerthFirstFill *fill);

/// Starts it where it did. Of several, the last one that was started goes
/// first.
void berthResetFirstFill(BerthFirstFill *fill);

#endif // BERTH_LIB_IR_MULTIBUFFER_FIRSTFILLS_H
