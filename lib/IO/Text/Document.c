//===- Document.c - A parsed input --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Document.h"
#include "Pack/Problem/Plan.h"
#include "Pack/Problem/Problem.h"
#include "Support/Allocate.h"

#include <stdlib.h>
#include <string.h>

const BerthProblemData *berthDocumentData(const BerthDocument *document) {
  return berthProblemGetData(document->problem);
}

bool berthDocumentAddBuffer(BerthDocument *document, const BerthBuffer *buffer,
                            size_t position) {
  if (!berthReserve(&document->positions, &document->capPositions,
                    document->numPositions + 1))
    return false;
  document->positions[document->numPositions++] = position;
  return berthProblemAddBuffer(document->problem, buffer) != UINT32_MAX;
}

bool berthDocumentStartPlan(BerthDocument *document) {
  const BerthProblemData *problem = berthDocumentData(document);
  BerthPlan *plan = &document->plan;
  if (!problem || berthPlanInit(plan, problem, NULL) != BERTH_SUCCESS)
    return false;
  if (plan->numBuffers > 0)
    memset(plan->offsets, 0, plan->numBuffers * sizeof *plan->offsets);
  plan->peak = plan->load = plan->lowerBound = BERTH_NONE;
  plan->price = plan->poolCost = plan->hintDistance = BERTH_NONE;
  plan->status = BERTH_PLAN_FEASIBLE;
  plan->stopped = BERTH_STOP_EXHAUSTED;
  plan->boundReason = BERTH_BOUND_STATED;
  plan->packer = "file";
  return document->hasPlan = true;
}

void berthDocumentDestroy(BerthDocument *document) {
  if (!document)
    return;
  berthPlanFree(&document->plan);
  berthFitPlanFree(&document->fit);
  berthProblemDestroy(document->problem);
  free(document->positions);
  free(document->packerName);
  free(document->text);
  free(document);
}

BerthFormat berthDocumentGetFormat(const BerthDocument *document) {
  return document->format;
}

BerthProblem *berthDocumentGetProblem(BerthDocument *document) {
  return document->problem;
}

const BerthPlan *berthDocumentGetPlan(const BerthDocument *document) {
  return document->hasPlan ? &document->plan : NULL;
}

const BerthFitPlan *berthDocumentGetFit(const BerthDocument *document,
                                        BerthFitOptions *options) {
  *options = document->fitOptions;
  return document->hasFit ? &document->fit : NULL;
}

void berthDocumentLocate(const BerthDocument *document, size_t buffer,
                         BerthError *error) {
  if (buffer < document->numPositions)
    berthSpanLocate(berthDocumentText(document), document->positions[buffer],
                    error);
}

void berthDocumentLocateNamed(const BerthDocument *document,
                              BerthError *error) {
  const BerthProblemData *problem = berthDocumentData(document);
  const char *name = strchr(error->message, '\'');
  const char *end = name ? strchr(name + 1, '\'') : NULL;
  if (!end || error->line > 0)
    return;
  size_t length = (size_t)(end - name - 1);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    BerthName own = berthBufferName(problem, i);
    if (strncmp(own.text, name + 1, length) || own.text[length])
      continue;
    berthDocumentLocate(document, i, error);
    return;
  }
}
