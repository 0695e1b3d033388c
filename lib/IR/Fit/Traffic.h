//===- Traffic.h - How often a buffer is touched --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_TRAFFIC_H
#define BERTH_LIB_IR_FIT_TRAFFIC_H

#include "IR/Fit/FitJob.h"

/// Fills in `uses`, `segments` and `runs` of a buffer with a block; of others
/// the segments, each of which is one use.
void berthFitFindTraffic(const BerthFitJob *fit, const BerthJob *job,
                         BerthFitBuffer *buffer, BerthMemory *memory);

/// Bytes that an op touches through an operand, each time that it runs; 0 if
/// nobody knows.
int64_t berthFitBytesThrough(MlirOperation op, MlirValue value);

/// Bytes that ops touch of the buffer through one of its values, in one run of
/// the scope; `*isKnown` becomes false where that is a guess.
double berthFitTouchedThrough(const BerthBufferInfo *info, MlirValue alias,
                              MlirOperation scope, bool *isKnown);

/// The turns of all loops around the op, up to `end`, be they of blocks that
/// branch; `*isKnown` stays if none had to be guessed, and no branch taken for
/// run.
double berthFitTurnsOf(MlirOperation op, MlirOperation end, bool *isKnown);

#endif // BERTH_LIB_IR_FIT_TRAFFIC_H
