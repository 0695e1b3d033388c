//===- InPlace.h - Results written over dying operands ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An op that reads a dying buffer X and overwrites a new one Y element for
// element needs no bytes for both: they interfere at that one point only, and
// even there not if they lie at the same offset.
//
//     linalg.exp ins(%x) outs(%y)       x dies here, y begins here
//     memref.copy %x, %y                the same, and the copy does nothing
//
// Either may be seen by another shape (memref.collapse_shape), as long as that
// has all of the buffer's elements, and both are seen by the same one.
//
// A nest of loops that does the same is such an op, too (LoopsInPlace.h).
//
// Such pairs become groups of one offset (Groups.h). A chain x -> y -> z is one
// group as long as no two of its members are live together anywhere else.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_INPLACE_H
#define BERTH_LIB_IR_LIVENESS_INPLACE_H

#include "IR/Scope/Job.h"

/// The order of BerthJob.overlaps, for qsort and bsearch: by the pair.
int berthCompareOverlaps(const void *left, const void *right);

/// Overlaps need a fixed order: that of one thread on one core. Where places
/// are kept, or somebody says where buffers lie, there are no distances.
bool berthMayHaveOverlaps(const BerthJob *job);

/// Sets `group` and `writtenBy` where the options and the form allow it.
void berthGroupInPlace(BerthJob *job);

/// True if the buffer is the copy of a dying one in its group, so that
/// `writtenBy` can go.
bool berthIsDroppableCopy(const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_LIVENESS_INPLACE_H
