//===- Target.c - What a description says of a target ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Target.h"
#include "IO/JsonReader.h"
#include "IO/ReadInput.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpRow.h"
#include "IR/Ops/OrDie.h"
#include "Support/BumpMemory.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Operand numbers in a description are below this.
enum { kMaxOperands = 64 };

/// So long a text of a condition may be, as OpTable.c compares them.
enum { kLongestText = 60 };

struct BerthTarget {
  BerthMemory memory;
  BerthOpRow *ops; ///< sorted by name once read
  size_t numOps, capOps;
  const char **types; ///< that point to no memory
  size_t numTypes, capTypes;
  BerthOpRows rows;   ///< for OpTable.c: `ops` and `types`
  const char **units; ///< number 1 is the first
  size_t numUnits, capUnits;
  const char **dialects;
  size_t numDialects, capDialects;
  BerthTargetLayout *layouts;
  size_t numLayouts, capLayouts;
  BerthTargetMemory *memories;
  size_t numMemories, capMemories;
};

size_t berthTargetNumDialects(const BerthTarget *target) {
  return target->numDialects;
}

const char *berthTargetGetDialect(const BerthTarget *target, size_t index) {
  return target->dialects[index];
}

const BerthTargetLayout *berthTargetFindLayout(const BerthTarget *target,
                                               MlirStringRef name) {
  for (size_t i = 0; i < target->numLayouts; ++i)
    if (strlen(target->layouts[i].name) == name.length &&
        memcmp(target->layouts[i].name, name.data, name.length) == 0)
      return &target->layouts[i];
  return NULL;
}

const BerthTargetMemory *berthTargetFindMemory(const BerthTarget *target,
                                               const char *space) {
  for (size_t i = 0; target && i < target->numMemories; ++i)
    if (strcmp(target->memories[i].space, space) == 0)
      return &target->memories[i];
  return NULL;
}

void berthTargetDestroy(BerthTarget *target) {
  if (!target)
    return;
  berthMemoryFree(&target->memory);
  free(target);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

typedef struct Reader {
  BerthJsonReader json;
  BerthTarget *target;
} Reader;

/// Makes room for one element more; false, having failed, without memory.
#define GROW(reader, array, count, capacity)                                   \
  (berthMemoryReserve(&(reader)->target->memory, &(array), &(capacity),        \
                      (count) + 1) ||                                          \
   (berthJsonOutOfMemory(&(reader)->json), false))

static const char *keep(Reader *reader, const char *string) {
  const char *copy = berthMemoryString(&reader->target->memory, string);
  if (!copy)
    berthJsonOutOfMemory(&reader->json);
  return copy;
}

/// The position of the value that comes next, for messages about it.
static size_t here(Reader *reader) {
  berthJsonPeek(&reader->json);
  return reader->json.position;
}

/// A name with a namespace, as "tsl.tsl"; notes the namespace.
static void noteDialect(Reader *reader, const char *name, size_t length) {
  BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numDialects; ++i)
    if (strlen(target->dialects[i]) == length &&
        memcmp(target->dialects[i], name, length) == 0)
      return;
  char *copy = berthMemoryAllocate(&target->memory, length + 1, 1);
  if (!copy || !GROW(reader, target->dialects, target->numDialects,
                     target->capDialects)) {
    berthJsonOutOfMemory(&reader->json);
    return;
  }
  memcpy(copy, name, length);
  target->dialects[target->numDialects++] = copy;
}

static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isNamespace(const char *name, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (!isNameStart(name[i]) && (i == 0 || name[i] < '0' || name[i] > '9') &&
        (i == 0 || name[i] != '$'))
      return false;
  return length > 0;
}

static const char *readName(Reader *reader, const char *what) {
  size_t position = here(reader);
  const char *name = berthJsonString(&reader->json, what);
  if (reader->json.failed)
    return "";
  const char *dot = strchr(name, '.');
  if (!dot || !dot[1] || !isNamespace(name, (size_t)(dot - name))) {
    berthJsonFail(&reader->json, position,
                  "%s '%.60s' is no name with a namespace, such as 'npu.dma'",
                  what, name);
    return "";
  }
  noteDialect(reader, name, (size_t)(dot - name));
  return keep(reader, name);
}

