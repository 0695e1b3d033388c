//===- Meetings.h - Buffers that cores and units use at once ---- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a target description tells of several cores, of units or of pending
// work, two accesses of one phase (Trace.h) are in order only if one core, or
// one unit, makes both, and the first is not pending. Of all others, no two may
// touch a byte through different buffers, if one writes it. And where cores
// have branches of their own, the content of buffers is followed from phase to
// phase, since the order of the text says nothing about it.
//
// Nor may one runner still use a buffer when its allocation in a loop makes it
// anew, or when the function returns: no way from an access to there is without
// a barrier (Unmet.h), unless one runner touches the buffer alone.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
#define BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H

#include "IR/Verify/Roots/Views.h"

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

/// Checks the buffers of a scope; `returns`, if others have its memory behind
/// it. Returns true if cores have branches of their
/// own there, so that the order of the ops says nothing.
bool berthVerifyMeetings(const BerthViews *views, MlirOperation scope,
                         bool returns, BerthMeetingCallback callback,
                         void *userData);

#endif // BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
