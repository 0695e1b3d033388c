//===- FoldPass.c - Which arrays to fold, alone or together ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stations: collect allocations -> fold each by itself (a trial) -> join
// neighbours of one block while that saves cells -> rewrite. Nothing changes
// before all trials of a block are done; every mapping is certified by then.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FoldPass.h"
#include "IO/TextBuffer.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldArray.h"
#include "IR/Fold/FoldElement.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Fold/FoldNest.h"
#include "IR/Fold/FoldRewrite.h"
#include "IR/Fold/FoldSlices.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "berth-c/Pack.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxJoined = 6, SampleSize = 1000 };

/// isl's operations for all arrays of a run together. It takes about 1.5 us for
/// one, so by default the pass takes 0.2 s, and for each op about three times
/// what reading and printing it does.
enum { OperationsForAll = 100000, OperationsForEachOp = 10 };

/// Nobody knows what an array needs before it is done. So each is tried with
/// few operations at first, and with four times as many in each further round.
enum { FirstShare = 16000, ShareGrowth = 4 };

/// Trying arrays together may take twice what each by itself has taken, and so
/// much (a tenth of a second) in any case. Of several pairs none gets all of a
/// large budget.
enum { JointFactor = 2, JointAtLeast = 64000, PairsAtLeast = 4 };

/// An array that ran out may be tried as a ring of rows, which takes few
/// operations: for all, one in so many of the whole budget more.
enum { RingPart = 2 };

typedef struct Budget {
  bool isLimited;
  uint64_t whole;
  uint64_t left;
  uint64_t spent;
  uint64_t forRings;   ///< left for what all the rest did not do for
  size_t numPairsLeft; ///< not tried together for want of operations
} Budget;

/// One or several arrays and what they fold to.
typedef struct Trial {
  BerthFoldNest nest;
  bool folds;
  BerthFoldProblem *problem;     ///< NULL: not folded, or into a window
  BerthFoldResult result;        ///< classes differ in their carries alone
  BerthFoldWindow window;        ///< without a problem
  MlirOperation loop;            ///< of the window
  bool isRing;                   ///< its rows go round instead of moving
  BerthFoldPlacement *placement; ///< several arrays side by side; else NULL
  BerthFoldMapping *alone; ///< of each array by itself, where it is usable
  int64_t cells;     ///< at the sample, where every parameter is SampleSize
  uint64_t live;     ///< cells at once, where it was counted; else 0
  BerthSegment life; ///< ops of its block, for joining
  bool usable;       ///< its accesses are understood
  bool ranOut;       ///< of its share of the budget
  bool isTooDear;    ///< no share that is left would do
} Trial;

typedef struct Arrays {
  size_t count, capacity;
  MlirValue *list;
} Arrays;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

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

/// Why the array cannot be folded whatever its accesses are, or NULL.
static const char *typeObstacle(MlirValue array,
                                const BerthCollectOptions *options) {
  MlirType type = mlirValueGetType(array);
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return "its layout is not the identity";
  if (berthMemoryMayBeShared(mlirOpResultGetOwner(array), type, options))
    return "threads may share its memory, and one thread's accesses do not "
           "tell those of the others";
  return NULL;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

static int64_t arrayCells(MlirValue array) {
  MlirType type = mlirValueGetType(array);
  int64_t cells = 1;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int64_t size = mlirShapedTypeIsDynamicDim(type, d)
                       ? SampleSize
                       : mlirShapedTypeGetDimSize(type, d);
    if (__builtin_mul_overflow(cells, size, &cells))
      return INT64_MAX;
  }
  return cells;
}

