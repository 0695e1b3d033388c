//===- Analyze.h - The analysis of a scope ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_ANALYZE_H
#define BERTH_LIB_IR_PLAN_ANALYZE_H

#include "IR/Scope/Job.h"

/// The allocations of a scope, its points, and how threads come into it.
void berthJobCollect(BerthJob *job, MlirOperation op);

/// What may point into each buffer, and what frees it.
void berthJobFindAliases(BerthJob *job);

/// When the content of each buffer is wanted.
void berthJobComputeLiveness(BerthJob *job);

/// All three.
void berthAnalyzeScope(BerthJob *job, MlirOperation op);

/// The first again: ops have come.
void berthJobCollectAnew(BerthJob *job);

/// All three again, after allocations or their uses have changed.
void berthJobAnalyzeAnew(BerthJob *job);

/// The job as it was before its plan; its analysis stays.
void berthJobForgetPlan(BerthJob *job);

/// Frees what a job owns, not the job.
void berthJobFree(BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_ANALYZE_H
