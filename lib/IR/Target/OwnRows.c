//===- OwnRows.c - What an op's own attributes say ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/OwnRows.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Target/AttributeNames.h"
#include "IR/Target/TargetOps.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// What is known of ops with one dictionary of attributes and one row by name.
/// Dictionaries are unique, so their address tells them apart; ops come and go.
typedef struct Known {
  const BerthOpRow *row;
  const BerthOpRow *own;
  size_t next; ///< of the same dictionary, or SIZE_MAX
} Known;

struct BerthOwnRows {
  BerthTarget *target;    ///< what the rows are made in
  BerthRowsInForce *rows; ///< in force
  BerthPointerMap first;  ///< dictionary -> the first of `known`
  Known *known;
  size_t numKnown, capKnown;
  /// What was asked last: the stations ask of one op many times in a row.
  const void *lastAttributes;
  const BerthOpRow *lastRow, *lastOwn;
  bool failed;
};

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

static void appendString(BerthText *text, MlirStringRef string) {
  berthTextAppend(text, "\"");
  for (size_t i = 0; i < string.length; ++i) {
    unsigned char c = (unsigned char)string.data[i];
    if (c < ' ' || c == '"' || c == '\\')
      berthTextAppend(text, "\\u%04x", c);
    else
      berthTextAppendBytes(text, &string.data[i], 1);
  }
  berthTextAppend(text, "\"");
}

static bool appendJson(BerthText *text, MlirAttribute value);

static bool appendDictionary(BerthText *text, MlirAttribute value) {
  intptr_t count = mlirDictionaryAttrGetNumElements(value);
  bool isRight = true;
  for (intptr_t i = 0; i < count && isRight; ++i) {
    MlirNamedAttribute element = mlirDictionaryAttrGetElement(value, i);
    berthTextAppend(text, i ? ", " : "{");
    appendString(text, mlirIdentifierStr(element.name));
    berthTextAppend(text, ": ");
    isRight = appendJson(text, element.attribute);
  }
  berthTextAppend(text, count ? "}" : "{}");
  return isRight;
}

/// Lists are [0, 1], or array<i64: 0, 1>.
static bool appendList(BerthText *text, MlirAttribute value) {
  bool isLong = mlirAttributeIsADenseI64Array(value);
  bool isArray = mlirAttributeIsAArray(value), isRight = true;
  intptr_t count = isArray ? mlirArrayAttrGetNumElements(value)
                           : mlirDenseArrayGetNumElements(value);
  berthTextAppend(text, "[");
  for (intptr_t i = 0; i < count && isRight; ++i) {
    if (i)
      berthTextAppend(text, ", ");
    if (isArray)
      isRight = appendJson(text, mlirArrayAttrGetElement(value, i));
    else
      berthTextAppend(text, "%lld",
                      (long long)(isLong
                                      ? mlirDenseI64ArrayGetElement(value, i)
                                      : mlirDenseI32ArrayGetElement(value, i)));
  }
  berthTextAppend(text, "]");
  return isRight;
}

static bool appendNumber(BerthText *text, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  berthTextAppend(text, "%lld", (long long)mlirIntegerAttrGetValueInt(value));
  return true;
}

