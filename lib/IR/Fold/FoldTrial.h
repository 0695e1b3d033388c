//===- FoldTrial.h - What arrays fold to, on paper ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing changes before all trials are done; every mapping is certified by
// then.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDTRIAL_H
#define BERTH_LIB_IR_FOLD_FOLDTRIAL_H

#include "IR/Fold/FoldBudget.h"
#include "IR/Fold/FoldNest.h"
#include "berth-c/Pack.h"

/// What every parameter counts as where sizes are compared.
enum { BERTH_FOLD_SAMPLE = 1000 };

/// One or several arrays and what they fold to.
typedef struct BerthFoldTrial {
  BerthFoldNest nest;
  bool folds;
  BerthFoldProblem *problem;     ///< NULL: not folded, or into a window
  BerthFoldResult result;        ///< classes differ in their carries alone
  BerthFoldWindow window;        ///< without a problem
  MlirOperation loop;            ///< of the window
  bool isRing;                   ///< its rows go round instead of moving
  BerthFoldPlacement *placement; ///< several arrays side by side; else NULL
  BerthFoldMapping *alone; ///< of each array by itself, where it is usable
  int64_t cells; ///< at the sample, where every parameter is BERTH_FOLD_SAMPLE
  uint64_t live; ///< cells at once, where it was counted; else 0
  BerthSegment life; ///< ops of its block, for joining
  bool usable;       ///< its accesses are understood
  bool ranOut;       ///< of its share of the budget
  uint64_t granted;  ///< operations it was allowed, or surely needs
  uint64_t spent;    ///< operations of an array by itself
} BerthFoldTrial;

/// All cells of an array; INT64_MAX if they are more.
int64_t berthFoldArrayCells(MlirValue array);

/// Why the array cannot be folded whatever its accesses are, or NULL.
const char *berthFoldTypeObstacle(MlirValue array,
                                  const BerthCollectOptions *options);

/// Whether folding saves some cells, and at least `percent` of them.
bool berthFoldGains(int64_t before, int64_t after, unsigned percent);

/// Analyses and folds on paper. False with a refusal. Takes `alone`, how each
/// of several arrays folds by itself, or NULL.
bool berthFoldAttempt(BerthFoldTrial *trial, size_t numArrays,
                      const MlirValue *arrays, BerthFoldMapping *alone,
                      uint64_t share, BerthFoldBudget *budget,
                      const BerthFoldPassOptions *options,
                      BerthFoldRefusal *refusal);

/// The array stays as it is.
void berthFoldTrialForget(BerthFoldTrial *trial);
void berthFoldTrialDestroy(BerthFoldTrial *trial);

#endif // BERTH_LIB_IR_FOLD_FOLDTRIAL_H
