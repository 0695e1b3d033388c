//===- Problem.h - A scope as a packing problem -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_PROBLEM_H
#define BERTH_LIB_IR_PLAN_PROBLEM_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

/// Makes the job's problem of its buffers, without edges. They have no names in
/// it unless somebody is shown the problem itself. What nobody accesses is not
/// in it, as long as it may lie anywhere in the arena.
void berthExtractProblem(BerthJob *job);

/// Is the job's problem valid? As berthProblemCheck, with the names of buffers
/// in the message.
BerthStatus berthCheckProblem(BerthJob *job, size_t *bad, BerthError *error);

/// Appends the name of a buffer, which has that number in the job's problem.
void berthTextAppendBufferOf(BerthText *text, const BerthJob *job,
                             size_t number, MlirAsmState state);

/// The job's problem again, without edges, in a problem of its own: with the
/// groups as they are now, and `byRanges` with the windows of buffers
/// (ByteRanges.h).
BerthProblem *berthRepeatProblem(const BerthJob *job, bool byRanges,
                                 int64_t capacity);

/// True if the distance counts: of two groups, where they meet in that nest
/// alone.
bool berthIsOverlapAdded(const BerthJob *job, const BerthOverlap *overlap);

/// Adds those distances (Overlap.h).
void berthAddOverlaps(const BerthJob *job, BerthProblem *problem);

#endif // BERTH_LIB_IR_PLAN_PROBLEM_H
