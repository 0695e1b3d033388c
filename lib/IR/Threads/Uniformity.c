//===- Uniformity.c - What all threads of a workgroup agree on ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/Uniformity.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Worklist.h"
#include "IR/Threads/SharedFlags.h"

#include <stdlib.h>

/// Divergence on its way: values that have been found divergent and whose uses
/// have not been looked at yet.
typedef struct Search {
  const BerthScope *scope;
  BerthUniformity *found;
  const char *breakRule;
  BerthWorklist list; ///< what it has seen is divergent
  MlirValue value;    ///< the one whose use is being looked at
  MlirRegion region;  ///< of the last branch that was found divergent
  BerthRegionBlocks *blocks;
  BerthSharedFlag *flags; ///< loads that are uniform if control is
  size_t numFlags, flagCapacity;
} Search;

static bool contains(const BerthPointerMap *map, const void *key) {
  return berthPointerMapFind(map, key) != BERTH_NOT_FOUND;
}

//===----------------------------------------------------------------------===//
// What becomes divergent
//===----------------------------------------------------------------------===//

static void addValue(Search *search, MlirValue value) {
  if (search->scope->agreesInCluster || !mlirValueIsAOpResult(value) ||
      !berthOpMakesAgree(mlirOpResultGetOwner(value)))
    berthWorklistPush(&search->list, value);
}

static void addResults(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    addValue(search, mlirOperationGetResult(op, i));
}

static void addArguments(Search *search, MlirBlock block) {
  intptr_t count = mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count; ++i)
    addValue(search, mlirBlockGetArgument(block, i));
}

/// The op's regions run in some threads only, or not equally often.
static void addRegions(Search *search, MlirOperation op) {
  if (!berthPointerMapInsert(&search->found->ops, op.ptr, 1) ||
      berthIsBroken(search->breakRule, "uniform-merges"))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    addArguments(search,
                 mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)));
  addResults(search, op);
}

/// Where the spread's ways meet, its values are merged.
static void addMerges(Search *search, const BerthSpread *spread) {
  for (size_t i = 0; i < spread->numBlocks; ++i)
    addArguments(search, spread->blocks[i]);
  addArguments(search, spread->meeting);
}

static BerthSpread findSpread(Search *search, MlirBlock block) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  if (!search->blocks || !mlirRegionEqual(search->region, region)) {
    berthRegionBlocksFree(search->blocks);
    search->blocks = berthRegionBlocksCreate(region);
    search->region = region;
  }
  return berthSpreadOf(search->blocks, block);
}

/// Threads part at the branch. Where they leave the region by different ways,
/// what comes behind the op around it is for that op to say.
static void addBranch(Search *search, MlirOperation branch) {
  BerthUniformity *found = search->found;
  if (!berthPointerMapInsert(&found->ops, branch.ptr, 1))
    return;
  BerthSpread spread = findSpread(search, mlirOperationGetBlock(branch));
  for (size_t i = 0; i < spread.numBlocks; ++i)
    berthPointerMapInsert(&found->blocks, spread.blocks[i].ptr, 1);
  if (!berthIsBroken(search->breakRule, "uniform-merges"))
    addMerges(search, &spread);
  found->spreads = berthGrow(found->spreads, found->numSpreads,
                             &found->spreadCapacity, sizeof *found->spreads);
  found->spreads[found->numSpreads++] = spread;
  bool isBody = mlirRegionEqual(spread.region, search->scope->body);
  if (mlirBlockIsNull(spread.meeting) && !isBody)
    addRegions(search, mlirOperationGetParentOperation(branch));
}

//===----------------------------------------------------------------------===//
// Where it begins
//===----------------------------------------------------------------------===//

/// A gpu.launch body begins with block ids, thread ids, grid and block sizes,
/// three each. Workgroups of a cluster have different block ids.
enum { kFirstThreadId = 3, kFirstGridSize = 6 };

static bool argumentIsUniform(const BerthScope *scope, intptr_t index) {
  switch (scope->kind) {
  case BERTH_SCOPE_KERNEL:
    return !scope->mayGetNumber;
  case BERTH_SCOPE_LAUNCH:
    return (index < kFirstThreadId && !scope->agreesInCluster) ||
           index >= kFirstGridSize;
  case BERTH_SCOPE_FUNCTION:
  case BERTH_SCOPE_DEVICE_FUNCTION:
    return false;
  }
  return false;
}

