//===- FoldPass.c - Which arrays to fold, alone or together ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stations: collect allocations -> fold each by itself (FoldAlone.c) -> join
// neighbours of one block while that saves cells (FoldJoin.c) -> rewrite.
// Nothing changes before all trials (FoldTrial.c) are done.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FoldPass.h"
#include "IR/Fold/FoldAlone.h"
#include "IR/Fold/FoldElement.h"
#include "IR/Fold/FoldJoin.h"
#include "IR/Fold/FoldPlaced.h"
#include "IR/Fold/FoldRemarks.h"
#include "IR/Fold/FoldRewrite.h"
#include "IR/Fold/FoldSlices.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Arrays {
  size_t count, capacity;
  MlirValue *list;
} Arrays;

static bool isCandidate(MlirOperation op) {
  if (!berthOpIsPlainAllocation(op))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirShapedTypeGetRank(type) > 0;
}

static MlirWalkResult collect(MlirOperation op, void *userData) {
  Arrays *arrays = userData;
  if (!isCandidate(op))
    return MlirWalkResultAdvance;
  arrays->list = berthGrow(arrays->list, arrays->count, &arrays->capacity,
                           sizeof *arrays->list);
  arrays->list[arrays->count++] = mlirOperationGetResult(op, 0);
  return MlirWalkResultAdvance;
}

static void rewrite(BerthFoldTrial *trial, BerthFoldReplaced *replaced,
                    BerthFoldMoves *moves,
                    const BerthFoldPassOptions *options) {
  trial->nest.replaced = replaced;
  if (options->adjust && trial->problem)
    options->adjust(trial->problem, &trial->result, trial->placement,
                    options->adjustData);
  if (!trial->problem && trial->isRing) {
    berthFoldRewriteRing(&trial->nest, &trial->window);
  } else if (trial->placement) {
    berthFoldRewritePlaced(&trial->nest, trial->problem, trial->placement);
  } else if (!trial->problem) {
    berthFoldRewriteWindow(&trial->nest, &trial->window, trial->loop, moves);
  } else {
    berthFoldRewrite(&trial->nest, trial->problem, &trial->result);
  }
}

/// Looks at the arrays that are left as they are used by now.
static size_t placeAll(MlirOperation root, BerthFoldMoves *moves,
                       BerthFoldBlocks *blocks,
                       const BerthFoldPassOptions *options) {
  Arrays arrays = {0};
  mlirOperationWalk(root, collect, &arrays, MlirWalkPreOrder);
  size_t numPlaced =
      berthFoldPlaceAll(arrays.count, arrays.list, moves, blocks, options);
  free(arrays.list);
  return numPlaced;
}

void berthFoldRun(MlirOperation root, const BerthFoldPassOptions *given,
                  BerthFoldFigures *figures) {
  BerthFoldPassOptions own = *given;
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(root, &own.collect);
  own.collect.threadFunctions = &threadFunctions;
  const BerthFoldPassOptions *options = &own;
  Arrays arrays = {0};
  mlirOperationWalk(root, collect, &arrays, MlirWalkPreOrder);
  BerthFoldTrial *trials = berthAllocateOrDie(arrays.count, sizeof *trials);
  BerthFoldBlocks *blocks = berthFoldBlocksCreate(options->maxOperations);
  berthFoldAttemptAll(trials, arrays.count, arrays.list, options);
  if (options->joint)
    berthFoldJoinAll(trials, arrays.count, arrays.list, blocks, options);
  BerthFoldReplaced replaced = {0};
  BerthFoldMoves moves = {0};
  for (size_t i = 0; i < arrays.count; ++i) {
    if (trials[i].folds) {
      berthFoldAnnounce(&trials[i]);
      rewrite(&trials[i], &replaced, &moves, options);
      figures->folded += trials[i].nest.numArrays;
      figures->joined +=
          trials[i].nest.numArrays > 1 ? trials[i].nest.numArrays : 0;
    }
    berthFoldTrialDestroy(&trials[i]);
  }
  berthFoldEraseReplaced(&replaced);
  figures->arrays += arrays.count;
  if (options->joint)
    figures->joined += placeAll(root, &moves, blocks, options);
  berthFoldBlocksDestroy(blocks);
  free(moves.list);
  berthPointerMapFree(&threadFunctions);
  free(trials);
  free(arrays.list);
}
