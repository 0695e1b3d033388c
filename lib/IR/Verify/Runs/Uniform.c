//===- Uniform.c - Where threads may disagree, for the verifier -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/Uniform.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Runs/Control.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

bool berthOpDiverges(const BerthDivergence *divergence, MlirOperation op) {
  return berthPointerMapFind(&divergence->ops, op.ptr) != BERTH_NOT_FOUND;
}

static bool isDivergent(const BerthDivergence *divergence, MlirValue value) {
  return berthPointerMapFind(&divergence->values, value.ptr) != BERTH_NOT_FOUND;
}

static void addValue(BerthDivergence *divergence, MlirValue value) {
  bool isAgreed = !divergence->isOfCluster && mlirValueIsAOpResult(value) &&
                  berthOpMakesAgree(mlirOpResultGetOwner(value));
  if (isAgreed)
    return;
  divergence->isChanged |=
      berthPointerMapInsert(&divergence->values, value.ptr, 1);
}

static void addOp(BerthDivergence *divergence, MlirOperation op) {
  divergence->isChanged |= berthPointerMapInsert(&divergence->ops, op.ptr, 1);
}

static void addArguments(BerthDivergence *divergence, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count; ++i)
    addValue(divergence, mlirBlockGetArgument(block, i));
}

//===----------------------------------------------------------------------===//
// Arguments of the scope
//===----------------------------------------------------------------------===//

/// The body of a gpu.launch begins with the block's ids, the thread's ids and
/// sizes, three of each.
static bool isThreadId(const BerthDivergence *divergence, intptr_t argument) {
  return (divergence->isOfCluster ? 0 : 3) <= argument && argument < 6;
}

static void addScopeArguments(BerthDivergence *divergence,
                              bool argumentsAgree) {
  MlirOperation scope = divergence->scope;
  bool isLaunch = berthOpIs(scope, BERTH_OP_LAUNCH);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, 0));
  intptr_t count = mlirBlockGetNumArguments(entry);
  for (intptr_t i = 0; i < count; ++i)
    if (isLaunch ? isThreadId(divergence, i) : !argumentsAgree)
      addValue(divergence, mlirBlockGetArgument(entry, i));
}

//===----------------------------------------------------------------------===//
// Ops with regions
//===----------------------------------------------------------------------===//

/// True if the operand may decide which regions run, or how often. What a loop
/// hands from turn to turn stands behind its bounds.
static bool mayDecide(MlirOperation op, intptr_t operand) {
  return !berthOpIs(op, BERTH_OP_LOOP) ||
         operand <
             mlirOperationGetNumOperands(op) - mlirOperationGetNumResults(op);
}

static bool anyDivergent(const BerthDivergence *divergence, MlirOperation op,
                         bool onlyDeciding) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if ((!onlyDeciding || mayDecide(op, i)) &&
        isDivergent(divergence, mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

/// scf.while decides in its first region, others by their operands, or nobody
/// knows how.
static bool decidesApart(const BerthDivergence *divergence, MlirOperation op) {
  if (berthOpIsForSomeThreads(op) || !berthControlFollowsOperands(op))
    return true;
  if (!berthOpIs(op, BERTH_OP_WHILE))
    return anyDivergent(divergence, op, true);
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation condition = mlirBlockGetTerminator(before);
  return isDivergent(divergence, mlirOperationGetOperand(condition, 0));
}

typedef struct EdgeWalk {
  BerthDivergence *divergence;
  bool isApart;
} EdgeWalk;

static void followEdge(const BerthRegionEdge *edge, void *userData) {
  EdgeWalk *walk = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i) {
    berthPointerMapInsert(&walk->divergence->merged, edge->received[i].ptr, 1);
    if (walk->isApart || isDivergent(walk->divergence, edge->forwarded[i]))
      addValue(walk->divergence, edge->received[i]);
  }
}

static bool isMerged(const BerthDivergence *divergence, MlirValue value) {
  return berthPointerMapFind(&divergence->merged, value.ptr) != BERTH_NOT_FOUND;
}

/// A loop's own variable follows from its bounds; other arguments and results
/// that no edge explains may be anything.
static void addUnexplained(BerthDivergence *divergence, MlirOperation op,
                           bool isApart) {
  bool hasVariable = berthOpIs(op, BERTH_OP_LOOP);
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < numRegions; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    intptr_t count =
        mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      bool isVariable = hasVariable && i == 0;
      if (isVariable ? isApart : !isMerged(divergence, argument))
        addValue(divergence, argument);
    }
  }
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i)
    if (!isMerged(divergence, mlirOperationGetResult(op, i)))
      addValue(divergence, mlirOperationGetResult(op, i));
}

