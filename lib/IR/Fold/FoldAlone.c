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

/// Nobody knows what an array needs before it is done. So each is tried with
/// few operations at first, and with four times as many in each further round.
enum { FirstShare = 16000, ShareGrowth = 4 };

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Where a mapping takes too many operations: the rows of a window, going
/// round. Two rows in one place are a window's size apart, so no iteration sees
/// both, and what is written in one and read in another is seen by all between.
static bool attemptRing(BerthFoldTrial *trial, BerthFoldBudget *budget) {
  BerthFoldWindow window = {.operations = 0};
  MlirOperation loop;
  int64_t cells;
  uint64_t numAccesses = trial->nest.numAccesses;
  if (trial->nest.hasSlices || numAccesses * numAccesses >= budget->forRings)
    return false;
  BerthStatus status = berthFoldNestWindow(
      &trial->nest, budget->forRings, true, BERTH_FOLD_SAMPLE,
      berthFoldArrayCells(trial->nest.arrays[0]), &window, &loop, &cells);
  budget->forRings -= window.operations < budget->forRings ? window.operations
                                                           : budget->forRings;
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
                           uint64_t share, BerthFoldBudget *budget,
                           const BerthFoldPassOptions *options,
                           BerthFoldRefusal *refusal) {
  bool good =
      berthFoldAttempt(trial, 1, &array, NULL, share, budget, options, refusal);
  if (!good || options->fold.copySlack == 0 ||
      berthFoldGains(berthFoldArrayCells(array), trial->cells,
                     options->minGain))
    return good;
  BerthFoldPassOptions tight = *options;
  tight.fold.copySlack = 0;
  berthFoldTrialDestroy(trial);
  return berthFoldAttempt(trial, 1, &array, NULL, share, budget, &tight,
                          refusal);
}

/// The trial of one array; remarks if it comes to nothing. If it ran out and
/// there may be more for it, it stays marked so.
static void attemptAlone(BerthFoldTrial *trial, MlirValue array, uint64_t share,
                         BerthFoldBudget *budget,
                         const BerthFoldPassOptions *options) {
  BerthFoldRefusal refusal;
  int64_t before = berthFoldArrayCells(array);
  uint64_t grantedBefore = trial->granted; // others may have taken what is left
  bool good = attemptLoosely(trial, array, share, budget, options, &refusal);
  if (trial->granted < grantedBefore)
    trial->granted = grantedBefore;
  bool mayGainMore = good && trial->result.cutShort &&
                     !berthFoldGains(before, trial->cells, options->minGain);
  if ((trial->ranOut || mayGainMore) && !trial->isTooDear &&
      budget->isLimited && budget->left) {
    trial->ranOut = true;
    return;
  }
  if (trial->ranOut && budget->isLimited)
    berthFoldTellMore(trial, budget, &refusal);
  if (trial->ranOut && attemptRing(trial, budget)) {
    good = true;
    berthEmitRemark(refusal.at, BERTH_REMARK_ANALYSIS, "berth-fold",
                    refusal.why);
  }
  trial->ranOut = false;
  if (!good) {
    berthFoldMissed(refusal.at, refusal.why);
  } else if (!berthFoldGains(before, trial->cells, options->minGain)) {
    berthFoldMissed(
        mlirOpResultGetOwner(array),
        "its cells are live together, folding would save too little");
    berthFoldTrialForget(trial);
  }
  if (!trial->folds)
    trial->cells = before;
  if (trial->usable && mlirShapedTypeHasStaticShape(mlirValueGetType(array)))
    noteAlone(trial);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

void berthFoldAttemptAll(BerthFoldTrial *trials, size_t count,
                         const MlirValue *arrays, BerthFoldBudget *budget,
                         const BerthFoldPassOptions *options) {
  for (size_t i = 0; i < count; ++i)
    trials[i].ranOut = true;
  bool isPending = true;
  for (uint64_t share = FirstShare; isPending; share *= ShareGrowth) {
    isPending = false;
    for (size_t i = 0; i < count; ++i) {
      if (!trials[i].ranOut)
        continue;
      berthFoldTrialDestroy(&trials[i]);
      attemptAlone(&trials[i], arrays[i], share, budget, options);
      isPending |= trials[i].ranOut && budget->isLimited && budget->left;
    }
  }
}