static void missed(MlirOperation at, const char *why) {
  char message[512];
  snprintf(message, sizeof message, "not folded: %s", why);
  berthEmitRemark(at, BERTH_REMARK_MISSED, "berth-fold", message);
}

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
static BerthStatus findResult(Trial *trial, const BerthFoldPassOptions *options,
                              BerthError *error) {
  BerthFoldOptions fold = options->fold;
  fold.uniform = false;
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

static bool findMapping(Trial *trial, const BerthFoldPassOptions *options,
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
    params[p] = SampleSize;
  trial->cells = berthFoldMappingSize(&trial->result.mappings[0], params);
  return true;
}

static void forget(Trial *trial) {
  free(trial->placement);
  trial->placement = NULL;
  berthFoldProblemDestroy(trial->problem);
  trial->problem = NULL;
  trial->folds = false;
}

/// isl's limit for a trial that may take `share` operations. 0 is no limit;
/// with 1 a trial runs out at once.
static uint64_t grant(const Budget *budget, uint64_t share) {
  if (!budget->isLimited)
    return 0;
  uint64_t granted = share < budget->left ? share : budget->left;
  return granted ? granted : 1;
}

static void charge(Budget *budget, uint64_t operations) {
  budget->spent += operations;
  budget->left -= operations < budget->left ? operations : budget->left;
}

/// Places the trial's arrays in one piece of memory, each as it folds alone.
static bool attemptPlacement(Trial *trial) {
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
static bool isCommonMapping(Trial *trial) {
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

static void dropPlacement(Trial *trial) {
  free(trial->placement);
  trial->placement = NULL;
}

/// A mapping for the nest of the trial, or a placement of its arrays that takes
/// no more cells: its indices cost less. False with a refusal.
static bool findBest(Trial *trial, const BerthFoldPassOptions *options,
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

/// The flow analysis looks at each load with each access, which isl does not
/// count; one takes about as long as one of its operations.
static uint64_t countPairs(const BerthFoldNest *nest) {
  uint64_t numLoads = 0;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    numLoads += nest->accesses[k].isLoad;
  return numLoads * nest->numAccesses;
}

/// True if the pairs alone are more than the trial may take.
static bool isTooDear(Trial *trial, uint64_t maxOperations, Budget *budget,
                      BerthFoldRefusal *refusal) {
  uint64_t pairs = countPairs(&trial->nest);
  if (!budget->isLimited)
    return false;
  if (pairs < maxOperations) {
    charge(budget, pairs);
    return false;
  }
  trial->ranOut = true;
  trial->isTooDear = pairs >= budget->left;
  refusal->at = mlirOpResultGetOwner(trial->nest.arrays[0]);
  snprintf(refusal->why, sizeof refusal->why,
           "looking at each load with each access ran out of isl's operation "
           "budget");
  return true;
}

/// A mapping for the nest of the trial. False with a refusal.
static bool attemptMapping(Trial *trial, uint64_t maxOperations, Budget *budget,
                           const BerthFoldPassOptions *options,
                           BerthFoldRefusal *refusal) {
  if (isTooDear(trial, maxOperations, budget, refusal))
    return false;
  BerthStatus status = berthFoldNestProblem(&trial->nest, maxOperations,
                                            &trial->problem, refusal);
  trial->ranOut = status == BERTH_RESOURCE;
  if (status != BERTH_SUCCESS) {
    charge(budget, maxOperations);
    return false;
  }
  trial->usable = !trial->nest.hasSlices;
  trial->folds = findBest(trial, options, refusal);
  uint64_t wrong;
  if (options->countLive && berthFoldProblemNumParams(trial->problem) == 0 &&
      berthFoldTrace(trial->problem, NULL, NULL, &wrong, &trial->live, NULL) !=
          BERTH_SUCCESS)
    trial->live = 0;
  charge(budget, berthFoldProblemOperations(trial->problem));
  if (!trial->folds)
    forget(trial);
  return trial->folds;
}

/// Arrays that are accessed in slices may move along with a loop instead, where
/// that takes fewer cells than the mapping, if there is one.
static bool attemptWindow(Trial *trial, uint64_t maxOperations,
                          Budget *budget) {
  BerthFoldWindow window = {.operations = 0};
  MlirOperation loop;
  int64_t cells,
      limit = trial->folds ? trial->cells : arrayCells(trial->nest.arrays[0]);
  if (!trial->nest.hasSlices)
    return false;
  BerthStatus status = berthFoldNestWindow(
      &trial->nest, maxOperations, SampleSize, limit, &window, &loop, &cells);
  charge(budget, window.operations);
  if (status != BERTH_SUCCESS)
    return false;
  forget(trial);
  trial->folds = true;
  trial->ranOut = false;
  trial->window = window;
  trial->loop = loop;
  trial->cells = cells;
  return true;
}

/// Analyses and folds on paper. False with a refusal. Takes `alone`, how each
/// of several arrays folds by itself, or NULL.
static bool attempt(Trial *trial, size_t numArrays, const MlirValue *arrays,
                    BerthFoldMapping *alone, uint64_t share, Budget *budget,
                    const BerthFoldPassOptions *options,
                    BerthFoldRefusal *refusal) {
  *trial = (Trial){.alone = alone};
  const char *obstacle = typeObstacle(arrays[0], &options->collect);
  if (obstacle) {
    refusal->at = mlirOpResultGetOwner(arrays[0]);
    snprintf(refusal->why, sizeof refusal->why, "%s", obstacle);
    return false;
  }
  if (!berthFoldNestInit(&trial->nest, numArrays, arrays, options->breakRule,
                         refusal))
    return false;
  uint64_t maxOperations = grant(budget, share);
  bool maps = attemptMapping(trial, maxOperations, budget, options, refusal);
  return attemptWindow(trial, maxOperations, budget) || maps;
}

/// Where a mapping takes too many operations: the rows of a window, going
/// round. Two rows in one place are a window's size apart, so no iteration sees
/// both, and what is written in one and read in another is seen by all between.
static bool attemptRing(Trial *trial, Budget *budget) {
  BerthFoldWindow window = {.operations = 0};
  MlirOperation loop;
  int64_t cells;
  uint64_t numAccesses = trial->nest.numAccesses;
  if (trial->nest.hasSlices || numAccesses * numAccesses >= budget->forRings)
    return false;
  BerthStatus status = berthFoldNestWindow(
      &trial->nest, budget->forRings, SampleSize,
      arrayCells(trial->nest.arrays[0]), &window, &loop, &cells);
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

static bool gains(int64_t before, int64_t after, unsigned percent) {
  // Without overflow: after <= before - before * percent / 100.
  int64_t least =
      before / 100 * (int64_t)percent + before % 100 * (int64_t)percent / 100;
  return after < before && after <= before - least;
}

/// What ran out, and how to have it nonetheless.
static void tellMore(const BerthFoldNest *nest, const Budget *budget,
                     BerthFoldRefusal *refusal) {
  size_t length = strlen(refusal->why), numLoads = 0, numStores = 0;
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    numLoads += nest->accesses[k].isLoad;
    numStores += nest->accesses[k].isStore;
  }
  snprintf(refusal->why + length, sizeof refusal->why - length,
           " (%zu loads, %zu stores); all arrays may take %llu together, "
           "max-operations=%llu lets them take ten times that",
           numLoads, numStores, (unsigned long long)budget->whole,
           (unsigned long long)budget->whole * 10);
}

/// Numbers only, neither carries nor a turn.
static bool canBePlaced(const BerthFoldMapping *mapping) {
  bool can = mapping->numParams == 0 && !mapping->turn.exists;
  for (size_t r = 0; can && r < mapping->numRows; ++r)
    for (size_t j = 0; j < r; ++j)
      can &= mapping->rows[r].carries[j] == 0;
  return can;
}

/// Keeps how the array folds alone; as it is where it does not.
static void noteAlone(Trial *trial) {
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

/// The trial of one array; remarks if it comes to nothing. If it ran out and
/// there may be more for it, it stays marked so.
static void attemptAlone(Trial *trial, MlirValue array, uint64_t share,
                         Budget *budget, const BerthFoldPassOptions *options) {
  BerthFoldRefusal refusal;
  int64_t before = arrayCells(array);
  bool good = attempt(trial, 1, &array, NULL, share, budget, options, &refusal);
  bool mayGainMore = good && trial->result.cutShort &&
                     !gains(before, trial->cells, options->minGain);
  if ((trial->ranOut || mayGainMore) && !trial->isTooDear &&
      budget->isLimited && budget->left) {
    trial->ranOut = true;
    return;
  }
  if (trial->ranOut && budget->isLimited)
    tellMore(&trial->nest, budget, &refusal);
  if (trial->ranOut && attemptRing(trial, budget)) {
    good = true;
    berthEmitRemark(refusal.at, BERTH_REMARK_ANALYSIS, "berth-fold",
                    refusal.why);
  }
  trial->ranOut = false;
  if (!good) {
    missed(refusal.at, refusal.why);
  } else if (!gains(before, trial->cells, options->minGain)) {
    missed(mlirOpResultGetOwner(array),
           "its cells are live together, folding would save too little");
    forget(trial);
  }
  if (!trial->folds)
    trial->cells = before;
  if (trial->usable && mlirShapedTypeHasStaticShape(mlirValueGetType(array)))
    noteAlone(trial);
}

static void destroyTrial(Trial *trial) {
  forget(trial);
  free(trial->alone);
  berthFoldNestDestroy(&trial->nest);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Same block, same kind of allocation, same element type and memory space.
static bool canJoin(MlirValue a, MlirValue b) {
  MlirOperation first = mlirOpResultGetOwner(a),
                second = mlirOpResultGetOwner(b);
  return mlirBlockEqual(mlirOperationGetBlock(first),
                        mlirOperationGetBlock(second)) &&
         mlirIdentifierEqual(mlirOperationGetName(first),
                             mlirOperationGetName(second)) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(a)),
                       mlirShapedTypeGetElementType(mlirValueGetType(b))) &&
         mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(mlirValueGetType(a)),
                            mlirMemRefTypeGetMemorySpace(mlirValueGetType(b)));
}

/// Some op of the block (a loop nest, most often) touches both: only then may
/// one take over from the other cell by cell.
static bool meet(const BerthFoldNest *a, const BerthFoldNest *b) {
  for (size_t i = 0; i < a->numAccesses; ++i)
    for (size_t j = 0; j < b->numAccesses; ++j)
      if (mlirOperationEqual(berthFoldOpOfOwner(a, a->accesses[i].op),
                             berthFoldOpOfOwner(b, b->accesses[j].op)))
        return true;
  return false;
}

static bool mayJoin(const Trial *a, const Trial *b) {
  return a->usable && b->usable &&
         a->nest.numArrays + b->nest.numArrays <= MaxJoined &&
         canJoin(a->nest.arrays[0], b->nest.arrays[0]) &&
         meet(&a->nest, &b->nest);
}

/// From the first op of the block that touches it to the last; throughout if
/// that is not known.
static BerthSegment lifeOf(const BerthFoldNest *nest) {
  const BerthSegment throughout = {0, INT32_MAX};
  MlirOperation first = {NULL}, last = {NULL};
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    MlirOperation op = berthFoldOpOfOwner(nest, nest->accesses[k].op);
    if (mlirOperationIsNull(op)) // in another block of the function
      return throughout;
    if (k == 0 || mlirOperationIsBeforeInBlock(op, first))
      first = op;
    if (k == 0 || mlirOperationIsBeforeInBlock(last, op))
      last = op;
  }
  if (nest->numAccesses == 0)
    return throughout;
  return (BerthSegment){berthFoldOrdinal(first), berthFoldOrdinal(last) + 1};
}

static void addToPack(BerthProblem *pack, const Trial *trial) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = trial->cells > 0 ? trial->cells : 1;
  buffer.numSegments = 1;
  buffer.segments = &trial->life;
  berthProblemAddBuffer(pack, &buffer);
}

static int64_t packedCells(BerthProblem *pack) {
  enum { Steps = 20000 };
  BerthPackOptions options = {.steps = Steps};
  BerthPlan plan;
  bool good = berthPack(berthProblemGetData(pack), &options, &plan, NULL) ==
              BERTH_SUCCESS;
  int64_t peak = good ? plan.peak : INT64_MAX;
  if (good)
    berthPlanFree(&plan);
  berthProblemDestroy(pack);
  return peak;
}

static bool isBeside(const Trial *trial, const Trial *into,
                     const Trial *other) {
  return trial != into && trial != other && trial->nest.numArrays > 0 &&
         mlirBlockEqual(trial->nest.owner, into->nest.owner);
}

/// Joined arrays are one, live as long as any of them was. Where that takes
/// more of an arena for the block's arrays than what it saves, they stay apart.
static bool packsNoWorse(const Trial *trials, size_t numTrials,
                         const Trial *into, const Trial *other,
                         const Trial *joined) {
  enum { MaxOthers = 100 };
  size_t numOthers = 0;
  for (size_t i = 0; i < numTrials; ++i)
    numOthers += isBeside(&trials[i], into, other);
  if (numOthers == 0 || numOthers > MaxOthers)
    return true;
  BerthProblem *apart = berthOrDie(berthProblemCreate()),
               *together = berthOrDie(berthProblemCreate());
  for (size_t i = 0; i < numTrials; ++i)
    if (isBeside(&trials[i], into, other)) {
      addToPack(apart, &trials[i]);
      addToPack(together, &trials[i]);
    }
  addToPack(apart, into);
  addToPack(apart, other);
  addToPack(together, joined);
  return packedCells(together) <= packedCells(apart);
}

/// How the arrays of both trials fold alone; NULL where that is not known.
static BerthFoldMapping *bothAlone(const Trial *into, const Trial *other) {
  size_t first = into->nest.numArrays, second = other->nest.numArrays;
  if (!into->alone || !other->alone)
    return NULL;
  BerthFoldMapping *both = berthAllocateOrDie(first + second, sizeof *both);
  memcpy(both, into->alone, first * sizeof *both);
  memcpy(both + first, other->alone, second * sizeof *both);
  return both;
}

/// Replaces `into` by the two trials joined, if that takes fewer cells, the
/// gain is worth it, and the block's arrays can be packed no worse.
static bool join(Trial *trials, size_t numTrials, Trial *into, Trial *other,
                 uint64_t share, Budget *budget,
                 const BerthFoldPassOptions *options) {
  size_t count = into->nest.numArrays + other->nest.numArrays;
  if (!mayJoin(into, other))
    return false;
  if (budget->isLimited && !budget->left) {
    ++budget->numPairsLeft;
    return false;
  }
  MlirValue arrays[MaxJoined];
  memcpy(arrays, into->nest.arrays, into->nest.numArrays * sizeof arrays[0]);
  memcpy(arrays + into->nest.numArrays, other->nest.arrays,
         other->nest.numArrays * sizeof arrays[0]);
  Trial joined;
  BerthFoldRefusal refusal;
  int64_t apart;
  BerthSegment life = {into->life.lower < other->life.lower ? into->life.lower
                                                            : other->life.lower,
                       into->life.upper > other->life.upper
                           ? into->life.upper
                           : other->life.upper};
  bool good = attempt(&joined, count, arrays, bothAlone(into, other), share,
                      budget, options, &refusal);
  joined.life = life;
  good = good && !__builtin_add_overflow(into->cells, other->cells, &apart) &&
         gains(apart, joined.cells, options->minGain) &&
         packsNoWorse(trials, numTrials, into, other, &joined);
  if (!good) {
    budget->numPairsLeft += joined.ranOut;
    destroyTrial(&joined);
    return false;
  }
  destroyTrial(into);
  destroyTrial(other);
  *into = joined;
  *other = (Trial){.usable = false};
  return true;
}

/// What one pair may take at most: a part, where there are several.
static uint64_t shareOfPair(const Trial *trials, size_t count, uint64_t most) {
  uint64_t numPairs = 0;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; numPairs < PairsAtLeast && j < count; ++j)
      numPairs += mayJoin(&trials[i], &trials[j]);
  uint64_t share = numPairs ? most / numPairs : most;
  return share > JointAtLeast ? share : JointAtLeast;
}

