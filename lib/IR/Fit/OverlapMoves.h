//===- OverlapMoves.h - What may move beside other ops -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies that may become transfers, and what the ops of their block do to the
// ends of each.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_OVERLAPMOVES_H
#define BERTH_LIB_IR_FIT_OVERLAPMOVES_H

#include "IR/Fit/OverlapPlan.h"

/// Fills in the transfers, each with a window of its copy. Needs the loads.
void berthFitFindTransfers(BerthFitOverlapPlan *planner);

/// The level whose two memories a move connects; NULL: none.
const BerthFitLevel *berthFitLevelOfMove(const BerthFitOverlapPlan *planner,
                                         MlirType from, MlirType to);

#endif // BERTH_LIB_IR_FIT_OVERLAPMOVES_H
