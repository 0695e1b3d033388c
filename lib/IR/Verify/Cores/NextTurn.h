//===- NextTurn.h - Buffers made anew while others use them ----- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In an arena all turns of a loop have one place for a buffer that each makes
// for itself. So no runner may still use it when its allocation makes it anew,
// or when its function returns: no way from an access to there is without a
// barrier (Unmet.h), unless one runner touches the buffer alone.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_NEXTTURN_H
#define BERTH_LIB_IR_VERIFY_CORES_NEXTTURN_H

#include "IR/Verify/Cores/Touches.h"

/// Looks for uses that meet the next allocation or, if the scope `returns` its
/// memory, its end. `isKnown`: the trace tells who makes the touches.
void berthVerifyNextTurn(const BerthTouches *touches, MlirOperation scope,
                         bool isKnown, bool returns,
                         BerthMeetingCallback callback, void *userData);

/// A core may be turns ahead of another although there is a barrier in each
/// turn: whoever touches an instance of a buffer has to do so in a later phase
/// than all others touch those before. The touches are core after core.
void berthVerifyInstances(const BerthTouches *touches, size_t numCores,
                          BerthMeetingCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_CORES_NEXTTURN_H
