//===- Schedule.h - Ops in an order that needs fewer bytes ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a buffer holds is live from the op that makes it to the last one that
// wants it, so the order of ops decides how much is live together:
//
//   %a = op(%x)      live: a               %a = op(%x)
//   %b = op(%x)            a b             %s = sum(%a)
//   %s = sum(%a)           a b s    ->     %b = op(%x)
//   %t = sum(%b)             b s t         %t = sum(%b)
//
// Ops move within their block, past others that touch other memory.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SCHEDULE_H
#define BERTH_LIB_IR_PREPARE_SCHEDULE_H

#include "IR/Scope/Job.h"

/// How blocks were ordered, so that it can be undone.
typedef struct BerthSchedule BerthSchedule;

/// Where asked for and possible, orders the blocks of the scope so that less is
/// live where most is, after taking a backup of the root; NULL: nothing was
/// changed. Needs a plan. The job is then to be analyzed and planned anew.
BerthSchedule *berthScheduleOps(BerthJob *job);

/// Ends it: for good, or with the ops where they were.
void berthScheduleKeep(BerthJob *job, BerthSchedule *done);
void berthScheduleUndo(BerthSchedule *done);

#endif // BERTH_LIB_IR_PREPARE_SCHEDULE_H
