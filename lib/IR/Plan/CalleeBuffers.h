//===- CalleeBuffers.h - Called functions' arenas as buffers ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_CALLEEBUFFERS_H
#define BERTH_LIB_IR_PLAN_CALLEEBUFFERS_H

#include "IR/Scope/Job.h"

/// Adds a buffer to the job's scope for the arena of each function that it
/// calls and whose arena it holds; these are planned by now.
void berthAddCalleeBuffers(BerthJob *job);

/// Code of an async region may run on behind its op.
bool berthIsInAsyncCode(const BerthJob *job, MlirOperation op);

#endif // BERTH_LIB_IR_PLAN_CALLEEBUFFERS_H
