//===- Inner.h - A task within another -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Choices of pools and cuts, and joined items, are made by asking the stations
// about other tasks: with a plan and a bound of their own, a part of the steps,
// and memory that goes with them.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_INNER_H
#define BERTH_LIB_PACK_INCUMBENT_INNER_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Task/Host.h"

/// Zero-initialise, make `task` with memory of `arena`, then begin; and end,
/// whatever became of it.
typedef struct BerthInner {
  BerthMemory arena;
  BerthTask task;
  BerthHostState slice;
  BerthAnswer answer;
  BerthIncumbent incumbent;
} BerthInner;

/// Gives the task up to so many of the parent's steps, all that are left for 0,
/// and an incumbent without a plan. False when memory ran out.
bool berthInnerBegin(BerthInner *inner, BerthHostState *parent, uint64_t steps);

/// Frees all of it. False if memory ran out on the way.
bool berthInnerEnd(BerthInner *inner);

#endif // BERTH_LIB_PACK_INCUMBENT_INNER_H
