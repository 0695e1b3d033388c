//===- Session.c - The packing library for other languages --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A shell around documents, problems and plans: it owns them, and turns their
// structs into arrays, names and text.
//
//===---------------------------------------------------------------------===//

#include "berth-c/Session.h"
#include "IO/Text/TextBuffer.h"
#include "Pack/Problem/Plan.h"
#include "Support/Allocate.h"
#include "Support/Messages.h"
#include "berth-c/IO.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct BerthSession {
  BerthDocument *document; ///< of SetText, which owns the problem then
  BerthProblem *problem;   ///< of SetArrays
  BerthPlan plan;
  bool hasPlan;
  BerthTextBuffer text; ///< what berthSessionText returned last
  BerthError error;
  size_t badBuffer;
};

uint32_t berthSessionAbi(void) { return BERTH_SESSION_ABI; }

BerthSession *berthSessionCreate(void) {
  BerthSession *session = calloc(1, sizeof *session);
  if (session)
    session->badBuffer = SIZE_MAX;
  return session;
}

static void dropPlan(BerthSession *session) {
  berthPlanFree(&session->plan);
  session->hasPlan = false;
}

static void dropProblem(BerthSession *session) {
  dropPlan(session);
  berthDocumentDestroy(session->document);
  berthProblemDestroy(session->problem);
  session->document = NULL;
  session->problem = NULL;
}

void berthSessionDestroy(BerthSession *session) {
  if (!session)
    return;
  dropProblem(session);
  free(session->text.data);
  free(session);
}

//===---------------------------------------------------------------------===//
// The last error
//===---------------------------------------------------------------------===//

const char *berthSessionMessage(const BerthSession *session) {
  return session->error.message;
}

const char *berthSessionErrorNumber(const BerthSession *session) {
  const char *tag = berthMessageNumber(session->error.message);
  return *tag ? tag + 1 : tag; // without the blank in front
}

uint64_t berthSessionErrorLine(const BerthSession *session) {
  return session->error.line;
}

uint64_t berthSessionErrorColumn(const BerthSession *session) {
  return session->error.column;
}

int64_t berthSessionErrorBuffer(const BerthSession *session) {
  return session->badBuffer == SIZE_MAX ? BERTH_NONE
                                        : (int64_t)session->badBuffer;
}

static void clearError(BerthSession *session) {
  session->error = (BerthError){0};
  session->badBuffer = SIZE_MAX;
}

/// Copies a sized struct of the caller's over one of ours that is zeroed.
/// False if the caller sets a field that we do not know.
static bool takeSized(void *to, size_t toSize, const void *from) {
  uint64_t fromSize;
  memcpy(&fromSize, from, sizeof fromSize);
  memcpy(to, from, fromSize < toSize ? (size_t)fromSize : toSize);
  for (size_t i = toSize; i < fromSize; ++i)
    if (((const char *)from)[i])
      return false;
  return true;
}

static BerthStatus failUnknownField(BerthSession *session, const char *what) {
  return berthErrorSet(&session->error, BERTH_INVALID,
                       "%s hold a field that Berth %s does not know", what,
                       berthVersionString());
}

//===---------------------------------------------------------------------===//
// Problem in
//===---------------------------------------------------------------------===//

static BerthStatus findProblem(BerthSession *session,
                               const BerthProblemData **data) {
  const BerthProblem *problem = session->document
                                    ? berthDocumentGetProblem(session->document)
                                    : session->problem;
  if (!problem)
    return berthErrorSet(&session->error, BERTH_INVALID,
                         "the session has no problem");
  *data = berthProblemGetData(problem);
  return *data ? BERTH_SUCCESS : berthOutOfMemory(&session->error);
}

/// The format of a name. AUTO only for NULL; false for an unknown name.
static bool findFormat(BerthSession *session, const char *name,
                       BerthFormat *format) {
  *format = name ? berthFormatFromName(name) : BERTH_FORMAT_AUTO;
  if (!name || *format != BERTH_FORMAT_AUTO)
    return true;
  berthErrorSet(&session->error, BERTH_INVALID,
                "'%s' is no format: there are csv, json, svg and html", name);
  return false;
}

int32_t berthSessionSetText(BerthSession *session, const char *text,
                            uint64_t length, const char *format,
                            int32_t offsetsArePlan) {
  BerthReadOptions options = {.offsetsArePlan = offsetsArePlan != 0};
  clearError(session);
  dropProblem(session);
  if (!findFormat(session, format, &options.format))
    return BERTH_INVALID;
  return (int32_t)berthDocumentParse(text, (size_t)length, &options,
                                     &session->document, &session->error);
}