/// Counts the pairs that were left for want of operations.
static void joinAll(Trial *trials, size_t count, Budget *budget,
                    const BerthFoldPassOptions *options) {
  uint64_t most = JointFactor * budget->spent;
  most = most > JointAtLeast ? most : JointAtLeast;
  if (budget->isLimited && budget->left < most)
    most = budget->left;
  Budget joint = {.isLimited = true, .whole = most, .left = most};
  for (size_t i = 0; i < count; ++i)
    trials[i].life = lifeOf(&trials[i].nest);
  uint64_t share = shareOfPair(trials, count, most);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; trials[i].usable && j < count; ++j)
      join(trials, count, &trials[i], &trials[j], share, &joint, options);
  budget->numPairsLeft = joint.numPairsLeft;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// "a ring of 3 along dimension 0", or what the mapping is.
static void printFold(const Trial *trial, FILE *stream) {
  const BerthFoldWindow *window = &trial->window;
  if (trial->placement) {
    berthFoldPrintPlacement(trial->problem, trial->placement, stream);
    return;
  }
  for (size_t i = 0; trial->problem && i < trial->result.numMappings; ++i) {
    fputs(i ? "; " : "", stream);
    berthFoldPrintMapping(trial->problem, &trial->result.mappings[i], stream);
  }
  if (trial->problem) {
    fprintf(stream, " by %s", trial->result.mappings[0].method);
    return;
  }
  fprintf(stream, "a %s of %lld along dimension %u",
          trial->isRing ? "ring" : "window", (long long)window->size,
          window->dim);
  if (!trial->isRing)
    fprintf(stream, ", which moves by %lld in each iteration",
            (long long)(window->slope * berthFoldStep(trial->loop)));
}

