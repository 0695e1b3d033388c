//===- ArenaForm.h - Which form the arena takes -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_ARENAFORM_H
#define BERTH_LIB_IR_REWRITE_ARENAFORM_H

#include "IR/Scope/Job.h"

/// Picks the form and checks that it can be applied; where it cannot by
/// default, every buffer is rejected with the reason; where the user asked for
/// it, that is an error.
BerthStatus berthChooseForm(BerthJob *job);

/// Why the form that the job would take cannot be applied, or NULL.
const char *berthFormObstacle(const BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_ARENAFORM_H