static int64_t valueAt(const int64_t *column, size_t index,
                       int64_t defaultValue) {
  return column ? column[index] : defaultValue;
}

static void addBuffer(BerthProblem *problem, const BerthSessionArrays *arrays,
                      size_t i) {
  BerthSegment life = {arrays->lowers[i], arrays->uppers[i]};
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = arrays->ids ? arrays->ids[i] : NULL;
  buffer.size = arrays->sizes[i];
  buffer.alignment = valueAt(arrays->alignments, i, buffer.alignment);
  buffer.fixedOffset = valueAt(arrays->fixedOffsets, i, buffer.fixedOffset);
  buffer.hint = valueAt(arrays->hints, i, buffer.hint);
  buffer.weight = valueAt(arrays->weights, i, buffer.weight);
  buffer.group = valueAt(arrays->groups, i, buffer.group);
  buffer.numSegments = 1;
  buffer.segments = &life;
  berthProblemAddBuffer(problem, &buffer);
}

int32_t berthSessionSetArrays(BerthSession *session,
                              const BerthSessionArrays *given) {
  BerthSessionArrays arrays = {0};
  clearError(session);
  dropProblem(session);
  if (!takeSized(&arrays, sizeof arrays, given))
    return (int32_t)failUnknownField(session, "the arrays");
  bool isThere = arrays.sizes && arrays.lowers && arrays.uppers;
  if ((arrays.numBuffers && !isThere) || (arrays.numEdges && !arrays.edges))
    return (int32_t)berthErrorSet(&session->error, BERTH_INVALID,
                                  "an array that is needed is NULL");
  session->problem = berthProblemCreate();
  if (!session->problem)
    return (int32_t)berthOutOfMemory(&session->error);
  berthProblemSetCapacity(session->problem, arrays.capacity);
  for (size_t i = 0; i < arrays.numBuffers; ++i)
    addBuffer(session->problem, &arrays, i);
  for (size_t i = 0; i < arrays.numEdges; ++i)
    berthProblemAddEdge(session->problem,
                        &(BerthEdge){.first = arrays.edges[2 * i],
                                     .second = arrays.edges[2 * i + 1]});
  const BerthProblemData *data;
  BerthStatus status = findProblem(session, &data);
  if (status == BERTH_SUCCESS)
    status = berthProblemCheck(data, &session->badBuffer, &session->error);
  return (int32_t)status;
}

//===---------------------------------------------------------------------===//
// Packing and verifying
//===---------------------------------------------------------------------===//

/// Ctypes and its like have no `bool`.
static bool pollInterrupted(void *userData) {
  const BerthSessionOptions *options = userData;
  return options->interrupted(options->userData) != 0;
}

int32_t berthSessionPack(BerthSession *session,
                         const BerthSessionOptions *given) {
  BerthSessionOptions options = {0};
  clearError(session);
  dropPlan(session);
  if (given && !takeSized(&options, sizeof options, given))
    return (int32_t)failUnknownField(session, "the options");
  BerthPackOptions pack = {.packer = options.packer,
                           .steps = options.steps,
                           .timeLimit = options.timeLimit,
                           .minimize = options.minimize != 0,
                           .threads = options.threads,
                           .seed = options.seed,
                           .proofFile = options.proofFile,
                           .interrupted =
                               options.interrupted ? pollInterrupted : NULL,
                           .userData = &options};
  const BerthProblemData *problem;
  BerthStatus status = findProblem(session, &problem);
  if (status == BERTH_SUCCESS)
    status = berthPack(problem, &pack, &session->plan, &session->error);
  session->hasPlan = status == BERTH_SUCCESS;
  return (int32_t)status;
}

/// The session's plan as a copy of the one in its text.
static BerthStatus copyTextPlan(BerthSession *session) {
  const BerthPlan *given =
      session->document ? berthDocumentGetPlan(session->document) : NULL;
  if (!given)
    return berthErrorSet(&session->error, BERTH_INVALID,
                         "the text holds no plan to verify");
  BerthPlan *plan = &session->plan;
  memcpy(plan->offsets, given->offsets,
         plan->numBuffers * sizeof *plan->offsets);
  memcpy(plan->pools, given->pools, plan->numBuffers * sizeof *plan->pools);
  if (plan->numCuts)
    memcpy(plan->cutsBought, given->cutsBought, plan->numCuts);
  return BERTH_SUCCESS;
}

