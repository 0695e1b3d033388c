//===- Read.c - Text to document --------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Csv/CsvReader.h"
#include "IO/Json/JsonProblem.h"
#include "IO/Text/Document.h"
#include "IO/Text/ReadInput.h"
#include "Pack/Problem/Plan.h"
#include "Support/Allocate.h"
#include "Support/Checked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// JSON starts with a brace, or a bracket where it is another's; everything
/// else is taken for CSV.
static BerthFormat guessFormat(BerthSpan text) {
  for (size_t i = 0; i < text.length; ++i) {
    if (!strchr(" \t\r\n", text.data[i]))
      return strchr("{[", text.data[i]) ? BERTH_FORMAT_JSON : BERTH_FORMAT_CSV;
  }
  return BERTH_FORMAT_CSV;
}

/// Blanks out a byte order mark, so that positions stay those of the file.
static void skipByteOrderMark(BerthDocument *document) {
  if (document->length >= 3 && memcmp(document->text, "\xEF\xBB\xBF", 3) == 0)
    memset(document->text, ' ', 3);
}

static BerthStatus checkProblem(const BerthDocument *document,
                                BerthError *error) {
  size_t bad = SIZE_MAX;
  BerthStatus status =
      berthProblemCheck(berthDocumentData(document), &bad, error);
  if (status != BERTH_SUCCESS && bad != SIZE_MAX)
    berthDocumentLocate(document, bad, error);
  else if (status != BERTH_SUCCESS)
    berthDocumentLocateNamed(document, error);
  return status;
}

static BerthStatus checkTops(const BerthDocument *document,
                             const BerthProblemData *problem,
                             BerthError *error) {
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    int64_t top;
    if (berthAdd(document->plan.offsets[i], problem->buffers[i].size, &top))
      continue;
    berthErrorSet(error, BERTH_INVALID,
                  "offset %" PRId64 " and size %" PRId64 " overflow",
                  document->plan.offsets[i], problem->buffers[i].size);
    berthDocumentLocate(document, i, error);
    return BERTH_INVALID;
  }
  return BERTH_SUCCESS;
}

static void fillIn(int64_t *figure, int64_t value) {
  if (*figure == BERTH_NONE)
    *figure = value;
}

/// Computes what the text does not state about its plan.
static BerthStatus completePlan(BerthDocument *document, BerthError *error) {
  const BerthProblemData *problem = berthDocumentData(document);
  BerthPlan *plan = &document->plan;
  BerthStatus status = checkTops(document, problem, error);
  if (status != BERTH_SUCCESS)
    return status;
  int64_t load = berthProblemLoad(problem, NULL);
  if (load == BERTH_NONE)
    return berthOutOfMemory(error);
  BerthFigures figures = berthPlanMeasure(problem, plan);
  fillIn(&plan->peak, figures.peak);
  fillIn(&plan->price, figures.price);
  fillIn(&plan->poolCost, figures.poolCost);
  fillIn(&plan->hintDistance, figures.hintDistance);
  fillIn(&plan->load, load);
  fillIn(&plan->lowerBound, plan->load);
  if (plan->lowerBound == plan->load)
    plan->boundReason = BERTH_BOUND_LOAD;
  return BERTH_SUCCESS;
}

static BerthStatus parse(BerthDocument *document,
                         const BerthReadOptions *options, BerthError *error) {
  BerthStatus status = berthSpanCheckUtf8(berthDocumentText(document), error);
  if (status != BERTH_SUCCESS)
    return status;
  skipByteOrderMark(document);
  document->format = options ? options->format : BERTH_FORMAT_AUTO;
  if (document->format == BERTH_FORMAT_AUTO)
    document->format = guessFormat(berthDocumentText(document));
  if (document->format == BERTH_FORMAT_CSV)
    status = berthCsvParse(document, options && options->offsetsArePlan, error);
  else if (document->format == BERTH_FORMAT_JSON)
    status = berthJsonParse(document, error);
  else
    return berthErrorSet(error, BERTH_INVALID,
                         "SVG and HTML are for output only");
  if (status == BERTH_SUCCESS)
    status = checkProblem(document, error);
  if (status == BERTH_SUCCESS && document->hasPlan)
    status = completePlan(document, error);
  return status;
}

/// Takes over `text`, which is NUL-terminated, or NULL if out of memory.
static BerthStatus parseOwned(char *text, size_t length,
                              const BerthReadOptions *options,
                              BerthDocument **document, BerthError *error) {
  BerthDocument *result = berthZeroed(1, sizeof *result);
  *document = NULL;
  if (!result) {
    free(text);
    return berthOutOfMemory(error);
  }
  result->text = text;
  result->length = length;
  result->problem = berthProblemCreate();
  BerthStatus status = text && result->problem ? parse(result, options, error)
                                               : berthOutOfMemory(error);
  if (status != BERTH_SUCCESS) {
    berthDocumentDestroy(result);
    result = NULL;
  }
  *document = result;
  return status;
}

BerthStatus berthDocumentParse(const char *text, size_t length,
                               const BerthReadOptions *options,
                               BerthDocument **document, BerthError *error) {
  return parseOwned(berthCopyText(text, length), length, options, document,
                    error);
}

//===---------------------------------------------------------------------===//
// Files
//===---------------------------------------------------------------------===//

BerthStatus berthDocumentRead(const char *path, const BerthReadOptions *options,
                              BerthDocument **document, BerthError *error) {
  *document = NULL;
  char *text = NULL;
  size_t length = 0;
  BerthStatus status = berthReadInput(path, &text, &length, error);
  if (status != BERTH_SUCCESS)
    return status;
  BerthReadOptions resolved = options ? *options : (BerthReadOptions){0};
  if (resolved.format == BERTH_FORMAT_AUTO)
    resolved.format = berthFormatFromPath(path);
  return parseOwned(text, length, &resolved, document, error);
}
