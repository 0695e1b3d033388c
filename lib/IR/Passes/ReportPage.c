//===- ReportPage.c - Pictures of the arenas of a run -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IR/Passes/ReportPage.h"
#include "IO/Pictures/Page.h"
#include "IO/Pictures/Svg.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Place.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Passes/Remarks.h"
#include "IR/Plan/Figures.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/Names.h"
#include "berth-c/IO.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

//===----------------------------------------------------------------------===//
// One arena
//===----------------------------------------------------------------------===//

static int lineOf(MlirOperation op) {
  int line, column;
  berthOpGetPosition(op, &line, &column);
  return line;
}

/// The op at each point. Most points share few names, which MLIR keeps.
static void addPoints(const BerthJob *job, BerthMemory *memory,
                      BerthPageScope *scope) {
  scope->numPoints = (size_t)job->points.count;
  BerthPageOrigin *points =
      BERTH_NEW(memory, BerthPageOrigin, scope->numPoints);
  for (size_t i = 0; i < scope->numPoints; ++i) {
    MlirOperation op = job->points.opAt[i];
    points[i].name = mlirOperationIsNull(op)
                         ? ""
                         : mlirIdentifierStr(mlirOperationGetName(op)).data;
    points[i].line = mlirOperationIsNull(op) ? 0 : lineOf(op);
    points[i].file = NULL;
  }
  scope->points = points;
}

static const char *markOf(const BerthJob *job, int64_t point) {
  MlirOperation op = job->points.opAt[point];
  if (mlirOperationIsNull(op) || berthPointsLower(&job->points, op) != point)
    return NULL;
  for (size_t i = 0; i < job->numBarriers; ++i)
    if (mlirOperationEqual(job->barriers[i], op))
      return "new barrier";
  return berthOpIsWholeBarrier(op) ? "barrier"
         : berthOpIsTransfer(op)   ? "transfer"
                                   : NULL;
}

/// True for a copy that berth-fit made, and for the start of a transfer whose
/// wait it marked.
static bool isMove(MlirOperation op) {
  BerthDma dma;
  if (!berthOpGetDma(op, &dma) || !dma.isStart)
    return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE));
  MlirValue tag = mlirOperationGetOperand(op, dma.tag);
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirAttributeIsNull(berthAttributeOf(user, BERTH_MOVE)))
      return true;
  }
  return false;
}

/// How content comes into the buffer, or leaves it, by this access; or NULL.
static const char *moveOf(const BerthAccess *access) {
  if (isMove(access->op))
    return access->writes ? "fill" : "spill";
  bool isMade =
      access->writes &&
      !mlirAttributeIsNull(berthAttributeOf(access->op, BERTH_RECOMPUTE));
  return isMade ? "made" : NULL;
}

static int compareMarks(const void *left, const void *right) {
  const BerthPageMark *a = left, *b = right;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

static void addMarks(const BerthJob *job, BerthMemory *memory,
                     BerthPageScope *scope) {
  size_t most = (size_t)job->points.count;
  for (size_t i = 0; i < job->numPlaced; ++i)
    most += job->scope.buffers[job->bufferOf[i]].numAccesses;
  BerthPageMark *marks = BERTH_NEW(memory, BerthPageMark, most);
  for (int64_t point = 0; point < job->points.count; ++point) {
    const char *what = markOf(job, point);
    if (what)
      marks[scope->numMarks++] = (BerthPageMark){point, what, BERTH_NONE};
  }
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numAccesses; ++k) {
      const char *what = moveOf(&buffer->accesses[k]);
      if (what)
        marks[scope->numMarks++] =
            (BerthPageMark){buffer->accesses[k].lower, what, (int64_t)i};
    }
  }
  qsort(marks, scope->numMarks, sizeof *marks, compareMarks);
  scope->marks = marks;
}

static void addUnplaced(const BerthJob *job, MlirAsmState state,
                        BerthMemory *memory, BerthPageScope *scope) {
  BerthPageUnplaced *list =
      BERTH_NEW(memory, BerthPageUnplaced, job->scope.numBuffers);
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!buffer->reason)
      continue;
    BerthText name = {0}, type = {0}, reason = {0};
    berthNameBuffer(buffer, job->scope.space, state, &name, &type);
    berthTextAppend(&reason, "%s", buffer->reason);
    if (!mlirOperationIsNull(buffer->reasonAt) &&
        !mlirOperationEqual(buffer->reasonAt, buffer->alloc)) {
      berthTextAppend(&reason, " (");
      berthTextAppendOp(&reason, buffer->reasonAt);
      berthTextAppend(&reason, ")");
    }
    list[scope->numUnplaced++] =
        (BerthPageUnplaced){.name = berthTextKeep(memory, &name),
                            .type = berthTextKeep(memory, &type),
                            .reason = berthTextKeep(memory, &reason),
                            .advice = berthAdviceFor(buffer),
                            .line = lineOf(buffer->alloc)};
  }
  scope->unplaced = list;
}

