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

/// Packs the job for one thread. Buffers that share one offset in place
/// (InPlace.h) do so unless the plan is smaller when they do not, and parts of
/// buffers get lives of their own (ByteRanges.h) if it is smaller when they do;
/// so it is with what loops may write over (Overlap.h).
void berthPackGroups(BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_PACKJOB_H
