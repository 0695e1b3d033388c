//===- CalleeArenas.h - Functions' arenas in their callers' -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A device function that uses workgroup memory needs it while it is called.
// Where all its callers are known, its arena is a part of theirs: one more
// buffer of the caller, live during the calls, which the caller hands over as
// an argument.
//
//     gpu.func @kernel                        func.func @f(%arena)
//       X                  live until here      Y = view of %arena
//       call @f(%view)     f's arena            Z = view of %arena
//       W                  may take its bytes
//
// Callees are planned before their callers, since the caller has to know how
// large the arena is.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_CALLEEARENAS_H
#define BERTH_LIB_IR_REWRITE_CALLEEARENAS_H

#include "IR/Scope/Job.h"

/// Decides which of a run's functions get their arenas from their callers, and
/// lists for each scope those that it calls. All calls are listed by now.
void berthFindCallees(BerthJob *jobs, size_t numJobs);

/// Hands the callee's part of the arena over at each call, as one more operand;
/// to berth-verify it is the buffer of that number.
void berthHandOverArena(BerthJob *job, const BerthBufferInfo *buffer,
                        size_t number);

#endif // BERTH_LIB_IR_REWRITE_CALLEEARENAS_H
