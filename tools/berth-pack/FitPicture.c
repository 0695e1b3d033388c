//===- FitPicture.c - A fit as a picture or a page ------------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A stay is drawn like a buffer that lives as long; a mark at its edge says
// that its content comes from the slow memory or goes there.
//
//===---------------------------------------------------------------------===//

#include "FitPicture.h"
#include "IO/Pictures/Svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Picture {
  BerthProblem *problem; ///< its buffers are the stays
  BerthPlan plan;
  BerthPageMark *marks;
  size_t numMarks;
  size_t numLaterStays; ///< of buffers that have come in before
  char title[400];
} Picture;

static void addStay(Picture *picture, const BerthProblemData *problem,
                    const BerthFitPlan *fit, size_t index) {
  const BerthStay *stay = &fit->stays[index];
  BerthBuffer buffer = berthBufferDefault();
  BerthSegment life = {stay->lower, stay->upper};
  size_t ordinal = 1;
  while (ordinal <= index && stay[-(ptrdiff_t)ordinal].buffer == stay->buffer)
    ++ordinal;
  picture->numLaterStays += ordinal > 1;
  const char *id = problem->buffers[stay->buffer].id;
  char name[200], number[24];
  snprintf(number, sizeof number, "b%" PRIu32, stay->buffer);
  snprintf(name, sizeof name, ordinal > 1 ? "%.150s, stay %zu" : "%.150s",
           id ? id : number, ordinal);
  buffer.id = name;
  buffer.size = berthFitStayBytes(problem, stay);
  buffer.alignment = problem->buffers[stay->buffer].alignment;
  buffer.numSegments = 1;
  buffer.segments = &life;
  berthProblemAddBuffer(picture->problem, &buffer);
  picture->plan.offsets[index] = stay->offset;
  if (stay->filled)
    picture->marks[picture->numMarks++] =
        (BerthPageMark){stay->lower, "fill", (int64_t)index};
  if (stay->made)
    picture->marks[picture->numMarks++] =
        (BerthPageMark){stay->lower, "made", (int64_t)index};
  if (stay->spilled)
    picture->marks[picture->numMarks++] =
        (BerthPageMark){stay->upper, "spill", (int64_t)index};
}

static int compareMarks(const void *left, const void *right) {
  const BerthPageMark *a = left, *b = right;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/// False if out of memory.
static bool startPicture(Picture *picture, const BerthProblemData *problem,
                         const BerthFitPlan *fit) {
  picture->problem = berthProblemCreate();
  picture->plan.offsets =
      calloc(fit->numStays + 1, sizeof *picture->plan.offsets);
  picture->plan.pools = calloc(fit->numStays + 1, sizeof *picture->plan.pools);
  picture->marks = calloc(2 * fit->numStays + 1, sizeof *picture->marks);
  if (!picture->problem || !picture->plan.offsets || !picture->plan.pools ||
      !picture->marks)
    return false;
  berthProblemSetCapacity(picture->problem, problem->capacity);
  for (size_t i = 0; i < problem->numReserved; ++i)
    berthProblemAddReserved(picture->problem, problem->reserved[i]);
  for (size_t i = 0; i < fit->numStays; ++i)
    addStay(picture, problem, fit, i);
  qsort(picture->marks, picture->numMarks, sizeof *picture->marks,
        compareMarks);
  const BerthProblemData *stays = berthProblemGetData(picture->problem);
  if (!stays)
    return false;
  picture->plan.numBuffers = fit->numStays;
  picture->plan.peak = fit->peak;
  picture->plan.load = berthProblemLoad(stays, NULL);
  picture->plan.lowerBound = fit->peakBound;
  picture->plan.boundReason = BERTH_BOUND_STATED;
  picture->plan.status = fit->status;
  picture->plan.packer = "fit";
  return picture->plan.load != BERTH_NONE;
}

BerthStatus toolWriteFitPicture(FILE *stream, BerthFormat format,
                                const BerthProblemData *problem,
                                const BerthFitPlan *fit, const char *title,
                                BerthError *error) {
  Picture picture = {0};
  BerthStatus status = BERTH_RESOURCE;
  if (startPicture(&picture, problem, fit)) {
    snprintf(picture.title, sizeof picture.title,
             "%.200s%s%" PRId64 " bytes in, %" PRId64 " out, %" PRId64
             " served outside; cost %" PRId64 ", %s %" PRId64,
             title ? title : "", title ? ": " : "", fit->bytesIn, fit->bytesOut,
             fit->bytesAccessed, fit->cost,
             fit->status == BERTH_PLAN_OPTIMAL ? "least" : "at least",
             fit->costBound);
    BerthPageScope scope = {.title = picture.title,
                            .problem = berthProblemGetData(picture.problem),
                            .plan = &picture.plan,
                            .bytesBefore = BERTH_NONE,
                            .numLaterLives = picture.numLaterStays,
                            .marks = picture.marks,
                            .numMarks = picture.numMarks};
    status =
        format == BERTH_FORMAT_SVG
            ? berthWriteSvgScope(stream, &scope, NULL, error)
            : berthWritePage(stream, &(BerthPage){&scope, 1, 0, false}, error);
  } else {
    berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  }
  berthPlanFree(&picture.plan);
  berthProblemDestroy(picture.problem);
  free(picture.marks);
  return status;
}
