//===- PackJob.h - Packing and checking one problem ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_PACKJOB_H
#define BERTH_LIB_IR_PLAN_PACKJOB_H

#include "IR/Scope/Job.h"

/// What packing has found.
typedef struct BerthPacked {
  BerthStatus status;
  BerthPlan plan;   ///< owned; empty unless the status is BERTH_SUCCESS
  BerthError error; ///< unless the status is BERTH_SUCCESS
} BerthPacked;

/// Packs a problem of the job as its options say, and verifies the plan.
BerthPacked berthPackJob(const BerthJob *job, const BerthProblem *problem);

/// The same within few steps, for one of many plans that are compared.
BerthPacked berthPackTrial(const BerthJob *job, const BerthProblem *problem);

/// True for a plan that keeps to the problem's capacity.
bool berthPackedFits(const BerthPacked *packed);

/// Makes the problem and what was found for it the job's; takes both.
void berthJobTake(BerthJob *job, BerthProblem *problem, BerthPacked packed);

/// How many bytes the two have in common in the job's plan.
int64_t berthOverlapBytes(const BerthJob *job, const BerthOverlap *overlap);

/// Tells the buffers their offsets in the job's plan, and the arena its size.
void berthTakeOffsets(BerthJob *job);

/// Packs the job for one thread. Buffers have one offset by the links of their
/// groups (Groups.h), parts of buffers have lives of their own (ByteRanges.h),
/// and buffers lie at distances (Overlap.h) as far as the plan is smaller then.
void berthPackGroups(BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_PACKJOB_H
