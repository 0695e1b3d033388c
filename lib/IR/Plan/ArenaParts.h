//===- ArenaParts.h - One arena, or several that never share bytes -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_ARENAPARTS_H
#define BERTH_LIB_IR_PLAN_ARENAPARTS_H

#include "IR/Scope/Job.h"

/// Cuts the plan into parts; one, unless more are asked for.
void berthFindParts(BerthJob *job);

/// The part in which a buffer at this offset lies.
const BerthPart *berthPartAt(const BerthJob *job, int64_t offset);

/// What was created to hold a buffer, and its first byte in the plan.
MlirValue berthArenaOf(const BerthJob *job, const BerthBufferInfo *buffer,
                       int64_t *lower);

/// The plan, or if parts are asked for, one with more of them that is as small,
/// should one be found at once. Takes the plan.
BerthPlan berthPreferParts(const BerthJob *job, const BerthProblemData *problem,
                           BerthPlan plan);

#endif // BERTH_LIB_IR_PLAN_ARENAPARTS_H
