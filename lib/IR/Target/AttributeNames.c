//===- AttributeNames.c - Which attributes Berth knows --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/AttributeNames.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/FileDiagnostics.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Text.h"
#include "IR/Target/ForeignType.h"
#include "IR/Target/TargetOps.h"
#include "Support/Nearest.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static const char prefix[] = "berth.";

/// What a mark may stand on, a bit each.
enum {
  kOnAllocation = 1 << 0,
  kOnView = 1 << 1, ///< of an arena, or of such a view
  kOnCall = 1 << 2, ///< which may bring an arena with it
  kOnOp = 1 << 3,   ///< any that is no function and no module
  kOnArgument = 1 << 4,
  kOnFunction = 1 << 5,
  kOnModule = 1 << 6,
  kOnMaker = 1 << 7,  ///< any that has a result: an allocation, a view, a group
  kOnRegion = 1 << 8, ///< any that has code inside: a loop, a launch
  kIsLeft = 1 << 9    ///< Berth writes it, and passes behind may have moved it:
                      ///< where it counts for nothing it is a warning
};

/// What kind of value a mark has, where nobody else says so: of constraints
/// Plan/Constraints.h does, an offset in front of the arena is the verifier's
/// business.
typedef enum Form {
  kAny,
  kNumber,
  kNumbers, ///< one, or a list
  kSizes,   ///< of one memory, or of each in a dictionary
  kBytes,
  kString,
  kAlone,
  kFlag,
  kSpace
} Form;

static const char *const formTexts[] = {
    [kNumber] = "a number",
    [kNumbers] = "a list of numbers",
    [kSizes] = "a number, or a dictionary of numbers",
    [kBytes] = "a number of bytes",
    [kString] = "a string",
    [kAlone] = "the name alone",
    [kFlag] = "the name alone, true or false",
    [kSpace] = "a name, a number, a dictionary or an attribute of a dialect"};

typedef struct Mark {
  const char *name;
  Form form;
  unsigned places;
} Mark;

enum {
  kOnPlaced = kOnAllocation | kOnCall | kIsLeft,
  kOnScope = kOnFunction | kOnRegion | kIsLeft, // gpu.launch
  kOnOwn = kOnMaker | kIsLeft
};

/// All but the keys of descriptions: what users write, and what Berth does.
static const Mark marks[] = {
    // The user's word on one buffer.
    {BERTH_PIN, kAny, kOnAllocation},
    {BERTH_HINT, kAny, kOnAllocation},
    {BERTH_WEIGHT, kAny, kOnAllocation},
    {BERTH_GROUP, kAny, kOnAllocation},
    {BERTH_NO_REUSE, kAny, kOnAllocation},
    {BERTH_BANK, kAny, kOnAllocation},
    {BERTH_SPACE, kSpace, kOnAllocation},
    {BERTH_UPPER_BOUND, kBytes, kOnAllocation | kOnView},
    // On other things.
    {BERTH_UNIFORM, kFlag, kOnOp},
    {"berth.arena", kAlone, kOnArgument},
    {BERTH_UPDATED, kFlag, kOnArgument},
    // Of plans that change no code.
    {BERTH_SIZE, kBytes, kOnPlaced},
    {BERTH_OFFSET, kNumber, kOnPlaced},
    {"berth.address", kNumber, kOnPlaced},
    {BERTH_OFFSETS, kNumbers, kOnPlaced},
    {BERTH_ADDRESSES, kNumbers, kOnPlaced},
    {BERTH_IN_PLACE, kAlone, kOnOp},
    {BERTH_ORDERED, kAlone, kOnRegion | kIsLeft},
    {BERTH_ARENA_SIZE, kSizes, kOnScope},
    {BERTH_ARENA_ALIGNMENT, kNumber, kOnScope},
    // What passes leave for those behind them.
    {BERTH_EXISTING, kString, kOnOwn},
    {BERTH_DYNAMIC_OFFSET, kNumber, kOnOwn},
    {BERTH_BUFFER_NUMBER, kNumber, kOnOwn},
    {BERTH_KEEPS, kAlone, kOnOwn},
    {BERTH_LOOP, kAny, kOnOwn | kOnRegion},
    {BERTH_FRAME, kAlone, kOnOwn},
    {BERTH_CONTENT, kNumbers, kOnOwn},
    {BERTH_CONTENT_PLACES, kNumbers, kOnOp},
    {BERTH_MOVE, kNumber, kOnOp},
    {BERTH_CONTENT_BEGINS, kNumbers, kOnOp},
    {BERTH_CONTENT_COPIED, kNumbers, kOnOp},
    {BERTH_CONTENT_READ, kNumbers, kOnOp},
    {BERTH_CONTENT_SOURCE, kNumbers, kOnOp | kOnArgument},
    {BERTH_RECOMPUTE, kNumber, kOnOp},
    {BERTH_TILE, kNumber, kOnOp},
    {BERTH_TILE_TURNS, kAlone, kOnOwn},
    {BERTH_SLOTS, kNumber, kOnOwn},
    {BERTH_SLOTS_ANEW, kAny, kOnOwn},
    {BERTH_TURNS, kNumber, kOnOp},
    {BERTH_PASSES, kNumber, kOnOp},
    {BERTH_FREED_SLOT, kNumber, kOnOp},
    {BERTH_UPDATE, kNumber, kOnOp},
    {BERTH_PADDED, kAny, kOnOwn},
    {BERTH_JOINED, kNumber, kOnOwn},
    {BERTH_PER_THREAD, kAlone, kOnOp},
    {"berth.allocator", kString, kOnOwn},
    {"berth.life", kAlone, kOnOwn},
    {"berth.heap", kString, kOnOp | kOnFunction | kOnModule}};

