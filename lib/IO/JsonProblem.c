//===- JsonProblem.c - JSON to problem ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Two passes: the first checks the whole text's syntax and notes where each
// top-level value stands; the second reads those values in an order in which
// every reference points backwards, whatever their order in the text.
//
//===---------------------------------------------------------------------===//

#include "IO/JsonProblem.h"
#include "IO/Memory.h"

#include <stdlib.h>
#include <string.h>

/// Arrays of one element under way, reused from one to the next.
typedef struct Scratch {
  BerthSegment *segments;
  size_t numSegments;
  size_t capSegments;
  BerthGap *gaps;
  size_t numGaps;
  size_t capGaps;
  BerthRange *ranges;
  size_t numRanges;
  size_t capRanges;
  uint32_t *cuts; ///< of all alternatives of an edge, one after the other
  size_t numCuts;
  size_t capCuts;
  BerthCutSet *alternatives;
  size_t numAlternatives;
  size_t capAlternatives;
} Scratch;

static void freeScratch(Scratch *scratch) {
  free(scratch->segments);
  free(scratch->gaps);
  free(scratch->ranges);
  free(scratch->cuts);
  free(scratch->alternatives);
}

//===---------------------------------------------------------------------===//
// References
//===---------------------------------------------------------------------===//

/// A kind of element that can be referred to.
typedef struct Kind {
  const char *what;
  size_t count;
  const char *(*idOf)(const BerthProblemData *problem, size_t index);
} Kind;

static void buildNames(const BerthProblemData *problem, const Kind *kind,
                       Names *names) {
  if (names->built)
    return;
  berthNamesBuild(names, kind->count);
  for (size_t i = 0; i < kind->count; ++i) {
    const char *id = kind->idOf(problem, i);
    if (id)
      berthNamesAdd(names, id, (uint32_t)i);
  }
}

static uint32_t readReference(JsonProblem *reader, const Kind *kind,
                              Names *names) {
  JsonReader *json = &reader->json;
  bool byIndex = jsonPeek(json) != '"';
  size_t position = json->position;
  if (byIndex) {
    if (kind->count == 0)
      jsonFail(json, position, "there is no %s to refer to", kind->what);
    return (uint32_t)jsonInteger(json, 0, (int64_t)kind->count - 1, kind->what);
  }
  uint32_t index = 0;
  buildNames(berthDocumentData(reader->document), kind, names);
  const char *name = jsonString(json, kind->what);
  if (!json->failed && !berthNamesFind(names, name, &index))
    jsonFail(json, position, "there is no %s '%.60s'", kind->what, name);
  return index;
}

static const char *bufferId(const BerthProblemData *problem, size_t index) {
  return problem->buffers[index].id;
}
static const char *cutId(const BerthProblemData *problem, size_t index) {
  return problem->cuts[index].id;
}
static const char *poolId(const BerthProblemData *problem, size_t index) {
  return problem->pools[index].id;
}

uint32_t jsonBufferReference(JsonProblem *reader) {
  const BerthProblemData *problem = berthDocumentData(reader->document);
  Kind kind = {"buffer", problem->numBuffers, bufferId};
  return readReference(reader, &kind, &reader->buffers);
}

uint32_t jsonCutReference(JsonProblem *reader) {
  const BerthProblemData *problem = berthDocumentData(reader->document);
  Kind kind = {"cut", problem->numCuts, cutId};
  return readReference(reader, &kind, &reader->cuts);
}

uint32_t jsonPoolReference(JsonProblem *reader) {
  const BerthProblemData *problem = berthDocumentData(reader->document);
  Kind kind = {"pool", problem->numPools, poolId};
  return readReference(reader, &kind, &reader->pools);
}

//===---------------------------------------------------------------------===//
// Pairs
//===---------------------------------------------------------------------===//

/// Reads [a, b].
static void readPair(JsonReader *json, const char *what, int64_t *first,
                     int64_t *second) {
  jsonPeek(json);
  size_t position = json->position;
  int64_t values[2] = {0, 0};
  size_t count = 0;
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    int64_t value = jsonInteger(json, INT64_MIN, INT64_MAX, what);
    if (count < 2)
      values[count] = value;
    ++count;
  }
  if (count != 2)
    jsonFail(json, position, "%s is a pair [from, to], not %zu numbers", what,
             count);
  *first = values[0];
  *second = values[1];
}

static void readRanges(JsonReader *json, Scratch *scratch) {
  scratch->numRanges = 0;
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    BerthRange range;
    readPair(json, "a reserved range", &range.lower, &range.upper);
    berthGrowArray(&scratch->ranges, &scratch->capRanges,
                   scratch->numRanges + 1);
    scratch->ranges[scratch->numRanges++] = range;
  }
}

