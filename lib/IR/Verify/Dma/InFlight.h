//===- InFlight.h - Transfers that may be under way ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *sky* is the set of transfers that may be under way where control is. Sets
// only grow on the join of paths; flights of one start on different elements
// are told apart.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_DMA_INFLIGHT_H
#define BERTH_LIB_IR_VERIFY_DMA_INFLIGHT_H

#include "IR/Verify/Dma/Tags.h"

/// A transfer under way.
typedef struct BerthFlight {
  MlirOperation start; ///< or a call
  bool isEndless;      ///< no wait ends it
  /// What makes anew a buffer that it uses, or null. Nobody may use that until
  /// the wait.
  MlirOperation made;
  uint32_t madeRoot;
  int groups; ///< made since it began, where a wait for groups ends it
  /// The op in which control is and that has to do with other tags only: what
  /// values are called in there is of no interest. Or null.
  MlirOperation aside;
  BerthTagPlace place;
} BerthFlight;

/// Those that may be, where control is.
typedef struct BerthSky {
  bool isReached;
  BerthFlight *flights;
  size_t count, capacity;
} BerthSky;

/// Returns true if that is something new. Where there are too many flights of
/// one start, one without end stands for the others.
bool berthSkyAdd(BerthSky *sky, BerthFlight flight);

/// Returns true if that changed `into`.
bool berthSkyJoin(BerthSky *into, const BerthSky *from);

/// Joins what is under way after a step of control flow.
bool berthSkyJoinStep(BerthSky *into, const BerthSky *from,
                      const BerthTagStep *step);

/// Free `flights`.
BerthSky berthSkyCopy(const BerthSky *sky);

#endif // BERTH_LIB_IR_VERIFY_DMA_INFLIGHT_H
