//===- ScopeFits.h - Can a scope be planned as it is? --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_SCOPEFITS_H
#define BERTH_LIB_IR_PASSES_SCOPEFITS_H

#include "IR/Scope/Job.h"

/// True if berth-arena can plan the scope within the capacity. Needs the
/// liveness; the job has a plan then.
bool berthScopeFits(BerthJob *job);

/// Why the order of the scope's ops is not that of time, so that nothing can be
/// put between two of them: many threads, cores or iterations run them. NULL if
/// it is.
const char *berthScopeWhyUnordered(const BerthScope *scope);

#endif // BERTH_LIB_IR_PASSES_SCOPEFITS_H
