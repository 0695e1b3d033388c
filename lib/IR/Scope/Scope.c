//===- Scope.c - What every station asks of a scope -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Scope.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isSpaceText(const BerthScope *scope, const char *text) {
  if (mlirAttributeIsNull(scope->space))
    return false;
  MlirAttribute parsed = mlirAttributeParseGet(
      mlirOperationGetContext(scope->op), mlirStringRefCreateFromCString(text));
  return mlirAttributeEqual(parsed, scope->space);
}

bool berthScopeIsShared(const BerthScope *scope) {
  if (isSpaceText(scope, "#gpu.address_space<workgroup>"))
    return true;
  bool isNumber = !mlirAttributeIsNull(scope->space) &&
                  mlirAttributeIsAInteger(scope->space);
  return isNumber && scope->kind != BERTH_SCOPE_FUNCTION &&
         mlirIntegerAttrGetValueInt(scope->space) == 3;
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
