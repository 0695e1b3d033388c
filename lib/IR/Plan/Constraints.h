//===- Constraints.h - What users demand of single buffers --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// By attributes of an allocation (docs/plans.md):
//
//   berth.pin = 4096     it lies at that offset
//   berth.hint = 4096    as near to that offset as the smallest arena allows
//   berth.weight = 3     how much its hint counts
//   berth.group = 1      all of one number lie at one offset
//   berth.no_reuse       it shares bytes with nobody
//   berth.bank = 1       it lies in that bank of its memory (Banks.h)
//
// or by a plan that was kept (PlanFile.h), which pins all buffers of a scope.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_CONSTRAINTS_H
#define BERTH_LIB_IR_PLAN_CONSTRAINTS_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

/// Reads the constraints of the job's buffers, the live ranges being known. One
/// that cannot be met whatever the plan is an error at its allocation.
void berthReadConstraints(BerthJob *job);

/// Once the problem is extracted: constraints that contradict each other are an
/// error at one of their allocations.
void berthCheckConstraints(BerthJob *job);

/// Appends " at 64" and the like to a text about the buffer.
void berthTextAppendConstraints(BerthText *text, const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_PLAN_CONSTRAINTS_H
