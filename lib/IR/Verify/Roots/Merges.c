//===- Merges.c - What a value holds that is one of several ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Merges.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Runs/Control.h"

#include <stdlib.h>

static bool isSelect(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_CHOSEN)
      return true;
  return false;
}

/// True if the block's code is run one way at a time, seen from the scope.
static bool isInSteps(MlirBlock block, MlirOperation scope) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationEqual(op, scope)) {
    if (!berthRunsInSteps(op))
      return false;
    op = mlirOperationGetParentOperation(op);
  }
  return true;
}

static bool isMerge(MlirValue value, MlirOperation scope) {
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirRegion region = mlirBlockGetParentRegion(block);
    bool isScopes = mlirRegionEqual(region, mlirOperationGetRegion(scope, 0));
    bool isEntry = mlirBlockEqual(block, mlirRegionGetFirstBlock(region));
    return !(isScopes && isEntry) && isInSteps(block, scope);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  return (berthRunsInSteps(op) || isSelect(op)) &&
         isInSteps(mlirOperationGetBlock(op), scope);
}

/// The op's ancestor in the region, or the op itself; null if there is none.
static MlirOperation ancestorIn(MlirOperation op, MlirRegion region) {
  while (!mlirOperationIsNull(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (mlirBlockIsNull(block))
      return (MlirOperation){NULL};
    if (mlirRegionEqual(mlirBlockGetParentRegion(block), region))
      break;
    op = mlirOperationGetParentOperation(op);
  }
  return op;
}

/// True if `first` is `second`, or stands before it in its block.
static bool comesFirst(MlirOperation first, MlirOperation second) {
  while (!mlirOperationIsNull(first) && !mlirOperationEqual(first, second))
    first = mlirOperationGetNextInBlock(first);
  return !mlirOperationIsNull(first);
}

/// True if some way leads from the end of the block to the start of the other.
static bool leadsTo(MlirRegion region, MlirBlock from, MlirBlock to) {
  BerthBlockList list = berthBlockListOf(region);
  bool *isSeen = berthAllocateOrDie(list.count, sizeof *isSeen);
  size_t *stack = berthAllocateOrDie(list.count, sizeof *stack);
  size_t target = berthBlockListFind(&list, to), depth = 0;
  stack[depth++] = berthBlockListFind(&list, from);
  bool isFound = false;
  while (depth > 0 && !isFound) {
    size_t block = stack[--depth];
    for (size_t i = 0; i < berthBlockListCountNext(&list, block); ++i) {
      size_t next = berthBlockListNext(&list, block, i);
      isFound |= next == target;
      if (!isSeen[next])
        stack[depth++] = next;
      isSeen[next] = true;
    }
  }
  free(stack);
  free(isSeen);
  berthBlockListFree(&list);
  return isFound;
}

/// True if the view cannot run from the value's definition on, as long as
/// control stays in the region where that is.
static bool runsOnlyBefore(MlirOperation view, MlirValue value) {
  bool isArgument = mlirValueIsABlockArgument(value);
  MlirOperation definition =
      isArgument ? (MlirOperation){NULL} : mlirOpResultGetOwner(value);
  MlirBlock block = isArgument ? mlirBlockArgumentGetOwner(value)
                               : mlirOperationGetBlock(definition);
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirOperation made = ancestorIn(view, region);
  if (mlirOperationIsNull(made))
    return true;
  bool isHere = mlirBlockEqual(mlirOperationGetBlock(made), block);
  return !leadsTo(region, block, mlirOperationGetBlock(made)) &&
         (!isHere || (!isArgument && comesFirst(made, definition)));
}

/// True if the set has no buffer that threads share, or all of them have the
/// same one of it.
static bool isOneForAll(const BerthRootSet *set, BerthSharing sharing) {
  bool isShared = false;
  for (size_t i = 0; sharing.isShared && i < set->count; ++i)
    isShared |= sharing.isShared[set->ids[i]];
  return !isShared || berthThreadsAgreeOn(sharing.divergence, set->value);
}

const BerthRoot *berthFindMerges(const BerthViews *views, MlirOperation scope,
                                 BerthSharing sharing, size_t *count) {
  BerthRoot *merges = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t i = 0; i < views->numSets; ++i) {
    const BerthRootSet *set = &views->sets[i];
    bool isOne = isMerge(set->value, scope) && isOneForAll(set, sharing);
    for (size_t k = 0; isOne && k < set->count; ++k) {
      BerthRoot root = views->roots[set->ids[k]];
      if (root.isBase || root.instanceOf != BERTH_NO_ROOT)
        continue;
      root.mergedFrom = set->ids[k];
      root.holder = set->value;
      root.chosenFrom = BERTH_NO_ROOT;
      root.isNewest = runsOnlyBefore(root.view, set->value);
      merges = berthGrow(merges, *count, &capacity, sizeof *merges);
      merges[(*count)++] = root;
    }
  }
  const BerthRoot *result =
      berthNewCopy(views->memory, merges, *count, sizeof *merges);
  free(merges);
  return result;
}