enum { kNumMarks = sizeof marks / sizeof *marks };

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
  size_t far =
      berthNameDistance(name.data + skipped, name.length - skipped, candidate);
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

/// "berth.size = "64": WANTED expected of this attribute"
static bool failValue(MlirOperation op, const char *name, MlirAttribute value,
                      const char *wanted) {
  BerthText text = {0};
  berthTextAppend(&text, "%s = ", name);
  mlirAttributePrint(value, berthTextCallback, &text);
  berthTextAppend(&text, ": %s expected of this attribute", wanted);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
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

static bool hasForm(MlirAttribute value, Form form) {
  int64_t number = 0;
  switch (form) {
  case kAny:
    return true;
  case kNumber:
    return berthAttributeGetNumber(value, &number);
  case kNumbers:
    return areNumbers(value);
  case kSizes:
    return areSizes(value);
  case kBytes:
    return berthAttributeGetNumber(value, &number) && number >= 0;
  case kString:
    return mlirAttributeIsAString(value);
  case kAlone:
    return mlirAttributeIsAUnit(value);
  case kFlag:
    return mlirAttributeIsAUnit(value) || mlirAttributeIsABool(value);
  case kSpace:
    return berthAttributeMayBeSpace(value);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

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

static void noteAllocation(BerthEffect effect, void *userData) {
  *(bool *)userData |= effect.kind == BERTH_EFFECT_ALLOCATE &&
                       !mlirValueIsNull(effect.value) &&
                       mlirValueIsAOpResult(effect.value);
}

/// As far as its interface, a description or its attributes tell.
static bool mayAllocate(MlirOperation op) {
  bool allocates = false;
  berthOpGetEffects(op, noteAllocation, &allocates);
  return allocates;
}

static bool isView(MlirOperation op) {
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER)) ||
         berthOpIs(op, BERTH_OP_VIEW) || berthOpIs(op, BERTH_OP_CAST) ||
         berthOpIs(op, BERTH_OP_REINTERPRET);
}

bool berthOpMayHaveKeys(MlirOperation op) {
  return !berthOpIsFunction(op) && !berthOpIs(op, BERTH_OP_MODULE) &&
         !berthOpIs(op, BERTH_OP_GPU_MODULE) &&
         !berthOpIs(op, BERTH_OP_SPIRV_MODULE);
}

static unsigned placeOf(MlirOperation op) {
  MlirOperation callee;
  if (!berthOpMayHaveKeys(op))
    return berthOpIsFunction(op) ? kOnFunction : kOnModule;
  return kOnOp | (mlirOperationGetNumResults(op) > 0 ? kOnMaker : 0) |
         (mlirOperationGetNumRegions(op) > 0 ? kOnRegion : 0) |
         (mayAllocate(op) ? kOnAllocation : 0) | (isView(op) ? kOnView : 0) |
         (berthOpGetCallee(op, &callee) ? kOnCall : 0);
}

/// What would tell that it does, or NULL where its interface tells all.
static const char *whyNoAllocation(MlirOperation op) {
  bool ignored = false;
  BerthToldAllocation told;
  if (berthInterfaceGetEffects(op, noteAllocation, &ignored))
    return NULL;
  return berthOpIsToldAllocation(op, &told)
             ? "it is told to allocate, but not what else it does to memory: "
               "\"reads\": [] beside 'allocates' says that it touches none"
             : "'allocates' in a target description, or berth.allocates on the "
               "op, tells that an op of another dialect allocates";
}

/// "berth.pin counts for nothing on 'npu.op': it belongs on an op that
/// allocates". True for a warning.
static bool failPlace(MlirOperation op, MlirStringRef name, unsigned wanted,
                      unsigned place) {
  MlirStringRef opName = mlirIdentifierStr(mlirOperationGetName(op));
  bool isWarning = (wanted & kIsLeft) && (place & kOnOp);
  BerthText text = {0};
  berthTextAppend(&text, "%.*s%s counts for nothing on ", (int)name.length,
                  name.data, isWarning ? ", which Berth itself writes," : "");
  if (place & kOnArgument)
    berthTextAppend(&text, "an argument or a result of a function");
  else
    berthTextAppend(&text, "'%.*s'", (int)opName.length, opName.data);
  berthTextAppend(&text, ": it belongs on %s",
                  wanted & kOnAllocation ? "an op that allocates"
                  : wanted & kOnFunction ? "a function"
                  : wanted & kOnRegion   ? "a loop"
                  : wanted & kOnMaker    ? "an op that makes a buffer or a view"
                  : wanted & kOnOp       ? "an op that runs"
                                         : "an argument");
  const char *note =
      (wanted & kOnAllocation) && (place & kOnOp) ? whyNoAllocation(op) : NULL;
  if (isWarning && note)
    berthEmitWarning(op, text.data, note);
  else if (isWarning)
    berthEmitWarningAt(mlirOperationGetLocation(op), text.data);
  else
    berthEmitError(op, text.data, (MlirOperation){NULL}, note);
  berthTextFree(&text);
  return isWarning;
}

static const Mark *findMark(MlirStringRef name) {
  for (size_t i = 0; i < kNumMarks; ++i)
    if (isNamed(name, marks[i].name))
      return &marks[i];
  return NULL;
}

/// A key of a description is said of what runs: of a function it is on its
/// calls.
static bool checkPlace(MlirOperation op, MlirNamedAttribute attribute,
                       unsigned place) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  const Mark *mark = findMark(name);
  unsigned wanted = mark ? mark->places : kOnOp;
  return (wanted & place) || failPlace(op, name, wanted, place);
}

