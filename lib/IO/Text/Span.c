//===- Span.c - Text, positions and numbers in it ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Span.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void berthSpanLocate(BerthSpan text, size_t position, BerthError *error) {
  if (!error)
    return;
  uint64_t line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < position && i < text.length; ++i) {
    if (text.data[i] == '\n') {
      ++line;
      lineStart = i + 1;
    }
  }
  error->line = line;
  error->column = position - lineStart + 1;
}

BerthStatus berthSpanFail(BerthSpan text, const char *at, BerthError *error,
                          const char *format, ...) {
  if (!error)
    return BERTH_INVALID;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  berthSpanLocate(text, (size_t)(at - text.data), error);
  return BERTH_INVALID;
}

/// The length that a UTF-8 sequence's first byte announces, or 0, and the
/// least code point that needs that length.
static size_t utf8Announced(unsigned char first, uint32_t *bits,
                            uint32_t *least) {
  if (first >= 0xC2 && first <= 0xDF) {
    *bits = first & 0x1Fu;
    *least = 0x80;
    return 2;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    *bits = first & 0x0Fu;
    *least = 0x800;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    *bits = first & 0x07u;
    *least = 0x10000;
    return 4;
  }
  return 0;
}

size_t berthUtf8Length(const char *data, size_t length) {
  const unsigned char *bytes = (const unsigned char *)data;
  if (length == 0 || bytes[0] < 0x80)
    return length == 0 ? 0 : 1;
  uint32_t code = 0;
  uint32_t least = 0;
  size_t count = utf8Announced(bytes[0], &code, &least);
  if (count == 0 || count > length)
    return 0;
  for (size_t i = 1; i < count; ++i) {
    if ((bytes[i] & 0xC0) != 0x80)
      return 0;
    code = (code << 6) | (bytes[i] & 0x3Fu);
  }
  bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least || code > 0x10FFFF || surrogate ? 0 : count;
}

// Are the eight bytes at `data` ASCII other than NUL? A byte of 0 borrows from
// its highest bit when 1 is taken from it.
static bool isPlainWord(const char *data) {
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
  uint64_t word;
  memcpy(&word, data, sizeof word);
  return ((word | (word - ones)) & tops) == 0;
}

BerthStatus berthSpanCheckUtf8(BerthSpan text, BerthError *error) {
  for (size_t i = 0; i < text.length;) {
    if (text.length - i >= 8 && isPlainWord(text.data + i)) {
      i += 8;
      continue;
    }
    size_t count = berthUtf8Length(text.data + i, text.length - i);
    if (count == 0 || text.data[i] == '\0') {
      return berthSpanFail(text, text.data + i, error,
                           "byte 0x%02X is not text (UTF-8 is expected)",
                           (unsigned)(unsigned char)text.data[i]);
    }
    i += count;
  }
  return BERTH_SUCCESS;
}

static bool isBlank(char c) { return c == ' ' || c == '\t'; }

BerthSpan berthSpanTrim(BerthSpan text) {
  while (text.length > 0 && isBlank(text.data[0])) {
    ++text.data;
    --text.length;
  }
  while (text.length > 0 && isBlank(text.data[text.length - 1]))
    --text.length;
  return text;
}

bool berthSpanEquals(BerthSpan text, const char *string) {
  return strlen(string) == text.length &&
         memcmp(text.data, string, text.length) == 0;
}

BerthNumberResult berthSpanTakeNumber(BerthSpan *text, int64_t *value) {
  size_t i = 0;
  bool negative = text->length > 0 && text->data[0] == '-';
  if (negative)
    ++i;
  size_t firstDigit = i;
  bool inRange = true;
  // Negative numbers reach one further than positive ones: count downwards.
  int64_t sum = 0;
  for (; i < text->length && text->data[i] >= '0' && text->data[i] <= '9';
       ++i) {
    inRange = inRange && !__builtin_mul_overflow(sum, 10, &sum) &&
              !__builtin_sub_overflow(sum, text->data[i] - '0', &sum);
  }
  if (i == firstDigit)
    return BERTH_NUMBER_MALFORMED;
  text->data += i;
  text->length -= i;
  if (!inRange || (!negative && sum == INT64_MIN))
    return BERTH_NUMBER_RANGE;
  *value = negative ? sum : -sum;
  return BERTH_NUMBER_OK;
}
