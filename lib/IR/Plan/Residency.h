//===- Residency.h - Shared memory against resident workgroups ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_RESIDENCY_H
#define BERTH_LIB_IR_PLAN_RESIDENCY_H

#include "IR/Scope/Job.h"

/// Sets the job's chip, by the option or its gpu.module's target, what else the
/// kernel has in shared memory, and the sizes of the arena that are worth
/// barriers: those of the option, or of a kernel whose chip and number of
/// threads are known the one for each further resident workgroup.
void berthFindResidency(BerthJob *job);

/// True if some op in the root stands for dynamic shared memory.
bool berthUsesDynamicShared(MlirOperation root);

/// True if a kernel has workgroup memory that is declared: attributions,
/// globals, or dynamic shared memory.
bool berthDeclaresShared(const BerthScope *scope);

/// True if its sizes are those of resident workgroups.
bool berthCountsWorkgroups(const BerthJob *job);

/// How many of the sizes worth reaching so many bytes reach.
size_t berthSizesReached(const BerthJob *job, int64_t bytes);

/// What dynamic shared memory is surely aligned to, in bytes: upstream lowers
/// it to a symbol of that alignment (NVVM), or of none (ROCDL) at byte 0.
enum { BERTH_DYNAMIC_ALIGNMENT = 16 };

/// With arena=dynamic, the dynamic shared memory that a launch has to ask for:
/// the arena, and what it takes to align its start.
int64_t berthLaunchBytes(const BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_RESIDENCY_H
