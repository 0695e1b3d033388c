//===- OverlapPlan.h - Moves on their way beside other ops ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the planning of windows hands on (Overlap.h): the moves that may become
// transfers, what is live, and under way, at each point.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_OVERLAPPLAN_H
#define BERTH_LIB_IR_FIT_OVERLAPPLAN_H

#include "IR/Fit/FitLevel.h"
#include "IR/Scope/Job.h"

/// A fast memory as a scope uses it now, with all moves as copies.
typedef struct BerthFitRoom {
  const BerthFitLevel *level;
  BerthJob *job;
  int64_t bytes; ///< that may be live at a time
} BerthFitRoom;

/// An op's dealings with the ends of a transfer.
enum { BERTH_FIT_TOUCHES_TARGET = 1, BERTH_FIT_WRITES_SOURCE = 2 };

typedef struct BerthFitTransfer {
  const BerthFitLevel *level;
  MlirOperation copy; ///< null once it is a transfer
  const char *mark;   ///< the name of its number's
  MlirValue from, to;
  MlirOperation made;    ///< the allocation of `to`, if it passes that; or null
  MlirOperation freed;   ///< the deallocation of `from` that it passes; or null
  int64_t lower, upper;  ///< points of the window: the copy's, or more
  BerthPointerMap users; ///< op of its block -> what it does to the ends
  /// The ops that it passes, the nearest first. Those that are copies go on as
  /// their markers.
  size_t numAbove, numBelow, capAbove, capBelow;
  MlirOperation *above, *below;
  size_t nowAbove, nowBelow; ///< how many of them it passes now
  bool isCopiedThere; ///< the last above has the mark of where that begins
  MlirOperation marker, start;
  MlirOperation wait; ///< null: the start is all, and passes nothing
} BerthFitTransfer;

typedef struct BerthFitOverlap {
  BerthMemory memory;
  size_t count, capacity;
  BerthFitTransfer *transfers;
  size_t numUntold; ///< moves of which no entry of the named op tells: copies
} BerthFitOverlap;

/// What is live, and under way, at each point: of one room.
typedef struct BerthFitLoad {
  const BerthFitRoom *room;
  int64_t *bytes;
  int64_t *underWay;
} BerthFitLoad;

typedef struct BerthFitOverlapPlan {
  BerthFitOverlap *overlap;
  BerthFitLoad *loads;
  size_t numLoads;
  BerthPointerMap transferOf; ///< copy -> its number
} BerthFitOverlapPlan;

#endif // BERTH_LIB_IR_FIT_OVERLAPPLAN_H
