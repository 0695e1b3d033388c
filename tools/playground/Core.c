//===- Core.c - What the playground asks of the packing core --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One problem and one plan, kept here. A call takes its text from the room that
// playgroundRoom gave, and leaves its answer, or what went wrong, as text that
// playgroundText and playgroundLength tell. It returns a BerthStatus.
//
// Whatever the page shows as checked went through berthPlanVerify, the verifier
// of every plan.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // open_memstream

#include "IO/Pictures/Page.h"
#include "IO/Text/Escape.h"
#include "Pack/Problem/Plan.h"
#include "Support/Allocate.h"
#include "Support/Bytes.h"
#include "Support/Messages.h"
#include "berth-c/Generate.h"
#include "berth-c/IO.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static BerthDocument *document;
static BerthPlan plan; ///< for the document's problem, once there is one
static char packerName[64];

static char *room;
static char *answer;
static size_t answerLength;

static const BerthProblemData *getProblem(void) {
  return berthProblemGetData(berthDocumentGetProblem(document));
}

//===---------------------------------------------------------------------===//
// Texts in and out
//===---------------------------------------------------------------------===//

/// Where the page puts `length` bytes of text; NULL if out of memory.
char *EXPORT(playgroundRoom)(size_t length) {
  free(room);
  room = malloc(length + 1);
  if (room)
    room[length] = '\0';
  return room;
}

const char *EXPORT(playgroundText)(void) { return answer; }
size_t EXPORT(playgroundLength)(void) { return answerLength; }

static FILE *startAnswer(void) {
  free(answer);
  answer = NULL;
  answerLength = 0;
  return open_memstream(&answer, &answerLength);
}

/// The answer is what was written, or the error where there is one.
static BerthStatus endAnswer(FILE *stream, BerthStatus status,
                             const BerthError *error) {
  bool isWhole = stream && !ferror(stream);
  isWhole = stream && fclose(stream) == 0 && isWhole;
  if (status == BERTH_SUCCESS && isWhole)
    return BERTH_SUCCESS;
  stream = startAnswer();
  if (!stream)
    return BERTH_RESOURCE;
  if (status == BERTH_SUCCESS)
    fputs("out of memory", stream);
  else if (error->line)
    fprintf(stream, "line %" PRIu64 ", column %" PRIu64 ": %s", error->line,
            error->column, error->message);
  else
    fputs(error->message, stream);
  fputs(berthMessageNumber(error->message), stream);
  fclose(stream);
  return status == BERTH_SUCCESS ? BERTH_RESOURCE : status;
}

static BerthStatus say(BerthStatus status, const BerthError *error) {
  return endAnswer(startAnswer(), status, error);
}

//===---------------------------------------------------------------------===//
// Problems
//===---------------------------------------------------------------------===//