/// ", 42 cells of 252, at most 40 live at once", where sizes are numbers.
static void printCells(const Trial *trial, FILE *stream) {
  int64_t before = 0;
  for (size_t a = 0; a < trial->nest.numArrays; ++a) {
    if (!mlirShapedTypeHasStaticShape(mlirValueGetType(trial->nest.arrays[a])))
      return;
    before += arrayCells(trial->nest.arrays[a]);
  }
  fprintf(stream, ", %lld cells of %lld", (long long)trial->cells,
          (long long)before);
  if (trial->live)
    fprintf(stream, ", at most %llu live at once",
            (unsigned long long)trial->live);
}

static void announce(const Trial *trial) {
  BerthTextBuffer text = {0};
  FILE *stream = berthOrDie(berthTextBufferOpen(&text));
  if (trial->nest.numArrays > 1)
    fprintf(stream, "folded %zu arrays into one: ", trial->nest.numArrays);
  else
    fprintf(stream, "folded: ");
  printFold(trial, stream);
  printCells(trial, stream);
  if (fclose(stream) != 0)
    berthOrDie(NULL);
  berthEmitRemark(mlirOpResultGetOwner(trial->nest.arrays[0]),
                  BERTH_REMARK_PASSED, "berth-fold", text.data);
  free(text.data);
}

