//===- Marks.c - What berth-fit says of allocations and copies ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Marks.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"

MlirAttribute berthMarkNumber(MlirAttribute mark, intptr_t k) {
  if (!mlirAttributeIsNull(mark) && mlirAttributeIsAArray(mark))
    mark = k < mlirArrayAttrGetNumElements(mark)
               ? mlirArrayAttrGetElement(mark, k)
               : mlirAttributeGetNull();
  else if (k > 0)
    mark = mlirAttributeGetNull();
  bool isNumber = !mlirAttributeIsNull(mark) && mlirAttributeIsAInteger(mark);
  return isNumber ? mark : mlirAttributeGetNull();
}

MlirAttribute berthPlaceMark(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1
             ? berthAttributeOf(op, BERTH_CONTENT)
             : mlirAttributeGetNull();
}

intptr_t berthPlaceOf(MlirValue value, MlirAttribute content) {
  value = berthValueBehindViews(value);
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirAttribute mark = berthPlaceMark(mlirOpResultGetOwner(value)), number;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       ++k)
    if (mlirAttributeEqual(number, content))
      return k;
  return -1;
}

MlirAttribute berthPlaceContent(MlirValue value) {
  MlirAttribute last = mlirAttributeGetNull(), number;
  value = berthValueBehindViews(value);
  if (!mlirValueIsAOpResult(value))
    return last;
  MlirAttribute mark = berthPlaceMark(mlirOpResultGetOwner(value));
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       ++k)
    last = number;
  return last;
}

bool berthIsOneMemory(MlirValue a, MlirValue b) {
  MlirAttribute content = berthPlaceContent(a);
  return mlirValueEqual(a, b) ||
         (!mlirAttributeIsNull(content) &&
          mlirAttributeEqual(content, berthPlaceContent(b)));
}

static bool tellsOfPlaces(MlirIdentifier name) {
  static const char *const names[] = {BERTH_MOVE, BERTH_RECOMPUTE,
                                      BERTH_CONTENT_COPIED, BERTH_CONTENT_READ,
                                      BERTH_CONTENT_SOURCE};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirStringRefEqual(mlirIdentifierStr(name),
                           mlirStringRefCreateFromCString(names[i])))
      return true;
  return false;
}

/// True if all that `a` has is there in `b`.
static bool hasAttributesOf(MlirOperation a, MlirOperation b) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(a); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(a, i);
    MlirAttribute other =
        mlirOperationGetAttributeByName(b, mlirIdentifierStr(named.name));
    if (!tellsOfPlaces(named.name) &&
        (mlirAttributeIsNull(other) ||
         !mlirAttributeEqual(named.attribute, other)))
      return false;
  }
  return true;
}

bool berthHaveOneAttributes(MlirOperation a, MlirOperation b) {
  return hasAttributesOf(a, b) && hasAttributesOf(b, a);
}

bool berthIsOnePart(MlirValue a, MlirValue b) {
  while (!mlirValueEqual(a, b)) {
    MlirValue viewedA = berthValueViewed(a), viewedB = berthValueViewed(b);
    if (mlirValueIsNull(viewedA) || mlirValueIsNull(viewedB))
      return berthIsOneMemory(a, b);
    MlirOperation opA = mlirOpResultGetOwner(a), opB = mlirOpResultGetOwner(b);
    intptr_t count = mlirOperationGetNumOperands(opA);
    if (!mlirIdentifierEqual(mlirOperationGetName(opA),
                             mlirOperationGetName(opB)) ||
        mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
        count != mlirOperationGetNumOperands(opB) ||
        !berthHaveOneAttributes(opA, opB))
      return false;
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue x = mlirOperationGetOperand(opA, i);
      if (!mlirValueEqual(x, viewedA) &&
          !berthIsSameValue(x, mlirOperationGetOperand(opB, i)))
        return false;
    }
    a = viewedA;
    b = viewedB;
  }
  return true;
}

bool berthMarkNames(MlirOperation op, const char *name, MlirAttribute number) {
  MlirAttribute mark = berthAttributeOf(op, name), other;
  for (intptr_t k = 0; !mlirAttributeIsNull(other = berthMarkNumber(mark, k));
       ++k)
    if (mlirAttributeEqual(other, number))
      return true;
  return false;
}
