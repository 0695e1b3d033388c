//===- TargetPlaces.c - What a description says of layouts and memories ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetPlaces.h"
#include "IR/Target/Target.h"

#include <stdlib.h>
#include <string.h>

/// A number of bytes, or a rule.
static void readTypeSize(BerthTargetReader *reader, BerthTargetType *type) {
  size_t position = berthTargetHere(reader);
  if (berthJsonPeek(&reader->json) != '"') {
    type->rule = BERTH_TYPE_BYTES;
    type->bytes = berthJsonInteger(&reader->json, 0, INT64_MAX, "size");
    return;
  }
  const char *name = berthJsonString(&reader->json, "size");
  if (strcmp(name, "dense") == 0)
    type->rule = BERTH_TYPE_DENSE;
  else if (strcmp(name, "unknown") != 0)
    berthJsonFail(
        &reader->json, position,
        "size '%.60s' is none of unknown, dense and a number of bytes", name);
}

/// Adds a name to a list of the description's.
#define ADD_NAME(reader, names, count, capacity, name)                         \
  (BERTH_TARGET_GROW(reader, names, count, capacity)                           \
       ? (void)((names)[(count)++] = (name))                                   \
       : (void)0)

static bool listHas(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

/// What Berth's own description calls the type, or NULL.
static const char *ownWordOf(const BerthOpRows *builtin, const char *name) {
  return listHas(builtin->tokens, builtin->numTokens, name) ? "a token"
         : listHas(builtin->pointerless, builtin->numPointerless, name)
             ? "pointerless"
             : NULL;
}

void berthTargetReadType(BerthTargetReader *reader) {
  enum { NAME, SIZE, POINTERLESS, TOKEN };
  static const char *const keys[] = {"name", "size", "pointerless", "token",
                                     NULL};
  BerthJsonObject object;
  BerthTargetType type = {0};
  BerthTarget *target = reader->target;
  bool isPointerless = false, isToken = false;
  berthJsonEnterObject(&reader->json, &object, "a type", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;) {
    if (key == NAME)
      type.name = berthTargetReadName(reader, "type");
    else if (key == SIZE)
      readTypeSize(reader, &type);
    else if (key == POINTERLESS)
      isPointerless = berthJsonBoolean(&reader->json, keys[key]);
    else
      isToken = berthJsonBoolean(&reader->json, keys[key]);
  }
  if (!berthJsonRequire(&reader->json, &object, NAME))
    return;
  type.place = berthTargetPlaceOf(reader, object.position);
  if ((isPointerless || isToken) && (object.seen >> SIZE & 1))
    berthJsonFail(&reader->json, object.position,
                  isToken ? "'%s' has a size, but is a token"
                          : "'%s' has a size, but holds no address",
                  type.name);
  if (strncmp(type.name, "builtin.", strlen("builtin.")) == 0)
    berthJsonFail(&reader->json, object.position,
                  "'%s' is of MLIR's own types, which are known: 'types' is "
                  "for those of dialects, such as 'npu.tile', which prints as "
                  "!npu.tile",
                  type.name);
  const char *known =
      reader->builtin ? ownWordOf(reader->builtin, type.name) : NULL;
  if (known && (object.seen >> SIZE & 1))
    berthJsonFail(&reader->json, object.position,
                  "'%s' has a size, but Berth's own description calls it %s",
                  type.name, known);
  if (berthTargetFindType(target, mlirStringRefCreateFromCString(type.name)))
    berthJsonFail(&reader->json, object.position,
                  "'%s' stands twice in 'types'", type.name);
  if (!reader->json.failed &&
      BERTH_TARGET_GROW(reader, target->types, target->numTypes,
                        target->capTypes))
    target->types[target->numTypes++] = type;
  if (!reader->json.failed && isPointerless)
    ADD_NAME(reader, target->pointerless, target->numPointerless,
             target->capPointerless, type.name);
  if (!reader->json.failed && isToken)
    ADD_NAME(reader, target->tokens, target->numTokens, target->capTokens,
             type.name);
}

static BerthLayoutSize readLayoutSize(BerthTargetReader *reader) {
  static const char *const names[] = {"unknown", "dense", "bounds -> strides"};
  size_t position = berthTargetHere(reader);
  const char *name = berthJsonString(&reader->json, "size");
  for (int i = 0; i <= BERTH_LAYOUT_BOUNDS; ++i)
    if (strcmp(name, names[i]) == 0)
      return (BerthLayoutSize)i;
  berthJsonFail(&reader->json, position,
                "size '%.60s' is none of unknown, dense, bounds -> strides",
                name);
  return BERTH_LAYOUT_UNKNOWN;
}

void berthTargetReadLayout(BerthTargetReader *reader) {
  enum { NAME, SIZE };
  static const char *const keys[] = {"name", "size", NULL};
  BerthJsonObject object;
  BerthTargetLayout layout = {0};
  BerthTarget *target = reader->target;
  berthJsonEnterObject(&reader->json, &object, "a layout", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;) {
    if (key == NAME)
      layout.name = berthTargetReadName(reader, "layout");
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
      BERTH_TARGET_GROW(reader, target->layouts, target->numLayouts,
                        target->capLayouts))
    target->layouts[target->numLayouts++] = layout;
}

/// An address: a number, or its hexadecimal text, since JSON has none.
static int64_t readAddress(BerthTargetReader *reader) {
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
static void checkOverlap(BerthTargetReader *reader,
                         const BerthTargetMemory *memory, size_t position) {
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

/// [from, to], the byte behind the last.
static void readRange(BerthTargetReader *reader, BerthRange *range) {
  BerthJsonReader *json = &reader->json;
  size_t position = berthTargetHere(reader), count = 0;
  int64_t ends[2] = {0, 0};
  for (berthJsonEnterArray(json); berthJsonNextElement(json); ++count) {
    int64_t end = berthJsonInteger(json, 0, INT64_MAX, "reserved");
    if (count < 2)
      ends[count] = end;
  }
  if (count != 2 || ends[0] >= ends[1])
    berthJsonFail(json, position,
                  "a reserved range is [from, to], the first byte and the one "
                  "behind the last");
  *range = (BerthRange){ends[0], ends[1]};
}

static void readInterleaved(BerthTargetReader *reader,
                            BerthTargetMemory *memory) {
  enum { BANKS, WIDTH, kMostBanks = 128, kMostWidth = 1 << 12 };
  static const char *const keys[] = {"banks", "width", NULL};
  BerthJsonObject object;
  berthJsonEnterObject(&reader->json, &object, "an interleaved memory", keys);
  for (int key; (key = berthJsonNextKey(&reader->json, &object)) >= 0;)
    if (key == BANKS)
      memory->interleavedBanks =
          berthJsonInteger(&reader->json, 2, kMostBanks, "banks");
    else
      memory->bankWidth =
          berthJsonInteger(&reader->json, 1, kMostWidth, "width");
  if (berthJsonRequire(&reader->json, &object, BANKS))
    berthJsonRequire(&reader->json, &object, WIDTH);
}

static void readReserved(BerthTargetReader *reader, BerthTargetMemory *memory) {
  BerthRange *ranges = NULL;
  size_t count = 0, capacity = 0;
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json))
    if (BERTH_TARGET_GROW(reader, ranges, count, capacity))
      readRange(reader, &ranges[count++]);
  memory->reserved = ranges;
  memory->numReserved = count;
}

/// What a memory says of itself must go together.
static void checkMemory(BerthTargetReader *reader,
                        const BerthTargetMemory *memory, size_t position) {
  BerthJsonReader *json = &reader->json;
  if (memory->start > 0 && memory->start % memory->alignment)
    berthJsonFail(json, position,
                  "memory '%s' starts at %lld, which is no multiple of its "
                  "alignment %lld",
                  memory->space, (long long)memory->start,
                  (long long)memory->alignment);
  if (memory->start > 0 && memory->capacity > INT64_MAX - memory->start)
    berthJsonFail(json, position, "memory '%s' ends beyond 2^63",
                  memory->space);
  if (memory->numBanks && !memory->capacity)
    berthJsonFail(json, position, "memory '%s' has banks, but no 'capacity'",
                  memory->space);
  if (memory->numBanks && memory->interleavedBanks)
    berthJsonFail(json, position,
                  "memory '%s' has banks one behind the other, or is "
                  "'interleaved', not both",
                  memory->space);
  if (memory->backing && !memory->capacity)
    berthJsonFail(json, position,
                  "memory '%s' has a backing, but no 'capacity'",
                  memory->space);
  if (memory->backing && memory->numBanks)
    berthJsonFail(json, position,
                  "memory '%s' has a backing, which is not known of banks",
                  memory->space);
  if (memory->backing && strcmp(memory->backing, memory->space) == 0)
    berthJsonFail(json, position, "memory '%s' is its own backing",
                  memory->space);
  int64_t unit = memory->numBanks * memory->alignment; // no overflow: below
  if (memory->numBanks && memory->capacity % unit)
    berthJsonFail(json, position,
                  "memory '%s' has %lld bytes, which are not %lld banks of "
                  "whole multiples of %lld",
                  memory->space, (long long)memory->capacity,
                  (long long)memory->numBanks, (long long)memory->alignment);
  for (size_t i = 0; i < memory->numReserved; ++i)
    if (memory->capacity && memory->reserved[i].upper > memory->capacity)
      berthJsonFail(json, position,
                    "memory '%s' has %lld bytes: it cannot reserve them up to "
                    "%lld",
                    memory->space, (long long)memory->capacity,
                    (long long)memory->reserved[i].upper);
}

static const char *nameOfMove(int index) { return index ? "dma" : "copy"; }

static const char *readTokenType(BerthTargetReader *reader) {
  size_t position = berthTargetHere(reader);
  const char *type =
      berthTargetKeep(reader, berthJsonString(&reader->json, "token"));
  if (!reader->json.failed && !*type)
    berthJsonFail(&reader->json, position, "a token has no type");
  return type;
}

/// The op by which content moves.
static void readMoves(BerthTargetReader *reader, BerthTargetMemory *memory) {
  enum { OP, TOKEN, WAIT };
  static const char *const keys[] = {"op", "token", "wait", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  berthJsonEnterObject(json, &object, "a move", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    if (key == OP)
      memory->moveOp = berthTargetReadName(reader, "op");
    else if (key == TOKEN)
      memory->moveToken = readTokenType(reader);
    else
      memory->moveWait = berthTargetReadName(reader, "op");
  berthJsonRequire(json, &object, OP);
  if (!json->failed && !memory->moveToken != !memory->moveWait)
    berthJsonFail(json, object.position,
                  "a move has both a 'token', the type of what is waited for, "
                  "and a 'wait', the op that does, or neither");
}

/// Where content goes that a memory has no room for, and what that costs.
static void readBacking(BerthTargetReader *reader, BerthTargetMemory *memory) {
  enum {
    SPACE,
    FILL,
    SPILL,
    ACCESS,
    RECOMPUTE,
    BANDWIDTH,
    LATENCY,
    TRANSFERS,
    CHANNELS,
    MOVES
  };
  enum { MOST_PRICE = 1 << 20 };
  static const char *const keys[] = {
      "space",   "fill",      "spill",    "access", "recompute", "bandwidth",
      "latency", "transfers", "channels", "moves",  NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  size_t latencyAt = 0;
  memory->fill = memory->spill = memory->recompute = 1;
  berthJsonEnterObject(json, &object, "a backing", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    switch (key) {
    case SPACE:
      memory->backingAt = berthTargetPlaceOf(reader, berthTargetHere(reader));
      memory->backing = berthTargetReadSpace(reader, "space");
      break;
    case FILL:
      memory->fill = berthJsonInteger(json, 1, MOST_PRICE, "fill");
      break;
    case SPILL:
      memory->spill = berthJsonInteger(json, 1, MOST_PRICE, "spill");
      break;
    case ACCESS:
      memory->access = berthJsonInteger(json, 0, MOST_PRICE, "access");
      break;
    case RECOMPUTE:
      memory->recompute = berthJsonInteger(json, 0, MOST_PRICE, "recompute");
      break;
    case BANDWIDTH:
      memory->bandwidth = berthJsonInteger(json, 1, MOST_PRICE, "bandwidth");
      break;
    case LATENCY:
      latencyAt = berthTargetHere(reader);
      memory->latency = berthJsonInteger(json, 0, MOST_PRICE, "latency");
      break;
    case TRANSFERS:
      memory->hasTransfers = berthJsonWord(json, "transfers", nameOfMove, 2);
      break;
    case CHANNELS:
      memory->channels = berthJsonInteger(json, 1, MOST_PRICE, "channels");
      break;
    default:
      memory->movesAt = berthTargetHere(reader);
      readMoves(reader, memory);
    }
  berthJsonRequire(json, &object, SPACE);
  const uint64_t both = UINT64_C(1) << TRANSFERS | UINT64_C(1) << MOVES;
  if (!json->failed && (object.seen & both) == both)
    berthJsonFail(json, object.position,
                  "either 'transfers' or 'moves' says how content moves");
  if (memory->latency && !memory->bandwidth)
    berthJsonFail(
        json, latencyAt,
        "a latency of %lld needs a 'bandwidth': else nobody knows how "
        "many bytes could move meanwhile",
        (long long)memory->latency);
}

void berthTargetReadMemory(BerthTargetReader *reader) {
  enum {
    SPACE,
    START,
    CAPACITY,
    ALIGNMENT,
    BANKS,
    RESERVED,
    INTERLEAVED,
    BACKING
  };
  static const char *const keys[] = {"space",       "start",   "capacity",
                                     "alignment",   "banks",   "reserved",
                                     "interleaved", "backing", NULL};
  enum { kMaxBanks = 64, kMaxAlignment = 1 << 30 };
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthTargetMemory memory = {.start = BERTH_TARGET_NONE, .alignment = 1};
  BerthTarget *target = reader->target;
  berthJsonEnterObject(json, &object, "a memory", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    size_t position = berthTargetHere(reader);
    switch (key) {
    case SPACE:
      memory.space = berthTargetReadSpace(reader, "space");
      break;
    case START:
      memory.start = readAddress(reader);
      break;
    case CAPACITY:
      memory.capacity = berthJsonInteger(json, 1, INT64_MAX, "capacity");
      break;
    case ALIGNMENT:
      memory.alignment = berthJsonInteger(json, 1, kMaxAlignment, "alignment");
      if (memory.alignment & (memory.alignment - 1))
        berthJsonFail(json, position, "alignment %lld is no power of two",
                      (long long)memory.alignment);
      break;
    case BANKS:
      memory.numBanks = berthJsonInteger(json, 1, kMaxBanks, "banks");
      break;
    case RESERVED:
      readReserved(reader, &memory);
      break;
    case INTERLEAVED:
      readInterleaved(reader, &memory);
      break;
    default:
      readBacking(reader, &memory);
    }
  }
  if (!berthJsonRequire(json, &object, SPACE))
    return;
  memory.place = berthTargetPlaceOf(reader, object.position);
  if (!json->failed)
    checkMemory(reader, &memory, object.position);
  if (!json->failed)
    checkOverlap(reader, &memory, object.position);
  if (!json->failed &&
      BERTH_TARGET_GROW(reader, target->memories, target->numMemories,
                        target->capMemories))
    target->memories[target->numMemories++] = memory;
}

/// What keeps an op of that entry from moving content; NULL: nothing. It is
/// made with two operands, and what it does is over with it, or with the wait.
static const char *whyNoMove(const BerthTargetMemory *memory,
                             const BerthOpRow *row) {
  if (!row->copies)
    return "does not say that it 'copies'";
  if (strlen(row->operands) != 2)
    return "reads or writes another operand than 0 and 1: a move has these two";
  if (row->traits & kStarts)
    return "is pending until some barrier, so that nobody could wait for it";
  if (row->mayPend)
    return "is a barrier: moves are planned without any";
  if (row->token && !memory->moveWait)
    return "has a token, and no 'wait' here";
  if (memory->moveWait && row->token != 1)
    return "does not have result 0 as its token";
  return NULL;
}

/// What the entries say of the op that moves, whatever their conditions.
static void checkMove(BerthTargetReader *reader, BerthTargetMemory *memory) {
  const BerthTarget *target = reader->target;
  const char *fault = "stands in no entry of 'ops'";
  bool waits = !memory->moveWait;
  memory->movesPlace = berthTargetPlaceOf(reader, memory->movesAt);
  for (size_t i = 0; i < target->numOps; ++i) {
    const BerthOpRow *row = &target->ops[i];
    if (strcmp(row->name, memory->moveOp) == 0)
      fault = whyNoMove(memory, row);
    waits |= memory->moveWait && strcmp(row->name, memory->moveWait) == 0 &&
             row->operands && row->operands[0] == BERTH_OPERAND_AWAITED;
    if (fault && strcmp(row->name, memory->moveOp) == 0)
      break;
  }
  if (fault)
    berthJsonFail(&reader->json, memory->movesAt, "moves by '%s', which %s",
                  memory->moveOp, fault);
  else if (!waits)
    berthJsonFail(&reader->json, memory->movesAt,
                  "waits by '%s', which no entry of 'ops' says to wait for its "
                  "operand 0",
                  memory->moveWait);
}

void berthTargetCheckMoves(BerthTargetReader *reader) {
  const BerthTarget *target = reader->target;
  for (size_t i = 0; i < target->numMemories; ++i)
    if (target->memories[i].moveOp)
      checkMove(reader, &target->memories[i]);
}
