//===- RowOf.c - The row of an op -----------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/RowOf.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpRows.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/ShortText.h"
#include "IR/Ops/Spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

struct BerthNamed {
  const BerthOpRow *row;       ///< of the table, or NULL
  const BerthOpRow *described; ///< the first of the description, or NULL
  size_t numDescribed;
  uint32_t traits, threads; ///< of its families
  const char *asyncIf;
  bool isCall; ///< its function may be described
};

static _Thread_local BerthRowsInForce *current;

BerthRowsInForce *berthRowsEnter(BerthRowsInForce *rows) {
  BerthRowsInForce *before = current;
  current = rows;
  return before;
}

BerthRowsInForce *berthRowsCurrent(void) { return current; }

void berthRowsFree(BerthRowsInForce *rows) {
  berthPointerMapFree(&rows->byName);
  free(rows->names);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// The rows of the description with that name.
static void findDescribed(MlirStringRef name, const BerthOpRow **first,
                          size_t *count) {
  const BerthOpRows *rows = current ? current->described : NULL;
  size_t low = 0, high = rows ? rows->count : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (berthCompareNames(name, rows->rows[middle].name) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (rows && end < rows->count &&
         !berthCompareNames(name, rows->rows[end].name))
    ++end;
  *first = end > low ? &rows->rows[low] : NULL;
  *count = end - low;
}

static BerthNamed findNamed(MlirStringRef name) {
  static const char ending[] = "call";
  size_t length = sizeof ending - 1;
  BerthOpRow family = berthFamilyRow(name);
  BerthNamed named = {.row = berthFindRow(name),
                      .traits = family.traits,
                      .threads = family.threads,
                      .asyncIf = family.asyncIf};
  findDescribed(name, &named.described, &named.numDescribed);
  named.isCall = current && current->described &&
                 current->described->hasFunctions && name.length > length &&
                 memcmp(name.data + name.length - length, ending, length) == 0;
  return named;
}

/// Most questions are about few names. Outside of a run, where none can be
/// kept, the answer is good until the next question.
static const BerthNamed *namedOf(MlirOperation op) {
  static _Thread_local BerthNamed unkept;
  MlirIdentifier name = mlirOperationGetName(op);
  if (!current) {
    unkept = findNamed(mlirIdentifierStr(name));
    return &unkept;
  }
  size_t index = berthPointerMapFind(&current->byName, name.ptr);
  if (index != BERTH_NOT_FOUND)
    return &current->names[index];
  current->names = berthGrow(current->names, current->numNames,
                             &current->capNames, sizeof *current->names);
  berthPointerMapInsert(&current->byName, name.ptr, current->numNames);
  BerthNamed *named = &current->names[current->numNames++];
  *named = findNamed(mlirIdentifierStr(name));
  return named;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool berthAttributeSays(MlirAttribute attribute, const char *text) {
  if (mlirAttributeIsAString(attribute)) {
    MlirStringRef string = mlirStringAttrGetValue(attribute);
    if (string.length == strlen(text) &&
        memcmp(string.data, text, string.length) == 0)
      return true;
  }
  BerthShortText printed = {{0}, 0};
  mlirAttributePrint(attribute, berthShortTextAppend, &printed);
  return strcmp(printed.text, text) == 0;
}

static bool holds(const BerthOpCondition *condition, MlirOperation op) {
  if (condition->attribute) {
    MlirAttribute attribute = berthAttributeOf(op, condition->attribute);
    return !mlirAttributeIsNull(attribute) &&
           (!condition->text || berthAttributeSays(attribute, condition->text));
  }
  if (condition->operand >= mlirOperationGetNumOperands(op))
    return false;
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(op, condition->operand));
  MlirAttribute space = mlirAttributeGetNull();
  if (mlirTypeIsAMemRef(type))
    space = mlirMemRefTypeGetMemorySpace(type);
  else if (mlirTypeIsAUnrankedMemRef(type))
    space = mlirUnrankedMemrefGetMemorySpace(type);
  else
    return false;
  return berthSpaceIs(mlirOperationGetContext(op), space, condition->text);
}

/// The first of the rows that is the op's, or NULL.
static const BerthOpRow *choose(const BerthOpRow *rows, size_t count,
                                MlirOperation op) {
  for (size_t i = 0; i < count; ++i) {
    size_t met = 0;
    while (met < rows[i].numConditions && holds(&rows[i].conditions[met], op))
      ++met;
    if (met == rows[i].numConditions)
      return &rows[i];
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Of an op
//===----------------------------------------------------------------------===//

/// The row of the function that the op calls by its symbol.
static const BerthOpRow *chooseFunction(MlirOperation op) {
  MlirAttribute callee = berthAttributeOf(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return NULL;
  BerthShortText name = {"@", 1};
  MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(callee);
  if (symbol.length >= sizeof name.text - 1)
    return NULL;
  berthShortTextAppend(symbol, &name);
  const BerthOpRow *rows;
  size_t count;
  findDescribed((MlirStringRef){name.text, name.length}, &rows, &count);
  return choose(rows, count, op);
}

/// The description's row, which has what the table says in it, or NULL.
static const BerthOpRow *describedRow(const BerthNamed *named,
                                      MlirOperation op) {
  const BerthOpRow *row = named->isCall ? chooseFunction(op) : NULL;
  return row ? row : choose(named->described, named->numDescribed, op);
}

static const BerthOpRow *rowOf(const BerthNamed *named, MlirOperation op) {
  const BerthOpRow *row = describedRow(named, op);
  row = row ? row : named->row;
  return current && current->ownRow
             ? current->ownRow(op, row, current->userData)
             : row;
}

const BerthOpRow *berthRowOf(MlirOperation op) {
  return rowOf(namedOf(op), op);
}

const BerthOpRow *berthToldRowOf(MlirOperation op) {
  const BerthNamed *named = namedOf(op);
  const BerthOpRow *row = rowOf(named, op);
  return row == named->row ? NULL : row;
}

const BerthOpRow *berthDescribedRowOf(MlirOperation op) {
  return describedRow(namedOf(op), op);
}

bool berthRowHas(MlirOperation op, uint32_t traits) {
  const BerthNamed *named = namedOf(op);
  if (named->traits & traits)
    return true;
  const BerthOpRow *row = rowOf(named, op);
  return row && (row->traits & traits);
}

bool berthRowHasThreads(MlirOperation op, uint32_t threads) {
  const BerthNamed *named = namedOf(op);
  if (named->threads & threads)
    return true;
  const BerthOpRow *row = rowOf(named, op);
  return row && (row->threads & threads);
}

const char *berthRowAsyncIf(MlirOperation op) { return namedOf(op)->asyncIf; }