static void addSegment(Scratch *scratch, BerthSegment segment) {
  berthGrowArray(&scratch->segments, &scratch->capSegments,
                 scratch->numSegments + 1);
  scratch->segments[scratch->numSegments++] = segment;
}

static void readSegments(JsonReader *json, Scratch *scratch) {
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    BerthSegment segment;
    readPair(json, "a segment", &segment.lower, &segment.upper);
    addSegment(scratch, segment);
  }
}

static void readGap(JsonReader *json, Scratch *scratch) {
  enum { LOWER, UPPER, WINDOW };
  static const char *const keys[] = {"lower", "upper", "window", NULL};
  JsonObject object;
  BerthGap gap = {0};
  jsonEnterObject(json, &object, "a gap", keys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;) {
    if (key == LOWER)
      gap.lower = jsonInteger(json, INT64_MIN, INT64_MAX, "lower");
    else if (key == UPPER)
      gap.upper = jsonInteger(json, INT64_MIN, INT64_MAX, "upper");
    else
      readPair(json, "a window", &gap.windowLower, &gap.windowUpper);
  }
  jsonRequire(json, &object, LOWER);
  jsonRequire(json, &object, UPPER);
  berthGrowArray(&scratch->gaps, &scratch->capGaps, scratch->numGaps + 1);
  scratch->gaps[scratch->numGaps++] = gap;
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
  BUFFER_POOLS
};
static const char *const bufferKeys[] = {
    "id",    "size", "lower",  "upper", "segments", "gaps", "alignment",
    "fixed", "hint", "weight", "group", "pools",    NULL};

/// One buffer under way.
typedef struct JsonBuffer {
  BerthBuffer buffer;
  BerthSegment hull; ///< of "lower" and "upper"
  char *id;
} JsonBuffer;

static uint64_t readPoolMask(JsonProblem *reader) {
  JsonReader *json = &reader->json;
  uint64_t mask = 0;
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    uint32_t pool = jsonPoolReference(reader);
    if (pool >= 64)
      jsonFail(json, json->position, "pool %u: only pools 0 to 63 can be named",
               pool);
    mask |= UINT64_C(1) << (pool & 63);
  }
  return mask;
}

static void readBufferArray(JsonProblem *reader, enum BufferKey key,
                            JsonBuffer *out, Scratch *scratch) {
  JsonReader *json = &reader->json;
  if (key == BUFFER_SEGMENTS) {
    readSegments(json, scratch);
  } else if (key == BUFFER_POOLS) {
    out->buffer.pools = readPoolMask(reader);
  } else {
    jsonEnterArray(json);
    while (jsonNextElement(json))
      readGap(json, scratch);
  }
}

static void readBufferValue(JsonProblem *reader, enum BufferKey key,
                            JsonBuffer *out, Scratch *scratch) {
  JsonReader *json = &reader->json;
  const char *what = bufferKeys[key];
  switch (key) {
  case BUFFER_ID: {
    const char *id = jsonString(json, "a string");
    out->id = berthIoCopy(id, strlen(id));
    return;
  }
  case BUFFER_SIZE:
    out->buffer.size = jsonInteger(json, 1, INT64_MAX, what);
    return;
  case BUFFER_LOWER:
    out->hull.lower = jsonInteger(json, INT64_MIN, INT64_MAX, what);
    return;
  case BUFFER_UPPER:
    out->hull.upper = jsonInteger(json, INT64_MIN, INT64_MAX, what);
    return;
  case BUFFER_ALIGNMENT:
    out->buffer.alignment = jsonInteger(json, 1, INT64_MAX, what);
    return;
  case BUFFER_FIXED:
    out->buffer.fixedOffset = jsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_HINT:
    out->buffer.hint = jsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_WEIGHT:
    out->buffer.weight = jsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_GROUP:
    out->buffer.group = jsonInteger(json, 0, INT64_MAX, what);
    return;
  case BUFFER_SEGMENTS:
  case BUFFER_GAPS:
  case BUFFER_POOLS:
    readBufferArray(reader, key, out, scratch);
    return;
  }
}

