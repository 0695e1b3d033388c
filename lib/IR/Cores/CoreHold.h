//===- CoreHold.h - Buffers that other cores and units use --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where a target description tells of several cores, or of units that work
// beside the program, the order of the ops is the order of time for one
// *runner* only: one core, or one unit. Accesses of different runners are
// ordered by barriers alone. So a buffer that is touched in a step (Steps.h) in
// which another runner touches any buffer is live through that whole step, and
// the steps that follow without a barrier.
//
// Where different cores have their own branches, the places of these in the
// text say nothing about time either. Then live ranges are found anew, on the
// steps: from those with writes to those with reads.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_CORES_COREHOLD_H
#define BERTH_LIB_IR_CORES_COREHOLD_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Extends the segments of the buffers, behind berthScopeHoldAsync. `root` is
/// the program.
void berthScopeHoldCores(BerthScope *scope, const BerthPoints *points,
                         MlirOperation root, const char *breakRule);

#endif // BERTH_LIB_IR_CORES_COREHOLD_H
