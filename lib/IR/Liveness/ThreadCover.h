//===- ThreadCover.h - Buffers overwritten by all threads ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The threads of a workgroup may overwrite a shared buffer together, each of
// them some of it: a *cover* (Cover.h) that no thread makes by itself.
//
//     scf.for %turn ... {
//       X[tid] = a             the cover starts here: nothing that X held is
//       gpu.barrier            wanted any more
//       b = X[63 - tid]
//       gpu.barrier            X is of no use up to the next turn
//       ...
//     }
//
// All threads come to where the cover starts, as often as the others, so it is
// the same turn for all. From there on each does its part, computed thread by
// thread (AccessBytes.h), before anybody reads; and whoever reads a byte that
// another thread writes there does so behind a barrier: what is old, ahead of
// the cover's writes, and what is new, behind them. What asynchronous copies
// write is new behind a wait for them and then a barrier.
//
// So on every way from another buffer's write to a read behind the cover all
// threads do their parts, between barriers that keep the two buffers' accesses
// apart (Hazards.h). What is read is what was written there.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_THREADCOVER_H
#define BERTH_LIB_IR_LIVENESS_THREADCOVER_H

#include "IR/Scope/Job.h"

/// Sets `startsCover` of accesses and `covers` of buffers, in memory that
/// threads share and for whose accesses barriers count. What is uniform in the
/// scope is found if need be. `calls` are those of the scope, whose functions
/// are planned by now.
void berthFindThreadCovers(BerthScope *scope, const BerthPoints *points,
                           const BerthAliasOptions *options,
                           const BerthCall *calls, size_t numCalls);

#endif // BERTH_LIB_IR_LIVENESS_THREADCOVER_H
