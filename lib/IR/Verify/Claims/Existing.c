//===- Existing.c - Views that stand for declared memory ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Existing.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"

#include <stdlib.h>

/// A view of what was dynamic shared memory.
typedef struct Stretch {
  MlirOperation view;
  int64_t lower, upper; ///< bytes there
  MlirValue arena;
  int64_t offset; ///< of its first byte in the arena
} Stretch;

typedef struct Check {
  MlirOperation function;
  MlirOperation module; ///< that names are looked up in
  const BerthVerifyOptions *options;
  BerthExistingCallback callback;
  void *userData;
  MlirOperation view; ///< at hand, and what it stands for
  MlirStringRef what;
  Stretch *stretches;
  size_t count, capacity;
} Check;

/// Bytes from the beginning of an arena: the sum of constant shifts. False if
/// it is no such chain of views.
static bool findPlace(MlirOperation view, MlirValue *arena, int64_t *offset) {
  *offset = 0;
  for (;;) {
    int64_t shift;
    if (berthOpIs(view, BERTH_OP_VIEW)) {
      if (mlirOperationGetNumOperands(view) != 2 ||
          !berthValueIsConstant(mlirOperationGetOperand(view, 1), &shift))
        return false;
      *offset += shift;
    } else if (mlirValueIsNull(berthViewGetSource(view)) ||
               !berthViewIsWhole(view)) {
      return false;
    }
    *arena = mlirOperationGetOperand(view, 0);
    if (berthViewIsBuffer(view))
      return true;
    if (!mlirValueIsAOpResult(*arena))
      return false;
    view = mlirOpResultGetOwner(*arena);
  }
}

static void addStretch(Check *check, MlirOperation view) {
  MlirAttribute offset = berthAttributeOf(view, BERTH_DYNAMIC_OFFSET);
  BerthTypeSize size;
  Stretch stretch = {.view = view};
  if (mlirAttributeIsNull(offset) || !mlirAttributeIsAInteger(offset) ||
      berthMemRefGetSize(mlirValueGetType(mlirOperationGetResult(view, 0)),
                         view, &size) != BERTH_SIZE_OK ||
      !findPlace(view, &stretch.arena, &stretch.offset))
    return;
  stretch.lower = mlirIntegerAttrGetValueInt(offset);
  stretch.upper = stretch.lower + size.bytes;
  check->stretches = berthGrow(check->stretches, check->count, &check->capacity,
                               sizeof *check->stretches);
  check->stretches[check->count++] = stretch;
}

static void checkStretches(const Check *check) {
  for (size_t i = 0; i < check->count; ++i)
    for (size_t k = 0; k < i; ++k) {
      const Stretch *a = &check->stretches[i], *b = &check->stretches[k];
      bool wereOne = a->lower < b->upper && b->lower < a->upper;
      bool areOne = mlirValueEqual(a->arena, b->arena) &&
                    a->offset - a->lower == b->offset - b->lower;
      if (wereOne && !areOne)
        check->callback(a->view,
                        "had bytes of the dynamic shared memory in common with "
                        "another view, and has not the same ones in the arena",
                        b->view, "this view", check->userData);
    }
}

static MlirOperation functionAround(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op));
  return op;
}

static bool isText(MlirStringRef text, const char *other) {
  return mlirStringRefEqual(text, mlirStringRefCreateFromCString(other));
}

/// Does the op ask for the memory that the view at hand stands for? Another
/// kernel has its own; and this one may have its arena in dynamic memory.
static bool isOldUser(const Check *check, MlirOperation op) {
  MlirOperation function = functionAround(op);
  if (mlirOperationIsNull(function))
    return false;
  bool isSame = mlirOperationEqual(function, check->function);
  if (!isSame && berthIsKernel(function, check->options))
    return false;
  if (isText(check->what, "dynamic"))
    return berthOpIs(op, BERTH_OP_DYNAMIC_SHARED) && !isSame;
  return berthOpIs(op, BERTH_OP_GET_GLOBAL) && check->what.length &&
         check->what.data[0] == '@' &&
         mlirStringRefEqual(
             mlirFlatSymbolRefAttrGetValue(berthAttributeOf(op, "name")),
             mlirStringRefCreate(check->what.data + 1, check->what.length - 1));
}

static MlirWalkResult findOldUser(MlirOperation op, void *userData) {
  Check *check = userData;
  if (!isOldUser(check, op))
    return MlirWalkResultAdvance;
  check->callback(check->view,
                  "stands for shared memory that is used as it was, too", op,
                  "here", check->userData);
  return MlirWalkResultInterrupt;
}

static MlirWalkResult checkView(MlirOperation op, void *userData) {
  Check *check = userData;
  addStretch(check, op);
  MlirAttribute what = berthAttributeOf(op, BERTH_EXISTING);
  if (mlirAttributeIsNull(what) || !mlirAttributeIsAString(what) ||
      !berthViewIsBuffer(op) || mlirOperationIsNull(check->module))
    return MlirWalkResultAdvance;
  check->view = op;
  check->what = mlirStringAttrGetValue(what);
  mlirOperationWalk(check->module, findOldUser, check, MlirWalkPreOrder);
  return MlirWalkResultAdvance;
}

void berthVerifyExisting(MlirOperation function, MlirOperation root,
                         const BerthVerifyOptions *options,
                         BerthExistingCallback callback, void *userData) {
  Check check = {.function = function,
                 .module = mlirOperationGetParentOperation(function),
                 .options = options,
                 .callback = callback,
                 .userData = userData};
  if (mlirOperationIsNull(check.module) || !berthOpIsWithin(check.module, root))
    check.module = (MlirOperation){NULL};
  mlirOperationWalk(function, checkView, &check, MlirWalkPreOrder);
  checkStretches(&check);
  free(check.stretches);
}
