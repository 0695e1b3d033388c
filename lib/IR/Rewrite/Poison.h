//===- Poison.h - Make wrong reuse visible ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// poison=true: where a live range ends, the buffer's bytes are overwritten with
// a pattern that no program means (all ones: a NaN in every float, -1 in every
// integer). A program whose result changes read bytes that Berth took for dead.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_POISON_H
#define BERTH_LIB_IR_REWRITE_POISON_H

#include "IR/Scope/Job.h"

/// Emits the fills; to be called while the allocations still stand. Memory that
/// threads share is left alone: each thread's range ends at its own time.
void berthPoisonDeadBytes(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_POISON_H
