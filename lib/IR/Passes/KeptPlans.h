//===- KeptPlans.h - Plans that are kept in files ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_KEPTPLANS_H
#define BERTH_LIB_IR_PASSES_KEPTPLANS_H

#include "IR/Scope/Job.h"

/// Reads the plan that the options name, if any, and gives each job its part.
/// Before anything is planned: then the plan is for the same scopes as the one
/// that berthKeepPlans has written. Errors stand at `root`. The caller frees
/// `kept`, which the jobs point to.
BerthStatus berthFindKeptPlans(MlirOperation root, BerthJob *jobs,
                               size_t numJobs, BerthPlanFile *kept);

/// Writes the plans of all jobs where the options ask for it.
BerthStatus berthKeepPlans(const BerthJob *jobs, size_t numJobs,
                           const BerthArenaOptions *options, BerthError *error);

#endif // BERTH_LIB_IR_PASSES_KEPTPLANS_H
