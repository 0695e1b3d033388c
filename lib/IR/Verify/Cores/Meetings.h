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
// Nor may a buffer be made anew, or its function return, while others use it
// (NextTurn.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
#define BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H

#include "IR/Verify/Cores/Touches.h"

/// Checks the buffers of a scope; `returns`, if others have its memory behind
/// it. Returns true if cores have branches of their
/// own there, so that the order of the ops says nothing.
bool berthVerifyMeetings(const BerthViews *views, MlirOperation scope,
                         bool returns, BerthMeetingCallback callback,
                         void *userData);

#endif // BERTH_LIB_IR_VERIFY_CORES_MEETINGS_H