static BerthStatus takePlan(const BerthPlan *given, BerthError *error) {
  BerthPlan taken;
  BerthStatus status = berthPlanInit(&taken, getProblem(), error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthPlan owned = taken;
  taken = *given;
  taken.offsets = owned.offsets;
  taken.pools = owned.pools;
  taken.cutsBought = owned.cutsBought;
  taken.conflict = berthZeroed(given->numConflict, sizeof *taken.conflict);
  taken.boundBuffers =
      berthZeroed(given->numBoundBuffers, sizeof *taken.boundBuffers);
  if (!taken.conflict || !taken.boundBuffers) {
    berthPlanFree(&taken);
    return berthOutOfMemory(error);
  }
  if (given->numBoundBuffers)
    memcpy(taken.boundBuffers, given->boundBuffers,
           given->numBoundBuffers * sizeof *taken.boundBuffers);
  if (given->numConflict)
    memcpy(taken.conflict, given->conflict,
           given->numConflict * sizeof *taken.conflict);
  memcpy(taken.offsets, given->offsets,
         given->numBuffers * sizeof *given->offsets);
  memcpy(taken.pools, given->pools, given->numBuffers * sizeof *given->pools);
  if (given->numCuts)
    memcpy(taken.cutsBought, given->cutsBought, given->numCuts);
  snprintf(packerName, sizeof packerName, "%s",
           given->packer ? given->packer : "");
  taken.packer = packerName;
  berthPlanFree(&plan);
  plan = taken;
  return BERTH_SUCCESS;
}

static bool isOver(const BerthProblemData *problem) {
  return problem->numPools == 0 && problem->capacity > 0 &&
         plan.peak > problem->capacity;
}

/// Computes the figures of a plan that no packer of ours has made.
static BerthStatus measure(bool keepsBound, const char *packer,
                           BerthError *error) {
  const BerthProblemData *problem = getProblem();
  BerthFigures figures = berthPlanMeasure(problem, &plan);
  plan.load = berthProblemLoad(problem, NULL);
  if (plan.load == BERTH_NONE)
    return berthOutOfMemory(error);
  plan.peak = figures.peak;
  plan.price = figures.price;
  plan.poolCost = figures.poolCost;
  plan.hintDistance = figures.hintDistance;
  if (!keepsBound || plan.lowerBound < plan.load) {
    plan.lowerBound = plan.load;
    plan.boundReason = BERTH_BOUND_LOAD;
    plan.boundFrom = plan.boundTo = 0;
    plan.numBoundBuffers = 0;
  }
  plan.provenLevels = 0;
  plan.status = isOver(problem) ? BERTH_PLAN_BUDGET : BERTH_PLAN_FEASIBLE;
  plan.stopped = BERTH_STOP_EXHAUSTED;
  plan.steps = 0;
  plan.numConflict = 0;
  plan.packer = packer;
  return BERTH_SUCCESS;
}

/// Above all that is reserved or pinned; capacities aside, what comes there is
/// in nobody's way.
static int64_t highestBound(const BerthProblemData *problem) {
  int64_t top = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    if (buffer->fixedOffset != BERTH_NONE &&
        buffer->fixedOffset + buffer->size > top)
      top = buffer->fixedOffset + buffer->size;
  }
  for (size_t i = 0; i < problem->numReserved; ++i)
    top = problem->reserved[i].upper > top ? problem->reserved[i].upper : top;
  for (size_t p = 0; p < problem->numPools; ++p)
    for (size_t i = 0; i < problem->pools[p].numReserved; ++i)
      if (problem->pools[p].reserved[i].upper > top)
        top = problem->pools[p].reserved[i].upper;
  return top;
}

/// Each buffer in bytes of its own, as it is before anybody plans.
static BerthStatus spread(BerthError *error) {
  const BerthProblemData *problem = getProblem();
  berthPlanFree(&plan);
  BerthStatus status = berthPlanInit(&plan, problem, error);
  if (status != BERTH_SUCCESS)
    return status;
  int64_t top = highestBound(problem);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t over = top % buffer->alignment;
    plan.offsets[i] = buffer->fixedOffset != BERTH_NONE
                          ? buffer->fixedOffset
                          : top + (over ? buffer->alignment - over : 0);
    plan.pools[i] =
        buffer->pools ? (uint32_t)__builtin_ctzll(buffer->pools) : 0;
    for (size_t k = 0; buffer->group != BERTH_NONE && k < i; ++k)
      if (problem->buffers[k].group == buffer->group)
        plan.offsets[i] = plan.offsets[k];
    if (plan.offsets[i] + buffer->size > top)
      top = plan.offsets[i] + buffer->size;
  }
  return measure(false, "none", error);
}

/// Reads the room. Where it holds no plan, each buffer gets bytes of its own.
/// Offsets of a CSV are a plan if each row has one, else pins.
BerthStatus EXPORT(playgroundOpen)(size_t length) {
  BerthError error = {0};
  BerthDocument *opened;
  BerthStatus status = berthDocumentParse(
      room, length, &(BerthReadOptions){.offsetsArePlan = true}, &opened,
      &error);
  if (status == BERTH_INVALID)
    status = berthDocumentParse(room, length, NULL, &opened, &error);
  if (status != BERTH_SUCCESS)
    return say(status, &error);
  berthDocumentDestroy(document);
  document = opened;
  const BerthPlan *given = berthDocumentGetPlan(document);
  return say(given ? takePlan(given, &error) : spread(&error), &error);
}

