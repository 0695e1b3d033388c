//===- TargetOps.c - What a description says of ops -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetOps.h"
#include "IR/Ops/OpRows.h"
#include "IR/Ops/OpTable.h"
#include "IR/Target/TargetFacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Results in a description are below this.
enum { kMaxResults = 64 };

/// So long a text of a condition may be, as RowOf.c compares them.
enum { kLongestText = 60 };

/// The keys of an entry. What an attribute may say too comes first.
enum {
  READS,
  WRITES,
  FREES,
  VIEWS,
  WAITS,
  SEGMENTS,
  PENDING,
  BARRIER,
  UNIT,
  ONCE,
  CORES,
  IS_ON,
  TOKEN,
  COPIES,
  ALLOCATES,
  CHOOSES,
  PARTIAL,
  KIND,
  TRAITS,
  ASYNC,
  ASYNC_IF,
  PORTS,
  ALIGNED,
  NUM_ATTRIBUTES,
  NAME = NUM_ATTRIBUTES,
  IF
};

static const char *const entryKeys[] = {
    "reads",   "writes",  "frees",     "views",   "waits",   "segments",
    "pending", "barrier", "unit",      "once",    "cores",   "is_on",
    "token",   "copies",  "allocates", "chooses", "partial", "kind",
    "traits",  "async",   "async_if",  "ports",   "aligned", "name",
    "if",      NULL};

/// The lists of operands, and what tells nothing of what an op does to memory.
enum {
  kLists = 1 << READS | 1 << WRITES | 1 << FREES | 1 << VIEWS | 1 << WAITS |
           1 << CHOOSES,
  kNoEffects = 1 << KIND | 1 << TRAITS | 1 << ASYNC | 1 << ASYNC_IF |
               1 << PORTS | 1 << ALIGNED
};

static bool hasKey(const BerthTargetEntry *entry, int key) {
  return entry->seen >> key & 1;
}

int berthTargetFindKey(const char *name, size_t length) {
  for (int key = 0; key < NUM_ATTRIBUTES; ++key)
    if (strlen(entryKeys[key]) == length &&
        memcmp(entryKeys[key], name, length) == 0)
      return key;
  return -1;
}

const char *berthTargetKeyAt(int key) {
  return key < NUM_ATTRIBUTES ? entryKeys[key] : NULL;
}

static char joinRoles(char a, char b) {
  if (a == BERTH_OPERAND_OTHER)
    return b;
  bool isAccess = a != b &&
                  (a == BERTH_OPERAND_READ || a == BERTH_OPERAND_WRITTEN) &&
                  (b == BERTH_OPERAND_READ || b == BERTH_OPERAND_WRITTEN);
  return isAccess ? BERTH_OPERAND_CHANGED : '\0';
}

static void readOperands(BerthTargetReader *reader, BerthTargetEntry *entry,
                         const char *what, BerthOperandRole role) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    size_t position = berthTargetHere(reader);
    int64_t number =
        berthJsonInteger(&reader->json, 0, BERTH_TARGET_MAX_OPERANDS - 1, what);
    if (reader->json.failed)
      return;
    for (; entry->numRoles <= (size_t)number; ++entry->numRoles)
      entry->roles[entry->numRoles] = BERTH_OPERAND_OTHER;
    char joined = joinRoles(entry->roles[number], (char)role);
    if (!joined) {
      berthJsonFail(&reader->json, position,
                    "operand %lld of '%s' has another role already",
                    (long long)number, entry->row.name);
      return;
    }
    entry->roles[number] = joined;
  }
}

/// The operands that it gets at through ports of their own, a bit each.
static uint64_t readPorts(BerthTargetReader *reader, const char *name) {
  uint64_t ports = 0;
  size_t position = berthTargetHere(reader), count = 0;
  for (berthJsonEnterArray(&reader->json); berthJsonNextElement(&reader->json);
       ++count)
    ports |= UINT64_C(1) << berthJsonInteger(
                 &reader->json, 0, BERTH_TARGET_MAX_OPERANDS - 1, "operand");
  if (!reader->json.failed &&
      (count < 2 || (size_t)__builtin_popcountll(ports) != count))
    berthJsonFail(&reader->json, position,
                  "'%s' has 'ports', which are two operands or more, each once",
                  name);
  return ports;
}

