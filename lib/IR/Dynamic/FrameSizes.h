//===- FrameSizes.h - Frames of sizes known at run time ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What lies in a function's arena has sizes that its arguments tell: only such
// buffers have the entry for a home (Homes.h). So who calls the function can
// tell the arena's size, too, from what it gives for these arguments: all that
// the function would compute at its entry is computed in front of the call,
//
//     func.func private @f(%n)             %bytes = arith.muli %m, %c4
//       %a = memref.alloc(%n)       ->     ... as @f does it, with %m for %n
//     call @f(%m)                          %frame = memref.alloc(%total)
//                                          call @f(%m)
//
// and an allocation of that size stands for the arena while the caller is
// planned. It is a buffer of the caller like any other of dynamic size, live
// during the call, and has a home where that size can be made. The last step
// makes it a view, or where the caller has no place for it an allocation around
// the call, and hands it over.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_FRAMESIZES_H
#define BERTH_LIB_IR_DYNAMIC_FRAMESIZES_H

#include "IR/Scope/Job.h"

/// Puts an allocation in front of each of the job's calls whose function is
/// planned by now and has a frame of such a size. True if there are any: the
/// job has to be collected anew.
bool berthBuildFrames(BerthJob *job);

/// Erases the arithmetic that led to the value, unless somebody uses it.
void berthEraseUnused(MlirValue value);

#endif // BERTH_LIB_IR_DYNAMIC_FRAMESIZES_H
