//===- Kept.h - How long content stays as it is --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_KEPT_H
#define BERTH_LIB_IR_FIT_KEPT_H

#include "IR/Scope/Job.h"

/// True for what an op like memref.alloc makes.
bool berthFitIsAllocation(MlirValue value);

/// An allocation that berth-fit has made, of which all uses are known.
bool berthFitIsPlace(MlirValue value);

/// True if both values may show the same memory.
bool berthFitMayBeOne(const BerthJob *job, MlirValue a, MlirValue b);

/// True if the op, or one in it, may write or free what `value` shows.
bool berthFitMayWrite(const BerthJob *job, MlirOperation op, MlirValue value);

/// The point of the first op behind `from`, in its block or in ops there, that
/// may write or free what `value` shows; at most `end`.
int64_t berthFitKeptUntil(const BerthJob *job, MlirValue value,
                          MlirOperation from, int64_t end);

#endif // BERTH_LIB_IR_FIT_KEPT_H
