//===- Overlap.h - Moves of content beside other ops ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy that berth-fit has made becomes a transfer, which is started as early
// and waited for as late as what it touches allows:
//
//   transpose ins(%b)        dma_start %s, %a1, %tag     %a1 begins here
//   copy %s, %a1             transpose ins(%b)
//   add ins(%a1)             dma_wait %tag
//                            add ins(%a1)
//
// From its start to its wait nobody writes the source or touches the target,
// and both keep their bytes. So the target of a fill and the source of a spill
// live longer than with a copy. How far, is planned by what is live then;
// whether all of it fits, by the caller, who may shorten all windows until it
// does. A window of nothing is a copy that is waited for at once.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_OVERLAP_H
#define BERTH_LIB_IR_FIT_OVERLAP_H

#include "IR/Fit/OverlapPlan.h"

/// Plans how far each transfer may go on beside other ops: those of the levels
/// that have transfers. The jobs of the rooms are of one scope.
BerthFitOverlap berthFitPlanOverlap(const BerthFitRoom *rooms, size_t numRooms);

/// Makes transfers of the copies, or what the description names, or moves those
/// that have been made: `part` in `parts` of each window. The tags are
/// allocated in memory `tagSpace`.
void berthFitPlaceTransfers(BerthFitOverlap *overlap, int part, int parts,
                            MlirAttribute tagSpace);

/// How many moves are waited for; how many of these go on beside some op now.
size_t berthFitCountAwaited(const BerthFitOverlap *overlap);
size_t berthFitCountBeside(const BerthFitOverlap *overlap);

/// Ends it; the transfers stay as they are.
void berthFitOverlapFree(BerthFitOverlap *overlap);

#endif // BERTH_LIB_IR_FIT_OVERLAP_H
