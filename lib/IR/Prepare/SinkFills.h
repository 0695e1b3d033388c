//===- SinkFills.h - Fills as late as loops allow ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What adds up in a buffer is filled first, in loops of its own: too early for
// the buffer to lie over what the loops behind it read. Where these come to
// each element in one turn of their outer loops, the fill goes there:
//
//   for %i  { y[%i] = 0 }                  for %i  {
//   for %i                                   y[%i] = 0
//     for %k  { y[%i] += x[%i, %k] }   ->    for %k  { y[%i] += x[%i, %k] }
//                                          }
//
// Each element is filled once, as before, with the same value. Only a plan can
// tell whether that pays (Overlap.h): one is made with the fills where they
// were and one with them moved, and the smaller arena wins.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SINKFILLS_H
#define BERTH_LIB_IR_PREPARE_SINKFILLS_H

#include "IR/Scope/Job.h"

/// What was moved, so that it can be undone.
typedef struct BerthSunkFills BerthSunkFills;

/// Where overlaps are asked for, moves fills of the scope's buffers into loops,
/// after taking a backup of the root; NULL: nothing was changed. `only`: those
/// of a run before that are still wanted, or NULL. Needs a plan. The job is
/// then to be analyzed and planned anew.
BerthSunkFills *berthSinkFills(BerthJob *job, const BerthWorklist *only);

/// Adds the allocations of those whose buffers the plan lets write over others.
/// True if that is all of them.
bool berthSunkFillsUsed(const BerthJob *job, const BerthSunkFills *done,
                        BerthWorklist *used);

/// Ends it: for good, with their number noted in the job, or with the fills
/// where they were.
void berthSinkFillsKeep(BerthJob *job, BerthSunkFills *done);
void berthSinkFillsUndo(BerthSunkFills *done);

#endif // BERTH_LIB_IR_PREPARE_SINKFILLS_H