static void addBuffers(const BerthJob *job, MlirAsmState state,
                       BerthMemory *memory, BerthPageScope *scope) {
  BerthPageOrigin *list =
      BERTH_NEW(memory, BerthPageOrigin, scope->problem->numBuffers);
  for (size_t i = 0; i < scope->problem->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    BerthText name = {0}, type = {0};
    berthNameBuffer(buffer, job->scope.space, state, &name, &type);
    berthTextFree(&name);
    if (buffer->isLaterLife) {
      berthTextAppend(&type, ", a later life of the buffer of that line");
      ++scope->numLaterLives;
    }
    const char *file = berthOpGetFile(buffer->alloc);
    bool isElsewhere = file && scope->file && strcmp(file, scope->file) != 0;
    list[i] = (BerthPageOrigin){.name = berthTextKeep(memory, &type),
                                .line = lineOf(buffer->alloc),
                                .file = isElsewhere ? file : NULL};
  }
  scope->buffers = list;
}

static BerthPageScope describe(const BerthJob *job, BerthMemory *memory) {
  static const BerthProblemData nothing;
  BerthPageScope scope = {.problem = &nothing, .bytesBefore = BERTH_NONE};
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  BerthText title = {0};
  berthNameScope(&job->scope, &title);
  scope.title = berthTextKeep(memory, &title);
  scope.file = berthOpGetFile(job->scope.op);
  if (job->numPlaced) {
    scope.problem = berthProblemGetData(job->problem);
    scope.plan = &job->plan;
    scope.bytesBefore = berthSumOfSizes(job);
    addBuffers(job, state, memory, &scope);
    addPoints(job, memory, &scope);
    addMarks(job, memory, &scope);
  }
  addUnplaced(job, state, memory, &scope);
  mlirAsmStateDestroy(state);
  return scope;
}

//===----------------------------------------------------------------------===//
// Titles
//===----------------------------------------------------------------------===//

static int compareTitles(const void *a, const void *b) {
  const BerthPageScope *const *first = a, *const *second = b;
  int order = strcmp((*first)->title, (*second)->title);
  return order ? order : (*first > *second) - (*first < *second);
}

/// Adds to each title that several scopes have, in reports of kernels of two
/// modules or of several memories.
static void tellApart(const BerthJob *jobs, BerthPageScope *scopes,
                      size_t count, bool byMemory, BerthMemory *memory) {
  BerthPageScope **sorted = BERTH_NEW(memory, BerthPageScope *, count);
  for (size_t i = 0; i < count; ++i)
    sorted[i] = &scopes[i];
  qsort(sorted, count, sizeof *sorted, compareTitles);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1;
         end < count && strcmp(sorted[i]->title, sorted[end]->title) == 0;)
      ++end;
    for (size_t k = i; end - i > 1 && k < end; ++k) {
      const BerthJob *job = &jobs[sorted[k] - scopes];
      BerthText title = {0};
      berthTextAppend(&title, "%s:", sorted[k]->title);
      if (byMemory)
        berthNameSpace(&job->scope, &title);
      else
        berthTextAppend(&title, "%u", lineOf(job->scope.op));
      sorted[k]->title = berthTextKeep(memory, &title);
    }
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool endsWith(const char *path, size_t length, const char *suffix) {
  size_t size = strlen(suffix);
  return length >= size && strncasecmp(path + length - size, suffix, size) == 0;
}

size_t berthReportFileLength(const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < length; ++i)
    if (path[i] == '#' &&
        (endsWith(path, i, ".svg") || endsWith(path, i, ".html") ||
         endsWith(path, i, ".htm")))
      return i;
  return length;
}

/// The scope to begin with: the one in which sharing saves most, of those that
/// save nothing the largest, of equal ones the first. A caller that only hands
/// on large results tells less than what it calls.
static size_t chooseScope(const BerthJob *jobs, const BerthPageScope *scopes,
                          size_t count) {
  size_t chosen = 0;
  int64_t mostSaved = -1, most = -1;
  for (size_t i = 0; i < count; ++i) {
    if (!scopes[i].plan)
      continue;
    int64_t bytes = jobs[i].arenaSize, before = scopes[i].bytesBefore;
    int64_t saved = before > bytes ? before - bytes : 0;
    if (saved < mostSaved || (saved == mostSaved && bytes <= most))
      continue;
    chosen = i;
    mostSaved = saved;
    most = bytes;
  }
  return chosen;
}

