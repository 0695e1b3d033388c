//===- HostFrames.h - Frames of functions that the host runs -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// With `frames` the arena of a function that the host runs is a part of its
// callers' arenas, too, as that of a device function is (CalleeArenas.h). What
// holds it is whatever allocates around the call: the calling function, or one
// iteration of a parallel loop in it, so that two calls which may be under way
// at a time have a frame each.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_HOSTFRAMES_H
#define BERTH_LIB_IR_REWRITE_HOSTFRAMES_H

#include "IR/Scope/Job.h"

/// Decides which of a run's host functions get frames in all their callers, and
/// adds the calls of these to their holders' lists. The others are told why.
/// `jobOf` has each job's number by its scope's op.
void berthFindHostFrames(BerthJob *jobs, size_t numJobs,
                         const BerthPointerMap *jobOf);

/// Once the job is planned: true if its arena can be a part of another one
/// after all. Else it is the job's own from here on.
bool berthCheckHostFrame(BerthJob *job);

/// Once all jobs are planned: what some caller cannot hold, none does.
void berthSettleHostFrames(BerthJob *jobs, size_t numJobs);

#endif // BERTH_LIB_IR_REWRITE_HOSTFRAMES_H