/// Takes the plan of the JSON in the room, which is for the same buffers, and
/// the capacity that it was made for.
BerthStatus EXPORT(playgroundTakePlan)(size_t length) {
  BerthError error = {0};
  BerthDocument *other;
  BerthStatus status = berthDocumentParse(room, length, NULL, &other, &error);
  if (status != BERTH_SUCCESS)
    return say(status, &error);
  const BerthPlan *given = berthDocumentGetPlan(other);
  if (!given || given->numBuffers != getProblem()->numBuffers ||
      given->numCuts != getProblem()->numCuts)
    status = berthErrorSet(&error, BERTH_INVALID,
                           "the plan is not for these buffers");
  else
    status = takePlan(given, &error);
  if (status == BERTH_SUCCESS)
    berthProblemSetCapacity(
        berthDocumentGetProblem(document),
        berthProblemGetData(berthDocumentGetProblem(other))->capacity);
  berthDocumentDestroy(other);
  return say(status, &error);
}

BerthStatus EXPORT(playgroundGenerate)(uint32_t count, uint64_t seed) {
  BerthError error = {0};
  size_t family = berthFamilyFind(room);
  FILE *stream = startAnswer();
  if (family == SIZE_MAX || count == 0)
    return endAnswer(stream,
                     berthErrorSet(&error, BERTH_INVALID,
                                   "there is no family '%.60s'", room),
                     &error);
  BerthProblem *problem = berthGenerate(family, count, seed, NULL);
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthStatus status = data ? berthWriteCsv(stream, data, NULL, &error)
                            : berthOutOfMemory(&error);
  berthProblemDestroy(problem);
  return endAnswer(stream, status, &error);
}

/// 0: none.
int64_t EXPORT(playgroundCapacity)(void) { return getProblem()->capacity; }

/// The room holds the bytes as --capacity takes them, or nothing for none.
BerthStatus EXPORT(playgroundSetCapacity)(void) {
  BerthError error = {0};
  BerthStatus status = BERTH_SUCCESS;
  int64_t capacity = 0;
  if (*room && !berthParseBytes(room, &capacity))
    status = berthErrorSet(&error, BERTH_INVALID, "capacity '%.60s': %s", room,
                           berthBytesComplaint(room));
  else
    berthProblemSetCapacity(berthDocumentGetProblem(document), capacity);
  return say(status, &error);
}

/// What of a buffer can be changed by hand.
enum { CHANGE_SIZE, CHANGE_ALIGNMENT, CHANGE_LOWER, CHANGE_UPPER };

/// The problem as JSON with one number of a buffer changed; the first start
/// and the last end of a life that has holes. The plan stays as it is.
BerthStatus EXPORT(playgroundChange)(uint32_t index, int field, int64_t value) {
  BerthError error = {0};
  BerthProblemData changed = *getProblem();
  BerthBuffer *buffers =
      berthZeroed(changed.numBuffers, sizeof *changed.buffers);
  BerthBuffer *buffer = buffers ? &buffers[index] : NULL;
  size_t count = changed.buffers[index].numSegments;
  BerthSegment *segments = berthZeroed(count, sizeof *segments);
  FILE *stream = startAnswer();
  BerthStatus status = berthOutOfMemory(&error);
  if (buffers && segments) {
    memcpy(buffers, changed.buffers, changed.numBuffers * sizeof *buffers);
    memcpy(segments, buffer->segments, count * sizeof *segments);
    buffer->segments = segments;
    *(field == CHANGE_SIZE        ? &buffer->size
      : field == CHANGE_ALIGNMENT ? &buffer->alignment
      : field == CHANGE_LOWER     ? &segments[0].lower
                                  : &segments[count - 1].upper) = value;
    changed.buffers = buffers;
    status = berthProblemCheck(&changed, NULL, &error);
  }
  if (status == BERTH_SUCCESS)
    status = berthWriteJson(stream, &changed, &plan, &error);
  free(buffers);
  free(segments);
  return endAnswer(stream, status, &error);
}

//===---------------------------------------------------------------------===//
// Plans
//===---------------------------------------------------------------------===//

__attribute__((import_module("page"), import_name("progress"))) void
pageProgress(double bestPeak, double lowerBound, double steps);

static void showProgress(void *userData, int64_t bestPeak, int64_t lowerBound,
                         uint64_t steps) {
  (void)userData;
  pageProgress((double)bestPeak, (double)lowerBound, (double)steps);
}