static void readDialects(Reader *reader) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    size_t position = here(reader);
    const char *name = berthJsonString(&reader->json, "a dialect");
    if (reader->json.failed)
      return;
    if (isNamespace(name, strlen(name)))
      noteDialect(reader, name, strlen(name));
    else
      berthJsonFail(&reader->json, position, "'%.60s' is no dialect's name",
                    name);
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// An entry under way.
typedef struct Entry {
  const char *name;
  bool tellsEffects; ///< it has at least one list of operands, or none at all
  bool bySegments;
  bool isFunction; ///< of a call, by the symbol
  bool isPending;
  bool isBarrier;
  int unit;
  int numCores;
  uint64_t isOn;
  BerthOpCondition *conditions;
  size_t numConditions, capConditions;
  const BerthOpAllocation *allocates;
  char roles[kMaxOperands + 1];
  size_t numRoles;
} Entry;

static char joinRoles(char a, char b) {
  if (a == BERTH_OPERAND_OTHER)
    return b;
  bool isAccess = a != b &&
                  (a == BERTH_OPERAND_READ || a == BERTH_OPERAND_WRITTEN) &&
                  (b == BERTH_OPERAND_READ || b == BERTH_OPERAND_WRITTEN);
  return isAccess ? BERTH_OPERAND_CHANGED : '\0';
}

static void readOperands(Reader *reader, Entry *entry, const char *what,
                         BerthOperandRole role) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    size_t position = here(reader);
    int64_t number = berthJsonInteger(&reader->json, 0, kMaxOperands - 1, what);
    if (reader->json.failed)
      return;
    for (; entry->numRoles <= (size_t)number; ++entry->numRoles)
      entry->roles[entry->numRoles] = BERTH_OPERAND_OTHER;
    char joined = joinRoles(entry->roles[number], (char)role);
    if (!joined) {
      berthJsonFail(&reader->json, position,
                    "operand %lld of '%s' has another role already",
                    (long long)number, entry->name);
      return;
    }
    entry->roles[number] = joined;
  }
}

/// The number of a unit, from 1.
static int readUnit(Reader *reader) {
  BerthTarget *target = reader->target;
  size_t position = here(reader);
  const char *name = keep(reader, berthJsonString(&reader->json, "unit"));
  if (reader->json.failed)
    return 0;
  if (!*name)
    berthJsonFail(&reader->json, position, "a unit has no name");
  for (size_t i = 0; i < target->numUnits; ++i)
    if (strcmp(target->units[i], name) == 0)
      return (int)i + 1;
  if (!GROW(reader, target->units, target->numUnits, target->capUnits))
    return 0;
  target->units[target->numUnits++] = name;
  return (int)target->numUnits;
}

/// The cores on which a function returns true.
static uint64_t readOn(Reader *reader) {
  uint64_t cores = 0;
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json))
    cores |= UINT64_C(1) << berthJsonInteger(&reader->json, 0,
                                             BERTH_MAX_CORES - 1, "core");
  return cores;
}

