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
  const BerthOpRow *row;       ///< of Berth's description, or NULL
  const BerthOpRow *described; ///< the first of the target's, or NULL
  size_t numDescribed;
  uint32_t traits, threads; ///< of its families in both
  const char *asyncIf;
  bool isCall; ///< its function may be described
  bool hasOwn; ///< ops of the name may have attributes that make a row
  bool varies; ///< not all ops of the name have `row`
};

static _Thread_local BerthRowsInForce *current;

BerthRowsInForce *berthRowsEnter(BerthRowsInForce *rows) {
  BerthRowsInForce *before = current;
  current = rows;
  return before;
}

BerthRowsInForce *berthRowsCurrent(void) {
  if (!current)
    berthFatal("Berth was asked what an op is outside of a pass");
  return current;
}

void berthRowsFree(BerthRowsInForce *rows) {
  berthPointerMapFree(&rows->byName);
  berthMemoryFree(&rows->memory);
  free(rows->names);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// Where no entry of the target's description has the name, its family's make a
/// row each, laid over what Berth knows of the name.
static void layFamily(BerthNamed *named, MlirStringRef name) {
  const BerthOpRow *families =
      berthFindFamily(current->described, name, &named->numDescribed);
  BerthOpRow *rows =
      BERTH_NEW(&current->memory, BerthOpRow, named->numDescribed);
  for (size_t i = 0; i < named->numDescribed; ++i)
    rows[i] = berthLayRow(named->row, &families[i]);
  named->described = rows;
}

static void addDescribed(BerthNamed *named, MlirStringRef name) {
  static const char ending[] = "call";
  size_t length = sizeof ending - 1;
  const BerthOpRows *rows = current->described;
  BerthOpRow family = berthFamilyRow(rows, name);
  named->traits |= family.traits;
  named->threads |= family.threads;
  if (family.asyncIf)
    named->asyncIf = family.asyncIf;
  named->described = berthFindRow(rows, name, &named->numDescribed);
  if (!named->described)
    layFamily(named, name);
  named->isCall = rows->hasFunctions && name.length > length &&
                  memcmp(name.data + name.length - length, ending, length) == 0;
}

static BerthNamed findNamed(MlirStringRef name) {
  size_t count;
  BerthOpRow family = berthFamilyRow(current->builtin, name);
  BerthNamed named = {.row = berthFindRow(current->builtin, name, &count),
                      .traits = family.traits,
                      .threads = family.threads,
                      .asyncIf = family.asyncIf};
  if (current->described)
    addDescribed(&named, name);
  named.varies = named.numDescribed || named.isCall;
  return named;
}

/// The place of what is known of the name.
static size_t indexOfName(BerthRowsInForce *rows, MlirIdentifier name) {
  size_t index = berthPointerMapFind(&rows->byName, name.ptr);
  if (index != BERTH_NOT_FOUND)
    return index;
  rows->names = berthGrow(rows->names, rows->numNames, &rows->capNames,
                          sizeof *rows->names);
  berthPointerMapInsert(&rows->byName, name.ptr, rows->numNames);
  rows->names[rows->numNames] = findNamed(mlirIdentifierStr(name));
  return rows->numNames++;
}

/// Most questions are about few names, one after the other about the same.
static BerthNamed *namedOf(MlirOperation op) {
  BerthRowsInForce *rows = berthRowsCurrent();
  MlirIdentifier name = mlirOperationGetName(op);
  if (name.ptr != rows->lastName) {
    rows->last = indexOfName(rows, name);
    rows->lastName = name.ptr;
  }
  return &rows->names[rows->last];
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
  bool isRanked = mlirTypeIsAMemRef(type);
  if (!isRanked && !mlirTypeIsAUnrankedMemRef(type))
    return false;
  MlirAttribute space = isRanked ? mlirMemRefTypeGetMemorySpace(type)
                                 : mlirUnrankedMemrefGetMemorySpace(type);
  return berthSpaceIs(mlirOperationGetContext(op), space, condition->text);
}

bool berthRowHolds(const BerthOpRow *row, MlirOperation op) {
  size_t met = 0;
  while (met < row->numConditions && holds(&row->conditions[met], op))
    ++met;
  return met == row->numConditions;
}

/// The first of the rows that is the op's, or NULL.
static const BerthOpRow *choose(const BerthOpRow *rows, size_t count,
                                MlirOperation op) {
  for (size_t i = 0; i < count; ++i)
    if (berthRowHolds(&rows[i], op))
      return &rows[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Of an op
//===----------------------------------------------------------------------===//

const BerthOpRow *berthEntriesOf(MlirOperation op, size_t *count) {
  const BerthNamed *named = namedOf(op);
  *count = named->numDescribed;
  return named->described;
}

const BerthOpRow *berthFunctionEntriesOf(MlirOperation op, size_t *count) {
  *count = 0;
  if (!namedOf(op)->isCall)
    return NULL;
  MlirAttribute callee = berthAttributeOf(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return NULL;
  BerthShortText name = {"@", 1};
  MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(callee);
  if (symbol.length >= sizeof name.text - 1)
    return NULL;
  berthShortTextAppend(symbol, &name);
  return berthFindRow(current->described,
                      (MlirStringRef){name.text, name.length}, count);
}

/// The target description's row, which has what Berth's says in it, or NULL.
static const BerthOpRow *describedRow(const BerthNamed *named,
                                      MlirOperation op) {
  size_t count = 0;
  const BerthOpRow *rows =
      named->isCall ? berthFunctionEntriesOf(op, &count) : NULL;
  const BerthOpRow *row = choose(rows, count, op);
  return row ? row : choose(named->described, named->numDescribed, op);
}

static const BerthOpRow *rowOf(const BerthNamed *named, MlirOperation op) {
  if (!named->varies)
    return named->row;
  const BerthOpRow *row = describedRow(named, op);
  row = row ? row : named->row;
  return current->ownRow && named->hasOwn
             ? current->ownRow(op, row, current->userData)
             : row;
}

void berthRowsExpectOwn(MlirOperation op) {
  BerthNamed *named = namedOf(op);
  named->hasOwn = named->varies = true;
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

const char *berthRowAsyncIf(MlirOperation op) {
  const BerthNamed *named = namedOf(op);
  const BerthOpRow *row = rowOf(named, op);
  return row && row->asyncIf ? row->asyncIf : named->asyncIf;
}
