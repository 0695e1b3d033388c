//===- EqualValues.c - Values that are equal by construction --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/EqualValues.h"

#include "IR/Facts/Facts.h"
#include "mlir-c/BuiltinAttributes.h"

/// Trees deeper than this count as different.
enum { kDeepest = 16 };

bool berthValueIsConstant(MlirValue value, int64_t *constant) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (mlirOperationGetNumOperands(op) > 0)
    return false;
  MlirAttribute attribute = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return false;
  *constant = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

bool berthHaveSameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  if (count != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute first = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute second = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(first.name, second.name) ||
        !mlirAttributeEqual(first.attribute, second.attribute))
      return false;
  }
  return true;
}

static bool isSame(MlirValue a, MlirValue b, int depth) {
  if (mlirValueEqual(a, b))
    return true;
  if (depth == kDeepest || !mlirValueIsAOpResult(a) || !mlirValueIsAOpResult(b))
    return false;
  MlirOperation first = mlirOpResultGetOwner(a);
  MlirOperation second = mlirOpResultGetOwner(b);
  intptr_t count = mlirOperationGetNumOperands(first);
  if (!mlirIdentifierEqual(mlirOperationGetName(first),
                           mlirOperationGetName(second)) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      count != mlirOperationGetNumOperands(second) ||
      !berthOpIsSpeculatable(first) || !berthHaveSameAttributes(first, second))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!isSame(mlirOperationGetOperand(first, i),
                mlirOperationGetOperand(second, i), depth + 1))
      return false;
  return true;
}

bool berthIsSameValue(MlirValue a, MlirValue b) { return isSame(a, b, 0); }