static void readCondition(Reader *reader, Entry *entry) {
  enum { OPERAND, SPACE, ATTRIBUTE, IS };
  static const char *const keys[] = {"operand", "space", "attribute", "is",
                                     NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthOpCondition condition = {.operand = -1};
  berthJsonEnterObject(json, &object, "a condition", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    size_t position = here(reader);
    if (key == OPERAND) {
      condition.operand =
          berthJsonInteger(json, 0, kMaxOperands - 1, "operand");
    } else if (key == ATTRIBUTE) {
      condition.attribute = keep(reader, berthJsonString(json, keys[key]));
    } else {
      condition.text = keep(reader, berthJsonString(json, keys[key]));
      if (!json->failed && strlen(condition.text) > kLongestText)
        berthJsonFail(json, position, "'%.60s...' is longer than %d bytes",
                      condition.text, kLongestText);
    }
  }
  bool isOfSpace =
      object.seen == (UINT64_C(1) << OPERAND | UINT64_C(1) << SPACE);
  bool isOfAttribute = (object.seen & ~(UINT64_C(1) << IS)) == UINT64_C(1)
                                                                   << ATTRIBUTE;
  if (!json->failed && !isOfSpace && !isOfAttribute)
    berthJsonFail(json, object.position,
                  "a condition has 'operand' and 'space', or 'attribute' and "
                  "perhaps 'is'");
  if (!json->failed && GROW(reader, entry->conditions, entry->numConditions,
                            entry->capConditions))
    entry->conditions[entry->numConditions++] = condition;
}

/// Where an allocation tells its size, its alignment or its space.
static BerthOpSource readSource(Reader *reader, const char *what,
                                bool isSpace) {
  enum { ATTRIBUTE, OPERAND, IS };
  static const char *const keys[] = {"attribute", "operand", "is", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthOpSource source = {.operand = -1};
  berthJsonEnterObject(json, &object, what, keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == ATTRIBUTE)
      source.attribute = keep(reader, berthJsonString(json, keys[key]));
    else if (key == OPERAND)
      source.operand = berthJsonInteger(json, 0, kMaxOperands - 1, "operand");
    else
      source.text = keep(reader, berthJsonString(json, keys[key]));
  }
  bool isOne = object.seen && !(object.seen & (object.seen - 1));
  bool isFit = isSpace ? source.operand < 0 : !source.text;
  if (!json->failed && (!isOne || !isFit))
    berthJsonFail(json, object.position, "%s has 'attribute' or '%s'", what,
                  isSpace ? "is" : "operand");
  return source;
}

static const BerthOpAllocation *readAllocation(Reader *reader) {
  enum { SIZE, ALIGNMENT, SPACE };
  static const char *const keys[] = {"size", "alignment", "space", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthOpAllocation *allocation =
      berthMemoryAllocate(&reader->target->memory, 1, sizeof *allocation);
  if (!allocation) {
    berthJsonOutOfMemory(json);
    return NULL;
  }
  const BerthOpSource none = {.operand = -1};
  *allocation = (BerthOpAllocation){none, none, none};
  berthJsonEnterObject(json, &object, "an allocation", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    BerthOpSource source = readSource(reader, keys[key], key == SPACE);
    if (key == SIZE)
      allocation->size = source;
    else if (key == ALIGNMENT)
      allocation->alignment = source;
    else
      allocation->space = source;
  }
  return allocation;
}

/// Of one name only the last entry may have no conditions: it is for the rest.
static void checkRepeated(Reader *reader, const Entry *entry, size_t position) {
  const BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numOps; ++i)
    if (strcmp(target->ops[i].name, entry->name) == 0 &&
        !target->ops[i].numConditions)
      berthJsonFail(&reader->json, position, "'%s' stands twice in '%s'",
                    entry->name, entry->isFunction ? "functions" : "ops");
}

/// The row of an entry: what it says, besides what the table has.
static void addRow(Reader *reader, const Entry *entry, size_t position) {
  BerthTarget *target = reader->target;
  const BerthOpRow *known = berthOpTableFind(entry->name);
  BerthOpRow row = known ? *known : (BerthOpRow){0};
  row.name = entry->name;
  row.order = target->numOps;
  row.allocates = entry->allocates;
  row.conditions = entry->conditions;
  row.numConditions = entry->numConditions;
  row.unit = entry->unit;
  row.numCores = entry->numCores;
  row.isOn = entry->isOn;
  checkRepeated(reader, entry, position);
  if (known && (known->mayPend || (known->traits & (kStarts | kMakesGroup))) &&
      (entry->isPending || entry->isBarrier))
    berthJsonFail(&reader->json, position,
                  "when '%s' ends is known, and not by a barrier", entry->name);
  if (entry->tellsEffects) {
    row.traits |= kDescribed;
    row.bySegments = entry->bySegments;
    row.operands = keep(reader, entry->roles);
  }
  if (entry->isPending)
    row.traits |= kStarts | kMakesGroup;
  if (entry->isBarrier)
    row.mayPend = ""; // no attribute lets anything pend
  if (entry->isPending || entry->isBarrier)
    row.async = BERTH_ASYNC_WORK;
  if (reader->json.failed ||
      !GROW(reader, target->ops, target->numOps, target->capOps))
    return;
  target->rows.hasFunctions |= entry->isFunction;
  target->rows.isConcurrent |=
      entry->isPending || entry->isBarrier || entry->unit || entry->numCores;
  if (entry->numCores)
    target->rows.numCores = entry->numCores;
  target->ops[target->numOps++] = row;
}

/// "@name" of the symbol of a function.
static const char *readSymbol(Reader *reader) {
  size_t position = here(reader);
  const char *name = berthJsonString(&reader->json, "function");
  if (reader->json.failed)
    return "";
  if (!*name || strlen(name) > kLongestText)
    berthJsonFail(&reader->json, position,
                  "'%.60s' is no symbol of at most %d bytes", name,
                  kLongestText);
  char symbol[kLongestText + 2];
  snprintf(symbol, sizeof symbol, "@%.60s", name);
  return keep(reader, symbol);
}

/// What an entry says of itself must go together.
static void checkEntry(Reader *reader, const Entry *entry, size_t position) {
  BerthJsonReader *json = &reader->json;
  int numCores = reader->target->rows.numCores;
  if (entry->isPending && entry->isBarrier)
    berthJsonFail(json, position, "'%s' cannot be both pending and a barrier",
                  entry->name);
  if (entry->isOn && !entry->numCores)
    berthJsonFail(json, position, "'%s' has 'is_on', but no 'cores'",
                  entry->name);
  if (entry->numCores && entry->numCores < BERTH_MAX_CORES &&
      entry->isOn >> entry->numCores)
    berthJsonFail(json, position, "'%s' is on a core that there is not",
                  entry->name);
  if (entry->numCores && numCores && entry->numCores != numCores)
    berthJsonFail(json, position,
                  "'%s' tells of %d cores, an entry before of "
                  "%d",
                  entry->name, entry->numCores, numCores);
}

static void readEntry(Reader *reader, bool isFunction) {
  enum {
    NAME,
    READS,
    WRITES,
    FREES,
    VIEWS,
    SEGMENTS,
    PENDING,
    BARRIER,
    UNIT,
    CORES,
    IS_ON,
    IF,
    ALLOCATES
  };
  static const char *const keys[] = {
      "name",    "reads", "writes", "frees", "views", "segments",  "pending",
      "barrier", "unit",  "cores",  "is_on", "if",    "allocates", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  Entry entry = {.name = isFunction ? "the function" : "the op",
                 .isFunction = isFunction};
  berthJsonEnterObject(json, &object, isFunction ? "a function" : "an op",
                       keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == NAME)
      entry.name = isFunction ? readSymbol(reader) : readName(reader, "op");
    else if (key == READS)
      readOperands(reader, &entry, "operand", BERTH_OPERAND_READ);
    else if (key == WRITES)
      readOperands(reader, &entry, "operand", BERTH_OPERAND_WRITTEN);
    else if (key == FREES)
      readOperands(reader, &entry, "operand", BERTH_OPERAND_FREED);
    else if (key == VIEWS)
      readOperands(reader, &entry, "operand", BERTH_OPERAND_VIEWED);
    else if (key == SEGMENTS)
      entry.bySegments = berthJsonBoolean(json, keys[key]);
    else if (key == PENDING)
      entry.isPending = berthJsonBoolean(json, keys[key]);
    else if (key == BARRIER)
      entry.isBarrier = berthJsonBoolean(json, keys[key]);
    else if (key == UNIT)
      entry.unit = readUnit(reader);
    else if (key == CORES)
      entry.numCores =
          (int)berthJsonInteger(json, 1, BERTH_MAX_CORES, keys[key]);
    else if (key == IS_ON)
      entry.isOn = readOn(reader);
    else if (key == ALLOCATES)
      entry.allocates = readAllocation(reader);
    else
      for (berthJsonEnterArray(json); berthJsonNextElement(json);)
        readCondition(reader, &entry);
  }
  if (!berthJsonRequire(json, &object, NAME))
    return;
  uint64_t lists = UINT64_C(1) << READS | UINT64_C(1) << WRITES |
                   UINT64_C(1) << FREES | UINT64_C(1) << VIEWS;
  // Of an op of the table or one with an interface an entry may say only when
  // it ends. Without lists an entry of any other op says that it does nothing.
  entry.tellsEffects = (object.seen & lists) || !berthOpTableFind(entry.name);
  checkEntry(reader, &entry, object.position);
  addRow(reader, &entry, object.position);
}

static void readOp(Reader *reader) { readEntry(reader, false); }
static void readFunction(Reader *reader) { readEntry(reader, true); }

static int compareRows(const void *left, const void *right) {
  const BerthOpRow *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  return order ? order : (a->order > b->order) - (a->order < b->order);
}

//===----------------------------------------------------------------------===//
// Layouts, types and memories
//===----------------------------------------------------------------------===//

static void readPointerless(Reader *reader) {
  BerthTarget *target = reader->target;
  const char *name = readName(reader, "type");
  if (!reader->json.failed &&
      GROW(reader, target->types, target->numTypes, target->capTypes))
    target->types[target->numTypes++] = name;
}

static BerthLayoutSize readLayoutSize(Reader *reader) {
  static const char *const names[] = {"unknown", "dense", "bounds -> strides"};
  size_t position = here(reader);
  const char *name = berthJsonString(&reader->json, "size");
  for (int i = 0; i <= BERTH_LAYOUT_BOUNDS; ++i)
    if (strcmp(name, names[i]) == 0)
      return (BerthLayoutSize)i;
  berthJsonFail(&reader->json, position,
                "size '%.60s' is none of unknown, dense, bounds -> strides",
                name);
  return BERTH_LAYOUT_UNKNOWN;
}

static void readLayout(Reader *reader) {
  enum { NAME, SIZE };
  static const char *const keys[] = {"name", "size", NULL};
  BerthJsonObject object;
  BerthTargetLayout layout = {0};
  BerthTarget *target = reader->target;
  berthJsonEnterObject(&reader->json, &object, "a layout", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;) {
    if (key == NAME)
      layout.name = readName(reader, "layout");
    else
      layout.size = readLayoutSize(reader);
  }
  if (!berthJsonRequire(&reader->json, &object, NAME))
    return;
  if (berthTargetFindLayout(target,
                            mlirStringRefCreateFromCString(layout.name)))
    berthJsonFail(&reader->json, object.position,
                  "'%s' stands twice in 'layouts'", layout.name);
  if (!reader->json.failed &&
      GROW(reader, target->layouts, target->numLayouts, target->capLayouts))
    target->layouts[target->numLayouts++] = layout;
}

/// An address: a number, or its hexadecimal text, since JSON has none.
static int64_t readAddress(Reader *reader) {
  BerthJsonReader *json = &reader->json;
  if (berthJsonPeek(json) != '"')
    return berthJsonInteger(json, 0, INT64_MAX, "start");
  size_t position = json->position;
  const char *text = berthJsonString(json, "start");
  char *end;
  unsigned long long value = strtoull(text, &end, 16);
  bool isHex = strncmp(text, "0x", 2) == 0 && text[2] && !*end &&
               strlen(text) <= 18 && value <= INT64_MAX;
  if (!isHex)
    berthJsonFail(json, position,
                  "start '%.60s' is no address such as \"0x10000000\"", text);
  return isHex ? (int64_t)value : 0;
}

static bool endsBefore(const BerthTargetMemory *a, const BerthTargetMemory *b) {
  return a->capacity && b->start - a->start >= a->capacity;
}

/// Two memories must not have an address in common.
static void checkOverlap(Reader *reader, const BerthTargetMemory *memory,
                         size_t position) {
  const BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numMemories; ++i) {
    const BerthTargetMemory *other = &target->memories[i];
    bool haveAddresses =
        other->start != BERTH_TARGET_NONE && memory->start != BERTH_TARGET_NONE;
    if (strcmp(other->space, memory->space) == 0)
      berthJsonFail(&reader->json, position, "memory '%s' stands twice",
                    memory->space);
    if (haveAddresses && !endsBefore(other, memory) &&
        !endsBefore(memory, other))
      berthJsonFail(&reader->json, position,
                    "the memories '%s' and '%s' overlap", other->space,
                    memory->space);
  }
}