/// False for what JSON has no word for.
static bool appendJson(BerthText *text, MlirAttribute value) {
  if (mlirAttributeIsAUnit(value))
    berthTextAppend(text, "true");
  else if (mlirAttributeIsABool(value))
    berthTextAppend(text, mlirBoolAttrGetValue(value) ? "true" : "false");
  else if (mlirAttributeIsAString(value))
    appendString(text, mlirStringAttrGetValue(value));
  else if (mlirAttributeIsAInteger(value))
    return appendNumber(text, value);
  else if (mlirAttributeIsADictionary(value))
    return appendDictionary(text, value);
  else if (mlirAttributeIsAArray(value) ||
           mlirAttributeIsADenseI32Array(value) ||
           mlirAttributeIsADenseI64Array(value))
    return appendList(text, value);
  else
    return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// "berth.reads = [-1]: operand -1 is ..." at the op.
static void fail(BerthOwnRows *own, MlirOperation op,
                 const MlirNamedAttribute *attribute, const char *why) {
  BerthText text = {0};
  if (attribute) {
    MlirStringRef name = mlirIdentifierStr(attribute->name);
    berthTextAppend(&text, "%.*s", (int)name.length, name.data);
    if (!mlirAttributeIsAUnit(attribute->attribute)) {
      berthTextAppend(&text, " = ");
      mlirAttributePrint(attribute->attribute, berthTextCallback, &text);
    }
    berthTextAppend(&text, ": ");
  }
  berthTextAppend(&text, "%s", why);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  own->failed = true;
}

static void readAttribute(BerthOwnRows *own, MlirOperation op,
                          BerthTargetEntry *entry, MlirNamedAttribute attribute,
                          int key) {
  BerthText json = {0};
  if (!appendJson(&json, attribute.attribute)) {
    fail(own, op, &attribute, "it is no number, string, list or dictionary");
    berthTextFree(&json);
    return;
  }
  BerthError error;
  BerthTargetReader reader = {.target = own->target,
                              .builtin = own->rows->builtin};
  berthJsonStart(&reader.json, (BerthSpan){json.data, json.length}, &error);
  berthTargetReadKey(&reader, entry, key);
  berthJsonExpectEnd(&reader.json);
  if (berthJsonFinish(&reader.json) != BERTH_SUCCESS)
    fail(own, op, &attribute, error.message);
  berthTextFree(&json);
}

/// The row that the attributes make of `row`, or `row` itself.
static const BerthOpRow *makeRow(BerthOwnRows *own, MlirOperation op,
                                 MlirAttribute attributes,
                                 const BerthOpRow *row) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  BerthTarget *target = own->target;
  char *copy =
      berthOrDie(berthMemoryAllocate(&target->memory, name.length + 1, 1));
  memcpy(copy, name.data, name.length);
  bool isOfFunction = row && row->name[0] == '@';
  BerthTargetEntry entry = {.row.name = isOfFunction ? row->name : copy};
  intptr_t count = mlirDictionaryAttrGetNumElements(attributes);
  for (intptr_t i = 0; i < count && !own->failed; ++i) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(attributes, i);
    int key = berthAttributeKey(mlirIdentifierStr(attribute.name));
    if (key >= 0)
      readAttribute(own, op, &entry, attribute, key);
  }
  if (!entry.seen || own->failed)
    return row;
  BerthError error;
  BerthTargetReader reader = {.target = target, .builtin = own->rows->builtin};
  berthJsonStart(&reader.json, (BerthSpan){"", 0}, &error);
  BerthOpRow *made =
      berthOrDie(berthMemoryAllocate(&target->memory, 1, sizeof *made));
  *made = berthTargetMakeOwnRow(&reader, &entry, row);
  if (berthJsonFinish(&reader.json) != BERTH_SUCCESS)
    fail(own, op, NULL, error.message);
  own->rows->numCores = target->rows.numCores;
  own->rows->isConcurrent |= target->rows.isConcurrent;
  return made;
}

static const BerthOpRow *findOwnRow(BerthOwnRows *own, MlirOperation op,
                                    MlirAttribute attributes,
                                    const BerthOpRow *row) {
  if (mlirDictionaryAttrGetNumElements(attributes) == 0)
    return row;
  size_t first = berthPointerMapFind(&own->first, attributes.ptr);
  first = first == BERTH_NOT_FOUND ? SIZE_MAX : first;
  for (size_t i = first; i != SIZE_MAX; i = own->known[i].next)
    if (own->known[i].row == row)
      return own->known[i].own;
  const BerthOpRow *made = makeRow(own, op, attributes, row);
  own->known =
      berthGrow(own->known, own->numKnown, &own->capKnown, sizeof *own->known);
  own->known[own->numKnown] = (Known){row, made, first};
  berthPointerMapSet(&own->first, attributes.ptr, own->numKnown++);
  return made;
}

static const BerthOpRow *ownRowOf(MlirOperation op, const BerthOpRow *row,
                                  void *userData) {
  BerthOwnRows *own = userData;
  MlirAttribute attributes = berthOpGetOwnAttributes(op);
  if (attributes.ptr != own->lastAttributes || row != own->lastRow) {
    own->lastOwn = findOwnRow(own, op, attributes, row);
    own->lastAttributes = attributes.ptr;
    own->lastRow = row;
  }
  return own->lastOwn;
}

//===----------------------------------------------------------------------===//
// A program
//===----------------------------------------------------------------------===//

/// What is among the attributes of an op.
enum { kHasKeys = 1, kHasMarks = 2 };

typedef struct Search {
  BerthPointerMap seen; ///< dictionary -> what is in it
  bool found, failed;
  /// With attributes of which it counts where they stand.
  MlirOperation *marked;
  size_t numMarked, capMarked;
} Search;