/// A life is either lower and upper, or segments.
static void settleLife(JsonReader *json, const JsonObject *object,
                       const JsonBuffer *out, Scratch *scratch) {
  bool hasSegments = object->seen >> BUFFER_SEGMENTS & 1;
  bool hasHull = (object->seen >> BUFFER_LOWER & 3) != 0;
  if (hasSegments && hasHull) {
    jsonFail(json, object->position,
             "a buffer has either 'lower' and 'upper' or 'segments', not both");
    return;
  }
  if (hasSegments)
    return;
  if (!hasHull) {
    jsonFail(json, object->position,
             "a buffer lacks its life: 'lower' and 'upper', or 'segments'");
    return;
  }
  if (jsonRequire(json, object, BUFFER_LOWER) &&
      jsonRequire(json, object, BUFFER_UPPER))
    addSegment(scratch, out->hull);
}

static void readBuffer(JsonProblem *reader, Scratch *scratch) {
  JsonReader *json = &reader->json;
  JsonObject object;
  JsonBuffer out = {.buffer = berthBufferDefault()};
  scratch->numSegments = 0;
  scratch->numGaps = 0;
  jsonEnterObject(json, &object, "a buffer", bufferKeys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;)
    readBufferValue(reader, (enum BufferKey)key, &out, scratch);
  if (jsonRequire(json, &object, BUFFER_SIZE))
    settleLife(json, &object, &out, scratch);
  if (!json->failed) {
    out.buffer.id = out.id;
    out.buffer.segments = scratch->segments;
    out.buffer.numSegments = scratch->numSegments;
    out.buffer.gaps = scratch->gaps;
    out.buffer.numGaps = scratch->numGaps;
    berthDocumentAddBuffer(reader->document, &out.buffer, object.position);
  }
  free(out.id);
}

//===---------------------------------------------------------------------===//
// Edges, cuts, pools
//===---------------------------------------------------------------------===//

/// Reads [[cut, ...], ...].
static void readAlternatives(JsonProblem *reader, Scratch *scratch) {
  JsonReader *json = &reader->json;
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    BerthCutSet set = {0};
    jsonEnterArray(json);
    for (; jsonNextElement(json); ++set.numCuts) {
      uint32_t cut = jsonCutReference(reader);
      berthGrowArray(&scratch->cuts, &scratch->capCuts, scratch->numCuts + 1);
      scratch->cuts[scratch->numCuts++] = cut;
    }
    berthGrowArray(&scratch->alternatives, &scratch->capAlternatives,
                   scratch->numAlternatives + 1);
    scratch->alternatives[scratch->numAlternatives++] = set;
  }
  // Only now do the cuts no longer move.
  for (size_t i = 0, start = 0; i < scratch->numAlternatives; ++i) {
    scratch->alternatives[i].cuts = scratch->cuts + start;
    start += scratch->alternatives[i].numCuts;
  }
}

static void readBetween(JsonProblem *reader, BerthEdge *edge) {
  JsonReader *json = &reader->json;
  jsonPeek(json);
  size_t position = json->position;
  uint32_t ends[2] = {0, 0};
  size_t count = 0;
  jsonEnterArray(json);
  for (; jsonNextElement(json); ++count)
    ends[count & 1] = jsonBufferReference(reader);
  if (count != 2)
    jsonFail(json, position, "'between' names two buffers, not %zu", count);
  edge->first = ends[0];
  edge->second = ends[1];
}

static void readEdge(JsonProblem *reader, Scratch *scratch) {
  enum { BETWEEN, UNLESS };
  static const char *const keys[] = {"between", "unless", NULL};
  JsonReader *json = &reader->json;
  JsonObject object;
  BerthEdge edge = {0};
  scratch->numCuts = 0;
  scratch->numAlternatives = 0;
  jsonEnterObject(json, &object, "an edge", keys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;) {
    if (key == BETWEEN)
      readBetween(reader, &edge);
    else
      readAlternatives(reader, scratch);
  }
  if (!jsonRequire(json, &object, BETWEEN))
    return;
  edge.numAlternatives = scratch->numAlternatives;
  edge.alternatives = scratch->alternatives;
  berthProblemAddEdge(reader->document->problem, &edge);
}

/// Reads the id of a cut or a pool; the caller frees it.
static char *readOwnedId(JsonReader *json) {
  const char *id = jsonString(json, "a string");
  return berthIoCopy(id, strlen(id));
}

static void readCut(JsonProblem *reader) {
  enum { ID, PRICE };
  static const char *const keys[] = {"id", "price", NULL};
  JsonReader *json = &reader->json;
  JsonObject object;
  int64_t price = 0;
  char *id = NULL;
  jsonEnterObject(json, &object, "a cut", keys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;) {
    if (key == ID)
      id = readOwnedId(json);
    else
      price = jsonInteger(json, 0, INT64_MAX, "price");
  }
  if (jsonRequire(json, &object, PRICE))
    berthProblemAddCut(reader->document->problem, &(BerthCut){id, price});
  free(id);
}

