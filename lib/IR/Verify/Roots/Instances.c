//===- Instances.c - Buffers of earlier iterations ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Instances.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Verify/Roots/RootFlow.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Control.h"

/// True if the op stands in the region, however deep.
static bool isInRegion(MlirOperation op, MlirRegion region) {
  while (!mlirOperationIsNull(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (mlirBlockIsNull(block))
      return false;
    if (mlirRegionEqual(mlirBlockGetParentRegion(block), region))
      return true;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static void noteLoop(const BerthRegionEdge *edge, void *userData) {
  bool *loops = userData;
  *loops |= edge->from != BERTH_PARENT && edge->to != BERTH_PARENT;
}

/// True if one run of the function makes the buffer once at most: it has one
/// view, in first blocks only, of ops whose regions no region comes after.
static bool isMadeOnce(const BerthRoot *root, MlirOperation function) {
  MlirAttribute number = berthViewNumber(root->view);
  for (MlirOpOperand use = mlirValueGetFirstUse(root->arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation other = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(other, root->view) &&
        mlirAttributeEqual(berthViewNumber(other), number))
      return false;
  }
  for (MlirOperation op = root->view; !mlirOperationEqual(op, function);
       op = mlirOperationGetParentOperation(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirRegion region = mlirBlockGetParentRegion(block);
    MlirOperation parent = mlirOperationGetParentOperation(op);
    bool loops = false;
    if (!mlirBlockEqual(mlirRegionGetFirstBlock(region), block) ||
        mlirOperationIsNull(parent))
      return false;
    if (!mlirOperationEqual(parent, function) &&
        (!berthRunsInSteps(parent) ||
         !berthOpGetRegionEdges(parent, noteLoop, &loops) || loops))
      return false;
  }
  return true;
}

/// Gives the instance to a value and to all views of it.
static void addToViews(BerthViews *views, MlirValue value, uint32_t instance) {
  if (!berthViewsAddToSet(views, value, instance))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthViewsMakesOnly(views, op, value))
      addToViews(views, mlirOperationGetResult(op, 0), instance);
  }
}

/// The buffers that an argument may hold and that are made again while it
/// holds them: those whose view stands in the argument's own region.
static void addInstancesOf(BerthViews *views, MlirValue argument,
                           const uint32_t *ids, size_t count) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  // A function's own argument gets a buffer's address only from code that keeps
  // it there.
  bool isOfFunction = berthOpIsFunction(owner) &&
                      mlirBlockEqual(mlirRegionGetFirstBlock(region), block);
  for (size_t i = 0; i < count; ++i) {
    const BerthRoot *root = &views->roots[ids[i]];
    bool isMadeAgain = !mlirOperationIsNull(root->view) &&
                       root->instanceOf == BERTH_NO_ROOT &&
                       isInRegion(root->view, region);
    if (!isMadeAgain || (isOfFunction && isMadeOnce(root, owner)))
      continue;
    BerthRoot instance = {.arena = root->arena,
                          .view = root->view,
                          .instanceOf = ids[i],
                          .mergedFrom = BERTH_NO_ROOT,
                          .holder = argument};
    addToViews(views, argument, berthViewsAddRoot(views, instance));
  }
}

void berthFindInstances(BerthViews *views) {
  size_t numSets = views->numSets;
  for (size_t i = 0; i < numSets; ++i) {
    BerthRootSet set = views->sets[i];
    if (mlirValueIsABlockArgument(set.value) &&
        berthMayHoldAddress(mlirValueGetType(set.value)))
      addInstancesOf(views, set.value, set.ids, set.count);
  }
}
