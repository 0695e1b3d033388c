//===- JsonPlan.c - JSON to plan ------------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Only offsets must be there: the document computes what follows from them
// where the text does not state it. Where it does, the verifier compares.
//
//===---------------------------------------------------------------------===//

#include "IO/Json/JsonPlan.h"
#include "IO/Text/Words.h"
#include "Support/Allocate.h"

#include <stdlib.h>
#include <string.h>

enum PlanKey {
  PLAN_PACKER,
  PLAN_STATUS,
  PLAN_STOPPED,
  PLAN_PROVEN,
  PLAN_PEAK,
  PLAN_LOAD,
  PLAN_LOWER_BOUND,
  PLAN_BOUND,
  PLAN_PRICE,
  PLAN_POOL_COST,
  PLAN_HINT_DISTANCE,
  PLAN_STEPS,
  PLAN_OFFSETS,
  PLAN_POOLS,
  PLAN_CUTS,
  PLAN_CONFLICT,
  PLAN_CONFLICT_IRREDUCIBLE
};
static const char *const planKeys[] = {"packer",
                                       "status",
                                       "stopped",
                                       "proven",
                                       "peak",
                                       "load",
                                       "lower_bound",
                                       "bound",
                                       "price",
                                       "pool_cost",
                                       "hint_distance",
                                       "steps",
                                       "offsets",
                                       "pools",
                                       "cuts",
                                       "conflict",
                                       "conflict_irreducible",
                                       NULL};

enum BoundKey { BOUND_REASON, BOUND_FROM, BOUND_TO, BOUND_BUFFERS };
static const char *const boundKeys[] = {"reason", "from", "to", "buffers",
                                        NULL};

static const char *statusName(int index) {
  return berthPlanStatusName((BerthPlanStatus)index);
}
static const char *stopName(int index) {
  return berthStopReasonName((BerthStopReason)index);
}

static const char *boundName(int index) {
  return berthBoundReasonName((BerthBoundReason)index);
}

static uint32_t readLevels(BerthJsonReader *json) {
  uint32_t levels = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json))
    levels |= 1u << berthJsonWord(json, "level", berthLevelName, 4);
  return levels;
}

static void failCount(BerthJsonReader *json, size_t position, const char *what,
                      size_t count, size_t expected) {
  if (count != expected)
    berthJsonFail(json, position, "%zu %s for %zu buffers: each buffer has one",
                  count, what, expected);
}

static void readOffsets(BerthJsonReader *json, BerthPlan *plan) {
  berthJsonPeek(json);
  size_t position = json->position;
  size_t count = 0;
  berthJsonEnterArray(json);
  for (; berthJsonNextElement(json); ++count) {
    int64_t offset = berthJsonInteger(json, 0, INT64_MAX, "an offset");
    if (count < plan->numBuffers)
      plan->offsets[count] = offset;
  }
  failCount(json, position, "offsets", count, plan->numBuffers);
}

static void readPools(BerthJsonProblem *reader, BerthPlan *plan) {
  BerthJsonReader *json = &reader->json;
  berthJsonPeek(json);
  size_t position = json->position;
  size_t count = 0;
  berthJsonEnterArray(json);
  for (; berthJsonNextElement(json); ++count) {
    uint32_t pool = berthJsonPoolReference(reader);
    if (count < plan->numBuffers)
      plan->pools[count] = pool;
  }
  failCount(json, position, "pools", count, plan->numBuffers);
}

static void readCuts(BerthJsonProblem *reader, BerthPlan *plan) {
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    uint32_t cut = berthJsonCutReference(reader);
    if (!reader->json.failed)
      plan->cutsBought[cut] = 1;
  }
}

