//===- FoldJoin.c - Arrays that fold together -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldJoin.h"
#include "IR/Facts/Versions.h"
#include "IR/Fold/FoldRemarks.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { MaxJoined = 6 };

/// Of several pairs none gets all of a large budget, and each gets so much as
/// long as there is any.
enum { PairsAtLeast = 4, ShareAtLeast = 64000 };

//===----------------------------------------------------------------------===//
// Who may join
//===----------------------------------------------------------------------===//

bool berthFoldAreAlike(MlirValue a, MlirValue b) {
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

static bool mayJoin(const BerthFoldTrial *a, const BerthFoldTrial *b) {
  return a->usable && b->usable &&
         a->nest.numArrays + b->nest.numArrays <= MaxJoined &&
         berthFoldAreAlike(a->nest.arrays[0], b->nest.arrays[0]) &&
         meet(&a->nest, &b->nest);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

BerthSegment berthFoldLifeOf(const BerthFoldNest *nest) {
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

static void addToPack(BerthProblem *pack, const BerthFoldTrial *trial) {
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

static bool isBeside(const BerthFoldTrial *trial, const BerthFoldTrial *into,
                     const BerthFoldTrial *other) {
  return trial != into && trial != other && trial->nest.numArrays > 0 &&
         mlirBlockEqual(trial->nest.owner, into->nest.owner);
}

/// Joined arrays are one, live as long as any of them was. Where that takes
/// more of an arena for the block's arrays than what it saves, they stay apart.
static bool packsNoWorse(const BerthFoldTrial *trials, size_t numTrials,
                         const BerthFoldTrial *into,
                         const BerthFoldTrial *other,
                         const BerthFoldTrial *joined) {
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

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// How the arrays of both trials fold alone; NULL where that is not known.
static BerthFoldMapping *bothAlone(const BerthFoldTrial *into,
                                   const BerthFoldTrial *other) {
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
static bool join(BerthFoldTrial *trials, size_t numTrials, BerthFoldTrial *into,
                 BerthFoldTrial *other, uint64_t share, BerthFoldBudget *budget,
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
  BerthFoldTrial joined;
  BerthFoldRefusal refusal;
  int64_t apart;
  BerthSegment life = {into->life.lower < other->life.lower ? into->life.lower
                                                            : other->life.lower,
                       into->life.upper > other->life.upper
                           ? into->life.upper
                           : other->life.upper};
  bool good = berthFoldAttempt(&joined, count, arrays, bothAlone(into, other),
                               share, budget, options, &refusal);
  joined.life = life;
  good = good && !__builtin_add_overflow(into->cells, other->cells, &apart) &&
         berthFoldGains(apart, joined.cells, options->minGain) &&
         packsNoWorse(trials, numTrials, into, other, &joined);
  if (!good) {
    budget->numPairsLeft += joined.ranOut;
    berthFoldTrialDestroy(&joined);
    return false;
  }
  berthFoldTrialDestroy(into);
  berthFoldTrialDestroy(other);
  *into = joined;
  *other = (BerthFoldTrial){.usable = false};
  return true;
}

static bool areInOneBlock(MlirValue a, MlirValue b) {
  return mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(a)),
                        mlirOperationGetBlock(mlirOpResultGetOwner(b)));
}

/// What one pair of the block of array `first` may take at most: a part, where
/// there are several.
static uint64_t shareOfPair(const BerthFoldTrial *trials, size_t count,
                            const MlirValue *arrays, size_t first,
                            uint64_t most) {
  uint64_t numPairs = 0;
  for (size_t i = first; i < count; ++i)
    for (size_t j = i + 1; areInOneBlock(arrays[first], arrays[i]) &&
                           numPairs < PairsAtLeast && j < count;
         ++j)
      numPairs += mayJoin(&trials[i], &trials[j]);
  uint64_t share = numPairs ? most / numPairs : most;
  return share > ShareAtLeast ? share : ShareAtLeast;
}

/// What the arrays of each block have taken one by one.
static void setBudgets(const BerthFoldTrial *trials, size_t count,
                       const MlirValue *arrays, BerthFoldBlocks *blocks) {
  for (size_t i = 0; i < count; ++i) {
    MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(arrays[i]));
    berthFoldAddToJoint(blocks, block, trials[i].spent);
  }
}

void berthFoldJoinAll(BerthFoldTrial *trials, size_t count,
                      const MlirValue *arrays, BerthFoldBlocks *blocks,
                      const BerthFoldPassOptions *options) {
  for (size_t i = 0; i < count; ++i)
    trials[i].life = berthFoldLifeOf(&trials[i].nest);
  setBudgets(trials, count, arrays, blocks);
  for (size_t i = 0; i < count; ++i) {
    MlirOperation op = mlirOpResultGetOwner(arrays[i]);
    BerthFoldBudget *joint =
        berthFoldJointBudget(blocks, mlirOperationGetBlock(op));
    if (!joint->share)
      joint->share = shareOfPair(trials, count, arrays, i, joint->whole);
    for (size_t j = i + 1; trials[i].usable && j < count; ++j)
      join(trials, count, &trials[i], &trials[j], joint->share, joint, options);
  }
  for (size_t i = 0; i < count; ++i) {
    MlirOperation op = mlirOpResultGetOwner(arrays[i]);
    BerthFoldBudget *joint =
        berthFoldJointBudget(blocks, mlirOperationGetBlock(op));
    if (joint->numPairsLeft)
      berthFoldRemarkPairs(op, joint);
    joint->numPairsLeft = 0;
  }
}