static BerthStatus fillPlan(BerthSession *session, const int64_t *offsets,
                            const uint32_t *pools, const uint8_t *cutsBought) {
  BerthPlan *plan = &session->plan;
  if (!plan->numBuffers)
    return BERTH_SUCCESS;
  if (!offsets)
    return copyTextPlan(session);
  memcpy(plan->offsets, offsets, plan->numBuffers * sizeof *offsets);
  if (pools)
    memcpy(plan->pools, pools, plan->numBuffers * sizeof *pools);
  for (size_t i = 0; cutsBought && i < plan->numCuts; ++i)
    plan->cutsBought[i] = cutsBought[i] != 0;
  return BERTH_SUCCESS;
}

/// Measuring adds offset and size, which the verifier checks only afterwards.
static BerthStatus checkOffsets(const BerthProblemData *problem,
                                const BerthPlan *plan, BerthError *error) {
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    int64_t offset = plan->offsets[i];
    if (offset >= 0 && offset <= INT64_MAX - problem->buffers[i].size)
      continue;
    const char *id = problem->buffers[i].id;
    return berthErrorSet(error, BERTH_INVALID,
                         "offset %" PRId64 " of buffer %zu%s%s%s is no place "
                         "for %" PRId64 " bytes",
                         offset, i, id ? " ('" : "", id ? id : "",
                         id ? "')" : "", problem->buffers[i].size);
  }
  return BERTH_SUCCESS;
}

/// What can be said of a plan whose maker is unknown.
static void judge(const BerthProblemData *problem, BerthPlan *plan) {
  BerthFigures figures = berthPlanMeasure(problem, plan);
  plan->peak = figures.peak;
  plan->price = figures.price;
  plan->poolCost = figures.poolCost;
  plan->hintDistance = figures.hintDistance;
  plan->load = berthProblemLoad(problem, NULL);
  plan->lowerBound = plan->load;
  plan->packer = "given";
  plan->stopped = BERTH_STOP_EXHAUSTED;
  bool isOver = problem->numPools == 0 && problem->capacity > 0 &&
                plan->peak > problem->capacity;
  plan->status = isOver ? BERTH_PLAN_BUDGET : BERTH_PLAN_FEASIBLE;
}

int32_t berthSessionVerify(BerthSession *session, const int64_t *offsets,
                           const uint32_t *pools, const uint8_t *cutsBought) {
  clearError(session);
  dropPlan(session);
  const BerthProblemData *problem;
  BerthPlan *plan = &session->plan;
  BerthStatus status = findProblem(session, &problem);
  if (status == BERTH_SUCCESS)
    status = berthPlanInit(plan, problem, &session->error);
  if (status == BERTH_SUCCESS)
    status = fillPlan(session, offsets, pools, cutsBought);
  if (status == BERTH_SUCCESS)
    status = checkOffsets(problem, plan, &session->error);
  if (status == BERTH_SUCCESS) {
    judge(problem, plan);
    status = berthPlanVerify(problem, plan, &session->error);
  }
  session->hasPlan = status == BERTH_SUCCESS;
  if (!session->hasPlan)
    dropPlan(session);
  return (int32_t)status;
}

//===---------------------------------------------------------------------===//
// Plan out
//===---------------------------------------------------------------------===//

int32_t berthSessionGetFigures(BerthSession *session,
                               BerthSessionFigures *figures) {
  clearError(session);
  const BerthProblemData *problem;
  BerthStatus status = findProblem(session, &problem);
  if (status != BERTH_SUCCESS)
    return (int32_t)status;
  if (!session->hasPlan)
    return (int32_t)berthErrorSet(&session->error, BERTH_INVALID,
                                  "the session has no plan");
  const BerthPlan *plan = &session->plan;
  BerthSessionFigures ours = {
      .structSize = figures->structSize,
      .numBuffers = plan->numBuffers,
      .numCuts = plan->numCuts,
      .numConflict = plan->numConflict,
      .capacity = problem->capacity,
      .peak = plan->peak,
      .load = plan->load,
      .lowerBound = plan->lowerBound,
      .price = plan->price,
      .poolCost = plan->poolCost,
      .hintDistance = plan->hintDistance,
      .steps = plan->steps,
      .packer = plan->packer,
      .status = berthPlanStatusName(plan->status),
      .stopped = berthStopReasonName(plan->stopped),
      .provenLevels = plan->provenLevels,
      .conflictIrreducible = plan->conflictIrreducible,
      .boundReason = berthBoundReasonName(plan->boundReason),
      .boundFrom = plan->boundFrom,
      .boundTo = plan->boundTo,
      .numBoundBuffers = plan->numBoundBuffers,
  };
  memcpy(figures, &ours,
         figures->structSize < sizeof ours ? (size_t)figures->structSize
                                           : sizeof ours);
  return BERTH_SUCCESS;
}

