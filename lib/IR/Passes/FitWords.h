//===- FitWords.h - What berth-fit says of a plan ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_FITWORDS_H
#define BERTH_LIB_IR_PASSES_FITWORDS_H

#include "IR/Fit/Choose.h"
#include "IR/Fit/Move.h"

BERTH_EXTERN_C_BEGIN

/// Remarks what moves, what stays, and what both cost.
void berthRemarkFit(const BerthFitJob *fit, const BerthFitPlan *plan,
                    const BerthFitMoves *moves);

/// Names the op that needs more than there is, and what it needs: an error
/// where the level must fit, else a remark. `enough`: bytes in which places
/// were found, without moves where `isAsItIs`, `isLeast` if none are in fewer;
/// 0: none are known.
void berthReportTight(BerthFitJob *fit, const BerthFitPlan *plan,
                      int64_t enough, bool isAsItIs, bool isLeast);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_FITWORDS_H
