//===- LoopCarried.c - Allocations whose last instance may live on --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/LoopCarried.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Worklist.h"

/// A search for a use of one value that is reached from one op without passing
/// the value's definition. All blocks are those of the value's own region.
typedef struct Search {
  const BerthPoints *points;
  MlirValue value;
  MlirRegion region; ///< where the value is defined
  MlirBlock definedIn;
  MlirOperation alloc;   ///< the allocation itself
  MlirOperation start;   ///< its ancestor in `region`
  BerthPointerMap users; ///< ancestors in `region` of the value's uses
  BerthPointerMap usingBlocks;
  BerthWorklist blocks;
  bool freesGo;
  MlirOperation root;
} Search;

static MlirBlock definingBlock(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockArgumentGetOwner(value);
  return mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

/// True if a loop or an op of unknown control flow inside `top` holds both.
static bool inCommonCycle(const Search *search, MlirOperation use,
                          MlirOperation top) {
  MlirOperation op = mlirOperationGetParentOperation(search->alloc);
  int64_t point = berthPointsLower(search->points, use);
  while (true) {
    bool holdsUse = berthPointsLower(search->points, op) <= point &&
                    point < berthPointsUpper(search->points, op);
    if (holdsUse) {
      size_t count;
      const BerthRegionStep *steps =
          berthPointsSteps(search->points, op, &count);
      bool isCyclic = !steps;
      for (size_t i = 0; i < count; ++i)
        isCyclic |= steps[i].from >= 0 && steps[i].to >= 0;
      intptr_t numRegions = mlirOperationGetNumRegions(op);
      for (intptr_t i = 0; i < numRegions; ++i) {
        MlirBlock first =
            mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
        isCyclic |= !mlirBlockIsNull(first) &&
                    !mlirBlockIsNull(mlirBlockGetNextInRegion(first));
      }
      if (isCyclic)
        return true;
    }
    if (mlirOperationEqual(op, top))
      return false;
    op = mlirOperationGetParentOperation(op);
  }
}

static bool onlyFrees(const Search *search, MlirOpOperand use, int depth);

static bool isOnlyFreed(const Search *search, MlirValue value, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!onlyFrees(search, use, depth))
      return false;
  return true;
}

enum { kMaxViews = 8 };

/// True for a deallocation, a decision on one, and a view for either.
static bool onlyFrees(const Search *search, MlirOpOperand use, int depth) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (berthOpIs(op, BERTH_OP_FREE) || berthDeallocNumMemRefs(op) >= 0)
    return true;
  if (berthOpIs(op, BERTH_OP_ADDRESS))
    return berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), false,
                                      search->root);
  MlirValue source = berthViewGetSource(op);
  bool isView = !mlirValueIsNull(source) &&
                mlirValueEqual(source, mlirOpOperandGetValue(use));
  return isView && depth < kMaxViews &&
         isOnlyFreed(search, mlirOperationGetResult(op, 0), depth + 1);
}

/// Notes where the value is used. Returns true if a use inside the same op as
/// the allocation may come after it.
static bool collectUsers(Search *search) {
  for (MlirOpOperand use = mlirValueGetFirstUse(search->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (search->freesGo && onlyFrees(search, use, 0))
      continue;
    MlirOperation owner = mlirOpOperandGetOwner(use);
    MlirOperation user = berthAncestorInRegion(owner, search->region);
    if (mlirOperationIsNull(user))
      return true;
    bool isInside = mlirOperationEqual(user, search->start) &&
                    !mlirOperationEqual(user, search->alloc);
    if (isInside && (berthPointsLower(search->points, owner) >
                         berthPointsLower(search->points, search->alloc) ||
                     inCommonCycle(search, owner, search->start)))
      return true;
    berthPointerMapInsert(&search->users, user.ptr, 1);
    berthPointerMapInsert(&search->usingBlocks, mlirOperationGetBlock(user).ptr,
                          1);
  }
  return false;
}

static void pushSuccessors(Search *search, MlirBlock block) {
  MlirOperation terminator = berthBlockGetLast(block);
  if (mlirOperationIsNull(terminator))
    return;
  intptr_t count = mlirOperationGetNumSuccessors(terminator);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock successor = mlirOperationGetSuccessor(terminator, i);
    if (!mlirBlockEqual(successor, search->definedIn))
      berthWorklistAdd(&search->blocks, successor.ptr);
  }
}

/// True if a later op of the start's own block uses the value.
static bool usedLaterInBlock(const Search *search) {
  for (MlirOperation op = mlirOperationGetNextInBlock(search->start);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthPointerMapFind(&search->users, op.ptr) != BERTH_NOT_FOUND)
      return true;
  return false;
}

static bool reachesUse(Search *search) {
  if (collectUsers(search) || usedLaterInBlock(search))
    return true;
  pushSuccessors(search, mlirOperationGetBlock(search->start));
  while (search->blocks.numPending) {
    MlirBlock block = {(void *)berthWorklistTake(&search->blocks)};
    if (berthPointerMapFind(&search->usingBlocks, block.ptr) != BERTH_NOT_FOUND)
      return true;
    pushSuccessors(search, block);
  }
  return false;
}

/// True if the value was defined before the allocation on every path, so that
/// it may hold the instance before.
static bool isDefinedBefore(const Search *search) {
  if (mlirValueIsABlockArgument(search->value))
    return true;
  MlirOperation definition = mlirOpResultGetOwner(search->value);
  if (mlirOperationEqual(definition, search->start))
    return false;
  bool sameBlock =
      mlirBlockEqual(search->definedIn, mlirOperationGetBlock(search->start));
  return !sameBlock || berthPointsLower(search->points, definition) <
                           berthPointsLower(search->points, search->start);
}

/// True if `value` is live where the allocation runs. `search` tells of what.
static bool isLiveAtAlloc(Search search, MlirValue value) {
  search.value = value;
  search.definedIn = definingBlock(value);
  search.region = mlirBlockGetParentRegion(search.definedIn);
  search.start = berthAncestorInRegion(search.alloc, search.region);
  if (mlirOperationIsNull(search.start) || !isDefinedBefore(&search))
    return false;
  bool result = reachesUse(&search);
  berthPointerMapFree(&search.users);
  berthPointerMapFree(&search.usingBlocks);
  berthWorklistFree(&search.blocks);
  return result;
}

bool berthIsCarried(const BerthPoints *points, const BerthBufferInfo *buffer,
                    bool freesGo, MlirOperation root) {
  if (!berthPointsMayRunAgain(points, buffer->alloc))
    return false; // there is no instance before
  const Search search = {.points = points,
                         .alloc = buffer->alloc,
                         .freesGo = freesGo,
                         .root = root};
  for (size_t i = 1; i < buffer->numAliases; ++i)
    if (isLiveAtAlloc(search, buffer->aliases[i]))
      return true;
  return false;
}