static void readMemory(Reader *reader) {
  enum { SPACE, START, CAPACITY, ALIGNMENT };
  static const char *const keys[] = {"space", "start", "capacity", "alignment",
                                     NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthTargetMemory memory = {.start = BERTH_TARGET_NONE, .alignment = 1};
  BerthTarget *target = reader->target;
  berthJsonEnterObject(json, &object, "a memory", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == SPACE) {
      memory.space = keep(reader, berthJsonString(json, "space"));
    } else if (key == START) {
      memory.start = readAddress(reader);
    } else if (key == CAPACITY) {
      memory.capacity = berthJsonInteger(json, 1, INT64_MAX, "capacity");
    } else {
      size_t position = here(reader);
      memory.alignment = berthJsonInteger(json, 1, INT64_MAX, "alignment");
      if (memory.alignment & (memory.alignment - 1))
        berthJsonFail(json, position, "alignment %lld is no power of two",
                      (long long)memory.alignment);
    }
  }
  if (!berthJsonRequire(json, &object, SPACE))
    return;
  if (memory.start > 0 && memory.start % memory.alignment)
    berthJsonFail(json, object.position,
                  "memory '%s' starts at %lld, which is no multiple of its "
                  "alignment %lld",
                  memory.space, (long long)memory.start,
                  (long long)memory.alignment);
  if (memory.start > 0 && memory.capacity > INT64_MAX - memory.start)
    berthJsonFail(json, object.position, "memory '%s' ends beyond 2^63",
                  memory.space);
  if (!json->failed)
    checkOverlap(reader, &memory, object.position);
  if (!json->failed &&
      GROW(reader, target->memories, target->numMemories, target->capMemories))
    target->memories[target->numMemories++] = memory;
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

static void readEach(Reader *reader, void (*readOne)(Reader *reader)) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json))
    readOne(reader);
}

