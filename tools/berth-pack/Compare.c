//===- Compare.c - Two plans of one problem, side by side -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Page.h"
#include "Tool.h"

#include <stdio.h>
#include <string.h>

static bool haveOneName(const BerthBuffer *a, const BerthBuffer *b) {
  return a->id && b->id ? strcmp(a->id, b->id) == 0 : a->id == b->id;
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
  return NULL;
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
    return berthErrorSet(error, BERTH_INVALID, "it has %zu buffer%s, not %zu",
                         other->numBuffers, other->numBuffers == 1 ? "" : "s",
                         problem->numBuffers);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    BerthStatus status =
        checkBuffer(&problem->buffers[i], &other->buffers[i], i, error);
    if (status != BERTH_SUCCESS)
      return status;
  }
  BerthPlan judged = *plan;
  judged.lowerBound = judged.load; // what it claims to have proven is its own
  judged.provenLevels = 0;
  judged.status = BERTH_PLAN_FEASIBLE;
  return berthPlanVerify(problem, &judged, error);
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
    BerthPageScope scopes[] = {{.title = title,
                                .problem = problem,
                                .plan = plan,
                                .bytesBefore = BERTH_NONE},
                               {.title = path,
                                .problem = problem,
                                .plan = other,
                                .bytesBefore = BERTH_NONE}};
    status = berthWritePage(stream, &(BerthPage){scopes, 2, 0, true}, error);
  } else {
    berthErrorSet(error, status, "--compare '%s': %.400s", path,
                  reason.message);
  }
  berthDocumentDestroy(document);
  return status;
}