static void readPool(JsonProblem *reader, Scratch *scratch) {
  enum { ID, CAPACITY, COST, RESERVED };
  static const char *const keys[] = {"id", "capacity", "cost", "reserved",
                                     NULL};
  JsonReader *json = &reader->json;
  JsonObject object;
  BerthPool pool = {0};
  char *id = NULL;
  scratch->numRanges = 0;
  jsonEnterObject(json, &object, "a pool", keys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;) {
    if (key == ID)
      id = readOwnedId(json);
    else if (key == CAPACITY)
      pool.capacity = jsonInteger(json, 0, INT64_MAX, "capacity");
    else if (key == COST)
      pool.cost = jsonInteger(json, 0, INT64_MAX, "cost");
    else
      readRanges(json, scratch);
  }
  if (!json->failed) {
    pool.id = id;
    pool.numReserved = scratch->numRanges;
    pool.reserved = scratch->ranges;
    berthProblemAddPool(reader->document->problem, &pool);
  }
  free(id);
}

//===---------------------------------------------------------------------===//
// The document
//===---------------------------------------------------------------------===//

/// In the order in which they are read.
enum Section {
  SECTION_BERTH,
  SECTION_CAPACITY,
  SECTION_RESERVED,
  SECTION_POOLS,
  SECTION_CUTS,
  SECTION_BUFFERS,
  SECTION_EDGES,
  SECTION_PLAN,
  NUM_SECTIONS
};
static const char *const sectionKeys[] = {"berth", "capacity", "reserved",
                                          "pools", "cuts",     "buffers",
                                          "edges", "plan",     NULL};

static void readElements(JsonProblem *reader, enum Section section,
                         Scratch *scratch) {
  JsonReader *json = &reader->json;
  jsonEnterArray(json);
  while (jsonNextElement(json)) {
    if (section == SECTION_POOLS)
      readPool(reader, scratch);
    else if (section == SECTION_CUTS)
      readCut(reader);
    else if (section == SECTION_BUFFERS)
      readBuffer(reader, scratch);
    else
      readEdge(reader, scratch);
  }
}

static void readReserved(JsonProblem *reader, Scratch *scratch) {
  readRanges(&reader->json, scratch);
  for (size_t i = 0; i < scratch->numRanges; ++i)
    berthProblemAddReserved(reader->document->problem, scratch->ranges[i]);
}

static void readSection(JsonProblem *reader, enum Section section,
                        Scratch *scratch) {
  JsonReader *json = &reader->json;
  switch (section) {
  case SECTION_BERTH:
    jsonInteger(json, 1, 1, "format version");
    return;
  case SECTION_CAPACITY:
    berthProblemSetCapacity(reader->document->problem,
                            jsonInteger(json, 0, INT64_MAX, "capacity"));
    return;
  case SECTION_RESERVED:
    readReserved(reader, scratch);
    return;
  case SECTION_PLAN:
    jsonReadPlan(reader);
    return;
  default:
    readElements(reader, section, scratch);
  }
}

/// Notes where the values stand; SIZE_MAX for those not there.
static void findSections(JsonReader *json, size_t positions[NUM_SECTIONS]) {
  JsonObject object;
  for (int i = 0; i < NUM_SECTIONS; ++i)
    positions[i] = SIZE_MAX;
  jsonEnterObject(json, &object, "the document", sectionKeys);
  for (int key; (key = jsonNextKey(json, &object)) >= 0;) {
    jsonPeek(json);
    positions[key] = json->position;
    jsonSkip(json);
  }
  jsonExpectEnd(json);
  jsonRequire(json, &object, SECTION_BUFFERS);
}

BerthStatus berthJsonParse(BerthDocument *document, BerthError *error) {
  JsonProblem reader = {.document = document};
  Scratch scratch = {0};
  size_t positions[NUM_SECTIONS];
  jsonStart(&reader.json, berthDocumentText(document), error);
  findSections(&reader.json, positions);
  for (int i = 0; i < NUM_SECTIONS && !reader.json.failed; ++i) {
    if (positions[i] == SIZE_MAX)
      continue;
    reader.json.position = positions[i];
    reader.json.depth = 1;
    readSection(&reader, (enum Section)i, &scratch);
  }
  berthNamesFree(&reader.buffers);
  berthNamesFree(&reader.cuts);
  berthNamesFree(&reader.pools);
  freeScratch(&scratch);
  return jsonFinish(&reader.json);
}
