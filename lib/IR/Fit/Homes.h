//===- Homes.h - Buffers that go out as they are -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops carry, branches return or pass to blocks and selects choose has no
// block in which it could move: one value stands for several buffers. But all
// buffers of which a value may be one can lie in the slow memory for all of
// their lives, if ops may work on it: then only types change.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_HOMES_H
#define BERTH_LIB_IR_FIT_HOMES_H

#include "IR/Fit/FitJob.h"

/// Buffers with all values that may be one of them.
typedef struct BerthFitHome {
  MlirOperation alloc; ///< of the first one
  size_t numBuffers;
  int64_t bytes;  ///< of all of them
  double touched; ///< by ops, in one run of the scope
  bool isKnown;   ///< no length of a loop had to be guessed
  size_t numValues;
  MlirValue *values; ///< they live as long as the job
} BerthFitHome;

/// Why buffers cannot go out as they are, and which op forbids it.
typedef struct BerthFitObstacle {
  const char *reason; ///< NULL: nothing does
  MlirOperation at;   ///< or null
} BerthFitObstacle;

/// The one of which a byte is touched least often. False: there is none.
bool berthFitFindHome(BerthFitJob *fit, BerthFitHome *home);

/// What keeps the buffer, or one that a value of its may be as well, from
/// there.
BerthFitObstacle berthFitWhyNoHome(BerthFitJob *fit, size_t index);

/// Puts them into the slow memory.
void berthFitTakeHome(const BerthFitJob *fit, const BerthFitHome *home);

#endif // BERTH_LIB_IR_FIT_HOMES_H