bool berthAttributeIsMark(MlirStringRef name) {
  return isOurs(name) && berthAttributeKey(name) < 0;
}

bool berthCheckArgumentMark(MlirOperation function,
                            MlirNamedAttribute attribute) {
  return !isOurs(mlirIdentifierStr(attribute.name)) ||
         checkPlace(function, attribute, kOnArgument);
}

bool berthCheckMarks(MlirOperation op) {
  MlirAttribute attributes = berthOpGetOwnAttributes(op);
  unsigned place = placeOf(op);
  intptr_t count = mlirDictionaryAttrGetNumElements(attributes);
  bool isRight = true;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(attributes, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    int64_t size;
    if (!isOurs(name))
      continue;
    bool isInPlace = checkPlace(op, attribute, place);
    isRight &= isInPlace;
    if (isInPlace && isNamed(name, BERTH_WEIGHT) &&
        mlirAttributeIsNull(berthAttributeOf(op, BERTH_HINT)))
      berthEmitWarningAt(mlirOperationGetLocation(op),
                         BERTH_WEIGHT " counts for nothing without " BERTH_HINT
                                      ": it is how much that counts");
    if (isNamed(name, BERTH_SIZE) &&
        berthAttributeGetNumber(attribute.attribute, &size))
      isRight &= checkSize(op, size);
  }
  return isRight;
}

//===----------------------------------------------------------------------===//
// Names and values
//===----------------------------------------------------------------------===//

bool berthCheckAttribute(MlirOperation op, MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  if (!isOurs(name) || berthAttributeKey(name) >= 0)
    return true;
  const Mark *mark = findMark(name);
  if (mark)
    return hasForm(attribute.attribute, mark->form) ||
           failValue(op, mark->name, attribute.attribute,
                     formTexts[mark->form]);
  Nearest nearest = {0};
  for (size_t i = 0; i < kNumMarks; ++i)
    compare(&nearest, name, 0, "", marks[i].name);
  const char *key;
  for (int i = 0; (key = berthTargetKeyAt(i)); ++i)
    compare(&nearest, name, sizeof prefix - 1, prefix, key);
  BerthText text = {0};
  berthTextAppend(&text, "there is no attribute '%.*s'", (int)name.length,
                  name.data);
  // Where half of the letters differ, something else was meant.
  if (nearest.distance <= (name.length - (sizeof prefix - 1) + 1) / 2)
    berthTextAppend(&text, ": the nearest one is '%s%s'", nearest.beginning,
                    nearest.name);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  return false;
}
