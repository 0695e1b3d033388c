//===- Hoisted.c - Views that have left their loops -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Hoisted.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"

#include <stdlib.h>

/// Ops that may be looked at for one view.
enum { kMostSteps = 1 << 12 };

static bool isNamed(MlirOperation op, MlirAttribute name) {
  MlirAttribute own = berthAttributeOf(op, BERTH_LOOP);
  return berthOpIsLoop(op) && !mlirAttributeIsNull(own) &&
         mlirAttributeEqual(own, name);
}

static MlirRegion regionOf(MlirOperation op) {
  return mlirBlockGetParentRegion(mlirOperationGetBlock(op));
}

/// The region of the outermost loop of that name around the op; null if there
/// is none.
static MlirRegion outermostRegion(MlirOperation op, MlirAttribute name) {
  MlirRegion found = {NULL};
  for (MlirOperation parent = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(parent);
       op = parent, parent = mlirOperationGetParentOperation(op))
    if (isNamed(parent, name))
      found = regionOf(op);
  return found;
}

static bool isInRegion(MlirOperation op, MlirRegion region) {
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirRegionGetFirstBlock(region));
  for (MlirOperation parent = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(parent);
       op = parent, parent = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(parent, loop))
      return mlirRegionEqual(regionOf(op), region);
  return false;
}

/// True if the op may stand anywhere: it computes something, and does nothing.
static bool isMovable(MlirOperation op) {
  return berthOpIsSpeculatable(op) && mlirOperationGetNumResults(op) > 0 &&
         !mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// The first use of what the op computes that stands in a loop of that name, or
/// of what is computed of it.
static MlirRegion findRegion(MlirOperation op, MlirAttribute name,
                             int *stepsLeft) {
  MlirRegion found = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use) && mlirRegionIsNull(found) &&
         --*stepsLeft > 0;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      found = outermostRegion(user, name);
      if (mlirRegionIsNull(found) && isMovable(user))
        found = findRegion(user, name, stepsLeft);
    }
  return found;
}

/// True if all uses of the op are in the region, but those by ops of which that
/// is true, too, and which may be moved.
static bool isOnlyFor(MlirOperation op, MlirRegion region, int *stepsLeft) {
  bool result = true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use) && result;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      result = --*stepsLeft > 0 &&
               (isInRegion(user, region) ||
                (isMovable(user) && isOnlyFor(user, region, stepsLeft)));
    }
  return result;
}

/// The op's ancestor in the first block of the region, or the op itself; where
/// it is in another block what ends the first one.
static MlirOperation ancestorAtStart(MlirOperation op, MlirRegion region) {
  while (!mlirRegionEqual(regionOf(op), region))
    op = mlirOperationGetParentOperation(op);
  MlirBlock first = mlirRegionGetFirstBlock(region);
  return mlirBlockEqual(mlirOperationGetBlock(op), first)
             ? op
             : mlirBlockGetTerminator(first);
}

/// Users first, each in front of what needs it first: an argument of the loop
/// may hold what a view was in the turn before, and be read until then.
static void putBack(BerthHoisted *hoisted, MlirOperation op,
                    MlirRegion region) {
  MlirOperation before =
      mlirBlockGetTerminator(mlirRegionGetFirstBlock(region));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!isInRegion(user, region))
        putBack(hoisted, user, region);
      user = ancestorAtStart(user, region);
      if (mlirOperationIsBeforeInBlock(user, before))
        before = user;
    }
  hoisted->items = berthGrow(hoisted->items, hoisted->count, &hoisted->capacity,
                             sizeof *hoisted->items);
  hoisted->items[hoisted->count++] =
      (BerthHoistedOp){op, mlirOperationGetNextInBlock(op)};
  mlirOperationMoveBefore(op, before);
}

static void tryView(BerthHoisted *hoisted, MlirOperation view) {
  MlirAttribute name = berthAttributeOf(view, BERTH_LOOP);
  if (!mlirRegionIsNull(outermostRegion(view, name)))
    return;
  int stepsLeft = kMostSteps;
  MlirRegion region = findRegion(view, name, &stepsLeft);
  if (!mlirRegionIsNull(region) &&
      !mlirOperationIsNull(
          mlirBlockGetTerminator(mlirRegionGetFirstBlock(region))) &&
      isOnlyFor(view, region, &stepsLeft))
    putBack(hoisted, view, region);
}

static MlirWalkResult noteView(MlirOperation op, void *userData) {
  if (berthViewIsBuffer(op) &&
      !mlirAttributeIsNull(berthAttributeOf(op, BERTH_LOOP)))
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

BerthHoisted berthHoistedPutBack(MlirOperation root) {
  BerthHoisted hoisted = {0};
  BerthOpList views = {0};
  mlirOperationWalk(root, noteView, &views, MlirWalkPreOrder);
  for (size_t i = 0; i < views.count; ++i)
    tryView(&hoisted, views.ops[i]);
  free(views.ops);
  return hoisted;
}

void berthHoistedRestore(BerthHoisted *hoisted) {
  while (hoisted->count > 0) {
    BerthHoistedOp item = hoisted->items[--hoisted->count];
    mlirOperationMoveBefore(item.op, item.next);
  }
  free(hoisted->items);
  *hoisted = (BerthHoisted){0};
}
