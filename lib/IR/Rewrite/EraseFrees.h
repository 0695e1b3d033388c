//===- EraseFrees.h - Deallocations that go ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_ERASEFREES_H
#define BERTH_LIB_IR_REWRITE_ERASEFREES_H

#include "IR/Scope/Job.h"

/// Erases the deallocations of all buffers that are placed, and what only
/// decides on them.
void berthEraseFrees(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_ERASEFREES_H
