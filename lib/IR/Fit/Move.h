//===- Move.h - Content that changes places -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer that leaves the fast memory between two uses becomes several: one
// allocation for each stay, and one in the slow memory.
//
//   exp  outs(%a)            exp  outs(%a0)
//                            copy %a0, %s       spill
//   ...                      ...
//                            copy %s, %a1       fill
//   sqrt ins(%a)             sqrt ins(%a1)
//
// A spill stands right behind the last use of its stay, a fill right in front
// of the first one of its own, so that spills come first between two ops.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_MOVE_H
#define BERTH_LIB_IR_FIT_MOVE_H

#include "IR/Fit/FitJob.h"
#include "berth-c/Fit.h"

/// What has been done; bytes as often as they move in one run of the scope.
typedef struct BerthFitMoves {
  size_t numMoved; ///< buffers that are somewhere else for some time
  double moves;    ///< fills and spills
  double bytesIn;
  double bytesOut;
  double bytesTouched;  ///< in the slow memory
  double bytesOfSlices; ///< of those in and out, moved slice by slice
  double bytesComputed; ///< again
  bool isExact;         ///< no length of a loop had to be guessed
} BerthFitMoves;

/// Adds up what a plan moves, without moving it.
BerthFitMoves berthFitCount(const BerthFitJob *fit, const BerthFitPlan *plan);

/// Rewrites the scope. New allocations carry BERTH_CONTENT, and copies between
/// them BERTH_MOVE, with a number for each buffer, above `*nextContent`.
void berthFitMove(const BerthFitJob *fit, const BerthFitPlan *plan,
                  int64_t *nextContent);

#endif // BERTH_LIB_IR_FIT_MOVE_H
