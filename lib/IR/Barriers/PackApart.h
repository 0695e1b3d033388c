//===- PackApart.h - Packing pairs that may not meet --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_PACKAPART_H
#define BERTH_LIB_IR_BARRIERS_PACKAPART_H

#include "IR/Barriers/Pairs.h"
#include "IR/Plan/PackJob.h"

typedef BerthPacked (*BerthPackOnce)(const BerthJob *job,
                                     const BerthProblem *problem);

/// Packs the job's problem within a capacity in bytes (0: none) so that what is
/// joined is kept apart, or misses each other. The caller owns the plan.
BerthPacked berthPackApart(const BerthHazards *hazards, const BerthJoins *joins,
                           int64_t capacity, BerthPackOnce pack);

/// True if no pair that may miss each other meets in the plan.
bool berthPlanMisses(const BerthHazards *hazards, const BerthJoins *joins,
                     const BerthPlan *plan);

#endif // BERTH_LIB_IR_BARRIERS_PACKAPART_H
