//===- ShortCircuit.h - Write where it is copied to ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer that is made, copied into a part of another one and forgotten may be
// made there at once:
//
//   %s = alloc                               %d = alloc
//   conv  ... outs(%s)                       fill outs(%d)
//   %d = alloc                        ->     %p = subview %d
//   fill outs(%d)                            conv  ... outs(%p)
//   %p = subview %d
//   copy %s, %p
//
// The copy goes, and its traffic. But the larger buffer lives as long as the
// smaller one did, so whether bytes are saved only a plan can tell: one is made
// for each way, and the smaller arena wins.
//
// The idea: short-circuiting of Futhark (Munksgaard, Henriksen, Sadayappan,
// Oancea: Memory Optimizations in an Array Language, SC 2022, section V), which
// decides without a plan.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SHORTCIRCUIT_H
#define BERTH_LIB_IR_PREPARE_SHORTCIRCUIT_H

#include "IR/Scope/Job.h"

/// What was rewritten, so that it can be undone.
typedef struct BerthShortCircuits BerthShortCircuits;

/// Where asked for and possible, lets the scope's buffers be made where they
/// are copied to, after taking a backup of the root; NULL: nothing was changed.
/// Needs a plan, whose arena it expects not to grow. The job is then to be
/// analyzed and planned anew.
BerthShortCircuits *berthShortCircuit(BerthJob *job);

/// Ends it: for good, with the copies that went counted in the job, or as if
/// nothing had happened.
void berthShortCircuitKeep(BerthJob *job, BerthShortCircuits *done);
void berthShortCircuitUndo(BerthShortCircuits *done);

#endif // BERTH_LIB_IR_PREPARE_SHORTCIRCUIT_H