static void readDocument(Reader *reader) {
  enum { VERSION, DIALECTS, OPS, FUNCTIONS, LAYOUTS, POINTERLESS, MEMORIES };
  static const char *const keys[] = {"berth_target", "dialects", "ops",
                                     "functions",    "layouts",  "pointerless",
                                     "memories",     NULL};
  BerthJsonObject object;
  berthJsonEnterObject(&reader->json, &object, "the description", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;) {
    if (key == VERSION)
      berthJsonInteger(&reader->json, 1, 1, "berth_target");
    else if (key == DIALECTS)
      readDialects(reader);
    else if (key == OPS)
      readEach(reader, readOp);
    else if (key == FUNCTIONS)
      readEach(reader, readFunction);
    else if (key == LAYOUTS)
      readEach(reader, readLayout);
    else if (key == POINTERLESS)
      readEach(reader, readPointerless);
    else
      readEach(reader, readMemory);
  }
  berthJsonExpectEnd(&reader->json);
}

BerthStatus berthTargetParse(const char *text, size_t length,
                             BerthTarget **target, BerthError *error) {
  *target = NULL;
  BerthSpan span = {text, length};
  BerthStatus status = berthSpanCheckUtf8(span, error);
  if (status != BERTH_SUCCESS)
    return status;
  Reader reader = {.target = calloc(1, sizeof(BerthTarget))};
  if (!reader.target)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  berthJsonStart(&reader.json, span, error);
  readDocument(&reader);
  status = berthJsonFinish(&reader.json);
  if (status != BERTH_SUCCESS) {
    berthTargetDestroy(reader.target);
    return status;
  }
  if (reader.target->numOps)
    qsort(reader.target->ops, reader.target->numOps, sizeof *reader.target->ops,
          compareRows);
  reader.target->rows.rows = reader.target->ops;
  reader.target->rows.count = reader.target->numOps;
  reader.target->rows.pointerless = reader.target->types;
  reader.target->rows.numPointerless = reader.target->numTypes;
  *target = reader.target;
  return BERTH_SUCCESS;
}

