//===- CreateArena.h - Creating the arena in each of its forms ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_CREATEARENA_H
#define BERTH_LIB_IR_REWRITE_CREATEARENA_H

#include "IR/Scope/Job.h"

/// Creates the arena, part by part.
void berthCreateArena(BerthJob *job);

/// One more workgroup attribution of a gpu.func, behind the others.
/// `attributes` is its dictionary, or null.
MlirValue berthAddAttribution(MlirOperation function, MlirType type,
                              MlirAttribute attributes);

/// Removes one that nobody uses.
void berthRemoveAttribution(MlirOperation function, intptr_t index);

#endif // BERTH_LIB_IR_REWRITE_CREATEARENA_H