static MlirWalkResult countOp(MlirOperation op, void *userData) {
  (void)op;
  ++*(uint64_t *)userData;
  return MlirWalkResultAdvance;
}

/// A run on one op among others (a function of a module) gets its part only.
static uint64_t countNeighbours(MlirOperation root) {
  MlirBlock block = mlirOperationGetBlock(root);
  if (mlirBlockIsNull(block))
    return 1;
  uint64_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

static Budget findBudget(MlirOperation root,
                         const BerthFoldPassOptions *options) {
  Budget budget = {.isLimited = options->maxOperations != 0,
                   .whole = (uint64_t)options->maxOperations};
  if (options->maxOperations == BERTH_FOLD_AUTOMATIC) {
    uint64_t numOps = 0;
    mlirOperationWalk(root, countOp, &numOps, MlirWalkPreOrder);
    budget.whole =
        OperationsForAll / countNeighbours(root) + OperationsForEachOp * numOps;
  }
  budget.left = budget.whole;
  budget.forRings = budget.whole / RingPart;
  return budget;
}

/// In rounds, so that a dear array takes nothing from cheap ones.
static void attemptAll(Trial *trials, const Arrays *arrays, Budget *budget,
                       const BerthFoldPassOptions *options) {
  for (size_t i = 0; i < arrays->count; ++i)
    trials[i].ranOut = true;
  bool isPending = true;
  for (uint64_t share = FirstShare; isPending; share *= ShareGrowth) {
    isPending = false;
    for (size_t i = 0; i < arrays->count; ++i) {
      if (!trials[i].ranOut)
        continue;
      destroyTrial(&trials[i]);
      attemptAlone(&trials[i], arrays->list[i], share, budget, options);
      isPending |= trials[i].ranOut && budget->isLimited && budget->left;
    }
  }
}

static void remarkPairs(const Arrays *arrays, const Budget *budget) {
  if (!budget->numPairsLeft)
    return;
  char message[300];
  int length = snprintf(
      message, sizeof message,
      "%zu pairs of arrays were not tried together to the end: together they "
      "may take twice as many of isl's operations as each by itself has taken",
      budget->numPairsLeft);
  if (budget->isLimited)
    snprintf(message + length, sizeof message - (size_t)length,
             ", and all that max-operations=%llu leaves",
             (unsigned long long)budget->whole);
  berthEmitRemark(mlirOpResultGetOwner(arrays->list[0]), BERTH_REMARK_ANALYSIS,
                  "berth-fold", message);
}

static void rewrite(Trial *trial, BerthFoldReplaced *replaced,
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
    berthFoldRewriteWindow(&trial->nest, &trial->window, trial->loop);
  } else {
    berthFoldRewrite(&trial->nest, trial->problem, &trial->result);
  }
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
  Trial *trials = berthAllocateOrDie(arrays.count, sizeof *trials);
  Budget budget = findBudget(root, options);
  attemptAll(trials, &arrays, &budget, options);
  if (options->joint)
    joinAll(trials, arrays.count, &budget, options);
  remarkPairs(&arrays, &budget);
  BerthFoldReplaced replaced = {0};
  for (size_t i = 0; i < arrays.count; ++i) {
    if (trials[i].folds) {
      announce(&trials[i]);
      rewrite(&trials[i], &replaced, options);
      figures->folded += trials[i].nest.numArrays;
      figures->joined +=
          trials[i].nest.numArrays > 1 ? trials[i].nest.numArrays : 0;
    }
    destroyTrial(&trials[i]);
  }
  berthFoldEraseReplaced(&replaced);
  figures->arrays += arrays.count;
  berthPointerMapFree(&threadFunctions);
  free(trials);
  free(arrays.list);
}
