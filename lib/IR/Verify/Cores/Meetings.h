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
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
#define BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H

#include "IR/Verify/Roots/Views.h"

typedef enum BerthMeetingFault {
  BERTH_MEETING_AT_ONCE,   ///< another runner may be at work there meanwhile
  BERTH_MEETING_CLOBBERED, ///< read after another buffer was written there
  BERTH_MEETING_UNKNOWN    ///< the phases of the cores do not fit
} BerthMeetingFault;

/// `other` is the other access; null of UNKNOWN.
typedef void (*BerthMeetingCallback)(MlirOperation op, MlirOperation other,
                                     BerthMeetingFault fault, void *userData);

/// Checks the buffers of a scope. Returns true if cores have branches of their
/// own there, so that the order of the ops says nothing.
bool berthVerifyMeetings(const BerthViews *views, MlirOperation scope,
                         BerthMeetingCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
