//===- ActiveScopes.h - Scopes that have places at a time ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// With arena=annotate nothing is allocated when a function is called: its
// buffers have their places for good. Where a target description tells of the
// memory, these are places in the one there is on the chip. So scopes that may
// be active at the same time get different ones, as on a stack:
//
//     func @f    X, Y      bytes 0 to 512
//       call @g
//     func @g    Z         from byte 512, above all that call it
//
// A scope that may be active several times at once gets none.
//
// So it is in a global that functions share (GlobalSharing.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_ACTIVESCOPES_H
#define BERTH_LIB_IR_REWRITE_ACTIVESCOPES_H

#include "IR/Scope/Job.h"

/// Lists for each job those whose places lie below its own, and rejects buffers
/// that can have none. All of one memory.
void berthFindActiveScopes(BerthJob *jobs, size_t numJobs);

/// Where arenas have no addresses: whether those that are live at once fit the
/// memory. All planned.
void berthCheckActiveCapacity(BerthJob *jobs, size_t numJobs);

/// Keeps the job out of the bytes of those below it, which are planned by now.
void berthReserveBelow(BerthJob *job);

/// How many bytes from the start of the job's arena are theirs.
int64_t berthBytesBelow(const BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_ACTIVESCOPES_H
