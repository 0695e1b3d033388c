//===- Apply.h - Rewriting a scope after its plan ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_APPLY_H
#define BERTH_LIB_IR_REWRITE_APPLY_H

#include "IR/Scope/Job.h"

/// Takes away the places that an earlier run with arena=annotate gave to
/// buffers of the scope: they are planned anew, or lie outside of the arena
/// now.
void berthForgetPlaces(const BerthJob *job);

/// Rewrites the scope after its plan.
void berthApplyPlan(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_APPLY_H
