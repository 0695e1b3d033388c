//===- Text.h - Text, positions and numbers in it ------------------ C ---===//
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

#ifndef BERTH_LIB_IO_TEXT_H
#define BERTH_LIB_IO_TEXT_H

#include "berth-c/Support.h"

/// Text that is not NUL-terminated.
typedef struct TextSpan {
  const char *data;
  size_t length;
} TextSpan;

/// Reads all of `path` ("-": standard input) into `*text`, which the caller
/// frees: NUL-terminated, which is not counted; NULL if out of memory.
BerthStatus berthTextRead(const char *path, char **text, size_t *length,
                          BerthError *error);

/// Sets the error's line and column to those of `position`.
void berthTextLocate(TextSpan text, size_t position, BerthError *error);

/// Fails with a message about the byte at `at`, which lies in `text`. Returns
/// BERTH_INVALID.
BerthStatus berthTextFail(TextSpan text, const char *at, BerthError *error,
                          const char *format, ...) BERTH_PRINTF(4, 5);

/// Fails at the first byte that is NUL or not part of valid UTF-8.
BerthStatus berthTextCheckUtf8(TextSpan text, BerthError *error);

/// The length of the valid UTF-8 sequence at `data`, or 0.
size_t berthUtf8Length(const char *data, size_t length);

/// Without blanks at its ends.
TextSpan berthTextTrim(TextSpan text);

bool berthTextEquals(TextSpan text, const char *string);

typedef enum NumberResult {
  NUMBER_OK,
  NUMBER_MALFORMED,
  NUMBER_RANGE
} NumberResult;

/// Reads the decimal integer ("-" and digits, nothing else) that `text` starts
/// with, and cuts it off its front. RANGE: it does not fit an int64_t.
NumberResult berthTextTakeNumber(TextSpan *text, int64_t *value);

/// A span for messages: "%.*s" with TEXT_ARGS, cut to a readable length.
#define TEXT_ARGS(span)                                                        \
  (int)((span).length < 60 ? (span).length : 60), (span).data

#endif // BERTH_LIB_IO_TEXT_H