/// By the function's name, which begins the title; what tells arenas of one
/// name apart follows.
static bool isCalled(const BerthPageScope *scope, const char *name) {
  size_t length = strlen(name);
  return strncmp(scope->title, name, length) == 0 &&
         strchr(" :", scope->title[length]) != NULL;
}

/// The scope to draw: of that title, or the largest of that name, the first of
/// equal ones; `count` if there is none.
static size_t findScope(const BerthPageScope *scopes, size_t count,
                        const char *name) {
  size_t found = count;
  int64_t most = -1;
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(scopes[i].title, name) == 0)
      return i;
    int64_t bytes = scopes[i].plan ? scopes[i].plan->peak : 0;
    if (isCalled(&scopes[i], name) && bytes > most) {
      found = i;
      most = bytes;
    }
  }
  return found;
}

static BerthStatus complainOfName(const BerthPageScope *scopes, size_t count,
                                  size_t numJobs, const char *name,
                                  BerthError *error) {
  if (!numJobs)
    return berthErrorSet(error, BERTH_INVALID,
                         "report: no arena is called '%.100s': there is no "
                         "buffer to place",
                         name);
  BerthText known = {0};
  for (size_t i = 0; i < count; ++i)
    berthTextAppend(&known, "%s%s", i ? ", " : "", scopes[i].title);
  BerthStatus status =
      berthErrorSet(error, BERTH_INVALID,
                    "report: no arena is called '%.100s'; there are %.300s",
                    name, known.data);
  berthTextFree(&known);
  return status;
}

/// What a picture of one arena says of those that it does not show.
static void tellOthers(size_t count, bool isNamed, BerthText *note) {
  if (count > 1 && isNamed)
    berthTextAppend(note, "one of %zu arenas", count);
  else if (count > 1)
    berthTextAppend(note,
                    "the one of %zu arenas where sharing saves most; "
                    "report=FILE.svg#NAME draws another",
                    count);
}

static BerthStatus writeScopes(FILE *stream, bool isPage,
                               const BerthPageScope *scopes, size_t count,
                               size_t chosen, const char *title,
                               const char *note, BerthError *error) {
  if (isPage)
    return berthWritePage(stream, &(BerthPage){scopes, count, chosen, false},
                          error);
  BerthPageScope scope = scopes[chosen];
  scope.title = title;
  return berthWriteSvgScope(stream, &scope, note, error);
}

BerthStatus berthWriteReportPage(const BerthJob *jobs, size_t numJobs,
                                 const char *path, BerthError *error) {
  BerthMemory memory = {0};
  BerthPageScope *scopes = BERTH_NEW(&memory, BerthPageScope, numJobs + 1);
  size_t count = numJobs;
  for (size_t i = 0; i < numJobs; ++i)
    scopes[i] = describe(&jobs[i], &memory);
  tellApart(jobs, scopes, count, false, &memory);
  tellApart(jobs, scopes, count, true, &memory);
  static const BerthProblemData nothing;
  if (count == 0)
    scopes[count++] = (BerthPageScope){.title = "There is no buffer to place",
                                       .problem = &nothing,
                                       .bytesBefore = BERTH_NONE};
  size_t length = berthReportFileLength(path);
  const char *name = path[length] ? path + length + 1 : NULL;
  size_t chosen = name ? findScope(scopes, count, name)
                       : chooseScope(jobs, scopes, numJobs);
  BerthText file = {0}, title = {0}, note = {0};
  berthTextAppendBytes(&file, path, length);
  if (chosen < count)
    berthTextAppend(&title,
                    scopes[chosen].plan ? "%s" : "%s: nothing is placed",
                    scopes[chosen].title);
  tellOthers(count, name, &note);
  BerthStatus status =
      chosen < count ? BERTH_SUCCESS
                     : complainOfName(scopes, count, numJobs, name, error);
  // From here on nothing ends the process for want of memory: there is a file.
  BerthOutput *output;
  if (status == BERTH_SUCCESS)
    status = berthOutputOpen(file.data, &output, error);
  if (status == BERTH_SUCCESS) {
    bool isPage = berthFormatFromPath(file.data) == BERTH_FORMAT_HTML;
    status = writeScopes(berthOutputStream(output), isPage, scopes, count,
                         chosen, title.data, note.data, error);
    status = berthOutputClose(output, status, error);
  }
  berthTextFree(&file);
  berthTextFree(&title);
  berthTextFree(&note);
  berthMemoryFree(&memory);
  return status;
}