BerthStatus berthTargetRead(const char *path, BerthTarget **target,
                            BerthError *error) {
  char *text = NULL;
  size_t length = 0;
  BerthError why = {0};
  *target = NULL;
  BerthStatus status = berthReadInput(path, &text, &length, &why);
  if (status == BERTH_SUCCESS && !text)
    status = berthErrorSet(&why, BERTH_RESOURCE, "out of memory");
  if (status == BERTH_SUCCESS)
    status = berthTargetParse(text, length, target, &why);
  free(text);
  if (status == BERTH_SUCCESS)
    return BERTH_SUCCESS;
  if (why.line)
    berthErrorSet(error, status, "%.120s:%llu:%llu: %.360s", path,
                  (unsigned long long)why.line, (unsigned long long)why.column,
                  why.message);
  else
    berthErrorSet(error, status, "%.120s: %.360s", path, why.message);
  return status;
}

//===----------------------------------------------------------------------===//
// In use
//===----------------------------------------------------------------------===//

static _Thread_local const BerthTarget *current;

const BerthTarget *berthTargetEnter(const BerthTarget *target) {
  const BerthTarget *before = current;
  current = target;
  berthOpTableOverlay(target ? &target->rows : NULL);
  return before;
}

const BerthTarget *berthTargetCurrent(void) { return current; }

