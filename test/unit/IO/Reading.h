//===- Reading.h - Helpers of the readers' tests -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_UNIT_IO_READING_H
#define BERTH_TEST_UNIT_IO_READING_H

#include "berth-c/IO.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// A text that must be refused, and how.
typedef struct BadText {
  const char *text;
  uint64_t line; ///< 0: the error has no position
  uint64_t column;
  const char *message; ///< part of the expected message
} BadText;

static inline void expectBad(const BadText *bad, BerthFormat format,
                             bool offsetsArePlan) {
  BerthReadOptions options = {format, offsetsArePlan};
  BerthDocument *document = NULL;
  BerthError error = {0};
  BerthStatus status = berthDocumentParse(bad->text, strlen(bad->text),
                                          &options, &document, &error);
  if (status != BERTH_INVALID)
    fail_msg("accepted: %s", bad->text);
  assert_null(document);
  if (!strstr(error.message, bad->message))
    fail_msg("for %s\nexpected '%s'\nbut got '%s'", bad->text, bad->message,
             error.message);
  if (error.line != bad->line || error.column != bad->column)
    fail_msg("for %s\nexpected %lu:%lu but got %lu:%lu (%s)", bad->text,
             (unsigned long)bad->line, (unsigned long)bad->column,
             (unsigned long)error.line, (unsigned long)error.column,
             error.message);
}

static inline BerthDocument *expectGood(const char *text, BerthFormat format,
                                        bool offsetsArePlan) {
  BerthReadOptions options = {format, offsetsArePlan};
  BerthDocument *document = NULL;
  BerthError error = {0};
  if (berthDocumentParse(text, strlen(text), &options, &document, &error) !=
      BERTH_SUCCESS)
    fail_msg("refused: %lu:%lu: %s\n%s", (unsigned long)error.line,
             (unsigned long)error.column, error.message, text);
  return document;
}

static inline const BerthProblemData *problemOf(BerthDocument *document) {
  return berthProblemGetData(berthDocumentGetProblem(document));
}

/// What a writer writes, to be freed.
#define WRITTEN(call)                                                          \
  __extension__({                                                              \
    static char *text_; /* gcc would warn of what points into it */            \
    static size_t length_;                                                     \
    FILE *stream = open_memstream(&text_, &length_);                           \
    BerthError error = {0};                                                    \
    if ((call) != BERTH_SUCCESS)                                               \
      fail_msg("not written: %s", error.message);                              \
    fclose(stream);                                                            \
    text_;                                                                     \
  })

#endif // BERTH_TEST_UNIT_IO_READING_H