/// The room holds the packer's name. 0 steps: the packer's own budget.
BerthStatus EXPORT(playgroundPack)(uint64_t steps, uint64_t seed,
                                   bool minimize) {
  BerthError error = {0};
  BerthPackOptions options = {.packer = room,
                              .steps = steps,
                              .seed = seed,
                              .minimize = minimize,
                              .progress = showProgress};
  BerthPlan packed;
  BerthStatus status = berthPack(getProblem(), &options, &packed, &error);
  if (status == BERTH_SUCCESS) {
    berthPlanFree(&plan);
    plan = packed;
  }
  return say(status, &error);
}

/// One number a buffer, for the page to read and to change.
int64_t *EXPORT(playgroundOffsets)(void) { return plan.offsets; }
uint32_t *EXPORT(playgroundPools)(void) { return plan.pools; }

/// A plan may say that it is above the capacity, and is right then. Here it is
/// no plan, whatever it says.
static BerthStatus verify(BerthError *error) {
  BerthPlan judged = plan;
  if (judged.status != BERTH_PLAN_OPTIMAL)
    judged.status = BERTH_PLAN_FEASIBLE;
  return berthPlanVerify(getProblem(), &judged, error);
}

/// After changes by hand. A bound that a packer has proven stays true as long
/// as the problem is the same (`keepsBound`).
BerthStatus EXPORT(playgroundJudge)(bool keepsBound) {
  BerthError error = {0};
  BerthStatus status = measure(keepsBound, "by hand", &error);
  if (status == BERTH_SUCCESS)
    status = verify(&error);
  return say(status, &error);
}

/// What the verifier says of the plan as it is.
BerthStatus EXPORT(playgroundVerify)(void) {
  BerthError error = {0};
  return say(verify(&error), &error);
}

//===---------------------------------------------------------------------===//
// What a buffer hits
//===---------------------------------------------------------------------===//

/// Asks the verifier about one or two buffers as if there were no others.
static BerthStatus verifyAmong(const uint32_t *indices, size_t count,
                               BerthError *error) {
  BerthProblemData few = *getProblem();
  BerthBuffer buffers[2];
  int64_t offsets[2];
  uint32_t pools[2];
  for (size_t i = 0; i < count; ++i) {
    buffers[i] = few.buffers[indices[i]];
    offsets[i] = plan.offsets[indices[i]];
    pools[i] = plan.pools[indices[i]];
  }
  BerthEdge *edges = berthZeroed(few.numEdges, sizeof *edges);
  if (!edges)
    return berthOutOfMemory(error);
  size_t numEdges = 0;
  for (size_t i = 0; count == 2 && i < few.numEdges; ++i) {
    BerthEdge edge = few.edges[i];
    if ((edge.first == indices[0] && edge.second == indices[1]) ||
        (edge.first == indices[1] && edge.second == indices[0])) {
      edge.first = 0;
      edge.second = 1;
      edges[numEdges++] = edge;
    }
  }
  BerthDistance between;
  bool related = false;
  for (size_t i = 0; count == 2 && i < few.numDistances && !related; ++i) {
    between = few.distances[i];
    bool turned = between.first == indices[1] && between.second == indices[0];
    related =
        turned || (between.first == indices[0] && between.second == indices[1]);
    between.first = turned;
    between.second = !turned;
  }
  few.numDistances = related;
  few.distances = &between;
  few.numBuffers = count;
  few.buffers = buffers;
  few.numEdges = numEdges;
  few.edges = edges;
  BerthPlan part = {.numBuffers = count,
                    .offsets = offsets,
                    .pools = pools,
                    .numCuts = plan.numCuts,
                    .cutsBought = plan.cutsBought,
                    .status = BERTH_PLAN_FEASIBLE};
  BerthFigures figures = berthPlanMeasure(&few, &part);
  part.peak = figures.peak;
  part.price = figures.price;
  part.poolCost = figures.poolCost;
  part.hintDistance = figures.hintDistance;
  BerthStatus status = berthPlanVerify(&few, &part, error);
  free(edges);
  return status;
}

