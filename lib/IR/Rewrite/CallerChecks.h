//===- CallerChecks.h - May callers and launches be changed? ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_CALLERCHECKS_H
#define BERTH_LIB_IR_REWRITE_CALLERCHECKS_H

#include "IR/Scope/Job.h"

/// Is the op a call, or a launch, of the job's function?
bool berthIsCallOf(MlirOperation op, const BerthJob *job);
bool berthIsLaunchOf(MlirOperation op, MlirOperation function);

/// arena=argument: every use of the function's name must be a plain call.
BerthStatus berthCheckCallers(BerthJob *job);

/// arena=dynamic: nothing else may get the same bytes.
BerthStatus berthCheckLaunches(BerthJob *job);

/// Why a kernel's arena cannot be dynamic shared memory, or NULL.
const char *berthLaunchObstacle(const BerthJob *job);

/// True if some buffer stands for dynamic shared memory that the kernel had
/// (Prepare/Existing.h).
bool berthStandsForDynamic(const BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_CALLERCHECKS_H