static void visitRegions(BerthDivergence *divergence, MlirOperation op) {
  if (decidesApart(divergence, op))
    addOp(divergence, op);
  EdgeWalk walk = {divergence, berthOpDiverges(divergence, op)};
  berthOpGetRegionEdges(op, followEdge, &walk);
  addUnexplained(divergence, op, walk.isApart);
}

//===----------------------------------------------------------------------===//
// Branches between blocks
//===----------------------------------------------------------------------===//

static void followPair(MlirValue forwarded, MlirValue received,
                       void *userData) {
  BerthDivergence *divergence = userData;
  if (mlirValueIsNull(forwarded) || isDivergent(divergence, forwarded))
    addValue(divergence, received);
}

/// Conditional branches decide by their first operand, or nobody knows how.
static bool branchesApart(const BerthDivergence *divergence, MlirOperation op) {
  if (mlirOperationGetNumSuccessors(op) < 2)
    return false;
  return !berthOpIs(op, BERTH_OP_BRANCH) ||
         isDivergent(divergence, mlirOperationGetOperand(op, 0));
}

/// Where threads leave the region by different ways, they come behind the op
/// around it with different values.
static void split(BerthDivergence *divergence, BerthBlocks *blocks,
                  size_t block) {
  divergence->isChanged = true;
  MlirOperation around =
      mlirBlockGetParentOperation(blocks->list.blocks[block]);
  if (berthBlocksSplit(blocks, block) &&
      !mlirOperationEqual(around, divergence->scope))
    addOp(divergence, around);
}

static void visitBranch(BerthDivergence *divergence, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirRegion region = mlirBlockGetParentRegion(block);
  size_t graph = berthPointerMapFind(&divergence->graphOf, region.ptr);
  BerthBlocks *blocks =
      graph == BERTH_NOT_FOUND ? NULL : &divergence->graphs[graph];
  size_t here = blocks ? berthBlockListFind(&blocks->list, block) : 0;
  if (blocks && !blocks->isSplit[here] && branchesApart(divergence, op))
    split(divergence, blocks, here);
  intptr_t count = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock next = mlirOperationGetSuccessor(op, i);
    size_t index = blocks ? berthBlockListFind(&blocks->list, next) : 0;
    bool isApart = blocks && (blocks->isSpread[index] || blocks->isJoin[index]);
    if (isApart || !berthBranchGetOperands(op, i, followPair, divergence))
      addArguments(divergence, next);
  }
}

//===----------------------------------------------------------------------===//
// The fixpoint
//===----------------------------------------------------------------------===//

/// The memory that a value points into the front of, or somewhere behind it.
static MlirValue startOfMemory(MlirValue value) {
  MlirValue source = value;
  while (!mlirValueIsNull(source)) {
    value = source;
    source = mlirValueIsAOpResult(value)
                 ? berthViewGetSource(mlirOpResultGetOwner(value))
                 : (MlirValue){NULL};
  }
  return value;
}

/// Reads, at its subscripts, what stays as it is as long as the kernel runs.
static bool readsConstant(MlirOperation op) {
  BerthVectorAccess vector = {.memref = 0};
  if (mlirOperationGetNumResults(op) != 1 ||
      (!berthOpIsElementAccess(op) && !berthVectorGetAccess(op, &vector) &&
       !berthAffineVectorGetAccess(op, &vector)))
    return false;
  MlirValue memory = mlirOperationGetOperand(op, vector.memref);
  return mlirTypeIsAMemRef(mlirValueGetType(memory)) &&
         berthMemoryIsConstant(startOfMemory(memory));
}

/// Of what workgroups ask without a word, they may be told different things.
static bool isOwn(const BerthDivergence *divergence, MlirOperation op) {
  return divergence->isOfCluster && mlirOperationGetNumOperands(op) == 0 &&
         !berthOpIsConstant(op);
}

/// An allocation that attributes place is the same memory to all threads, and
/// so is one of workgroup memory, placed or not.
static bool isOneForAll(MlirOperation op) {
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_OFFSET)))
    return true;
  if (!berthOpIs(op, BERTH_OP_ALLOC) || mlirOperationGetNumOperands(op) > 0)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAMemRef(type))
    return false;
  BerthSpaceUse use = berthSpaceGetUse(mlirMemRefTypeGetMemorySpace(type));
  return use == BERTH_SPACE_WORKGROUP || use == BERTH_SPACE_PERHAPS_WORKGROUP;
}

