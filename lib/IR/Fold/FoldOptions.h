//===- FoldOptions.h - What berth-fold is told -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDOPTIONS_H
#define BERTH_LIB_IR_FOLD_FOLDOPTIONS_H

#include "IR/Scope/Collect.h"
#include "berth-c/Fold.h"

enum { BERTH_FOLD_AUTOMATIC = -1 };

typedef struct BerthFoldPassOptions {
  BerthFoldOptions fold;
  BerthCollectOptions collect; ///< which functions threads run
  /// isl's budget for each array; 0: none; BERTH_FOLD_AUTOMATIC: FoldBudget.c.
  int64_t maxOperations;
  unsigned minGain; ///< percent of cells that must be saved
  bool countLive;   ///< tell how many cells are live at once
  bool joint;       ///< fold arrays together where that saves more
  const char
      *breakRule; ///< for tests, NULL elsewhere: a rule of IR/Ops/Rules.h
  /// For tests, NULL elsewhere: may spoil what is about to be applied. The
  /// placement is NULL unless it is applied instead of the result.
  void (*adjust)(const BerthFoldProblem *problem, BerthFoldResult *result,
                 BerthFoldPlacement *placement, void *data);
  void *adjustData;
} BerthFoldPassOptions;

#endif // BERTH_LIB_IR_FOLD_FOLDOPTIONS_H
