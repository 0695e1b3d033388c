//===- FoldTrial.c - What arrays fold to, on paper ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldTrial.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldArray.h"
#include "IR/Fold/FoldExpr.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Fold/FoldMirror.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

int64_t berthFoldArrayCells(MlirValue array) {
  MlirType type = mlirValueGetType(array);
  int64_t cells = 1;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int64_t size = berthFoldSizeAt(array, d, BERTH_FOLD_SAMPLE);
    if (__builtin_mul_overflow(cells, size, &cells))
      return INT64_MAX;
  }
  return cells;
}

bool berthFoldGains(int64_t before, int64_t after, unsigned percent) {
  // Without overflow: after <= before - before * percent / 100.
  int64_t least =
      before / 100 * (int64_t)percent + before % 100 * (int64_t)percent / 100;
  return after < before && after <= before - least;
}

void berthFoldTrialForget(BerthFoldTrial *trial) {
  free(trial->placement);
  trial->placement = NULL;
  berthFoldProblemDestroy(trial->problem);
  trial->problem = NULL;
  trial->folds = false;
}

void berthFoldTrialDestroy(BerthFoldTrial *trial) {
  berthFoldTrialForget(trial);
  free(trial->alone);
  berthFoldNestDestroy(&trial->nest);
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

/// Equal but for the carries' constant parts.
static bool sameRow(const BerthFoldRow *a, const BerthFoldRow *b) {
  return !memcmp(a->coefficients, b->coefficients, sizeof a->coefficients) &&
         !memcmp(a->carrySlopes, b->carrySlopes, sizeof a->carrySlopes) &&
         a->numTerms == b->numTerms &&
         !memcmp(a->terms, b->terms, a->numTerms * sizeof *a->terms) &&
         a->plain == b->plain;
}

/// One set of rows will do for all classes, but for the carries.
static bool hasOneShape(const BerthFoldResult *result) {
  const BerthFoldMapping *first = &result->mappings[0];
  for (size_t i = 1; i < result->numMappings; ++i) {
    const BerthFoldMapping *other = &result->mappings[i];
    if (other->numRows != first->numRows)
      return false;
    for (size_t r = 0; r < first->numRows; ++r)
      if (!sameRow(&first->rows[r], &other->rows[r]))
        return false;
  }
  return true;
}

/// A mapping for each class of a size, or one for all where the classes have
/// different moduli.
static BerthStatus findResult(BerthFoldTrial *trial,
                              const BerthFoldPassOptions *options,
                              BerthError *error) {
  BerthFoldOptions fold = options->fold;
  fold.uniform = false;
  fold.mirror = berthFoldCanMirror(&trial->nest);
  BerthStatus status =
      berthFoldFind(trial->problem, &fold, &trial->result, error);
  if (status != BERTH_SUCCESS || hasOneShape(&trial->result))
    return status;
  berthEmitRemark(mlirOpResultGetOwner(trial->nest.arrays[0]),
                  BERTH_REMARK_ANALYSIS, "berth-fold",
                  "a mapping for each residue class of a size takes fewer "
                  "cells, but the classes have different moduli");
  fold.uniform = true;
  return berthFoldFind(trial->problem, &fold, &trial->result, error);
}

static bool findMapping(BerthFoldTrial *trial,
                        const BerthFoldPassOptions *options,
                        BerthFoldRefusal *refusal) {
  BerthError error = {.line = 0};
  refusal->at = mlirOpResultGetOwner(trial->nest.arrays[0]);
  BerthStatus status = findResult(trial, options, &error);
  trial->ranOut = status == BERTH_RESOURCE;
  if (status != BERTH_SUCCESS) {
    if (berthIsOutOfMemory(&error))
      berthOrDie(NULL);
    snprintf(refusal->why, sizeof refusal->why, "%.390s", error.message);
    return false;
  }
  if (!berthFoldCanPlace(&trial->nest, trial->problem, &trial->result)) {
    snprintf(refusal->why, sizeof refusal->why,
             "a size that the folded array needs is computed after its first "
             "access");
    return false;
  }
  int64_t params[BERTH_FOLD_MAX_PARAMS];
  for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p)
    params[p] = BERTH_FOLD_SAMPLE;
  trial->cells = berthFoldMappingSize(&trial->result.mappings[0], params);
  return true;
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

/// Places the trial's arrays in one piece of memory, each as it folds alone.
static bool attemptPlacement(BerthFoldTrial *trial) {
  BerthFoldPlacement *placement = berthAllocateOrDie(1, sizeof *placement);
  placement->numArrays = trial->nest.numArrays;
  for (size_t a = 0; a < placement->numArrays; ++a)
    placement->mappings[a] = trial->alone[a];
  if (berthFoldPlace(trial->problem, placement, NULL) != BERTH_SUCCESS) {
    free(placement);
    return false;
  }
  trial->placement = placement;
  return true;
}

/// Some array takes all of the placement.
static bool isSmallest(const BerthFoldPlacement *placement) {
  int64_t largest = 0;
  for (size_t a = 0; a < placement->numArrays; ++a) {
    int64_t size = berthFoldMappingSize(&placement->mappings[a], NULL);
    largest = size > largest ? size : largest;
  }
  return placement->cells == largest;
}

/// Where all arrays lie at the start in the same way, the placement is one
/// mapping for all of them, and their shape can stay.
static bool isCommonMapping(BerthFoldTrial *trial) {
  const BerthFoldPlacement *placement = trial->placement;
  const BerthFoldMapping *first = &placement->mappings[0];
  BerthFoldMapping common = *first;
  for (size_t a = 0; a < placement->numArrays; ++a) {
    const BerthFoldMapping *other = &placement->mappings[a];
    bool same = placement->offsets[a] == 0 && other->numRows == first->numRows;
    for (size_t r = 0; same && r < first->numRows; ++r) {
      BerthFoldRow row = other->rows[r];
      common.rows[r].plain &= row.plain;
      row.plain = first->rows[r].plain;
      same = sameRow(&first->rows[r], &row);
    }
    if (!same)
      return false;
  }
  // The array's number comes first, and does not count.
  common.numDims = berthFoldProblemNumDims(trial->problem);
  common.numReuse = 0;
  for (size_t r = 0; r < common.numRows; ++r) {
    int64_t *coefficients = common.rows[r].coefficients;
    memmove(coefficients + 1, first->rows[r].coefficients,
            (BERTH_FOLD_MAX_DIMS - 1) * sizeof *coefficients);
    coefficients[0] = 0;
  }
  if (berthFoldCertify(trial->problem, &common, NULL) != BERTH_SUCCESS)
    return false;
  trial->result = (BerthFoldResult){.numMappings = 1, .mappings = {common}};
  trial->cells = placement->cells;
  return true;
}

static void dropPlacement(BerthFoldTrial *trial) {
  free(trial->placement);
  trial->placement = NULL;
}

/// A mapping for the nest of the trial, or a placement of its arrays that takes
/// no more cells: its indices cost less. False with a refusal.
static bool findBest(BerthFoldTrial *trial, const BerthFoldPassOptions *options,
                     BerthFoldRefusal *refusal) {
  bool places = trial->alone && attemptPlacement(trial);
  bool suffices = places && isSmallest(trial->placement);
  if (suffices && isCommonMapping(trial)) {
    dropPlacement(trial);
    return true;
  }
  bool maps = !suffices && findMapping(trial, options, refusal);
  if (!places)
    return maps;
  if (maps && trial->cells < trial->placement->cells) {
    dropPlacement(trial);
    return true;
  }
  trial->cells = trial->placement->cells;
  trial->ranOut = false;
  return true;
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

const char *berthFoldTypeObstacle(MlirValue array,
                                  const BerthCollectOptions *options) {
  MlirType type = mlirValueGetType(array);
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return "its layout is not the identity";
  if (berthMemoryMayBeShared(mlirOpResultGetOwner(array), type, options))
    return "threads may share its memory, and one thread's accesses do not "
           "tell those of the others";
  return NULL;
}

/// The flow analysis looks at each load with each access, which isl does not
/// count; one takes about as long as one of its operations.
static uint64_t countPairs(const BerthFoldNest *nest) {
  uint64_t numLoads = 0;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    numLoads += nest->accesses[k].isLoad;
  return numLoads * nest->numAccesses;
}

/// True if the pairs alone are more than the trial may take.
static bool isTooDear(BerthFoldTrial *trial, uint64_t maxOperations,
                      BerthFoldBudget *budget, BerthFoldRefusal *refusal) {
  uint64_t pairs = countPairs(&trial->nest);
  if (!budget->isLimited)
    return false;
  if (pairs < maxOperations) {
    berthFoldCharge(budget, pairs);
    return false;
  }
  trial->ranOut = true;
  trial->granted = pairs;
  refusal->at = mlirOpResultGetOwner(trial->nest.arrays[0]);
  snprintf(refusal->why, sizeof refusal->why,
           "looking at each load with each access ran out of isl's operation "
           "budget");
  return true;
}

/// A mapping for the nest of the trial. False with a refusal.
static bool attemptMapping(BerthFoldTrial *trial, uint64_t maxOperations,
                           BerthFoldBudget *budget,
                           const BerthFoldPassOptions *options,
                           BerthFoldRefusal *refusal) {
  if (isTooDear(trial, maxOperations, budget, refusal))
    return false;
  BerthStatus status = berthFoldNestProblem(&trial->nest, maxOperations,
                                            &trial->problem, refusal);
  trial->ranOut = status == BERTH_RESOURCE;
  if (status != BERTH_SUCCESS) {
    berthFoldCharge(budget, maxOperations);
    return false;
  }
  trial->usable = !trial->nest.hasSlices;
  trial->folds = findBest(trial, options, refusal);
  uint64_t wrong;
  if (options->countLive && berthFoldProblemNumParams(trial->problem) == 0 &&
      berthFoldTrace(trial->problem, NULL, NULL, &wrong, &trial->live, NULL) !=
          BERTH_SUCCESS)
    trial->live = 0;
  berthFoldCharge(budget, berthFoldProblemOperations(trial->problem));
  if (!trial->folds)
    berthFoldTrialForget(trial);
  return trial->folds;
}

/// Lets the window slide for as many more iterations as `most` cells allow.
static void spreadMoves(BerthFoldWindow *window, int64_t step, int64_t most,
                        int64_t *cells) {
  int64_t by = window->slope * step, rows = berthFoldWindowRows(window, step),
          rowCells = *cells / rows, more = (most - *cells) / (rowCells * by);
  if (window->size <= by || more < 1)
    return;
  window->turns += more;
  *cells += more * by * rowCells;
}

/// The row of the mapping that is mirrored, or NULL.
static const BerthFoldRow *mirroredRow(const BerthFoldMapping *mapping) {
  for (size_t r = 0; r < mapping->numRows; ++r)
    if (mapping->rows[r].mirror)
      return &mapping->rows[r];
  return NULL;
}

/// Whether a window copies less for each new row than the mapping does: of b
/// rows that copies `mirror`.
static bool copiesLess(const BerthFoldWindow *window, int64_t step,
                       const BerthFoldRow *row) {
  int64_t by = window->slope * step,
          copied = window->size > by ? window->size - by : 0;
  return row &&
         copied * row->terms[0].constant < row->mirror * by * window->turns;
}

/// What may be taken where `cells` would do.
static int64_t withSlack(int64_t cells, unsigned percent) {
  int64_t more;
  if (__builtin_mul_overflow(cells, (int64_t)percent, &more) ||
      __builtin_add_overflow(cells, more / 100, &cells))
    return INT64_MAX / 4;
  return cells;
}

/// Arrays that are accessed in slices may move along with a loop instead, where
/// that takes fewer cells than the mapping, if there is one; or where it copies
/// less, and takes no more than the slack allows.
static bool attemptWindow(BerthFoldTrial *trial, uint64_t maxOperations,
                          BerthFoldBudget *budget,
                          const BerthFoldPassOptions *options) {
  BerthFoldWindow window = {.operations = 0};
  MlirOperation loop;
  int64_t cells, limit = berthFoldArrayCells(trial->nest.arrays[0]);
  unsigned slack = options->fold.copySlack;
  const BerthFoldRow *mirrored =
      trial->folds ? mirroredRow(&trial->result.mappings[0]) : NULL;
  if (!trial->nest.hasSlices)
    return false;
  // Copies have to save more than they hold twice.
  if (trial->folds)
    limit = trial->cells;
  if (mirrored)
    limit = withSlack(trial->cells, slack) + 1 +
            trial->cells / (mirrored->terms[0].constant + mirrored->mirror) *
                mirrored->mirror;
  BerthStatus status =
      berthFoldNestWindow(&trial->nest, maxOperations, false, BERTH_FOLD_SAMPLE,
                          limit, &window, &loop, &cells);
  berthFoldCharge(budget, window.operations);
  if (status != BERTH_SUCCESS)
    return false;
  int64_t step = berthFoldStep(loop), most = cells;
  if (trial->folds && trial->cells < most)
    most = trial->cells;
  most = withSlack(most, slack);
  spreadMoves(&window, step, most, &cells);
  if (trial->folds && trial->cells <= most &&
      !copiesLess(&window, step, mirrored))
    return false;
  berthFoldTrialForget(trial);
  trial->folds = true;
  trial->ranOut = false;
  trial->window = window;
  trial->loop = loop;
  trial->cells = cells;
  return true;
}

bool berthFoldAttempt(BerthFoldTrial *trial, size_t numArrays,
                      const MlirValue *arrays, BerthFoldMapping *alone,
                      uint64_t share, BerthFoldBudget *budget,
                      const BerthFoldPassOptions *options,
                      BerthFoldRefusal *refusal) {
  *trial = (BerthFoldTrial){.alone = alone};
  const char *obstacle = berthFoldTypeObstacle(arrays[0], &options->collect);
  if (obstacle) {
    refusal->at = mlirOpResultGetOwner(arrays[0]);
    snprintf(refusal->why, sizeof refusal->why, "%s", obstacle);
    return false;
  }
  if (!berthFoldNestInit(&trial->nest, numArrays, arrays, NULL,
                         options->breakRule, refusal))
    return false;
  uint64_t maxOperations = berthFoldGrant(budget, share);
  trial->granted = maxOperations;
  bool maps = attemptMapping(trial, maxOperations, budget, options, refusal);
  return attemptWindow(trial, maxOperations, budget, options) || maps;
}
