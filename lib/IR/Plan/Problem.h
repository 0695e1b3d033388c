//===- Problem.h - A scope as a packing problem -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_PROBLEM_H
#define BERTH_LIB_IR_PLAN_PROBLEM_H

#include "IR/Scope/Job.h"

/// Makes the job's problem of its buffers, without edges.
void berthExtractProblem(BerthJob *job);

/// The job's problem again, without edges, in a problem of its own. Unless
/// `inPlace`, only the groups that the user demands are left.
BerthProblem *berthRepeatProblem(const BerthJob *job, bool inPlace,
                                 int64_t capacity);

/// The same with the windows of buffers (ByteRanges.h).
BerthProblem *berthProblemByRanges(const BerthJob *job);

/// The same with the windows that are left and the distances of buffers that
/// may overlap (Overlap.h).
BerthProblem *berthProblemWithOverlaps(const BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_PROBLEM_H
