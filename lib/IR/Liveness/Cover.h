//===- Cover.h - Buffers overwritten piece by piece ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a buffer holds ends not only where one op overwrites it (a kill), but
// also where several begin to, which together overwrite all of it before any of
// them reads:
//
//     ...                              old content: of no use any more
//     scf.for %i = 0 to 128 step 32 {  the cover starts here
//       %p = memref.subview %a[%i] [32] [1]
//       linalg.fill outs(%p)
//     }
//
// So are a called function that does the same, and stores one after the other.
// Loops must be known to take the turns that it needs, from constants; what an
// op writes must be a box (IndexBoxes.h). An op under a condition writes
// nothing.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_COVER_H
#define BERTH_LIB_IR_LIVENESS_COVER_H

#include "IR/Scope/Options.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Sets `startsCover` of accesses and `covers` of buffers. Not in memory that
/// threads share (ThreadCover.h).
void berthFindCovers(BerthScope *scope, const BerthPoints *points,
                     const BerthAliasOptions *options);

/// Notes that a cover starts at an op. What is inside an op that is an access
/// as a whole is no place of its own: there nothing is noted.
void berthBufferNoteCover(BerthBufferInfo *buffer, const BerthPoints *points,
                          BerthMemory *memory, MlirOperation op);

/// True if only views lead to the buffer, none of them to another one, and its
/// type tells all of its shape, without gaps.
bool berthBufferHasViewsOnly(const BerthBufferInfo *buffer);

/// The same of a buffer whose size may be known at run time only.
bool berthBufferHasPlainViews(const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_LIVENESS_COVER_H
