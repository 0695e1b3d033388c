//===- Compare.c - Two plans of one problem, side by side -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Pictures/Page.h"
#include "Tool.h"

#include <stdio.h>
#include <string.h>

static bool haveOneName(const BerthBuffer *a, const BerthBuffer *b) {
  return a->id && b->id ? strcmp(a->id, b->id) == 0 : a->id == b->id;
}

static bool isSameGap(const BerthGap *a, const BerthGap *b) {
  return a->lower == b->lower && a->upper == b->upper &&
         a->windowLower == b->windowLower && a->windowUpper == b->windowUpper;
}

/// What is another of two buffers that the picture shows as one, or NULL.
static const char *differenceOf(const BerthBuffer *a, const BerthBuffer *b) {
  if (a->size != b->size)
    return "size";
  if (a->numSegments != b->numSegments)
    return "life";
  for (size_t i = 0; i < a->numSegments; ++i)
    if (a->segments[i].lower != b->segments[i].lower ||
        a->segments[i].upper != b->segments[i].upper)
      return "life";
  if (a->alignment != b->alignment)
    return "alignment";
  if (a->pools != b->pools)
    return "choice of pools";
  if (a->numGaps != b->numGaps)
    return "life of its parts";
  for (size_t i = 0; i < a->numGaps; ++i)
    if (!isSameGap(&a->gaps[i], &b->gaps[i]))
      return "life of its parts";
  return NULL;
}

/// Pools stand for places, so both plans need the same ones; how large they are
/// may be what the two are compared for.
static BerthStatus checkPools(const BerthProblemData *here,
                              const BerthProblemData *other,
                              BerthError *error) {
  if (here->numPools != other->numPools)
    return berthErrorSet(
        error, BERTH_INVALID, "not the same pools: it has %zu pool%s, not %zu",
        other->numPools, other->numPools == 1 ? "" : "s", here->numPools);
  for (size_t i = 0; i < here->numPools; ++i) {
    const char *name = here->pools[i].id ? here->pools[i].id : "";
    const char *otherName = other->pools[i].id ? other->pools[i].id : "";
    if (strcmp(name, otherName) != 0)
      return berthErrorSet(
          error, BERTH_INVALID,
          "not the same pools: its pool %zu is '%.100s', not '%.100s'", i,
          otherName, name);
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkBuffer(const BerthBuffer *here,
                               const BerthBuffer *other, size_t index,
                               BerthError *error) {
  char number[24];
  snprintf(number, sizeof number, "b%zu", index);
  const char *name = here->id ? here->id : number;
  if (!haveOneName(here, other))
    return berthErrorSet(
        error, BERTH_INVALID,
        "not the same buffers: its buffer %zu is '%.100s', not '%.100s'", index,
        other->id ? other->id : number, name);
  const char *difference = differenceOf(here, other);
  if (difference)
    return berthErrorSet(
        error, BERTH_INVALID,
        "not the same buffers: its buffer '%.100s' has another %s", name,
        difference);
  return BERTH_SUCCESS;
}

/// The other file must hold a valid plan for the very same buffers.
static BerthStatus checkOther(const BerthProblemData *problem,
                              const BerthProblemData *other,
                              const BerthPlan *plan, BerthError *error) {
  if (!plan)
    return berthErrorSet(error, BERTH_INVALID, "there is no plan in it");
  if (other->numBuffers != problem->numBuffers)
    return berthErrorSet(error, BERTH_INVALID,
                         "not the same buffers: it has %zu buffer%s, not %zu",
                         other->numBuffers, other->numBuffers == 1 ? "" : "s",
                         problem->numBuffers);
  BerthStatus status = checkPools(problem, other, error);
  if (status != BERTH_SUCCESS)
    return status;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    status = checkBuffer(&problem->buffers[i], &other->buffers[i], i, error);
    if (status != BERTH_SUCCESS)
      return status;
  }
  BerthPlan judged = *plan;
  judged.lowerBound = judged.load; // what it claims to have proven is its own
  judged.provenLevels = 0;
  judged.status = BERTH_PLAN_FEASIBLE;
  return berthPlanVerify(problem, &judged, error);
}

/// Offsets that a file gives are pins, unless it is read as a plan.
static bool hasPins(const BerthProblemData *problem) {
  for (size_t i = 0; i < problem->numBuffers; ++i)
    if (problem->buffers[i].fixedOffset != BERTH_NONE)
      return true;
  return false;
}

BerthStatus toolWriteComparison(FILE *stream, const char *path,
                                const BerthProblemData *problem,
                                const BerthPlan *plan, const char *title,
                                BerthError *error) {
  BerthReadOptions read = {.offsetsArePlan = true};
  BerthDocument *document = NULL;
  BerthError reason = {0};
  BerthStatus status = berthDocumentRead(path, &read, &document, &reason);
  const BerthPlan *other = NULL;
  if (status == BERTH_SUCCESS) {
    other = berthDocumentGetPlan(document);
    status = checkOther(problem,
                        berthProblemGetData(berthDocumentGetProblem(document)),
                        other, &reason);
  }
  if (status == BERTH_SUCCESS) {
    const char *name = toolTitle(path);
    bool differ = !title || !name || strcmp(title, name) != 0;
    BerthPageScope scopes[] = {{.title = title,
                                .problem = problem,
                                .plan = plan,
                                .bytesBefore = BERTH_NONE},
                               {.title = differ ? name : path,
                                .problem = problem,
                                .plan = other,
                                .bytesBefore = BERTH_NONE}};
    status = berthWritePage(stream, &(BerthPage){scopes, 2, 0, true}, error);
  } else {
    char text[512];
    snprintf(text, sizeof text, "%.300s%s", reason.message,
             hasPins(problem) ? "; offsets in INPUT are pins: --verify-only "
                                "takes them for its plan"
                              : "");
    berthErrorSet(error, status, "--compare '%s': %.400s", path, text);
  }
  berthDocumentDestroy(document);
  return status;
}
