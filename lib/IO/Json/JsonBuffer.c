//===- JsonBuffer.c - JSON to buffer -------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/JsonBuffer.h"
#include "IO/Text/Words.h"

#include <stdlib.h>

//===---------------------------------------------------------------------===//
// Lives
//===---------------------------------------------------------------------===//

void berthJsonReadPair(BerthJsonReader *json, const char *what, int64_t *first,
                       int64_t *second) {
  berthJsonPeek(json);
  size_t position = json->position;
  int64_t values[2] = {0, 0};
  size_t count = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    int64_t value = berthJsonInteger(json, INT64_MIN, INT64_MAX, what);
    if (count < 2)
      values[count] = value;
    ++count;
  }
  if (count != 2)
    berthJsonFail(json, position, "%s is a pair [from, to], not %zu numbers",
                  what, count);
  *first = values[0];
  *second = values[1];
}

static void addSegment(BerthJsonReader *json, BerthLifetime *life,
                       BerthSegment segment) {
  if (!berthLifetimeAddSegment(life, segment))
    berthJsonOutOfMemory(json);
}

static void readSegments(BerthJsonReader *json, BerthLifetime *life) {
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    BerthSegment segment;
    berthJsonReadPair(json, "a segment", &segment.lower, &segment.upper);
    addSegment(json, life, segment);
  }
}

static void readGap(BerthJsonReader *json, BerthLifetime *life) {
  enum { LOWER, UPPER, WINDOW };
  static const char *const keys[] = {"lower", "upper", "window", NULL};
  BerthJsonObject object;
  BerthGap gap = {0};
  berthJsonEnterObject(json, &object, "a gap", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == LOWER)
      gap.lower = berthJsonInteger(json, INT64_MIN, INT64_MAX, "lower");
    else if (key == UPPER)
      gap.upper = berthJsonInteger(json, INT64_MIN, INT64_MAX, "upper");
    else
      berthJsonReadPair(json, "a window", &gap.windowLower, &gap.windowUpper);
  }
  berthJsonRequire(json, &object, LOWER);
  berthJsonRequire(json, &object, UPPER);
  if (!berthLifetimeAddGap(life, gap))
    berthJsonOutOfMemory(json);
}

static void readUse(BerthJsonReader *json, BerthLifetime *life) {
  enum { LOWER, UPPER, KIND, BYTES, MAKE, TILE };
  static const char *const keys[] = {"lower", "upper", "kind",   "bytes",
                                     "make",  "tile",  "slices", NULL};
  BerthJsonObject object;
  BerthBufferUse use = {0};
  berthJsonEnterObject(json, &object, "a use", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == LOWER)
      use.lower = berthJsonInteger(json, INT64_MIN, INT64_MAX, "lower");
    else if (key == UPPER)
      use.upper = berthJsonInteger(json, INT64_MIN, INT64_MAX, "upper");
    else if (key == KIND)
      use.kind = (BerthUseKind)berthJsonWord(json, "kind", berthUseKindName, 3);
    else if (key == BYTES)
      use.bytes = berthJsonInteger(json, 1, INT64_MAX, "bytes");
    else if (key == MAKE)
      use.make = berthJsonInteger(json, 1, INT64_MAX, "make");
    else if (key == TILE)
      use.tile = berthJsonInteger(json, 1, INT64_MAX, "tile");
    else
      use.slices = berthJsonInteger(json, 1, INT64_MAX, "slices");
  }
  berthJsonRequire(json, &object, LOWER);
  berthJsonRequire(json, &object, UPPER);
  if (!berthLifetimeAddUse(life, use))
    berthJsonOutOfMemory(json);
}

//===---------------------------------------------------------------------===//
// Buffers
//===---------------------------------------------------------------------===//

enum BufferKey {
  BUFFER_ID,
  BUFFER_SIZE,
  BUFFER_LOWER,
  BUFFER_UPPER,
  BUFFER_SEGMENTS,
  BUFFER_GAPS,
  BUFFER_ALIGNMENT,
  BUFFER_FIXED,
  BUFFER_HINT,
  BUFFER_WEIGHT,
  BUFFER_GROUP,
  BUFFER_POOLS,
  BUFFER_USES,
  BUFFER_BACKED
};
static const char *const bufferKeys[] = {
    "id",    "size",      "lower", "upper",  "segments",
    "gaps",  "alignment", "fixed", "hint",   "weight",
    "group", "pools",     "uses",  "backed", NULL};

