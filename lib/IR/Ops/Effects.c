//===- Effects.c - What an op does with one value -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Effects.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue berthValueViewed(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return (MlirValue){NULL};
  return berthViewGetSource(mlirOpResultGetOwner(value));
}

MlirValue berthValueBehindViews(MlirValue value) {
  MlirValue slow = value, source;
  bool isOdd = false;
  while (source = berthValueViewed(value), !mlirValueIsNull(source)) {
    value = source;
    if (isOdd)
      slow = berthValueViewed(slow);
    isOdd = !isOdd;
    if (mlirValueEqual(value, slow))
      break;
  }
  return value;
}

int berthRoleEffects(BerthOperandRole role) {
  switch (role) {
  case BERTH_OPERAND_READ:
    return BERTH_EFFECT_READ;
  case BERTH_OPERAND_WRITTEN:
    return BERTH_EFFECT_WRITE;
  case BERTH_OPERAND_CHANGED:
    return BERTH_EFFECT_READ | BERTH_EFFECT_WRITE;
  case BERTH_OPERAND_FREED:
    return BERTH_EFFECT_FREE;
  case BERTH_OPERAND_VIEWED:
  case BERTH_OPERAND_AWAITED:
  case BERTH_OPERAND_CHOSEN:
  case BERTH_OPERAND_OTHER:
    return 0;
  }
  return 0;
}

bool berthOpGetEffects(MlirOperation op, BerthEffectCallback callback,
                       void *userData) {
  if (berthInterfaceGetEffects(op, callback, userData))
    return true;
  if (!berthOpIsDescribed(op))
    return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    int kinds = berthRoleEffects(berthOpGetRole(op, i));
    for (int kind = BERTH_EFFECT_READ; kind <= BERTH_EFFECT_FREE; kind <<= 1)
      if (kinds & kind)
        callback((BerthEffect){kind, mlirOperationGetOperand(op, i)}, userData);
  }
  BerthToldAllocation allocation;
  if (berthOpIsToldAllocation(op, &allocation))
    callback(
        (BerthEffect){BERTH_EFFECT_ALLOCATE, mlirOperationGetResult(op, 0)},
        userData);
  return true;
}

typedef struct Sum {
  MlirValue value;
  BerthEffects effects;
} Sum;

static void addEffect(BerthEffect effect, void *userData) {
  Sum *sum = userData;
  sum->effects.anywhere |= effect.kind;
  if (!mlirValueIsNull(effect.value) &&
      mlirValueEqual(effect.value, sum->value))
    sum->effects.onValue |= effect.kind;
}

bool berthOpSumEffects(MlirOperation op, MlirValue value,
                       BerthEffects *effects) {
  Sum sum = {.value = value};
  bool isKnown = berthOpGetEffects(op, addEffect, &sum);
  *effects = isKnown ? sum.effects : (BerthEffects){0};
  return isKnown;
}

bool berthOpOnlyComputes(MlirOperation op) {
  BerthEffects effects;
  return mlirOperationGetNumRegions(op) == 0 &&
         berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
         effects.anywhere == 0;
}

bool berthFunctionIsUnseen(MlirOperation function) {
  return mlirOperationIsNull(function) ||
         mlirOperationGetNumRegions(function) == 0 ||
         mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

/// A description says of an op what all of it does.
static bool isPartOfDescribed(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsDescribed(op))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

bool berthOpMayRunLater(MlirOperation op) {
  bool isKnown = berthOpIsPlainAccess(op) || berthOpIsParallel(op) ||
                 berthOpIs(op, BERTH_OP_LAUNCH) ||
                 berthControlFollowsOperands(op) || berthOpIsForSomeThreads(op);
  return mlirOperationGetNumRegions(op) > 0 && !isKnown &&
         !berthOpTellsOfRegions(op) && !isPartOfDescribed(op);
}

bool berthFunctionIsCoroutine(MlirOperation function) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (berthOpIsCoroutine(op))
        return true;
  return false;
}

static bool isNamed(MlirAttribute name, const char *text) {
  return !mlirAttributeIsNull(name) &&
         mlirStringRefEqual(mlirStringAttrGetValue(name),
                            mlirStringRefCreateFromCString(text));
}

static void findReturnsTwice(MlirAttribute name, void *userData) {
  bool *found = userData;
  *found |= isNamed(name, "returns_twice");
}

static MlirWalkResult findSecondReturn(MlirOperation op, void *userData) {
  static const char *const names[] = {"setjmp",      "_setjmp",    "sigsetjmp",
                                      "__sigsetjmp", "__setjmp",   "vfork",
                                      "getcontext",  "_getcontext"};
  bool *found = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  MlirAttribute name = berthAttributeOf(callee, "sym_name");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    *found |= isNamed(name, names[i]);
  *found |= !mlirAttributeIsNull(berthAttributeOf(callee, "returns_twice"));
  berthOpForEachName(callee, findReturnsTwice, found);
  berthOpForEachName(op, findReturnsTwice, found);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthCallsReturnTwice(MlirOperation scope) {
  bool found = false;
  mlirOperationWalk(scope, findSecondReturn, &found, MlirWalkPreOrder);
  return found;
}

bool berthTypeMayPoint(MlirType type) {
  return berthTypeMayCarryPointer(type) &&
         (mlirTypeIsAShaped(type) || !berthTypeIsPointerless(type));
}

bool berthOpMayReturnPointer(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthTypeMayPoint(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

bool berthOpTakesSlices(MlirOperation op) {
  BerthVectorAccess vector;
  bool isKnown = berthOpTakesAnyLayout(op) || berthOpIsCopy(op) ||
                 berthOpIsElementAccess(op) ||
                 berthVectorGetAccess(op, &vector);
  return isKnown && berthOpIsPlainAccess(op) &&
         mlirAttributeIsNull(berthAttributeOf(op, "alignment"));
}
