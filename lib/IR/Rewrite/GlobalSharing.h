//===- GlobalSharing.h - Functions with arenas in one global ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of which one is over before the other begins may have the same
// bytes of one global, and those that call each other bytes of their own there:
//
//     func @main    X, Y      bytes 0 to 512
//       call @first           from byte 512
//       call @second          from byte 512, too
//
// Two functions that others may call, the module does not show, are over one
// before the other only if no two threads do. So functions share that one
// public function alone reaches: that this one is not run twice at a time is
// what a global arena takes for granted anyway. More of them, if somebody says
// so.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_GLOBALSHARING_H
#define BERTH_LIB_IR_REWRITE_GLOBALSHARING_H

#include "IR/Ops/Worklist.h"
#include "IR/Scope/Job.h"

/// Fills in `sharer`, as the options say. All jobs of one memory.
void berthFindSharers(BerthJob *jobs, size_t numJobs);

/// Adds the functions with bodies that others than the module's may call.
void berthAddPublicFunctions(MlirOperation root, BerthWorklist *functions);

/// Fills in `shared`, whose memory is that of the jobs, and says aloud what is
/// taken for granted. All are planned.
void berthShareGlobals(BerthJob *jobs, size_t numJobs);

#endif // BERTH_LIB_IR_REWRITE_GLOBALSHARING_H
