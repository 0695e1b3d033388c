//===- Touches.h - What cores and units touch, and when --------- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace (Trace.h) tells which core comes to which op in which phase; here
// these become touches of buffers. What is waited for counts as touched in all
// phases since its start.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_TOUCHES_H
#define BERTH_LIB_IR_VERIFY_CORES_TOUCHES_H

#include "IR/Verify/Cores/Trace.h"
#include "IR/Verify/Roots/Access.h"

/// One access, by all cores that make it in one phase.
typedef struct BerthTouch {
  BerthRootAccess access;
  size_t phase;
  size_t place; ///< in the trace
  int core;
  uint64_t cores; ///< that ever come to the op
  int unit;
  bool isPending;
  bool isOnce;    ///< its unit is said to run it once for all cores
  bool isLoose;   ///< cores may disagree on whether they come here
  bool isSeveral; ///< it holds work of units
  bool makes;     ///< the buffer is made, and not touched
} BerthTouch;

typedef struct BerthTouches {
  const BerthViews *views;
  BerthTouch *items;
  size_t count, capacity;
} BerthTouches;

/// What may be wrong with two touches.
typedef enum BerthMeetingFault {
  BERTH_MEETING_AT_ONCE,   ///< another runner may be at work there meanwhile
  BERTH_MEETING_CLOBBERED, ///< read after another buffer was written there
  BERTH_MEETING_UNKNOWN,   ///< the phases of the cores do not fit
  BERTH_MEETING_NEXT_TURN, ///< it makes anew what another runner may be using
  BERTH_MEETING_LEFT       ///< it may go on behind its function
} BerthMeetingFault;

/// `other` is the other access; null of UNKNOWN and LEFT.
typedef void (*BerthMeetingCallback)(MlirOperation op, MlirOperation other,
                                     BerthMeetingFault fault, void *userData);

/// Adds what the ops of a trace touch, core after core, each in its order.
void berthTouchesAdd(BerthTouches *touches, const BerthTrace *trace);

/// Finds which cores come to the ops; true if some come to other ones.
bool berthTouchesFindCores(BerthTouches *touches, const BerthTrace *trace);

/// Puts them in the order of phases, and what several cores come to in one
/// phase down to one touch.
void berthTouchesJoin(BerthTouches *touches);

/// True if one core, or one unit, makes both.
bool berthHaveOneRunner(const BerthTouch *first, const BerthTouch *second);

#endif // BERTH_LIB_IR_VERIFY_CORES_TOUCHES_H
