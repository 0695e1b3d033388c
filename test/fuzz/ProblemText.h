//===- ProblemText.h - What the fuzzers of both readers do ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Any text is either refused with a message, or is a checked problem that
// comes back unchanged from every format it is written in.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_FUZZ_PROBLEMTEXT_H
#define BERTH_TEST_FUZZ_PROBLEMTEXT_H

#include "berth-c/IO.h"

#include <stdlib.h>
#include <string.h>

static inline void insist(bool holds) {
  if (!holds)
    abort();
}

/// The text that a writer writes; NULL if it refuses.
static inline char *writeAs(BerthFormat format, const BerthProblemData *problem,
                            const BerthPlan *plan) {
  char *text = NULL;
  size_t length = 0;
  BerthError error = {0};
  FILE *stream = open_memstream(&text, &length);
  BerthStatus status =
      berthWrite(stream, format, problem, plan, "fuzz", &error);
  fclose(stream);
  if (status == BERTH_SUCCESS)
    return text;
  insist(status == BERTH_INVALID && error.message[0] != '\0');
  free(text);
  return NULL;
}

static inline void expectSameAgain(BerthFormat format, const char *text,
                                   const char *json) {
  BerthDocument *document = NULL;
  BerthReadOptions options = {.format = format};
  insist(berthDocumentParse(text, strlen(text), &options, &document, NULL) ==
         BERTH_SUCCESS);
  char *again = writeAs(
      BERTH_FORMAT_JSON, berthProblemGetData(berthDocumentGetProblem(document)),
      format == BERTH_FORMAT_JSON ? berthDocumentGetPlan(document) : NULL);
  insist(again && strcmp(again, json) == 0);
  free(again);
  berthDocumentDestroy(document);
}

static inline bool hasAllIds(const BerthProblemData *problem) {
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (!problem->buffers[i].id || !problem->buffers[i].id[0])
      return false;
  }
  return true;
}

static inline void writeAndReadAgain(BerthDocument *document) {
  const BerthProblemData *problem =
      berthProblemGetData(berthDocumentGetProblem(document));
  const BerthPlan *plan = berthDocumentGetPlan(document);
  char *json = writeAs(BERTH_FORMAT_JSON, problem, plan);
  expectSameAgain(BERTH_FORMAT_JSON, json, json);
  free(json);
  char *csv =
      hasAllIds(problem) ? writeAs(BERTH_FORMAT_CSV, problem, NULL) : NULL;
  if (csv) {
    json = writeAs(BERTH_FORMAT_JSON, problem, NULL);
    // A CSV holds no capacity.
    if (problem->capacity == 0)
      expectSameAgain(BERTH_FORMAT_CSV, csv, json);
    free(json);
  }
  free(csv);
  free(writeAs(BERTH_FORMAT_SVG, problem, plan));
  free(writeAs(BERTH_FORMAT_HTML, problem, plan));
}

/// What a fuzz target does with one input.
static inline void readProblemText(const uint8_t *data, size_t size,
                                   BerthReadOptions options) {
  BerthDocument *document = NULL;
  BerthError error = {0};
  BerthStatus status =
      berthDocumentParse((const char *)data, size, &options, &document, &error);
  insist((status == BERTH_SUCCESS) == (document != NULL));
  insist(status == BERTH_SUCCESS || error.message[0] != '\0');
  if (!document)
    return;
  const BerthPlan *plan = berthDocumentGetPlan(document);
  if (plan)
    berthPlanVerify(berthProblemGetData(berthDocumentGetProblem(document)),
                    plan, NULL);
  writeAndReadAgain(document);
  berthDocumentDestroy(document);
}

#endif // BERTH_TEST_FUZZ_PROBLEMTEXT_H
