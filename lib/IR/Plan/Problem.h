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

/// The problem's buffers again, without edges, in a problem of its own.
BerthProblem *berthRepeatProblem(const BerthProblem *problem, bool withGroups,
                                 int64_t capacity);

#endif // BERTH_LIB_IR_PLAN_PROBLEM_H
