//===- FitMarks.c - Marks for who checks a fit ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/FitMarks.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

MlirAttribute berthFitJoinNumbers(MlirAttribute first, MlirAttribute then) {
  MlirAttribute lists[] = {first, then}, *numbers = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < 2; ++i) {
    bool isArray =
        !mlirAttributeIsNull(lists[i]) && mlirAttributeIsAArray(lists[i]);
    intptr_t length = isArray ? mlirArrayAttrGetNumElements(lists[i])
                              : !mlirAttributeIsNull(lists[i]);
    for (intptr_t k = 0; k < length; ++k) {
      numbers = berthGrow(numbers, count, &capacity, sizeof *numbers);
      numbers[count++] =
          isArray ? mlirArrayAttrGetElement(lists[i], k) : lists[i];
    }
  }
  MlirAttribute joined =
      mlirArrayAttrGet(mlirAttributeGetContext(then), (intptr_t)count, numbers);
  free(numbers);
  return joined;
}

void berthFitAddNumbers(MlirOperation op, const char *name,
                        MlirAttribute more) {
  berthSetAttribute(op, name,
                    berthFitJoinNumbers(berthAttributeOf(op, name), more));
}

bool berthFitHasNumber(MlirAttribute mark, MlirAttribute number) {
  if (mlirAttributeIsNull(mark) || !mlirAttributeIsAArray(mark))
    return !mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, number);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(mark); ++i)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(mark, i), number))
      return true;
  return false;
}

void berthFitRemoveNumber(MlirOperation op, const char *name,
                          MlirAttribute number) {
  MlirAttribute mark = berthAttributeOf(op, name);
  if (!berthFitHasNumber(mark, number))
    return;
  bool isArray = mlirAttributeIsAArray(mark);
  intptr_t count = isArray ? mlirArrayAttrGetNumElements(mark) : 0, kept = 0;
  MlirAttribute *others = berthAllocateOrDie((size_t)count + 1, sizeof *others);
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(mark, i), number))
      others[kept++] = mlirArrayAttrGetElement(mark, i);
  if (kept)
    berthSetAttribute(
        op, name, mlirArrayAttrGet(mlirOperationGetContext(op), kept, others));
  else
    mlirOperationRemoveAttributeByName(op,
                                       mlirStringRefCreateFromCString(name));
  free(others);
}

/// Adds to the numbers that a mark of a function's argument has.
static void addNumbersOfArgument(MlirOperation function, intptr_t index,
                                 const char *name, MlirAttribute more) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute old = berthAttributeOf(function, "arg_attrs");
  intptr_t count = mlirFunctionTypeGetNumInputs(
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type")));
  MlirAttribute *all = berthAllocateOrDie((size_t)count, sizeof *all);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirAttributeIsNull(old) ? mlirDictionaryAttrGet(context, 0, NULL)
                                      : mlirArrayAttrGetElement(old, i);
  MlirStringRef mark = mlirStringRefCreateFromCString(name);
  intptr_t numNamed = mlirDictionaryAttrGetNumElements(all[index]), kept = 0;
  MlirNamedAttribute *named =
      berthAllocateOrDie((size_t)numNamed + 1, sizeof *named);
  for (intptr_t i = 0; i < numNamed; ++i) {
    named[kept] = mlirDictionaryAttrGetElement(all[index], i);
    kept += !mlirStringRefEqual(mlirIdentifierStr(named[kept].name), mark);
  }
  named[kept++] = mlirNamedAttributeGet(
      mlirIdentifierGet(context, mark),
      berthFitJoinNumbers(mlirDictionaryAttrGetElementByName(all[index], mark),
                          more));
  all[index] = mlirDictionaryAttrGet(context, kept, named);
  berthSetAttribute(function, "arg_attrs",
                    mlirArrayAttrGet(context, count, all));
  free(named);
  free(all);
}

void berthFitMarkSource(MlirValue source, MlirAttribute number) {
  if (mlirValueIsAOpResult(source))
    berthFitAddNumbers(mlirOpResultGetOwner(source), BERTH_CONTENT_SOURCE,
                       number);
  else
    addNumbersOfArgument(
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(source)),
        mlirBlockArgumentGetArgNumber(source), BERTH_CONTENT_SOURCE, number);
}

static void noteEffect(BerthEffect effect, void *userData) {
  bool *hasEffects = userData;
  (void)effect;
  *hasEffects = true;
}

/// True for what does nothing but compute: a pass may take it away, as one of
/// two, or elsewhere, and its marks with it.
static bool onlyComputes(MlirOperation op) {
  bool hasEffects = false;
  return mlirOperationGetNumResults(op) > 0 &&
         mlirOperationGetNumRegions(op) == 0 &&
         berthInterfaceGetEffects(op, noteEffect, &hasEffects) && !hasEffects;
}

void berthFitDestroy(MlirOperation op) {
  MlirAttribute copied = berthAttributeOf(op, BERTH_CONTENT_COPIED);
  if (!mlirAttributeIsNull(copied)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    while (onlyComputes(next))
      next = mlirOperationGetNextInBlock(next);
    berthFitAddNumbers(next, BERTH_CONTENT_COPIED, copied);
  }
  mlirOperationDestroy(op);
}
