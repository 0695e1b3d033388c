//===- Span.h - Text, positions and numbers in it ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the two readers share. Positions are byte offsets into the text; lines
// and columns (both from 1, columns in bytes) are counted only for an error.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_SPAN_H
#define BERTH_LIB_IO_TEXT_SPAN_H

#include "berth-c/Support.h"

/// Text that is not NUL-terminated.
typedef struct BerthSpan {
  const char *data;
  size_t length;
} BerthSpan;

/// Sets the error's line and column to those of `position`.
void berthSpanLocate(BerthSpan text, size_t position, BerthError *error);

/// Fails with a message about the byte at `at`, which lies in `text`. Returns
/// BERTH_INVALID.
BerthStatus berthSpanFail(BerthSpan text, const char *at, BerthError *error,
                          const char *format, ...) BERTH_PRINTF(4, 5);

/// Fails at the first byte that is NUL or not part of valid UTF-8.
BerthStatus berthSpanCheckUtf8(BerthSpan text, BerthError *error);

/// The length of the valid UTF-8 sequence at `data`, or 0.
size_t berthUtf8Length(const char *data, size_t length);

/// Without blanks at its ends.
BerthSpan berthSpanTrim(BerthSpan text);

bool berthSpanEquals(BerthSpan text, const char *string);

typedef enum BerthNumberResult {
  BERTH_NUMBER_OK,
  BERTH_NUMBER_MALFORMED,
  BERTH_NUMBER_RANGE
} BerthNumberResult;

/// Reads the decimal integer ("-" and digits, nothing else) that `text` starts
/// with, and cuts it off its front. RANGE: it does not fit an int64_t.
BerthNumberResult berthSpanTakeNumber(BerthSpan *text, int64_t *value);

/// A span for messages: "%.*s" with TEXT_ARGS, cut to a readable length.
#define BERTH_SPAN_ARGS(span)                                                  \
  (int)((span).length < 60 ? (span).length : 60), (span).data

#endif // BERTH_LIB_IO_TEXT_SPAN_H