/// Reads a list of buffers in place of `*list`.
static void readBuffers(BerthJsonProblem *reader, uint32_t **list,
                        size_t *count) {
  size_t capacity = 0;
  free(*list);
  *list = NULL;
  *count = 0;
  berthJsonEnterArray(&reader->json);
  while (berthJsonNextElement(&reader->json)) {
    uint32_t buffer = berthJsonBufferReference(reader);
    if (berthReserve(list, &capacity, *count + 1))
      (*list)[(*count)++] = buffer;
    else
      berthJsonOutOfMemory(&reader->json);
  }
}

static void readBound(BerthJsonProblem *reader, BerthPlan *plan) {
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  berthJsonEnterObject(json, &object, "the bound", boundKeys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    if (key == BOUND_REASON)
      plan->boundReason = (BerthBoundReason)berthJsonWord(
          json, "reason", boundName, BERTH_BOUND_STATED + 1);
    else if (key == BOUND_FROM)
      plan->boundFrom = berthJsonInteger(json, INT64_MIN, INT64_MAX, "from");
    else if (key == BOUND_TO)
      plan->boundTo = berthJsonInteger(json, INT64_MIN, INT64_MAX, "to");
    else
      readBuffers(reader, &plan->boundBuffers, &plan->numBoundBuffers);
  berthJsonRequire(json, &object, BOUND_REASON);
}

/// The fields of the plan that are plain figures.
static int64_t *findFigure(BerthPlan *plan, enum PlanKey key) {
  switch (key) {
  case PLAN_PEAK:
    return &plan->peak;
  case PLAN_LOAD:
    return &plan->load;
  case PLAN_LOWER_BOUND:
    return &plan->lowerBound;
  case PLAN_PRICE:
    return &plan->price;
  case PLAN_POOL_COST:
    return &plan->poolCost;
  case PLAN_HINT_DISTANCE:
    return &plan->hintDistance;
  default:
    return NULL;
  }
}

static void readPackerName(BerthJsonProblem *reader) {
  BerthDocument *document = reader->document;
  free(document->packerName);
  document->packerName = berthJsonCopyString(&reader->json, "a string");
  document->plan.packer = document->packerName;
}

static void readPlanValue(BerthJsonProblem *reader, enum PlanKey key,
                          BerthPlan *plan) {
  BerthJsonReader *json = &reader->json;
  int64_t *figure = findFigure(plan, key);
  if (figure)
    *figure = berthJsonInteger(json, 0, INT64_MAX, planKeys[key]);
  else if (key == PLAN_PACKER)
    readPackerName(reader);
  else if (key == PLAN_STATUS)
    plan->status =
        (BerthPlanStatus)berthJsonWord(json, "status", statusName, 4);
  else if (key == PLAN_STOPPED)
    plan->stopped = (BerthStopReason)berthJsonWord(json, "reason", stopName, 6);
  else if (key == PLAN_PROVEN)
    plan->provenLevels = readLevels(json);
  else if (key == PLAN_STEPS)
    plan->steps = (uint64_t)berthJsonInteger(json, 0, INT64_MAX, "steps");
  else if (key == PLAN_OFFSETS)
    readOffsets(json, plan);
  else if (key == PLAN_POOLS)
    readPools(reader, plan);
  else if (key == PLAN_CUTS)
    readCuts(reader, plan);
  else if (key == PLAN_CONFLICT)
    readBuffers(reader, &plan->conflict, &plan->numConflict);
  else if (key == PLAN_BOUND)
    readBound(reader, plan);
  else
    plan->conflictIrreducible = berthJsonBoolean(json, planKeys[key]);
}

void berthJsonReadPlan(BerthJsonProblem *reader) {
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  if (!berthDocumentStartPlan(reader->document)) {
    berthJsonOutOfMemory(json);
    return;
  }
  BerthPlan *plan = &reader->document->plan;
  berthJsonEnterObject(json, &object, "the plan", planKeys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;)
    readPlanValue(reader, (enum PlanKey)key, plan);
  berthJsonRequire(json, &object, PLAN_OFFSETS);
}
