//===- FoldAlone.c - Each array by itself ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldAlone.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldRemarks.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Where a mapping takes too many operations: the rows of a window, going
/// round. Two rows in one place are a window's size apart, so no iteration sees
/// both, and what is written in one and read in another is seen by all between.
static bool attemptRing(BerthFoldTrial *trial, const BerthFoldBudget *budget) {
  BerthFoldWindow window = {.operations = 0};
  MlirOperation loop;
  int64_t cells;
  uint64_t numAccesses = trial->nest.numAccesses;
  if (trial->nest.hasSlices || numAccesses * numAccesses >= budget->forRing)
    return false;
  BerthStatus status = berthFoldNestWindow(
      &trial->nest, budget->forRing, true, BERTH_FOLD_SAMPLE,
      berthFoldArrayCells(trial->nest.arrays[0]), &window, &loop, &cells);
  if (status != BERTH_SUCCESS)
    return false;
  trial->folds = trial->isRing = true;
  trial->window = window;
  trial->loop = loop;
  trial->cells = cells;
  return true;
}

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

/// Numbers only, neither carries nor a turn.
static bool canBePlaced(const BerthFoldMapping *mapping) {
  bool can = mapping->numParams == 0 && !mapping->turn.exists;
  for (size_t r = 0; can && r < mapping->numRows; ++r)
    for (size_t j = 0; j < r; ++j)
      can &= mapping->rows[r].carries[j] == 0;
  return can;
}

/// Keeps how the array folds alone; as it is where it does not.
static void noteAlone(BerthFoldTrial *trial) {
  BerthFoldMapping *alone = berthAllocateOrDie(1, sizeof *alone);
  MlirType type = mlirValueGetType(trial->nest.arrays[0]);
  trial->alone = alone;
  if (trial->folds && trial->problem &&
      canBePlaced(&trial->result.mappings[0])) {
    *alone = trial->result.mappings[0];
    return;
  }
  alone->numDims = alone->numRows = (size_t)mlirShapedTypeGetRank(type);
  alone->classModulus = 1;
  alone->method = "lefebvre-feautrier"; // which leaves it as it is
  for (size_t d = 0; d < alone->numDims; ++d) {
    BerthFoldRow *row = &alone->rows[d];
    row->coefficients[d] = 1;
    row->numTerms = 1;
    row->terms[0].constant = mlirShapedTypeGetDimSize(type, (intptr_t)d);
    row->terms[0].divisor = 1;
    row->plain = true;
  }
}

/// What a slack for fewer copies would take may be what folding saves.
static bool attemptLoosely(BerthFoldTrial *trial, MlirValue array,
                           BerthFoldBudget *budget,
                           const BerthFoldPassOptions *options,
                           BerthFoldRefusal *refusal) {
  bool good = berthFoldAttempt(trial, 1, &array, NULL, budget->whole, budget,
                               options, refusal);
  if (!good || options->fold.copySlack == 0 ||
      berthFoldGains(berthFoldArrayCells(array), trial->cells,
                     options->minGain))
    return good;
  BerthFoldPassOptions tight = *options;
  tight.fold.copySlack = 0;
  berthFoldTrialDestroy(trial);
  budget->left = budget->whole;
  return berthFoldAttempt(trial, 1, &array, NULL, budget->whole, budget, &tight,
                          refusal);
}

/// What the search that was cut short has found is no gain: the same to users
/// as if it had found nothing, but more is known of what there is to save.
static void takeAsRanOut(BerthFoldTrial *trial, BerthFoldRefusal *refusal) {
  uint64_t wrong;
  refusal->at = mlirOpResultGetOwner(trial->nest.arrays[0]);
  snprintf(refusal->why, sizeof refusal->why,
           "looking for a mapping ran out of isl's operation budget");
  if (trial->problem && berthFoldProblemNumParams(trial->problem) == 0 &&
      berthFoldTrace(trial->problem, NULL, NULL, &wrong, &trial->live, NULL) !=
          BERTH_SUCCESS)
    trial->live = 0;
  berthFoldTrialForget(trial);
  trial->ranOut = true;
}

static void tellOfNoGain(MlirValue array, int64_t before, int64_t after) {
  char why[200] = "its cells are live together, folding would save too little";
  if (!mlirShapedTypeHasStaticShape(mlirValueGetType(array)))
    snprintf(why, sizeof why,
             "folding would save too little: %lld cells of %lld are left where "
             "each size known at run time only is %d",
             (long long)after, (long long)before, BERTH_FOLD_SAMPLE);
  berthFoldMissed(mlirOpResultGetOwner(array), why);
}

/// The trial of one array; remarks if it comes to nothing.
static void attemptAlone(BerthFoldTrial *trial, MlirValue array,
                         const BerthFoldPassOptions *options) {
  BerthFoldBudget budget = berthFoldBudgetOfArray(options->maxOperations);
  BerthFoldRefusal refusal;
  int64_t cellsBefore = berthFoldArrayCells(array);
  bool good = attemptLoosely(trial, array, &budget, options, &refusal);
  bool mayGainMore =
      good && trial->result.cutShort &&
      !berthFoldGains(cellsBefore, trial->cells, options->minGain);
  if (mayGainMore) {
    takeAsRanOut(trial, &refusal);
    good = false;
  }
  trial->spent = budget.spent;
  if (trial->ranOut && budget.isLimited)
    berthFoldTellMore(trial, &refusal);
  if (trial->ranOut && attemptRing(trial, &budget)) {
    good = true;
    berthEmitRemark(refusal.at, BERTH_REMARK_ANALYSIS, "berth-fold",
                    refusal.why);
  }
  if (!good) {
    berthFoldMissed(refusal.at, refusal.why);
  } else if (!berthFoldGains(cellsBefore, trial->cells, options->minGain)) {
    tellOfNoGain(array, cellsBefore, trial->cells);
    berthFoldTrialForget(trial);
  }
  if (!trial->folds)
    trial->cells = cellsBefore;
  if (trial->usable && mlirShapedTypeHasStaticShape(mlirValueGetType(array)))
    noteAlone(trial);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

void berthFoldAttemptAll(BerthFoldTrial *trials, size_t count,
                         const MlirValue *arrays,
                         const BerthFoldPassOptions *options) {
  for (size_t i = 0; i < count; ++i)
    attemptAlone(&trials[i], arrays[i], options);
}