static int64_t readAligned(BerthTargetReader *reader) {
  enum { kMost = 4096 };
  size_t position = berthTargetHere(reader);
  int64_t bytes = berthJsonInteger(&reader->json, 1, kMost, "aligned");
  if (!reader->json.failed && (bytes & (bytes - 1)))
    berthJsonFail(&reader->json, position,
                  "'aligned' %lld is not a power of two", (long long)bytes);
  return bytes;
}

/// The number of a unit, from 1.
static int readUnit(BerthTargetReader *reader) {
  BerthTarget *target = reader->target;
  size_t position = berthTargetHere(reader);
  const char *name =
      berthTargetKeep(reader, berthJsonString(&reader->json, "unit"));
  if (reader->json.failed)
    return 0;
  if (!*name)
    berthJsonFail(&reader->json, position, "a unit has no name");
  for (size_t i = 0; i < target->numUnits; ++i)
    if (strcmp(target->units[i], name) == 0)
      return (int)i + 1;
  if (!BERTH_TARGET_GROW(reader, target->units, target->numUnits,
                         target->capUnits))
    return 0;
  target->units[target->numUnits++] = name;
  return (int)target->numUnits;
}

/// The cores on which a function returns true.
static uint64_t readOn(BerthTargetReader *reader) {
  uint64_t cores = 0;
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json))
    cores |= UINT64_C(1) << berthJsonInteger(&reader->json, 0,
                                             BERTH_MAX_CORES - 1, "core");
  return cores;
}

