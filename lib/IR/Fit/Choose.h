//===- Choose.h - What leaves the fast memory, and when -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_CHOOSE_H
#define BERTH_LIB_IR_FIT_CHOOSE_H

#include "IR/Fit/FitJob.h"
#include "berth-c/Fit.h"

/// Finds the fit: `plan`, which the caller frees, and the `stay` of each use.
/// The plan's buffers are those of the job.
BerthStatus berthFitChoose(BerthFitJob *fit, BerthFitPlan *plan,
                           BerthError *error);

/// What the buffer takes of the fast memory at the point at least, in the way
/// in which no plan was found last.
int64_t berthFitLeastBytes(const BerthFitJob *fit, const BerthFitBuffer *buffer,
                           int64_t time, bool *isTile);

#endif // BERTH_LIB_IR_FIT_CHOOSE_H