/// The attributes of a function's arguments, or results.
static void checkListed(Search *search, MlirOperation op, const char *which) {
  MlirAttribute list = berthAttributeOf(op, which);
  bool isList = !mlirAttributeIsNull(list) && mlirAttributeIsAArray(list);
  for (intptr_t i = 0; isList && i < mlirArrayAttrGetNumElements(list); ++i) {
    MlirAttribute attributes = mlirArrayAttrGetElement(list, i);
    intptr_t count = mlirAttributeIsADictionary(attributes)
                         ? mlirDictionaryAttrGetNumElements(attributes)
                         : 0;
    for (intptr_t k = 0; k < count; ++k) {
      MlirNamedAttribute one = mlirDictionaryAttrGetElement(attributes, k);
      search->failed |=
          !berthCheckAttribute(op, one) || !berthCheckArgumentMark(op, one);
    }
  }
}

static size_t checkAttributes(Search *search, MlirOperation op,
                              MlirAttribute attributes) {
  size_t has = 0;
  intptr_t count = mlirDictionaryAttrGetNumElements(attributes);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(attributes, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    search->failed |= !berthCheckAttribute(op, attribute);
    has |= berthAttributeKey(name) >= 0 ? kHasKeys : 0;
    has |= berthAttributeIsMark(name) ? kHasMarks : 0;
  }
  return has;
}

static void addMarked(Search *search, MlirOperation op) {
  search->marked = berthGrow(search->marked, search->numMarked,
                             &search->capMarked, sizeof *search->marked);
  search->marked[search->numMarked++] = op;
}

static MlirWalkResult findAttributes(MlirOperation op, void *userData) {
  Search *search = userData;
  if (berthOpIsFunction(op)) {
    checkListed(search, op, "arg_attrs");
    checkListed(search, op, "res_attrs");
  }
  MlirAttribute attributes = berthOpGetOwnAttributes(op);
  if (mlirDictionaryAttrGetNumElements(attributes) == 0)
    return MlirWalkResultAdvance;
  size_t has = berthPointerMapFind(&search->seen, attributes.ptr);
  if (has == BERTH_NOT_FOUND) {
    has = checkAttributes(search, op, attributes);
    berthPointerMapInsert(&search->seen, attributes.ptr, has);
  }
  if (has && ((has & kHasMarks) || !berthOpMayHaveKeys(op)))
    addMarked(search, op);
  if (has & kHasKeys)
    berthRowsExpectOwn(op);
  search->found |= (has & kHasKeys) != 0;
  return MlirWalkResultAdvance;
}

/// What an op is has to be known before.
static BerthStatus checkMarked(const Search *search) {
  bool isRight = true;
  for (size_t i = 0; i < search->numMarked; ++i)
    isRight &= berthCheckMarks(search->marked[i]);
  return isRight ? BERTH_SUCCESS : BERTH_INVALID;
}

static MlirWalkResult readOp(MlirOperation op, void *userData) {
  const BerthOwnRows *own = userData;
  berthRowOf(op);
  return own->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Units and cores are numbered on from the description's.
static BerthTarget *createTarget(void) {
  BerthTarget *target = berthAllocateOrDie(1, sizeof *target);
  const BerthTarget *described = berthTargetCurrent();
  *target = (BerthTarget){0};
  if (!described)
    return target;
  target->rows.numCores = described->rows.numCores;
  target->numUnits = target->capUnits = described->numUnits;
  target->units = berthNewCopy(&target->memory, described->units,
                               described->numUnits, sizeof *target->units);
  return target;
}

/// Of a program that has keys.
static BerthStatus readRows(BerthTargetUse *use, MlirOperation root,
                            const Search *search, BerthOwnRows **rows) {
  BerthOwnRows *own = berthAllocateOrDie(1, sizeof *own);
  *own =
      (BerthOwnRows){.target = createTarget(), .rows = berthTargetUseRows(use)};
  own->rows->ownRow = ownRowOf;
  own->rows->userData = own;
  mlirOperationWalk(root, readOp, own, MlirWalkPreOrder);
  *rows = own;
  if (!own->failed && checkMarked(search) == BERTH_SUCCESS)
    return BERTH_SUCCESS;
  own->rows->ownRow = NULL;
  berthOwnRowsDestroy(own);
  *rows = NULL;
  return BERTH_INVALID;
}

BerthStatus berthOwnRowsRead(BerthTargetUse *use, MlirOperation root,
                             BerthOwnRows **rows) {
  Search search = {0};
  *rows = NULL;
  mlirOperationWalk(root, findAttributes, &search, MlirWalkPreOrder);
  BerthStatus status = search.failed  ? BERTH_INVALID
                       : search.found ? readRows(use, root, &search, rows)
                                      : checkMarked(&search);
  berthPointerMapFree(&search.seen);
  free(search.marked);
  return status;
}

void berthOwnRowsDestroy(BerthOwnRows *rows) {
  if (!rows)
    return;
  berthTargetDestroy(rows->target);
  berthPointerMapFree(&rows->first);
  free(rows->known);
  free(rows);
}