static void readCondition(BerthTargetReader *reader, BerthTargetEntry *entry) {
  enum { OPERAND, SPACE, ATTRIBUTE, IS };
  static const char *const keys[] = {"operand", "space", "attribute", "is",
                                     NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthOpCondition condition = {.operand = -1};
  berthJsonEnterObject(json, &object, "a condition", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    size_t position = berthTargetHere(reader);
    if (key == OPERAND) {
      condition.operand =
          berthJsonInteger(json, 0, BERTH_TARGET_MAX_OPERANDS - 1, "operand");
    } else if (key == ATTRIBUTE) {
      condition.attribute = berthTargetReadAttribute(reader);
    } else {
      condition.text =
          key == SPACE
              ? berthTargetReadSpace(reader, keys[key])
              : berthTargetKeep(reader, berthJsonString(json, keys[key]));
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
  if (!json->failed &&
      BERTH_TARGET_GROW(reader, entry->conditions, entry->numConditions,
                        entry->capConditions))
    entry->conditions[entry->numConditions++] = condition;
}

/// Where an allocation tells its size, its alignment or its space.
static BerthOpSource readSource(BerthTargetReader *reader, const char *what,
                                bool isSpace) {
  enum { ATTRIBUTE, OPERAND, IS };
  static const char *const keys[] = {"attribute", "operand", "is", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthOpSource source = {.operand = -1};
  berthJsonEnterObject(json, &object, what, keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == ATTRIBUTE)
      source.attribute = berthTargetReadAttribute(reader);
    else if (key == OPERAND)
      source.operand =
          berthJsonInteger(json, 0, BERTH_TARGET_MAX_OPERANDS - 1, "operand");
    else
      source.text = berthTargetReadSpace(reader, keys[key]);
  }
  bool isOne = object.seen && !(object.seen & (object.seen - 1));
  bool isFit = isSpace ? source.operand < 0 : !source.text;
  if (!json->failed && (!isOne || !isFit))
    berthJsonFail(json, object.position,
                  "%s has exactly one of 'attribute' and '%s'", what,
                  isSpace ? "is" : "operand");
  return source;
}

static const BerthOpAllocation *readAllocation(BerthTargetReader *reader) {
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
static void checkRepeated(BerthTargetReader *reader,
                          const BerthTargetEntry *entry, size_t position) {
  const BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numOps; ++i)
    if (strcmp(target->ops[i].name, entry->row.name) == 0 &&
        !target->ops[i].numConditions)
      berthJsonFail(&reader->json, position, "'%s' stands twice in '%s'",
                    entry->row.name, entry->isFunction ? "functions" : "ops");
}

/// What the entry says, by itself.
static BerthOpRow rowOfEntry(BerthTargetReader *reader,
                             const BerthTargetEntry *entry) {
  static const struct {
    int key;
    uint32_t part;
  } parts[] = {{KIND, kSaysKind},     {SEGMENTS, kSaysSegments},
               {ASYNC, kSaysAsync},   {ASYNC_IF, kSaysAsyncIf},
               {UNIT, kSaysUnit},     {ONCE, kSaysOnce},
               {CORES, kSaysCores},   {TOKEN, kSaysToken},
               {COPIES, kSaysCopies}, {ALLOCATES, kSaysAllocation},
               {PORTS, kSaysPorts},   {ALIGNED, kSaysAligned}};
  BerthOpRow row = entry->row;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (hasKey(entry, parts[i].key))
      row.says |= parts[i].part;
  if (entry->tellsEffects || (entry->seen & kLists)) {
    row.says |= kSaysRoles;
    row.traits |= entry->tellsEffects ? kDescribed : 0;
    row.operands = berthTargetKeep(reader, entry->roles);
  }
  if (entry->isPending || entry->isBarrier)
    row.says |= kSaysWork;
  if (entry->isPending)
    row.traits |= kStarts | kMakesGroup;
  if (entry->isBarrier)
    row.mayPend = ""; // no attribute lets anything pend
  return row;
}

static BerthOpRow makeRow(BerthTargetReader *reader,
                          const BerthTargetEntry *entry,
                          const BerthOpRow *known, size_t position) {
  if (known && berthRowEndsByGroups(known) &&
      (entry->isPending || entry->isBarrier))
    berthJsonFail(&reader->json, position,
                  "when '%s' ends is known, and not by a barrier",
                  entry->row.name);
  BerthOpRow said = rowOfEntry(reader, entry);
  BerthOpRow row = berthLayRow(known, &said);
  if (row.once && !row.unit)
    berthJsonFail(&reader->json, position, "'%s' has 'once', but no 'unit'",
                  entry->row.name);
  BerthOpRows *rows = &reader->target->rows;
  rows->isConcurrent |= entry->isPending || entry->isBarrier ||
                        entry->row.unit || entry->row.numCores;
  if (entry->row.numCores)
    rows->numCores = entry->row.numCores;
  return row;
}

static void addRow(BerthTargetReader *reader, const BerthTargetEntry *entry,
                   const BerthOpRow *known, size_t position) {
  BerthTarget *target = reader->target;
  BerthOpRow row = makeRow(reader, entry, known, position);
  row.order = target->numOps;
  row.conditions = entry->conditions;
  row.numConditions = entry->numConditions;
  checkRepeated(reader, entry, position);
  if (reader->json.failed ||
      !BERTH_TARGET_GROW(reader, target->ops, target->numOps, target->capOps) ||
      !BERTH_TARGET_GROW(reader, target->places, target->numOps,
                         target->capPlaces))
    return;
  target->places[target->numOps] = berthTargetPlaceOf(reader, position);
  target->rows.hasFunctions |= entry->isFunction;
  target->ops[target->numOps++] = row;
}

/// "@name" of the symbol of a function.
static const char *readSymbol(BerthTargetReader *reader) {
  size_t position = berthTargetHere(reader);
  const char *name = berthJsonString(&reader->json, "name");
  if (reader->json.failed)
    return "";
  if (!*name || strlen(name) > kLongestText)
    berthJsonFail(&reader->json, position,
                  "'%.60s' is no symbol of at most %d bytes", name,
                  kLongestText);
  if (*name == '@')
    berthJsonFail(&reader->json, position,
                  "'%.60s': a symbol stands here without its '@'", name);
  char symbol[kLongestText + 2];
  snprintf(symbol, sizeof symbol, "@%.60s", name);
  return berthTargetKeep(reader, symbol);
}

/// A copy has one source and one target, and touches no other memory.
static bool mayCopy(const BerthTargetEntry *entry) {
  size_t numRead = 0, numWritten = 0;
  size_t numOthers = entry->row.bySegments || entry->isPartial;
  for (size_t i = 0; i < entry->numRoles; ++i) {
    char role = entry->roles[i];
    numRead += role == BERTH_OPERAND_READ;
    numWritten += role == BERTH_OPERAND_WRITTEN;
    numOthers += role != BERTH_OPERAND_READ && role != BERTH_OPERAND_WRITTEN &&
                 role != BERTH_OPERAND_OTHER;
  }
  return numRead == 1 && numWritten == 1 && numOthers == 0;
}

/// What an entry says of itself must go together.
static void checkEntry(BerthTargetReader *reader, const BerthTargetEntry *entry,
                       size_t position) {
  BerthJsonReader *json = &reader->json;
  const BerthOpRow *row = &entry->row;
  int numCores = reader->target->rows.numCores;
  if (entry->isPending && entry->isBarrier)
    berthJsonFail(json, position, "'%s' cannot be both pending and a barrier",
                  row->name);
  if (hasKey(entry, ASYNC) && (entry->isPending || entry->isBarrier))
    berthJsonFail(json, position,
                  "'%s' has 'async', so that it ends by no barrier", row->name);
  if (row->isOn && !row->numCores)
    berthJsonFail(json, position, "'%s' has 'is_on', but no 'cores'",
                  row->name);
  if (row->numCores && row->numCores < BERTH_MAX_CORES &&
      row->isOn >> row->numCores)
    berthJsonFail(json, position, "'%s' is on a core that there is not",
                  row->name);
  if (row->numCores && numCores && row->numCores != numCores)
    berthJsonFail(json, position,
                  "'%s' tells of %d cores, an entry before of "
                  "%d",
                  row->name, row->numCores, numCores);
  if (row->copies && !mayCopy(entry))
    berthJsonFail(json, position,
                  "'%s' copies: then it reads one operand and writes one, by "
                  "their numbers, and that is all",
                  row->name);
  if (reader->builtin)
    berthTargetCheckForm(reader, row,
                         hasKey(entry, CHOOSES) ? entryKeys[CHOOSES] : NULL,
                         position);
}

static void readName(BerthTargetReader *reader, BerthTargetEntry *entry) {
  entry->row.name = entry->isFunction ? readSymbol(reader)
                                      : berthTargetReadName(reader, "op");
}

static void readConditions(BerthTargetReader *reader, BerthTargetEntry *entry) {
  for (berthJsonEnterArray(&reader->json); berthJsonNextElement(&reader->json);)
    readCondition(reader, entry);
}

static BerthOperandRole roleOf(int key) {
  static const BerthOperandRole roles[] = {
      BERTH_OPERAND_READ, BERTH_OPERAND_WRITTEN, BERTH_OPERAND_FREED,
      BERTH_OPERAND_VIEWED, BERTH_OPERAND_AWAITED};
  return key == CHOOSES ? BERTH_OPERAND_CHOSEN : roles[key];
}

void berthTargetReadKey(BerthTargetReader *reader, BerthTargetEntry *entry,
                        int key) {
  BerthJsonReader *json = &reader->json;
  BerthOpRow *row = &entry->row;
  entry->seen |= UINT64_C(1) << key;
  switch (key) {
  case SEGMENTS:
    row->bySegments = berthJsonBoolean(json, entryKeys[key]);
    break;
  case PENDING:
    entry->isPending = berthJsonBoolean(json, entryKeys[key]);
    break;
  case BARRIER:
    entry->isBarrier = berthJsonBoolean(json, entryKeys[key]);
    break;
  case UNIT:
    row->unit = readUnit(reader);
    break;
  case ONCE:
    row->once = berthJsonBoolean(json, entryKeys[key]);
    break;
  case CORES:
    row->numCores =
        (int)berthJsonInteger(json, 1, BERTH_MAX_CORES, entryKeys[key]);
    break;
  case IS_ON:
    row->isOn = readOn(reader);
    break;
  case TOKEN:
    row->token = 1 + (int)berthJsonInteger(json, 0, kMaxResults - 1, "token");
    break;
  case COPIES:
    row->copies = berthJsonBoolean(json, entryKeys[key]);
    break;
  case ALLOCATES:
    row->allocates = readAllocation(reader);
    break;
  case PARTIAL:
    entry->isPartial = berthJsonBoolean(json, entryKeys[key]);
    break;
  case KIND:
    row->kind = berthTargetReadKind(reader);
    break;
  case TRAITS:
    berthTargetReadTraits(reader, row);
    break;
  case ASYNC:
    berthTargetReadAsync(reader, row);
    break;
  case ASYNC_IF:
    row->asyncIf = berthTargetReadAttribute(reader);
    break;
  case PORTS:
    row->ports = readPorts(reader, row->name);
    break;
  case ALIGNED:
    row->aligned = readAligned(reader);
    break;
  case NAME:
    readName(reader, entry);
    break;
  case IF:
    readConditions(reader, entry);
    break;
  default:
    readOperands(reader, entry, "operand", roleOf(key));
  }
}

/// Of an op that Berth's description has or one with an interface an entry may
/// say only when it ends. Without lists an entry of any other op says that it
/// does nothing, unless it speaks of something else than effects.
static void readEntry(BerthTargetReader *reader, bool isFunction) {
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthTargetEntry entry = {.row.name = isFunction ? "the function" : "the op",
                            .isFunction = isFunction};
  berthJsonEnterObject(json, &object, isFunction ? "a function" : "an op",
                       entryKeys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    berthTargetReadKey(reader, &entry, key);
  if (!berthJsonRequire(json, &object, NAME))
    return;
  bool isFamily = berthIsFamily(entry.row.name);
  MlirStringRef name = mlirStringRefCreateFromCString(entry.row.name);
  size_t count;
  const BerthOpRow *known = isFamily || !reader->builtin
                                ? NULL
                                : berthFindRow(reader->builtin, name, &count);
  bool isSilent = known || isFamily || (entry.seen & kNoEffects);
  entry.tellsEffects = !entry.isPartial && ((entry.seen & kLists) || !isSilent);
  checkEntry(reader, &entry, object.position);
  addRow(reader, &entry, known, object.position);
}

/// What ops without a list do to memory an attribute does not say, unless the
/// op is of a kind that does nothing else.
BerthOpRow berthTargetMakeOwnRow(BerthTargetReader *reader,
                                 BerthTargetEntry *entry,
                                 const BerthOpRow *row) {
  const uint64_t doesNoMore =
      UINT64_C(1) << BARRIER | UINT64_C(1) << CORES | UINT64_C(1) << ALLOCATES;
  entry->tellsEffects =
      !entry->isPartial &&
      ((entry->seen & kLists) || (!row && (entry->seen & doesNoMore)));
  checkEntry(reader, entry, 0);
  return makeRow(reader, entry, row, 0);
}

void berthTargetReadOp(BerthTargetReader *reader) { readEntry(reader, false); }

void berthTargetReadFunction(BerthTargetReader *reader) {
  readEntry(reader, true);
}

static int compareRows(const void *left, const void *right) {
  const BerthOpRow *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  return order ? order : (a->order > b->order) - (a->order < b->order);
}

/// Families stand in an array of their own, in the same order.
static bool listFamilies(BerthTarget *target) {
  BerthOpRow *families = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < target->numOps; ++i) {
    if (!berthIsFamily(target->ops[i].name))
      continue;
    if (!berthMemoryReserve(&target->memory, &families, &capacity, count + 1))
      return false;
    families[count++] = target->ops[i];
  }
  target->rows.families = families;
  target->rows.numFamilies = count;
  return true;
}

bool berthTargetSortOps(BerthTarget *target) {
  if (target->numOps)
    qsort(target->ops, target->numOps, sizeof *target->ops, compareRows);
  target->rows.rows = target->ops;
  target->rows.count = target->numOps;
  return listFamilies(target);
}
