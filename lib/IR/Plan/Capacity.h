//===- Capacity.h - Does the plan fit? ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_CAPACITY_H
#define BERTH_LIB_IR_PLAN_CAPACITY_H

#include "IR/Scope/Job.h"

/// True if there is a plan within the capacity, or nothing to plan.
bool berthPlanFits(const BerthJob *job);

/// A plan above the capacity is an error: says what is live where most is. Or
/// that is counted only (`numTooLarge`).
void berthCheckCapacity(BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_CAPACITY_H
