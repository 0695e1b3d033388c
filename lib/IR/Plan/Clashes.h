//===- Clashes.h - Demands that cannot all be met ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A packer only says that there is no plan. Two demands that exclude each other
// whatever the rest of the plan (Constraints.h) are told here in the words of
// whoever made them: both demands, both allocations, and the memory.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_CLASHES_H
#define BERTH_LIB_IR_PLAN_CLASHES_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

/// Ends the job with an error at a buffer's allocation.
void berthFailBuffer(BerthJob *job, const BerthBufferInfo *buffer,
                     const char *format, ...) BERTH_PRINTF(3, 4);

/// Appends "memory "L1"", or "the arena" where it has no name.
void berthTextAppendMemory(BerthText *text, const BerthJob *job);

/// Groups being joined: does each have one offset that all its members can
/// have, and is there such a place in the memory?
void berthCheckPlaces(BerthJob *job);

/// Buffers that work in place being known: do two pins overlap?
void berthCheckPinPairs(BerthJob *job);

/// What threads do without a barrier between being known, and a plan refused:
/// does a pair that has to be apart for that overlap by its pins?
void berthCheckPinEdges(BerthJob *job);

#endif // BERTH_LIB_IR_PLAN_CLASHES_H
