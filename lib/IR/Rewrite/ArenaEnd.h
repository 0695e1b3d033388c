//===- ArenaEnd.h - Freeing an arena after its last use ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An arena is freed where the function ends. What the function still allocates
// for itself by then (results, say) stands beside it, so where the last use is
// known the arena goes there:
//
//     linalg.matmul ins(%view, ...) outs(%s)      its last use
//     memref.dealloc %arena
//     %result = memref.alloc()
//     linalg.exp ins(%s) outs(%result)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_ARENAEND_H
#define BERTH_LIB_IR_REWRITE_ARENAEND_H

#include "IR/Scope/Job.h"

/// True if everything that is done to the buffers has ended with its op. To be
/// asked before anything is rewritten.
bool berthMayEndArenaEarly(const BerthJob *job);

/// Moves the deallocations of the scope's arena, when all else is done.
void berthEndArenaEarly(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_ARENAEND_H