const int64_t *berthSessionOffsets(const BerthSession *session) {
  return session->plan.offsets;
}

const uint32_t *berthSessionPools(const BerthSession *session) {
  return session->plan.pools;
}

const uint8_t *berthSessionCuts(const BerthSession *session) {
  return session->plan.cutsBought;
}

const uint32_t *berthSessionConflict(const BerthSession *session) {
  return session->plan.conflict;
}

const uint32_t *berthSessionBound(const BerthSession *session) {
  return session->plan.boundBuffers;
}

/// A CSV cannot say that its plan is over capacity; the other formats state
/// the status, but need an offset for each buffer.
static bool isWritable(const BerthPlan *plan, BerthFormat format) {
  if (format == BERTH_FORMAT_CSV && plan->status >= BERTH_PLAN_INFEASIBLE)
    return false;
  for (size_t i = 0; i < plan->numBuffers; ++i)
    if (plan->offsets[i] == BERTH_NONE)
      return false;
  return true;
}

static BerthStatus writeTo(FILE *stream, BerthSession *session,
                           BerthFormat format, const char *title) {
  const BerthProblemData *problem;
  const BerthPlan *plan = session->hasPlan ? &session->plan : NULL;
  BerthStatus status = findProblem(session, &problem);
  if (status != BERTH_SUCCESS)
    return status;
  if (plan && !isWritable(plan, format))
    return berthErrorSet(&session->error, BERTH_INVALID,
                         "there is no plan to write: it is %s",
                         berthPlanStatusName(plan->status));
  if (format == BERTH_FORMAT_CSV && session->document)
    return berthDocumentWriteCsv(stream, session->document, plan,
                                 &session->error);
  return berthWrite(stream, format, problem, plan, title, &session->error);
}

static FILE *openText(BerthSession *session) {
  session->text.length = 0;
  FILE *stream = berthTextBufferOpen(&session->text);
  if (!stream)
    berthOutOfMemory(&session->error);
  return stream;
}

static const char *closeText(BerthSession *session, FILE *stream,
                             BerthStatus status, uint64_t *length) {
  if (fclose(stream) != 0 && status == BERTH_SUCCESS)
    status = berthOutOfMemory(&session->error);
  if (status != BERTH_SUCCESS)
    return NULL;
  if (length)
    *length = session->text.length;
  return session->text.data;
}

const char *berthSessionText(BerthSession *session, const char *format,
                             const char *title, uint64_t *length) {
  BerthFormat chosen;
  clearError(session);
  if (!findFormat(session, format, &chosen))
    return NULL;
  FILE *stream = openText(session);
  if (!stream)
    return NULL;
  BerthStatus status = writeTo(stream, session, chosen, title);
  return closeText(session, stream, status, length);
}

//===---------------------------------------------------------------------===//
// Fits
//===---------------------------------------------------------------------===//

static BerthStatus writeFit(FILE *stream, BerthSession *session,
                            const BerthFitOptions *options) {
  const BerthProblemData *problem;
  BerthFitPlan fit = {0};
  BerthStatus status = findProblem(session, &problem);
  if (status == BERTH_SUCCESS)
    status = berthFit(problem, options, &fit, &session->error);
  if (status == BERTH_SUCCESS)
    status = berthWriteFitJson(stream, problem, options, &fit, &session->error);
  berthFitPlanFree(&fit);
  return status;
}

const char *berthSessionFit(BerthSession *session, int64_t fill, int64_t spill,
                            int64_t access, int64_t move, const char *policy,
                            uint64_t steps, uint64_t *length) {
  BerthFitOptions options = {.fill = fill,
                             .spill = spill,
                             .access = access,
                             .move = move,
                             .policy = policy,
                             .steps = steps};
  clearError(session);
  FILE *stream = openText(session);
  if (!stream)
    return NULL;
  BerthStatus status = writeFit(stream, session, &options);
  return closeText(session, stream, status, length);
}
