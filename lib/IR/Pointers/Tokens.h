//===- Tokens.h - What stands for work that goes on ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_TOKENS_H
#define BERTH_LIB_IR_POINTERS_TOKENS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

typedef bool (*BerthTypeTest)(MlirType type);

/// True for what is no value of its own: it may stand for something that an op
/// has started, or hold a pointer.
bool berthTypeIsHandle(MlirType type);

bool berthReturnsHandle(MlirOperation op);

/// True if the op returns a token for which its own block does not wait, so
/// that it may still be at work anywhere behind it. With `anyUse`, a broken
/// rule, whatever is given the token waits.
bool berthMayGoOn(MlirOperation op, BerthTypeTest isToken, bool anyUse);

/// True if an op that is known to wait, in the op's own block, is given a
/// result of the op.
bool berthIsAwaitedInItsBlock(MlirOperation op);

#endif // BERTH_LIB_IR_POINTERS_TOKENS_H
