//===- AttributeNames.c - Which attributes Berth knows --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/AttributeNames.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/ForeignType.h"
#include "IR/Ops/NameDistance.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/TargetOps.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const char prefix[] = "berth.";

/// All but the keys of descriptions: what users write, and what Berth does.
static const char *const known[] = {"berth.address",
                                    BERTH_UPPER_BOUND,
                                    BERTH_SIZE,
                                    BERTH_OFFSET,
                                    BERTH_IN_PLACE,
                                    BERTH_ORDERED,
                                    BERTH_ARENA_SIZE,
                                    BERTH_ARENA_ALIGNMENT,
                                    BERTH_UNIFORM,
                                    BERTH_EXISTING,
                                    BERTH_DYNAMIC_OFFSET,
                                    BERTH_BUFFER_NUMBER,
                                    BERTH_LOOP,
                                    BERTH_CONTENT,
                                    BERTH_CONTENT_PLACES,
                                    BERTH_MOVE,
                                    BERTH_CONTENT_BEGINS,
                                    BERTH_CONTENT_COPIED,
                                    BERTH_CONTENT_READ,
                                    BERTH_CONTENT_SOURCE,
                                    BERTH_RECOMPUTE,
                                    BERTH_SLOTS,
                                    BERTH_SLOTS_ANEW,
                                    BERTH_PADDED,
                                    BERTH_PIN,
                                    BERTH_HINT,
                                    BERTH_WEIGHT,
                                    BERTH_GROUP,
                                    BERTH_NO_REUSE,
                                    BERTH_BANK,
                                    BERTH_SPACE,
                                    "berth.allocator",
                                    "berth.arena",
                                    "berth.heap",
                                    "berth.life"};

enum { kNumKnown = sizeof known / sizeof *known };

static bool isOurs(MlirStringRef name) {
  size_t length = sizeof prefix - 1;
  return name.length >= length && memcmp(name.data, prefix, length) == 0;
}

int berthAttributeKey(MlirStringRef name) {
  size_t length = sizeof prefix - 1;
  return isOurs(name)
             ? berthTargetFindKey(name.data + length, name.length - length)
             : -1;
}

typedef struct Nearest {
  size_t distance;
  const char *beginning, *name;
} Nearest;

static void compare(Nearest *nearest, MlirStringRef name, size_t skipped,
                    const char *beginning, const char *candidate) {
  MlirStringRef rest = {name.data + skipped, name.length - skipped};
  size_t far = berthNameDistance(rest, candidate);
  if (nearest->name && far >= nearest->distance)
    return;
  *nearest = (Nearest){far, beginning, candidate};
}

static bool isNamed(MlirStringRef name, const char *other) {
  return strlen(other) == name.length &&
         memcmp(other, name.data, name.length) == 0;
}

/// A size is for types that do not tell it; what a description tells may be
/// less than all. Beside an offset it is of an earlier plan, which is made anew
/// or verified.
static bool tellsOtherSize(MlirOperation op, int64_t size, int64_t *bytes) {
  BerthToldAllocation told;
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_OFFSET)) ||
      mlirOperationGetNumResults(op) != 1 ||
      (berthOpIsToldAllocation(op, &told) && told.hasSize))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!berthTypeTellsBytes(type, op, bytes))
    return false;
  BerthTypeSize byType;
  bool isExact = mlirTypeIsAMemRef(type) &&
                 berthMemRefGetSize(type, op, &byType) == BERTH_SIZE_OK;
  return size < *bytes || (isExact && size != *bytes);
}

/// "berth.size = "64": WANTED expected"
static bool failValue(MlirOperation op, const char *name, MlirAttribute value,
                      const char *wanted) {
  BerthText text = {0};
  berthTextAppend(&text, "%s = ", name);
  mlirAttributePrint(value, berthTextCallback, &text);
  berthTextAppend(&text, ": %s expected", wanted);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return false;
}

static bool checkSize(MlirOperation op, int64_t size) {
  int64_t bytes;
  if (!tellsOtherSize(op, size, &bytes))
    return true;
  BerthText text = {0};
  berthTextAppend(&text,
                  BERTH_SIZE " = %lld: the type of its buffer has %lld bytes",
                  (long long)size, (long long)bytes);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return false;
}

static bool isOneOf(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool areNumbers(MlirAttribute value) {
  int64_t number;
  if (!mlirAttributeIsAArray(value))
    return berthAttributeGetNumber(value, &number);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    if (!berthAttributeGetNumber(mlirArrayAttrGetElement(value, i), &number))
      return false;
  return true;
}

/// The bytes of one memory, or of each in a dictionary.
static bool areSizes(MlirAttribute value) {
  int64_t number;
  if (!mlirAttributeIsADictionary(value))
    return berthAttributeGetNumber(value, &number);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(value); ++i)
    if (!berthAttributeGetNumber(
            mlirDictionaryAttrGetElement(value, i).attribute, &number))
      return false;
  return true;
}

