//===- Apply.h - Rewriting a scope after its plan ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_APPLY_H
#define BERTH_LIB_IR_REWRITE_APPLY_H

#include "IR/Scope/Job.h"

/// Rewrites the scope after its plan.
void berthApplyPlan(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_APPLY_H
