//===- RunsApart.h - May a function run again without a barrier? ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A function that is called again begins where its last run ended: an access at
// its end can meet one at its beginning. Not if the callers always cross a
// barrier in between:
//
//     call @f
//     gpu.barrier      between the run above and the one below; if this is all
//     call @f          that calls @f, its runs are apart
//
// Only barriers that stand in the program count: callees are planned before
// their callers.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_RUNSAPART_H
#define BERTH_LIB_IR_HAZARDS_RUNSAPART_H

#include "IR/Scope/Job.h"

/// Finds the functions whose runs are apart (BerthScope). The calls are listed,
/// and nothing is planned by now.
void berthFindReentries(BerthJob *jobs, size_t numJobs);

#endif // BERTH_LIB_IR_HAZARDS_RUNSAPART_H
