//===- OverlapWindows.h - How long moves go on ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer is started as early and waited for as late as what it touches, and
// the room that its ends take, allow.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_OVERLAPWINDOWS_H
#define BERTH_LIB_IR_FIT_OVERLAPWINDOWS_H

#include "IR/Fit/OverlapPlan.h"

/// What is live in the rooms with all moves as copies.
void berthFitFindLoads(BerthFitOverlapPlan *planner, const BerthFitRoom *rooms,
                       size_t numRooms);

/// The windows of all transfers.
void berthFitPlanWindows(BerthFitOverlapPlan *planner);

#endif // BERTH_LIB_IR_FIT_OVERLAPWINDOWS_H