/// Of the known ones that passes leave for those behind them, which may have
/// been copied or edited.
static bool checkMark(MlirOperation op, const char *name, MlirAttribute value) {
  static const char *const ofNumbers[] = {
      BERTH_CONTENT,        BERTH_CONTENT_PLACES, BERTH_CONTENT_BEGINS,
      BERTH_CONTENT_COPIED, BERTH_CONTENT_READ,   BERTH_CONTENT_SOURCE};
  static const char *const ofOne[] = {
      BERTH_SLOTS, BERTH_DYNAMIC_OFFSET, BERTH_ARENA_ALIGNMENT,
      BERTH_MOVE,  BERTH_RECOMPUTE,      BERTH_BUFFER_NUMBER};
  static const char *const alone[] = {BERTH_IN_PLACE, BERTH_ORDERED,
                                      "berth.life", "berth.arena"};
  static const char *const strings[] = {BERTH_EXISTING, "berth.allocator",
                                        "berth.heap"};
  int64_t number;
  if (isOneOf(name, ofNumbers, sizeof ofNumbers / sizeof *ofNumbers))
    return areNumbers(value) || failValue(op, name, value, "a list of numbers");
  if (isOneOf(name, ofOne, sizeof ofOne / sizeof *ofOne))
    return berthAttributeGetNumber(value, &number) ||
           failValue(op, name, value, "a number");
  if (isOneOf(name, alone, sizeof alone / sizeof *alone))
    return mlirAttributeIsAUnit(value) ||
           failValue(op, name, value, "the name alone");
  if (strcmp(name, BERTH_UNIFORM) == 0)
    return mlirAttributeIsAUnit(value) || mlirAttributeIsABool(value) ||
           failValue(op, name, value, "the name alone, true or false");
  if (strcmp(name, BERTH_ARENA_SIZE) == 0)
    return areSizes(value) ||
           failValue(op, name, value, "a number, or a dictionary of numbers");
  if (isOneOf(name, strings, sizeof strings / sizeof *strings))
    return mlirAttributeIsAString(value) ||
           failValue(op, name, value, "a string");
  return true;
}

/// What is demanded of an op that makes no buffer nobody would meet. One that
/// is a symbol declares memory; `op` has a function's arguments, too, which
/// may be memory.
static bool checkPlace(MlirOperation op, const char *name) {
  static const char *const demands[] = {
      BERTH_PIN,      BERTH_HINT, BERTH_WEIGHT, BERTH_GROUP,
      BERTH_NO_REUSE, BERTH_BANK, BERTH_SPACE};
  bool makesNone = mlirOperationGetNumResults(op) == 0 ||
                   !mlirValueIsNull(berthViewGetSource(op));
  if (!makesNone || !isOneOf(name, demands, sizeof demands / sizeof *demands) ||
      !mlirAttributeIsNull(berthAttributeOf(op, "sym_name")))
    return true;
  BerthText text = {0};
  berthTextAppend(&text, "%s counts for nothing: this op allocates no buffer",
                  name);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return false;
}

/// Of the known ones, what would be overlooked were it of another kind. Of
/// constraints Plan/Constraints.h says it; an offset in front of the arena is
/// the verifier's business.
static bool checkValue(MlirOperation op, const char *name,
                       MlirAttribute value) {
  int64_t number = 0;
  bool isNumber = berthAttributeGetNumber(value, &number);
  if (strcmp(name, BERTH_SPACE) == 0)
    return berthAttributeMayBeSpace(value) ||
           failValue(op, name, value,
                     "a name, a number, a dictionary or an attribute of a "
                     "dialect");
  if (strcmp(name, BERTH_OFFSET) == 0 || strcmp(name, "berth.address") == 0)
    return isNumber || failValue(op, name, value, "a number");
  if (strcmp(name, BERTH_SIZE) != 0 && strcmp(name, BERTH_UPPER_BOUND) != 0)
    return checkMark(op, name, value);
  if (!isNumber || number < 0)
    return failValue(op, name, value, "a number of bytes");
  return strcmp(name, BERTH_SIZE) != 0 || checkSize(op, number);
}

bool berthCheckAttribute(MlirOperation op, MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  if (!isOurs(name) || berthAttributeKey(name) >= 0)
    return true;
  Nearest nearest = {0};
  for (size_t i = 0; i < kNumKnown; ++i) {
    compare(&nearest, name, 0, "", known[i]);
    if (isNamed(name, known[i]))
      return checkPlace(op, known[i]) &&
             checkValue(op, known[i], attribute.attribute);
  }
  const char *key;
  for (int i = 0; (key = berthTargetKeyAt(i)); ++i)
    compare(&nearest, name, sizeof prefix - 1, prefix, key);
  BerthText text = {0};
  berthTextAppend(&text,
                  "there is no attribute '%.*s': the nearest one is '%s%s'",
                  (int)name.length, name.data, nearest.beginning, nearest.name);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return false;
}