//===----------------------------------------------------------------------===//
// Against a program
//===----------------------------------------------------------------------===//

typedef struct Check {
  const BerthTarget *target;
  bool *isSeen; ///< per op of the description
  bool failed;
} Check;

/// What the op's interface says of one operand.
typedef struct OperandEffects {
  MlirValue value;
  int kinds;
} OperandEffects;

static void addKind(BerthEffect effect, void *userData) {
  OperandEffects *effects = userData;
  if (!mlirValueIsNull(effect.value) &&
      mlirValueEqual(effect.value, effects->value))
    effects->kinds |= effect.kind;
}

static void failAt(Check *check, MlirOperation op, const char *format,
                   long long operand) {
  char message[256];
  snprintf(message, sizeof message, format, operand);
  berthEmitError(op, message, (MlirOperation){NULL}, NULL);
  check->failed = true;
}

static void checkNumbers(Check *check, MlirOperation op,
                         const BerthOpRow *row) {
  intptr_t count = mlirOperationGetNumOperands(op);
  const char *format =
      "the target description names operand %lld, which it does not have";
  if (row->bySegments) {
    MlirAttribute sizes = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("operandSegmentSizes"));
    bool hasSizes =
        !mlirAttributeIsNull(sizes) && mlirAttributeIsADenseI32Array(sizes);
    count = hasSizes ? mlirDenseArrayGetNumElements(sizes) : 0;
    format = "the target description names segment %lld of its operands, which "
             "its operandSegmentSizes does not have";
  }
  if ((intptr_t)strlen(row->operands) > count)
    failAt(check, op, format, (long long)strlen(row->operands) - 1);
}

/// What an interface says is not for a description to deny.
static void checkInterface(Check *check, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    OperandEffects effects = {.value = mlirOperationGetOperand(op, i)};
    if (!berthInterfaceGetEffects(op, addKind, &effects))
      return;
    if (berthTypeMayCarryPointer(mlirValueGetType(effects.value)) &&
        effects.kinds != berthRoleEffects(berthOpGetRole(op, i)))
      failAt(check, op,
             "what the target description says of operand %lld is not what the "
             "op's own interface says",
             (long long)i);
  }
}

/// A function that is there tells itself what it does.
static void checkCallee(Check *check, MlirOperation op) {
  MlirOperation callee;
  bool hasBody =
      berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      !mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0)));
  if (!hasBody)
    return;
  berthEmitError(op,
                 "the target description tells what the called function does, "
                 "which has a body that tells it",
                 callee, "the function");
  check->failed = true;
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  Check *check = userData;
  const BerthOpRow *row = berthOpTableFindDescribed(op);
  if (!row)
    return MlirWalkResultAdvance;
  check->isSeen[row - check->target->ops] = true;
  if (row->name[0] == '@')
    checkCallee(check, op);
  if (row->traits & kDescribed) {
    checkNumbers(check, op, row);
    if (!check->failed && row->operands[0])
      checkInterface(check, op);
  }
  return check->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

BerthStatus berthTargetCheck(const BerthTarget *target, MlirOperation root,
                             bool isWhole, const char *pass) {
  Check check = {.target = target,
                 .isSeen = berthAllocateOrDie(target->numOps + 1, 1)};
  const BerthTarget *before = berthTargetEnter(target);
  mlirOperationWalk(root, checkOp, &check, MlirWalkPreOrder);
  berthTargetEnter(before);
  for (size_t i = 0; isWhole && !check.failed && i < target->numOps; ++i) {
    if (check.isSeen[i])
      continue;
    char message[256];
    snprintf(message, sizeof message,
             "the target description tells of '%s', which does not occur",
             target->ops[i].name);
    berthEmitRemark(root, BERTH_REMARK_ANALYSIS, pass, message);
  }
  free(check.isSeen);
  return check.failed ? BERTH_INVALID : BERTH_SUCCESS;
}