static void startArguments(Search *search) {
  MlirBlock block = mlirRegionGetFirstBlock(search->scope->body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (!argumentIsUniform(search->scope, i))
      addValue(search, mlirBlockGetArgument(block, i));
}

/// True if what the op runs, and what it hands to its regions, follows from its
/// operands and those of its regions' ends.
static bool followsOperands(MlirOperation op) {
  return berthOpIsRegionBranch(op) && berthControlFollowsOperands(op) &&
         !berthOpIsParallel(op) && !berthOpIsAsync(op) &&
         !berthOpIsForSomeThreads(op);
}

static void startPair(MlirValue forwarded, MlirValue received, void *userData) {
  if (mlirValueIsNull(forwarded))
    addValue(userData, received);
}

static void startBranch(Search *search, MlirOperation branch) {
  intptr_t count = mlirOperationGetNumSuccessors(branch);
  for (intptr_t i = 0; i < count; ++i)
    if (!berthBranchGetOperands(branch, i, startPair, search))
      addArguments(search, mlirOperationGetSuccessor(branch, i));
  if (count > 1 && !berthControlFollowsOperands(branch))
    addBranch(search, branch);
}

/// The memory of which the op reads an element or a vector, at its subscripts.
static MlirValue memoryRead(MlirOperation op) {
  BerthVectorAccess access;
  if (berthVectorGetAccess(op, &access) ||
      berthAffineVectorGetAccess(op, &access))
    return access.isWrite ? (MlirValue){NULL}
                          : mlirOperationGetOperand(op, access.memref);
  return berthOpIsElementAccess(op) &&
                 berthOpGetRole(op, 0) == BERTH_OPERAND_READ
             ? mlirOperationGetOperand(op, 0)
             : (MlirValue){NULL};
}

/// True for a load from memory that nobody writes while the kernel runs: equal
/// indices find equal values.
static bool loadsConstant(const Search *search, MlirOperation op) {
  MlirValue memory = memoryRead(op);
  if (mlirValueIsNull(memory))
    return false;
  while (mlirValueIsAOpResult(memory)) {
    MlirValue source = berthViewGetSource(mlirOpResultGetOwner(memory));
    if (mlirValueIsNull(source))
      break;
    memory = source;
  }
  return berthMemoryIsConstant(memory) ||
         berthIsBroken(search->breakRule, "uniform-loads");
}

/// True for a load of a flag that all threads see alike. Whether they come to
/// it and to its barriers together shows once all else is known.
static bool loadsFlag(Search *search, MlirOperation op) {
  BerthSharedFlag flag;
  if (!berthFindSharedFlag(search->scope, op, search->breakRule, &flag))
    return false;
  search->flags = berthGrow(search->flags, search->numFlags,
                            &search->flagCapacity, sizeof *search->flags);
  search->flags[search->numFlags++] = flag;
  return true;
}

/// True if the op's results are uniform whenever its operands are. Of what has
/// none, workgroups of a cluster surely agree on constants; flags are each
/// workgroup's own.
static bool keepsUniformity(Search *search, MlirOperation op) {
  if (search->scope->agreesInCluster)
    return berthOpIsConstant(op) ||
           (mlirOperationGetNumOperands(op) > 0 &&
            (berthOpKeepsUniformity(op) || loadsConstant(search, op)));
  return berthOpKeepsUniformity(op) || loadsConstant(search, op) ||
         berthIsSharedMemory(search->scope, op) || loadsFlag(search, op);
}

static MlirWalkResult startOp(MlirOperation op, void *userData) {
  Search *search = userData;
  if (mlirOperationEqual(op, search->scope->op))
    return MlirWalkResultAdvance;
  startBranch(search, op);
  if (mlirOperationGetNumRegions(op) == 0) {
    if (!keepsUniformity(search, op))
      addResults(search, op);
  } else if (!followsOperands(op)) {
    addRegions(search, op);
    addResults(search, op);
  }
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// How it spreads
//===----------------------------------------------------------------------===//

static void handOn(MlirValue forwarded, MlirValue received, void *userData) {
  Search *search = userData;
  if (mlirValueEqual(forwarded, search->value) &&
      !berthIsBroken(search->breakRule, "uniform-carried"))
    addValue(search, received);
}

static void handOnAlong(const BerthRegionEdge *edge, void *userData) {
  for (intptr_t i = 0; i < edge->numValues; ++i)
    handOn(edge->forwarded[i], edge->received[i], userData);
}

static void useInBranch(Search *search, MlirOperation branch, bool isHandedOn) {
  intptr_t count = mlirOperationGetNumSuccessors(branch);
  for (intptr_t i = 0; i < count; ++i)
    berthBranchGetOperands(branch, i, handOn, search);
  if (count > 1 && !isHandedOn)
    addBranch(search, branch);
}

/// The op itself uses the value, or the end of one of its regions.
static void useInRegions(Search *search, MlirOperation op, bool isHandedOn) {
  berthOpGetRegionEdges(op, handOnAlong, search);
  if (!isHandedOn)
    addRegions(search, op);
}

/// The op that the last op of a region leads on from; null for another op, and
/// for the end of the scope.
static MlirOperation opEndedBy(const Search *search, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool isEnd = mlirOperationEqual(op, berthBlockGetLast(block)) &&
               !mlirOperationEqual(parent, search->scope->op);
  return isEnd ? parent : (MlirOperation){NULL};
}

static void useIn(Search *search, MlirOperation op, intptr_t operand) {
  bool isHandedOn = berthOperandIsHandedOn(op, operand);
  MlirOperation ended = opEndedBy(search, op);
  if (mlirOperationGetNumSuccessors(op) > 0)
    useInBranch(search, op, isHandedOn);
  else if (mlirOperationGetNumRegions(op) > 0)
    useInRegions(search, op, isHandedOn);
  else if (!mlirOperationIsNull(ended))
    useInRegions(search, ended, isHandedOn);
  else
    addResults(search, op);
}

static void spread(Search *search) {
  while (search->list.numPending) {
    search->value = berthWorklistPop(&search->list);
    for (MlirOpOperand use = mlirValueGetFirstUse(search->value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      useIn(search, mlirOpOperandGetOwner(use),
            mlirOpOperandGetOperandNumber(use));
  }
}

static bool isReachedByAll(const BerthScope *scope,
                           const BerthSharedFlag *flag) {
  bool isReached = scope->arrival != BERTH_ARRIVAL_DIVERGENT &&
                   berthControlIsUniform(scope, flag->load, NULL);
  for (size_t i = 0; isReached && i < flag->numBarriers; ++i)
    isReached = berthControlIsUniform(scope, flag->barriers[i], NULL);
  return isReached;
}

/// Drops flags whose loads or barriers some threads miss, and what follows from
/// these, until all that are left hold.
static void dropFlags(Search *search) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (size_t i = 0; i < search->numFlags; ++i) {
      BerthSharedFlag *flag = &search->flags[i];
      if (mlirOperationIsNull(flag->load) ||
          isReachedByAll(search->scope, flag))
        continue;
      addResults(search, flag->load);
      flag->load = (MlirOperation){NULL};
      spread(search);
      isChanged = true;
    }
  }
}

void berthScopeFindUniformity(BerthScope *scope, const char *breakRule) {
  if (scope->uniformity)
    return;
  BerthUniformity *found = berthAllocateOrDie(1, sizeof *found);
  Search search = {.scope = scope, .found = found, .breakRule = breakRule};
  startArguments(&search);
  mlirOperationWalk(scope->op, startOp, &search, MlirWalkPreOrder);
  spread(&search);
  scope->uniformity = found;
  dropFlags(&search);
  found->values = search.list.seen;
  free(search.list.pending);
  berthRegionBlocksFree(search.blocks);
  for (size_t i = 0; i < search.numFlags; ++i)
    berthSharedFlagFree(&search.flags[i]);
  free(search.flags);
}

void berthScopeFreeUniformity(BerthScope *scope) {
  BerthUniformity *found = scope->uniformity;
  if (!found)
    return;
  for (size_t i = 0; i < found->numSpreads; ++i)
    free(found->spreads[i].blocks);
  free(found->spreads);
  berthPointerMapFree(&found->values);
  berthPointerMapFree(&found->ops);
  berthPointerMapFree(&found->blocks);
  free(found);
  scope->uniformity = NULL;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool berthValueIsUniform(const BerthScope *scope, MlirValue value) {
  return !contains(&scope->uniformity->values, value.ptr);
}

bool berthRegionsAreUniform(const BerthScope *scope, MlirOperation op) {
  return !contains(&scope->uniformity->ops, op.ptr);
}

bool berthControlIsUniform(const BerthScope *scope, MlirOperation op,
                           MlirOperation *because) {
  MlirOperation ignored;
  if (!because)
    because = &ignored;
  while (true) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirRegion region = mlirBlockGetParentRegion(block);
    op = mlirOperationGetParentOperation(op);
    *because = op;
    if (contains(&scope->uniformity->blocks, block.ptr))
      return false;
    if (mlirRegionEqual(region, scope->body))
      return true;
    if (!berthRegionsAreUniform(scope, op))
      return false;
  }
}
