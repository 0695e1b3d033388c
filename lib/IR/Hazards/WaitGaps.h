//===- WaitGaps.h - Gaps where a new barrier might never open ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_WAITGAPS_H
#define BERTH_LIB_IR_HAZARDS_WAITGAPS_H

#include "IR/Hazards/Hazards.h"

/// Takes the gaps between a wait and what may end it (Waits.h) from those where
/// a barrier may be inserted. A barrier that stands there already parts the
/// two: behind it nobody waits any more.
void berthHazardsSpareWaits(BerthHazards *hazards);

#endif // BERTH_LIB_IR_HAZARDS_WAITGAPS_H
