//===- Remarks.h - What berth-arena tells the user of a compiler --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_REMARKS_H
#define BERTH_LIB_IR_PASSES_REMARKS_H

#include "IR/Ops/PointerMap.h"
#include "IR/Scope/Job.h"

/// What a user can do about a buffer that is not placed, where that is more
/// than the reason says, or NULL.
const char *berthAdviceFor(const BerthBufferInfo *buffer);

/// A missed remark of `pass` at the allocation: "VERDICT: reason".
void berthRemarkRejection(const BerthBufferInfo *buffer, const char *pass,
                          const char *verdict);

/// Adds the ops that a placed buffer is given to and of which nothing tells
/// anything, unless the user has said what to believe.
void berthListUnknownOps(const BerthJob *job, BerthPointerMap *ops);

/// Warns of each name of these ops at the first such op in `root`.
void berthWarnOfUnknownOps(MlirOperation root, const BerthPointerMap *ops);

/// Warns of the first function whose global arena several threads may use, if
/// anything in `root` shows that there are threads.
void berthWarnOfPublicGlobals(MlirOperation root, const BerthJob *jobs,
                              size_t numJobs);

/// Warns, once for all jobs, where affine loops touch two buffers that share
/// bytes: affine passes take different memrefs for disjoint memory.
void berthWarnOfAffineLoops(BerthJob *jobs, size_t numJobs);

/// One at each allocation, and the sums at the scope.
void berthEmitJobRemarks(const BerthJob *job);

#endif // BERTH_LIB_IR_PASSES_REMARKS_H
