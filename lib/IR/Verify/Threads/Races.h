//===- Races.h - Buffers that threads touch at once ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory that the threads of a workgroup share, each thread keeps its own
// program order only. So between an access of one buffer and an access of
// another one that has bytes in common, at least one of them a write, a barrier
// of the whole workgroup must lie on every path.
//
// The scope becomes a list of events (accesses, barriers, views that are made,
// waits for copies) in straight *stretches*, joined by the ways control may
// take. Forwards along these, for each buffer the earliest accesses that no
// barrier has ended yet are kept, and each access is held against them:
//
//     store X[t]            X: written
//     gpu.barrier           -
//     load X[63 - t]        X: read
//     store Y[t]            Y has bytes of X: error, a slow thread may still
//                           read X
//
//  - A barrier counts only where all threads arrive: not in the regions of an
//    op that diverges, nor in the spread of a branch that does, nor in a
//    function that some threads call without the others.
//  - What stands in different regions of such an op, or in different blocks of
//    such a spread, happens at the same time, whatever the paths say.
//  - What is asynchronous outlasts barriers until it has been put into a group
//    and the thread has waited for that; a TMA load, until the thread has
//    waited for its mbarrier and touched what it brings.
//  - In front of TMA and wgmma an ordinary access outlasts barriers until the
//    thread has passed a fence, and then a barrier.
//  - Transfers that only a tag ends, direct loads to LDS in rocdl, TMA to other
//    workgroups, and what a called function leaves behind, outlast everything.
//  - When a view is made again in a loop, the accesses of its last instance are
//    those of another buffer.
//  - A function that is no kernel may be called again: it starts where its
//    last call ended, unless its callers always cross a barrier in between. So
//    an arena that is handed over to one function only is held against other
//    buffers, not against its own last use.
//  - Of a merge (Merges.h) two buffers are not touched at once (RaceNames.h).
//  - A call that all threads make is what the function does before its first
//    barriers and after its last ones (Phases.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_RACES_H
#define BERTH_LIB_IR_VERIFY_THREADS_RACES_H

#include "IR/Verify/Threads/ThreadCode.h"

/// Called once for each bad op, in the order of the program: `earlier` is not
/// separated from it, `why` is a sentence about the two.
typedef void (*BerthRaceCallback)(MlirOperation later, MlirOperation earlier,
                                  const char *why, void *userData);

/// True if names of buffers may show that it is none (RaceNames.h): views with
/// merges tell.
bool berthRaceIsOfNames(const char *why);

/// Checks the buffers of a scope that lie in memory which threads share.
void berthVerifyThreads(const BerthThreads *threads, BerthRaceCallback callback,
                        void *userData);

#endif // BERTH_LIB_IR_VERIFY_THREADS_RACES_H
