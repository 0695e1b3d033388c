//===- Scope.c - What every station asks of a scope -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Scope.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isSpaceText(MlirAttribute space, const char *text) {
  if (mlirAttributeIsNull(space))
    return false;
  MlirAttribute parsed = mlirAttributeParseGet(
      mlirAttributeGetContext(space), mlirStringRefCreateFromCString(text));
  return mlirAttributeEqual(parsed, space);
}

static bool isThree(MlirAttribute space) {
  return !mlirAttributeIsNull(space) && mlirAttributeIsAInteger(space) &&
         mlirIntegerAttrGetValueInt(space) == 3;
}

static bool isWorkgroup(MlirAttribute space) {
  return isSpaceText(space, "#gpu.address_space<workgroup>");
}

bool berthSpaceMayBeShared(MlirAttribute space) {
  return isThree(space) || isWorkgroup(space);
}

bool berthScopeIsShared(const BerthScope *scope) {
  bool isOfThreads =
      scope->kind != BERTH_SCOPE_FUNCTION || scope->isAmongThreads;
  return isWorkgroup(scope->space) || (isThree(scope->space) && isOfThreads);
}

int64_t berthOwnGroup(const BerthBufferInfo *buffer) {
  return buffer->constraints ? buffer->constraints->group : BERTH_NONE;
}

static bool isAlone(const BerthBufferInfo *buffer) {
  return buffer->constraints && buffer->constraints->isAlone;
}

bool berthMayCoincide(const BerthBufferInfo *a, const BerthBufferInfo *b) {
  if (isAlone(a) || isAlone(b))
    return false;
  if (!a->constraints || !b->constraints)
    return true;
  int64_t left = a->constraints->pin, right = b->constraints->pin;
  return left == BERTH_NONE || right == BERTH_NONE || left == right;
}

void berthRejectBuffer(BerthBufferInfo *buffer, const char *reason,
                       MlirOperation at) {
  if (buffer->reason)
    return;
  buffer->reason = reason;
  buffer->reasonAt = at;
}

int berthCompareAccesses(const void *left, const void *right) {
  const BerthAccess *a = left, *b = right;
  return a->lower < b->lower ? -1 : a->lower > b->lower;
}
