//===- Callers.h - Callers and launches of a rewritten function ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_CALLERS_H
#define BERTH_LIB_IR_REWRITE_CALLERS_H

#include "IR/Scope/Job.h"

/// Adds the arena to the function's arguments, and an arena of its own to each
/// of its callers.
MlirValue berthAddArenaArgument(BerthJob *job);

/// Adds an argument behind the others, with these attributes.
MlirValue berthAddArgument(MlirOperation function, MlirType type,
                           MlirAttribute attributes);

/// One more operand behind the others.
void berthAddOperand(MlirOperation op, MlirValue operand);

/// Makes every launch ask for enough dynamic shared memory: the arena, and what
/// may be lost in front of it where it needs a larger alignment.
void berthRaiseLaunches(BerthJob *job);

/// Makes the kernel's launches ask for no dynamic shared memory, unless some
/// function of its module uses that.
void berthClearLaunches(MlirOperation root, MlirOperation kernel);

#endif // BERTH_LIB_IR_REWRITE_CALLERS_H
