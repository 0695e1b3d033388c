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

#include "IO/Json/JsonProblem.h"
#include "IO/Json/JsonBuffer.h"
#include "IO/Json/JsonFit.h"
#include "IO/Json/JsonPlan.h"
#include "IO/Json/JsonReferences.h"
#include "Support/Allocate.h"

#include <stdlib.h>

/// Arrays of one element under way, reused from one to the next.
typedef struct JsonScratch {
  BerthLifetime life;
  BerthRange *ranges;
  size_t numRanges;
  size_t capRanges;
  uint32_t *cuts; ///< of all alternatives of an edge, one after the other
  size_t numCuts;
  size_t capCuts;
  BerthCutSet *alternatives;
  size_t numAlternatives;
  size_t capAlternatives;
} JsonScratch;

static void freeScratch(JsonScratch *scratch) {
  berthLifetimeFree(&scratch->life);
  free(scratch->ranges);
  free(scratch->cuts);
  free(scratch->alternatives);
}

//===---------------------------------------------------------------------===//
// Edges, cuts, pools
//===---------------------------------------------------------------------===//

static void readRanges(BerthJsonReader *json, JsonScratch *scratch) {
  scratch->numRanges = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    BerthRange range;
    berthJsonReadPair(json, "a reserved range", &range.lower, &range.upper);
    if (berthReserve(&scratch->ranges, &scratch->capRanges,
                     scratch->numRanges + 1))
      scratch->ranges[scratch->numRanges++] = range;
    else
      berthJsonOutOfMemory(json);
  }
}

/// Reads [[cut, ...], ...].
static void readAlternatives(BerthJsonProblem *reader, JsonScratch *scratch) {
  BerthJsonReader *json = &reader->json;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    BerthCutSet set = {0};
    berthJsonEnterArray(json);
    while (berthJsonNextElement(json)) {
      uint32_t cut = berthJsonCutReference(reader);
      if (!berthReserve(&scratch->cuts, &scratch->capCuts,
                        scratch->numCuts + 1)) {
        berthJsonOutOfMemory(json);
        return;
      }
      scratch->cuts[scratch->numCuts++] = cut;
      ++set.numCuts;
    }
    if (!berthReserve(&scratch->alternatives, &scratch->capAlternatives,
                      scratch->numAlternatives + 1)) {
      berthJsonOutOfMemory(json);
      return;
    }
    scratch->alternatives[scratch->numAlternatives++] = set;
  }
  // Only now do the cuts no longer move.
  for (size_t i = 0, start = 0; i < scratch->numAlternatives; ++i) {
    scratch->alternatives[i].cuts = scratch->cuts + start;
    start += scratch->alternatives[i].numCuts;
  }
}

static void readBetween(BerthJsonProblem *reader, uint32_t ends[2]) {
  BerthJsonReader *json = &reader->json;
  berthJsonPeek(json);
  size_t position = json->position;
  size_t count = 0;
  berthJsonEnterArray(json);
  for (; berthJsonNextElement(json); ++count)
    ends[count & 1] = berthJsonBufferReference(reader);
  if (count != 2)
    berthJsonFail(json, position, "'between' names two buffers, not %zu",
                  count);
}

static void readEdge(BerthJsonProblem *reader, JsonScratch *scratch) {
  enum { BETWEEN, UNLESS };
  static const char *const keys[] = {"between", "unless", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthEdge edge = {0};
  uint32_t ends[2] = {0, 0};
  scratch->numCuts = 0;
  scratch->numAlternatives = 0;
  berthJsonEnterObject(json, &object, "an edge", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == BETWEEN)
      readBetween(reader, ends);
    else
      readAlternatives(reader, scratch);
  }
  if (!berthJsonRequire(json, &object, BETWEEN) || json->failed)
    return;
  edge.first = ends[0];
  edge.second = ends[1];
  edge.numAlternatives = scratch->numAlternatives;
  edge.alternatives = scratch->alternatives;
  if (berthProblemAddEdge(reader->document->problem, &edge) == UINT32_MAX)
    berthJsonOutOfMemory(json);
}

static void readDistance(BerthJsonProblem *reader) {
  enum { BETWEEN, LOWER, UPPER };
  static const char *const keys[] = {"between", "lower", "upper", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthDistance distance = {0};
  uint32_t ends[2] = {0, 0};
  berthJsonEnterObject(json, &object, "a distance", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == BETWEEN)
      readBetween(reader, ends);
    else if (key == LOWER)
      distance.lower = berthJsonInteger(json, -INT64_MAX, INT64_MAX, "lower");
    else
      distance.upper = berthJsonInteger(json, -INT64_MAX, INT64_MAX, "upper");
  }
  for (int key = BETWEEN; key <= UPPER; ++key)
    if (!berthJsonRequire(json, &object, key))
      return;
  if (json->failed)
    return;
  distance.first = ends[0];
  distance.second = ends[1];
  if (berthProblemAddDistance(reader->document->problem, &distance) ==
      UINT32_MAX)
    berthJsonOutOfMemory(json);
}

