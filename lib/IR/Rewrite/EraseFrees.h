//===- EraseFrees.h - Deallocations that go ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_ERASEFREES_H
#define BERTH_LIB_IR_REWRITE_ERASEFREES_H

#include "IR/Scope/Job.h"

/// Where an op on device memory goes that waits for tokens, its first operands,
/// and may return one as this result, a gpu.wait takes over.
void berthKeepWaits(MlirOperation op, intptr_t numTokens, intptr_t result);

/// Erases the deallocations of all buffers that are placed, and what only
/// decides on them.
void berthEraseFrees(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_ERASEFREES_H
