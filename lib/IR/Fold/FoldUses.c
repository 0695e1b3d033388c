//===- FoldUses.c - The accesses and views of arrays ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldUses.h"
#include "IR/Fold/FoldLinear.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OrDie.h"

#include <stdarg.h>
#include <stdio.h>

bool berthFoldRefuse(BerthFoldRefusal *refusal, MlirOperation at,
                     const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(refusal->why, sizeof refusal->why, format, args);
  va_end(args);
  refusal->at = at;
  return false;
}

const char *berthFoldNameOf(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

static bool setElement(BerthFoldAccess *access, BerthFoldRefusal *refusal) {
  access->isAffine = berthOpIsAffine(access->op);
  access->isStore = berthOpGetRole(access->op, 1) == BERTH_OPERAND_WRITTEN;
  access->isLoad = !access->isStore;
  return access->operand == berthFoldMemRefOperand(access) ||
         berthFoldRefuse(refusal, access->op, "the array itself is stored");
}

static void setVector(BerthFoldAccess *access,
                      const BerthVectorAccess *vector) {
  access->shape = BERTH_FOLD_VECTOR;
  access->isLoad = !vector->isWrite;
  access->isStore = vector->isWrite;
  access->mayStore = vector->isMasked;
}

/// An op on the whole of `value` that reads and writes it and keeps no pointer.
static bool setWhole(BerthFoldAccess *access, MlirValue value,
                     BerthFoldRefusal *refusal) {
  BerthEffects effects;
  const int plain = BERTH_EFFECT_READ | BERTH_EFFECT_WRITE;
  bool known =
      (berthOpTakesAnyLayout(access->op) || berthOpIsCopy(access->op)) &&
      berthOpSumEffects(access->op, value, &effects) &&
      !(effects.onValue & ~plain) && !berthOpMayReturnPointer(access->op);
  if (!known)
    return berthFoldRefuse(refusal, access->op,
                           "used by %s, not only by loads, stores and slices",
                           berthFoldNameOf(access->op));
  if (access->view == BERTH_FOLD_NO_VIEW)
    return berthFoldRefuse(refusal, access->op,
                           "%s takes all of it at once, or may go beyond it",
                           berthFoldNameOf(access->op));
  access->shape = BERTH_FOLD_WHOLE;
  access->isLoad = effects.onValue & BERTH_EFFECT_READ;
  access->isStore = effects.onValue & BERTH_EFFECT_WRITE;
  access->mayStore = !berthOpFullyOverwrites(access->op, access->operand);
  return true;
}

static bool addView(BerthFoldNest *nest, const BerthFoldView *view,
                    BerthFoldRefusal *refusal) {
  for (intptr_t d = 0; d < view->part.rank; ++d)
    if (!mlirValueIsNull(view->part.strides[d].value) ||
        view->part.strides[d].number < 1)
      return berthFoldRefuse(
          refusal, view->op,
          "a view of it has a stride that is no positive number");
  nest->views = berthGrow(nest->views, nest->numViews, &nest->viewCapacity,
                          sizeof *nest->views);
  nest->views[nest->numViews++] = *view;
  nest->hasSlices = true;
  return true;
}

/// Sorts a user of the array, or of a view, into views and accesses;
/// deallocations of the array are nothing.
static bool addUser(BerthFoldNest *nest, BerthFoldAccess access,
                    MlirValue value, BerthFoldRefusal *refusal) {
  MlirOperation op = access.op;
  BerthFoldView view = {
      .op = op, .array = access.array, .source = access.view, .isPart = true};
  BerthVectorAccess vector;
  bool good = true;
  if (berthOpIs(op, BERTH_OP_FREE) && access.view == BERTH_FOLD_NO_VIEW)
    return mlirBlockEqual(mlirOperationGetBlock(op), nest->owner) ||
           berthFoldRefuse(refusal, op, "deallocated in another block");
  view.isPart = berthSubViewGet(op, &view.part);
  if (view.isPart || (nest->isLinear && berthFoldKeepsElements(op)))
    return addView(nest, &view, refusal);
  if (berthOpIsElementAccess(op))
    good = setElement(&access, refusal);
  else if (berthVectorGetAccess(op, &vector) && access.operand == vector.memref)
    setVector(&access, &vector);
  else if (nest->isLinear && berthAffineVectorGetAccess(op, &vector) &&
           access.operand == vector.memref)
    setVector(&access, &vector);
  else if (nest->isLinear)
    good = berthFoldRefuse(refusal, op, "used by %s", berthFoldNameOf(op));
  else
    good = setWhole(&access, value, refusal);
  nest->hasSlices |= access.shape != BERTH_FOLD_ELEMENT;
  nest->accesses = berthGrow(nest->accesses, nest->numAccesses,
                             &nest->accessCapacity, sizeof *nest->accesses);
  nest->accesses[nest->numAccesses++] = access;
  return good;
}

/// True if it is the op that the nest is of, or in there.
static bool isInNest(const BerthFoldNest *nest, MlirOperation op) {
  if (mlirOperationIsNull(nest->within))
    return true;
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, nest->within))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// The users of an array, or of a view of it.
static bool addUsers(BerthFoldNest *nest, size_t array, size_t view,
                     MlirValue value, BerthFoldRefusal *refusal) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    BerthFoldAccess access = {.op = mlirOpOperandGetOwner(use),
                              .operand = mlirOpOperandGetOperandNumber(use),
                              .array = array,
                              .view = view};
    // Views may be made ahead of the nest.
    BerthSubView part;
    bool counts = isInNest(nest, access.op) ||
                  (nest->isLinear && (berthSubViewGet(access.op, &part) ||
                                      berthFoldKeepsElements(access.op)));
    if (counts && !addUser(nest, access, value, refusal))
      return false;
  }
  return true;
}

bool berthFoldAddUsers(BerthFoldNest *nest, BerthFoldRefusal *refusal) {
  for (size_t a = 0; a < nest->numArrays; ++a)
    if (!addUsers(nest, a, BERTH_FOLD_NO_VIEW, nest->arrays[a], refusal))
      return false;
  // Views of views come behind their sources.
  for (size_t v = 0; v < nest->numViews; ++v)
    if (!addUsers(nest, nest->views[v].array, v,
                  mlirOperationGetResult(nest->views[v].op, 0), refusal))
      return false;
  return true;
}