/// One buffer under way.
typedef struct JsonBuffer {
  BerthBuffer buffer;
  BerthSegment hull; ///< of "lower" and "upper"
  char *id;
} JsonBuffer;

static uint64_t readPoolMask(BerthJsonProblem *reader) {
  BerthJsonReader *json = &reader->json;
  uint64_t mask = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    uint32_t pool = berthJsonPoolReference(reader);
    if (pool >= 64)
      berthJsonFail(json, json->position,
                    "pool %u: only pools 0 to 63 can be named", pool);
    mask |= UINT64_C(1) << (pool & 63);
  }
  return mask;
}

static void readBufferArray(BerthJsonProblem *reader, enum BufferKey key,
                            JsonBuffer *out, BerthLifetime *life) {
  BerthJsonReader *json = &reader->json;
  if (key == BUFFER_SEGMENTS) {
    readSegments(json, life);
  } else if (key == BUFFER_POOLS) {
    out->buffer.pools = readPoolMask(reader);
  } else {
    berthJsonEnterArray(json);
    while (berthJsonNextElement(json)) {
      if (key == BUFFER_GAPS)
        readGap(json, life);
      else
        readUse(json, life);
    }
  }
}

static void readBufferValue(BerthJsonProblem *reader, enum BufferKey key,
                            JsonBuffer *out, BerthLifetime *life) {
  BerthJsonReader *json = &reader->json;
  const char *what = bufferKeys[key];
  switch (key) {
  case BUFFER_ID:
    out->id = berthJsonCopyString(json, "a string");
    return;
  case BUFFER_SIZE:
    out->buffer.size = berthJsonInteger(json, 1, INT64_MAX, what);
    return;
  case BUFFER_LOWER:
    out->hull.lower = berthJsonInteger(json, INT64_MIN, INT64_MAX, what);
    return;
  case BUFFER_UPPER:
    out->hull.upper = berthJsonInteger(json, INT64_MIN, INT64_MAX, what);
    return;
  case BUFFER_ALIGNMENT:
    out->buffer.alignment = berthJsonInteger(json, 1, INT64_MAX, what);
    return;
  case BUFFER_FIXED:
    out->buffer.fixedOffset = berthJsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_HINT:
    out->buffer.hint = berthJsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_WEIGHT:
    out->buffer.weight = berthJsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_GROUP:
    out->buffer.group = berthJsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_SEGMENTS:
  case BUFFER_GAPS:
  case BUFFER_POOLS:
  case BUFFER_USES:
    readBufferArray(reader, key, out, life);
    return;
  case BUFFER_BACKED:
    out->buffer.backed = berthJsonBoolean(json, what);
    return;
  }
}

/// A life is either lower and upper, or segments.
static void settleLife(BerthJsonReader *json, const BerthJsonObject *object,
                       const JsonBuffer *out, BerthLifetime *life) {
  bool hasSegments = object->seen >> BUFFER_SEGMENTS & 1;
  bool hasHull = (object->seen >> BUFFER_LOWER & 3) != 0;
  if (hasSegments && hasHull) {
    berthJsonFail(
        json, object->position,
        "a buffer has either 'lower' and 'upper' or 'segments', not both");
    return;
  }
  if (hasSegments)
    return;
  if (!hasHull) {
    berthJsonFail(
        json, object->position,
        "a buffer lacks its life: 'lower' and 'upper', or 'segments'");
    return;
  }
  if (berthJsonRequire(json, object, BUFFER_LOWER) &&
      berthJsonRequire(json, object, BUFFER_UPPER))
    addSegment(json, life, out->hull);
}

void berthJsonReadBuffer(BerthJsonProblem *reader, BerthLifetime *life) {
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  JsonBuffer out = {.buffer = berthBufferDefault()};
  berthLifetimeClear(life);
  berthJsonEnterObject(json, &object, "a buffer", bufferKeys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    readBufferValue(reader, (enum BufferKey)key, &out, life);
  if (berthJsonRequire(json, &object, BUFFER_SIZE))
    settleLife(json, &object, &out, life);
  if (!json->failed) {
    out.buffer.id = out.id;
    berthLifetimeLend(life, &out.buffer);
    if (!berthDocumentAddBuffer(reader->document, &out.buffer, object.position))
      berthJsonOutOfMemory(json);
  }
  free(out.id);
}