static void readCut(BerthJsonProblem *reader) {
  enum { ID, PRICE };
  static const char *const keys[] = {"id", "price", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  int64_t price = 0;
  char *id = NULL;
  berthJsonEnterObject(json, &object, "a cut", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == ID)
      id = berthJsonCopyString(json, "a string");
    else
      price = berthJsonInteger(json, 0, INT64_MAX, "price");
  }
  if (berthJsonRequire(json, &object, PRICE) &&
      berthProblemAddCut(reader->document->problem, &(BerthCut){id, price}) ==
          UINT32_MAX)
    berthJsonOutOfMemory(json);
  free(id);
}

static void readPool(BerthJsonProblem *reader, JsonScratch *scratch) {
  enum { ID, CAPACITY, COST, RESERVED };
  static const char *const keys[] = {"id", "capacity", "cost", "reserved",
                                     NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthPool pool = {0};
  char *id = NULL;
  scratch->numRanges = 0;
  berthJsonEnterObject(json, &object, "a pool", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == ID)
      id = berthJsonCopyString(json, "a string");
    else if (key == CAPACITY)
      pool.capacity = berthJsonInteger(json, 0, INT64_MAX, "capacity");
    else if (key == COST)
      pool.cost = berthJsonInteger(json, 0, INT64_MAX, "cost");
    else
      readRanges(json, scratch);
  }
  if (!json->failed) {
    pool.id = id;
    pool.numReserved = scratch->numRanges;
    pool.reserved = scratch->ranges;
    if (berthProblemAddPool(reader->document->problem, &pool) == UINT32_MAX)
      berthJsonOutOfMemory(json);
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
  SECTION_DISTANCES,
  SECTION_PLAN,
  SECTION_FIT,
  NUM_SECTIONS
};
static const char *const sectionKeys[] = {
    "berth", "capacity",  "reserved", "pools", "cuts", "buffers",
    "edges", "distances", "plan",     "fit",   NULL};

static void readElements(BerthJsonProblem *reader, enum Section section,
                         JsonScratch *scratch) {
  BerthJsonReader *json = &reader->json;
  size_t start = json->position;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    if (section == SECTION_POOLS)
      readPool(reader, scratch);
    else if (section == SECTION_CUTS)
      readCut(reader);
    else if (section == SECTION_BUFFERS)
      berthJsonReadBuffer(reader, &scratch->life);
    else if (section == SECTION_EDGES)
      readEdge(reader, scratch);
    else
      readDistance(reader);
  }
  if (section == SECTION_POOLS)
    berthJsonCheckPoolIds(reader, start);
  else if (section == SECTION_CUTS)
    berthJsonCheckCutIds(reader, start);
}

static void readReserved(BerthJsonProblem *reader, JsonScratch *scratch) {
  readRanges(&reader->json, scratch);
  for (size_t i = 0; i < scratch->numRanges; ++i)
    berthProblemAddReserved(reader->document->problem, scratch->ranges[i]);
}

static void readSection(BerthJsonProblem *reader, enum Section section,
                        JsonScratch *scratch) {
  BerthJsonReader *json = &reader->json;
  switch (section) {
  case SECTION_BERTH:
    berthJsonInteger(json, 1, 1, "format version");
    return;
  case SECTION_CAPACITY:
    berthProblemSetCapacity(reader->document->problem,
                            berthJsonInteger(json, 0, INT64_MAX, "capacity"));
    return;
  case SECTION_RESERVED:
    readReserved(reader, scratch);
    return;
  case SECTION_PLAN:
    berthJsonReadPlan(reader);
    return;
  case SECTION_FIT:
    berthJsonReadFit(reader);
    return;
  default:
    readElements(reader, section, scratch);
  }
}

/// Notes where the values stand; SIZE_MAX for those not there.
static void findSections(BerthJsonReader *json,
                         size_t positions[NUM_SECTIONS]) {
  BerthJsonObject object;
  for (int i = 0; i < NUM_SECTIONS; ++i)
    positions[i] = SIZE_MAX;
  berthJsonEnterObject(json, &object, "the document", sectionKeys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    berthJsonPeek(json);
    positions[key] = json->position;
    berthJsonSkip(json);
  }
  berthJsonExpectEnd(json);
  berthJsonRequire(json, &object, SECTION_BUFFERS);
}

BerthStatus berthJsonParse(BerthDocument *document, BerthError *error) {
  BerthJsonProblem reader = {.document = document};
  JsonScratch scratch = {0};
  size_t positions[NUM_SECTIONS];
  berthJsonStart(&reader.json, berthDocumentText(document), error);
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
  return berthJsonFinish(&reader.json);
}
