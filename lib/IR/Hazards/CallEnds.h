//===- CallEnds.h - What a function does around its barriers ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// To its caller, a function that all threads call is what it does at its ends:
//
//     func.func @f(%x, %arena)
//       load %x                first: reads %x, writes the arena
//       store Y
//       gpu.barrier
//       ...                    whatever is done here is of no concern outside
//       gpu.barrier
//       load Y                 last: reads the arena
//
// Accesses of the caller meet those in front of the callee's first barriers,
// and behind its last ones. Where every way through it crosses a barrier, those
// in front of the call do not meet those behind it. Barriers that were inserted
// into the callee count: it is planned before its callers.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_CALLENDS_H
#define BERTH_LIB_IR_HAZARDS_CALLENDS_H

#include "IR/Scope/Job.h"

/// Lists the calls of each job's scope. All scopes are collected by now.
void berthListCalls(BerthJob *jobs, size_t numJobs);

/// Fills in the job's ends, unless it may call itself. It is planned by now.
void berthFindEnds(BerthJob *job);

#endif // BERTH_LIB_IR_HAZARDS_CALLENDS_H
