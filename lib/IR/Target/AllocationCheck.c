//===- AllocationCheck.c - What ops tell of what they allocate ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/AllocationCheck.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Text.h"
#include "IR/Target/ForeignType.h"

typedef struct Check {
  MlirOperation op;
  const char *source; ///< "the target description", or the op's attribute
  bool isOwn;         ///< it is the op's attribute
} Check;

/// Frees the text.
static bool fail(const Check *check, BerthText *text) {
  berthEmitError(check->op, text->data, (MlirOperation){NULL}, NULL);
  berthTextFree(text);
  return false;
}

static bool checkOperand(const Check *check, const BerthOpSource *source) {
  if (source->operand < mlirOperationGetNumOperands(check->op))
    return true;
  BerthText text = {0};
  berthTextAppend(&text, "%s names operand %lld, which it does not have",
                  check->source, (long long)source->operand);
  return fail(check, &text);
}

/// "SOURCE reads its WHAT from bytes = "64": WANTED expected"
static bool failValue(const Check *check, const BerthOpSource *source,
                      const char *what, const char *wanted) {
  MlirAttribute value = berthOpReadSource(check->op, source);
  BerthText text = {0};
  berthTextAppend(&text, "%s reads its %s from ", check->source, what);
  if (source->attribute)
    berthTextAppend(&text, "%s", source->attribute);
  else
    berthTextAppend(&text, "operand %lld", (long long)source->operand);
  if (mlirAttributeIsNull(value)) {
    berthTextAppend(&text, " of type ");
    berthTextAppendType(&text, mlirValueGetType(mlirOperationGetOperand(
                                   check->op, source->operand)));
  } else {
    berthTextAppend(&text, " = ");
    mlirAttributePrint(value, berthTextCallback, &text);
  }
  berthTextAppend(&text, ": %s expected", wanted);
  return fail(check, &text);
}

/// True where the source names nothing, or what only the run of the program
/// tells.
static bool isUnread(const Check *check, const BerthOpSource *source) {
  if (!mlirAttributeIsNull(berthOpReadSource(check->op, source)))
    return false;
  if (source->operand < 0)
    return true;
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(check->op, source->operand));
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
}

/// Nobody else tells what the op takes, or where: its type may be of less
/// bytes, and what has no space is in the default one.
static bool checkIsThere(const Check *check, const BerthOpSource *source,
                         const char *what) {
  if (!source->attribute ||
      !mlirAttributeIsNull(berthOpReadSource(check->op, source)))
    return true;
  BerthText text = {0};
  berthTextAppend(&text,
                  "%s reads its %s from the attribute '%s', which it does not "
                  "have",
                  check->source, what, source->attribute);
  return fail(check, &text);
}

static bool hasOwnSize(const Check *check) {
  return !mlirAttributeIsNull(berthAttributeOf(check->op, BERTH_SIZE));
}

static bool checkSize(const Check *check, const BerthOpSource *source) {
  int64_t bytes;
  return isUnread(check, source)
             ? hasOwnSize(check) || checkIsThere(check, source, "size")
             : (berthAttributeGetNumber(berthOpReadSource(check->op, source),
                                        &bytes) &&
                bytes >= 0) ||
                   failValue(check, source, "size", "a number of bytes");
}

/// Of all ops of a name some may ask for nothing.
static bool checkAlignment(const Check *check, const BerthOpSource *source) {
  int64_t alignment;
  return isUnread(check, source)
             ? !check->isOwn || checkIsThere(check, source, "alignment")
             : (berthAttributeGetNumber(berthOpReadSource(check->op, source),
                                        &alignment) &&
                alignment > 0 && !(alignment & (alignment - 1))) ||
                   failValue(check, source, "alignment", "a power of two");
}

static bool checkSpace(const Check *check, const BerthOpSource *source) {
  MlirAttribute space = berthOpReadSource(check->op, source);
  if (mlirAttributeIsNull(space))
    return checkIsThere(check, source, "memory space");
  bool isEmpty = mlirAttributeIsAString(space) &&
                 mlirStringAttrGetValue(space).length == 0;
  return (berthAttributeMayBeSpace(space) && !isEmpty) ||
         failValue(check, source, "memory space",
                   "a name, a number, a dictionary or an attribute of a "
                   "dialect");
}

/// A buffer with less bytes than its type would be read past its end.
static bool checkToldSize(const Check *check) {
  BerthToldAllocation told;
  int64_t bytes;
  if (!berthOpIsToldAllocation(check->op, &told) || told.size < 0 ||
      !berthTypeTellsBytes(
          mlirValueGetType(mlirOperationGetResult(check->op, 0)), check->op,
          &bytes) ||
      told.size >= bytes)
    return true;
  BerthText text = {0};
  berthTextAppend(&text,
                  "is told to allocate %lld bytes: the type of its buffer has "
                  "%lld bytes",
                  (long long)told.size, (long long)bytes);
  return fail(check, &text);
}

static bool checkResults(const Check *check) {
  if (mlirOperationGetNumResults(check->op) > 0)
    return true;
  BerthText text = {0};
  berthTextAppend(&text, "%s tells of an allocation, but it has no results",
                  check->source);
  return fail(check, &text);
}

bool berthCheckAllocation(MlirOperation op, const BerthOpAllocation *allocates,
                          const char *teller, bool isOwn) {
  const Check check = {op, teller, isOwn};
  return checkOperand(&check, &allocates->size) &&
         checkOperand(&check, &allocates->alignment) && checkResults(&check) &&
         checkSize(&check, &allocates->size) &&
         checkAlignment(&check, &allocates->alignment) &&
         checkSpace(&check, &allocates->space) && checkToldSize(&check);
}