/// Only buffers that share bytes can be wrong together, and those of a group,
/// whose offsets must be the same.
static bool mayHit(const BerthProblemData *problem, uint32_t a, uint32_t b) {
  const BerthBuffer *first = &problem->buffers[a],
                    *second = &problem->buffers[b];
  if (first->group != BERTH_NONE && first->group == second->group)
    return true;
  return plan.pools[a] == plan.pools[b] &&
         plan.offsets[a] < plan.offsets[b] + second->size &&
         plan.offsets[b] < plan.offsets[a] + first->size;
}

static void writeHit(FILE *stream, const char *separator, uint32_t other,
                     const BerthError *error) {
  fprintf(stream, "%s{\"buffer\":%" PRIu32 ",\"says\":", separator, other);
  berthWriteJsonString(stream, error->message);
  fputc('}', stream);
}

/// Whom a buffer hits where it is now, in the verifier's words:
/// [{"buffer": i, "says": "..."}, ...]; of itself, if it alone is wrong.
BerthStatus EXPORT(playgroundHits)(uint32_t index) {
  BerthError error = {0};
  const BerthProblemData *problem = getProblem();
  FILE *stream = startAnswer();
  if (!stream)
    return say(berthOutOfMemory(&error), &error);
  fputc('[', stream);
  const char *separator = "";
  bool isAloneRight = verifyAmong(&index, 1, &error) == BERTH_SUCCESS;
  if (!isAloneRight) {
    writeHit(stream, separator, index, &error);
    separator = ",";
  }
  for (uint32_t i = 0; isAloneRight && i < problem->numBuffers; ++i) {
    if (i == index || !mayHit(problem, index, i))
      continue;
    if (verifyAmong(&i, 1, NULL) != BERTH_SUCCESS ||
        verifyAmong((const uint32_t[]){index, i}, 2, &error) == BERTH_SUCCESS)
      continue;
    writeHit(stream, separator, i, &error);
    separator = ",";
  }
  fputc(']', stream);
  return endAnswer(stream, BERTH_SUCCESS, &error);
}

//===---------------------------------------------------------------------===//
// Answers
//===---------------------------------------------------------------------===//

BerthStatus EXPORT(playgroundWrite)(int format) {
  BerthError error = {0};
  FILE *stream = startAnswer();
  if (!stream)
    return say(berthOutOfMemory(&error), &error);
  BerthStatus status =
      format == BERTH_FORMAT_CSV
          ? berthDocumentWriteCsv(stream, document, &plan, &error)
          : berthWrite(stream, (BerthFormat)format, getProblem(), &plan,
                       *room ? room : NULL, &error);
  return endAnswer(stream, status, &error);
}

/// What Report.js draws; the room holds the title.
BerthStatus EXPORT(playgroundScope)(void) {
  BerthError error = {0};
  FILE *stream = startAnswer();
  BerthPageScope scope = {.title = room,
                          .problem = getProblem(),
                          .plan = &plan,
                          .bytesBefore = BERTH_NONE};
  return endAnswer(stream,
                   stream ? berthWritePageScope(stream, &scope, &error)
                          : berthOutOfMemory(&error),
                   &error);
}

static void writeEntry(FILE *stream, size_t index, const char *name,
                       const char *summary) {
  fputs(index ? ",[" : "[", stream);
  berthWriteJsonString(stream, name);
  fputc(',', stream);
  berthWriteJsonString(stream, summary);
  fputc(']', stream);
}

/// The version, the packers and the families of problems, with their words.
BerthStatus EXPORT(playgroundCatalogue)(void) {
  BerthError error = {0};
  FILE *stream = startAnswer();
  if (!stream)
    return say(berthOutOfMemory(&error), &error);
  fprintf(stream, "{\"version\":\"%s\",\"packers\":[", berthVersionString());
  for (size_t i = 0; i < berthPackerCount(); ++i)
    writeEntry(stream, i, berthPackerName(i), berthPackerSummary(i));
  fputs("],\"families\":[", stream);
  for (size_t i = 0; i < berthFamilyCount(); ++i)
    writeEntry(stream, i, berthFamilyName(i), berthFamilySummary(i));
  fputs("]}", stream);
  return endAnswer(stream, BERTH_SUCCESS, &error);
}
