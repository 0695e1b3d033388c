//===- RunTimeFrames.h - Frames of sizes known at run time --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The allocations that stood for called functions' arenas (FrameSizes.h) become
// what the calls hand over.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_RUNTIMEFRAMES_H
#define BERTH_LIB_IR_REWRITE_RUNTIMEFRAMES_H

#include "IR/Scope/Job.h"

/// Makes the buffer, which is such an allocation, a view of the arena, and
/// hands it over; to berth-verify it is the buffer of that number.
void berthHandOverFrame(BerthJob *job, BerthBufferInfo *buffer, size_t number);

/// Hands over those that have no place in the arena: they are freed behind the
/// call.
void berthHandOverOthers(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_RUNTIMEFRAMES_H