static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  BerthDivergence *divergence = userData;
  if (mlirOperationEqual(op, divergence->scope))
    return MlirWalkResultAdvance;
  if (mlirOperationGetNumSuccessors(op) > 0)
    visitBranch(divergence, op);
  if (berthRunsInSteps(op)) {
    visitRegions(divergence, op);
    return MlirWalkResultAdvance;
  }
  bool isUniform =
      (berthOpKeepsUniformity(op) || readsConstant(op) || isOneForAll(op) ||
       berthIsSteadyLoad(divergence->steady, op)) &&
      !anyDivergent(divergence, op, false) && !isOwn(divergence, op);
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; !isUniform && i < numResults; ++i)
    addValue(divergence, mlirOperationGetResult(op, i));
  // Nothing inside decides a barrier that counts.
  return MlirWalkResultSkip;
}

static void addGraph(BerthDivergence *divergence, MlirRegion region) {
  MlirBlock first = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(first) ||
      mlirBlockIsNull(mlirBlockGetNextInRegion(first)))
    return;
  divergence->graphs =
      berthGrow(divergence->graphs, divergence->numGraphs,
                &divergence->graphCapacity, sizeof *divergence->graphs);
  berthPointerMapInsert(&divergence->graphOf, region.ptr,
                        divergence->numGraphs);
  divergence->graphs[divergence->numGraphs++] =
      berthBlocksOf(region, divergence->memory);
}

static MlirWalkResult addGraphs(MlirOperation op, void *userData) {
  BerthDivergence *divergence = userData;
  if (!mlirOperationEqual(op, divergence->scope) && !berthRunsInSteps(op))
    return MlirWalkResultSkip;
  intptr_t count = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < count; ++i)
    addGraph(divergence, mlirOperationGetRegion(op, i));
  return MlirWalkResultAdvance;
}

static bool isMissed(MlirOperation op, void *userData) {
  return berthControlDiverges(userData, op);
}

static BerthDivergence find(BerthDivergence divergence, bool argumentsAgree,
                            BerthSteadyLoads *steady) {
  MlirOperation scope = divergence.scope;
  BerthSteadyLoads none = {0};
  steady = steady ? steady : &none;
  divergence.steady = steady;
  mlirOperationWalk(scope, addGraphs, &divergence, MlirWalkPreOrder);
  addScopeArguments(&divergence, argumentsAgree);
  // Whether threads miss a load, or a barrier that it relies on, shows once all
  // that is divergent is known; then more is.
  do {
    do {
      divergence.isChanged = false;
      mlirOperationWalk(scope, visitOp, &divergence, MlirWalkPreOrder);
    } while (divergence.isChanged);
  } while (berthDropSteadyLoads(steady, isMissed, &divergence));
  divergence.steady = NULL;
  return divergence;
}

BerthDivergence berthFindDivergence(MlirOperation scope, bool argumentsAgree,
                                    BerthSteadyLoads *steady,
                                    BerthMemory *memory) {
  return find((BerthDivergence){.scope = scope, .memory = memory},
              argumentsAgree, steady);
}

BerthDivergence berthFindClusterDivergence(MlirOperation scope,
                                           bool argumentsAgree,
                                           BerthMemory *memory) {
  return find(
      (BerthDivergence){.scope = scope, .isOfCluster = true, .memory = memory},
      argumentsAgree, NULL);
}

const BerthBlocks *berthDivergenceBlocks(const BerthDivergence *divergence,
                                         MlirRegion region) {
  size_t index = berthPointerMapFind(&divergence->graphOf, region.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &divergence->graphs[index];
}

bool berthControlDiverges(const BerthDivergence *divergence, MlirOperation op) {
  MlirRegion body = mlirOperationGetRegion(divergence->scope, 0);
  while (true) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirRegion region = mlirBlockGetParentRegion(block);
    const BerthBlocks *blocks = berthDivergenceBlocks(divergence, region);
    if (blocks && blocks->isSpread[berthBlockListFind(&blocks->list, block)])
      return true;
    if (mlirRegionEqual(region, body))
      return false;
    op = mlirOperationGetParentOperation(op);
    if (!berthRunsInSteps(op) || berthOpDiverges(divergence, op))
      return true;
  }
}

bool berthThreadsAgreeOn(const BerthDivergence *divergence, MlirValue value) {
  if (isDivergent(divergence, value))
    return false;
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    return !berthOpDiverges(divergence, op) &&
           !berthControlDiverges(divergence, op);
  }
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation first = mlirBlockGetFirstOperation(block);
  return !mlirOperationIsNull(first) &&
         !berthControlDiverges(divergence, first);
}

void berthDivergenceFree(BerthDivergence *divergence) {
  for (size_t i = 0; i < divergence->numGraphs; ++i)
    berthBlocksFree(&divergence->graphs[i]);
  free(divergence->graphs);
  berthPointerMapFree(&divergence->values);
  berthPointerMapFree(&divergence->ops);
  berthPointerMapFree(&divergence->merged);
  berthPointerMapFree(&divergence->graphOf);
}