/// The only root of the buffer among those that the select is given, if it is a
/// merge; else BERTH_NO_ROOT.
static uint32_t onlyChoice(const BerthViews *views, MlirOperation select,
                           uint32_t root) {
  uint32_t only = BERTH_NO_ROOT;
  intptr_t count = mlirOperationGetNumOperands(select);
  for (intptr_t i = 0; i < count; ++i) {
    const BerthRootSet *set =
        berthViewsFind(views, mlirOperationGetOperand(select, i));
    for (size_t k = 0; set && k < set->count; ++k) {
      uint32_t id = set->ids[k];
      if (!berthViewsAreOneBuffer(views, id, root))
        continue;
      if (views->roots[id].mergedFrom == BERTH_NO_ROOT ||
          (only != BERTH_NO_ROOT && only != id))
        return BERTH_NO_ROOT;
      only = id;
    }
  }
  return only;
}

// A value that is used behind a select that it is defined before cannot be
// defined again in between without the select, since the select has to be
// passed before each use of its result.
void berthFindChoices(BerthViews *views) {
  for (uint32_t i = (uint32_t)views->firstMerge; i < views->numRoots; ++i) {
    MlirValue holder = views->roots[i].holder;
    bool isOfSelect =
        mlirValueIsAOpResult(holder) && isSelect(mlirOpResultGetOwner(holder));
    if (isOfSelect)
      views->roots[i].chosenFrom =
          onlyChoice(views, mlirOpResultGetOwner(holder), i);
  }
}

//===----------------------------------------------------------------------===//
// Handing on
//===----------------------------------------------------------------------===//

typedef struct Handing {
  MlirValue value;
  int from; ///< the region that the op ends, or BERTH_PARENT
  BerthHandingCallback callback;
  void *userData;
} Handing;

static void handOver(MlirValue from, MlirValue to, void *userData) {
  const Handing *handing = userData;
  if (!mlirValueIsNull(from) && mlirValueEqual(from, handing->value))
    handing->callback(to, handing->userData);
}

/// Another edge that forwards the value does so at another time.
static void handOverEdge(const BerthRegionEdge *edge, void *userData) {
  const Handing *handing = userData;
  for (intptr_t i = 0; edge->from == handing->from && i < edge->numValues; ++i)
    handOver(edge->forwarded[i], edge->received[i], userData);
}

/// Of an op that goes there nobody knows how.
static void handToAll(const Handing *handing, MlirBlock block) {
  intptr_t numArguments = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < numArguments; ++i)
    handing->callback(mlirBlockGetArgument(block, i), handing->userData);
}

static int numberOfRegion(MlirOperation op, MlirRegion region) {
  int number = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(op, number), region))
    ++number;
  return number;
}

bool berthHandsOn(MlirOperation op) {
  return isSelect(op) || berthRunsInSteps(op);
}

void berthForEachHanding(MlirOperation op, MlirValue value,
                         BerthHandingCallback callback, void *userData) {
  Handing handing = {value, BERTH_PARENT, callback, userData};
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    if (!berthBranchGetOperands(op, i, handOver, &handing))
      handToAll(&handing, mlirOperationGetSuccessor(op, i));
  berthOpGetRegionEdges(op, handOverEdge, &handing);
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  if (isLast && numSuccessors == 0) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirOperation parent = mlirBlockGetParentOperation(block);
    handing.from = numberOfRegion(parent, mlirBlockGetParentRegion(block));
    berthOpGetRegionEdges(parent, handOverEdge, &handing);
  }
  if (isSelect(op))
    callback(mlirOperationGetResult(op, 0), userData);
}
