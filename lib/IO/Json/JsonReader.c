//===- JsonReader.c - A strict pull reader for JSON ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/JsonReader.h"
#include "Support/Allocate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void berthJsonStart(BerthJsonReader *json, BerthSpan text, BerthError *error) {
  *json = (BerthJsonReader){.text = text, .error = error};
}

BerthStatus berthJsonFinish(BerthJsonReader *json) {
  free(json->string);
  json->string = NULL;
  json->capString = 0;
  if (json->outOfMemory)
    return BERTH_RESOURCE;
  return json->failed ? BERTH_INVALID : BERTH_SUCCESS;
}

bool berthJsonFail(BerthJsonReader *json, size_t position, const char *format,
                   ...) {
  if (json->failed)
    return false;
  json->failed = true;
  char message[sizeof json->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  berthSpanFail(json->text, json->text.data + position, json->error, "%s",
                message);
  return false;
}

void berthJsonOutOfMemory(BerthJsonReader *json) {
  if (json->failed)
    return;
  json->failed = json->outOfMemory = true;
  berthOutOfMemory(json->error);
}

char berthJsonPeek(BerthJsonReader *json) {
  while (!json->failed && json->position < json->text.length) {
    char c = json->text.data[json->position];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
      return c;
    ++json->position;
  }
  return '\0';
}

/// What stands at a position, for messages: a word, a number, a string on its
/// line, or one character.
static BerthSpan wordAt(const BerthJsonReader *json, size_t position) {
  BerthSpan word = {json->text.data + position, 0};
  size_t rest = json->text.length - position;
  const char *end = rest > 1 && *word.data == '"'
                        ? memchr(word.data + 1, '"', rest - 1)
                        : NULL;
  const char *line = end ? memchr(word.data, '\n', rest) : NULL;
  if (end && (!line || end < line)) {
    word.length = (size_t)(end - word.data) + 1;
    return word;
  }
  while (position + word.length < json->text.length &&
         !strchr(" \t\r\n,:[]{}", word.data[word.length]))
    ++word.length;
  if (word.length == 0 && position < json->text.length)
    word.length = 1;
  return word;
}

static bool failExpected(BerthJsonReader *json, const char *expected) {
  if (berthJsonPeek(json) == '\0')
    return berthJsonFail(json, json->position, "%s expected, but the text ends",
                         expected);
  BerthSpan word = wordAt(json, json->position);
  return berthJsonFail(json, json->position, "%s expected instead of '%.*s'",
                       expected, BERTH_SPAN_ARGS(word));
}

/// Takes a punctuation mark if it is next.
static bool take(BerthJsonReader *json, char mark) {
  if (berthJsonPeek(json) != mark)
    return false;
  ++json->position;
  return true;
}

//===---------------------------------------------------------------------===//
// Containers
//===---------------------------------------------------------------------===//

static bool enter(BerthJsonReader *json, char bracket, const char *expected) {
  if (berthJsonPeek(json) != bracket)
    return failExpected(json, expected);
  if (json->depth + 1 >= BERTH_JSON_MAX_DEPTH)
    return berthJsonFail(json, json->position, "nested deeper than %d",
                         BERTH_JSON_MAX_DEPTH);
  ++json->position;
  ++json->depth;
  json->started &= ~(UINT64_C(1) << json->depth);
  return true;
}

/// Moves to the next element; false after the closing bracket or a failure.
static bool next(BerthJsonReader *json, char bracket, const char *expected) {
  if (json->failed)
    return false;
  uint64_t bit = UINT64_C(1) << json->depth;
  if (take(json, bracket)) {
    --json->depth;
    return false;
  }
  if ((json->started & bit) && !take(json, ','))
    return failExpected(json, expected);
  if ((json->started & bit) && berthJsonPeek(json) == bracket)
    return berthJsonFail(json, json->position, "a comma stands before '%c'",
                         bracket);
  json->started |= bit;
  return true;
}

bool berthJsonEnterArray(BerthJsonReader *json) {
  return enter(json, '[', "an array '['");
}

bool berthJsonNextElement(BerthJsonReader *json) {
  return next(json, ']', "',' or ']'");
}

bool berthJsonEnterObject(BerthJsonReader *json, BerthJsonObject *object,
                          const char *what, const char *const *keys) {
  berthJsonPeek(json);
  *object = (BerthJsonObject){what, keys, 0, json->position};
  return enter(json, '{', "an object '{'");
}

static bool failUnknownKey(BerthJsonReader *json, const BerthJsonObject *object,
                           size_t position) {
  char known[320] = "";
  size_t length = 0;
  for (int k = 0; object->keys[k] && length < sizeof known - 24; ++k)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                               k ? ", " : "", object->keys[k]);
  return berthJsonFail(json, position, "%s has no '%.60s'; it may have: %s",
                       object->what, json->string, known);
}

int berthJsonNextKey(BerthJsonReader *json, BerthJsonObject *object) {
  if (!next(json, '}', "',' or '}'"))
    return -1;
  berthJsonPeek(json);
  size_t position = json->position;
  const char *name = berthJsonString(json, "a key");
  if (!json->failed && !take(json, ':'))
    failExpected(json, "':'");
  if (json->failed)
    return -1;
  for (int k = 0; object->keys[k]; ++k) {
    if (strcmp(name, object->keys[k]) != 0)
      continue;
    if (object->seen >> k & 1)
      berthJsonFail(json, position, "'%s' stands twice in %s", name,
                    object->what);
    object->seen |= UINT64_C(1) << k;
    return json->failed ? -1 : k;
  }
  failUnknownKey(json, object, position);
  return -1;
}

bool berthJsonRequire(BerthJsonReader *json, const BerthJsonObject *object,
                      int key) {
  if (object->seen >> key & 1)
    return true;
  return berthJsonFail(json, object->position, "%s lacks '%s'", object->what,
                       object->keys[key]);
}

//===---------------------------------------------------------------------===//
// Numbers and words
//===---------------------------------------------------------------------===//

static size_t skipDigits(BerthSpan text, size_t position) {
  while (position < text.length && text.data[position] >= '0' &&
         text.data[position] <= '9')
    ++position;
  return position;
}

static char charAt(BerthSpan text, size_t position) {
  return position < text.length ? text.data[position] : '\0';
}

/// The end of the number at a position by JSON's grammar, or the position
/// itself if there is none. `*whole` tells whether it has no fraction and no
/// exponent.
static size_t numberEnd(BerthSpan text, size_t start, bool *whole) {
  size_t digits = start + (charAt(text, start) == '-');
  size_t end = skipDigits(text, digits);
  bool leadingZero = charAt(text, digits) == '0' && end > digits + 1;
  if (end == digits || leadingZero)
    return start;
  *whole = true;
  if (charAt(text, end) == '.') {
    *whole = false;
    size_t fraction = skipDigits(text, end + 1);
    if (fraction == end + 1)
      return start;
    end = fraction;
  }
  if ((charAt(text, end) | 0x20) == 'e') {
    *whole = false;
    size_t exponent = end + 1;
    exponent += charAt(text, exponent) == '+' || charAt(text, exponent) == '-';
    end = skipDigits(text, exponent);
    if (end == exponent)
      return start;
  }
  return end;
}

int64_t berthJsonInteger(BerthJsonReader *json, int64_t least, int64_t most,
                         const char *what) {
  berthJsonPeek(json);
  size_t start = json->position;
  BerthSpan word = wordAt(json, start);
  if (json->failed)
    return 0;
  bool whole = false;
  size_t end = numberEnd(json->text, start, &whole);
  if (end != start + word.length || !whole) {
    berthJsonFail(json, start, "%s '%.*s' is not a whole number", what,
                  BERTH_SPAN_ARGS(word));
    return 0;
  }
  int64_t value = 0;
  BerthSpan rest = word;
  bool fits = berthSpanTakeNumber(&rest, &value) == BERTH_NUMBER_OK;
  if (!fits || value < least || value > most) {
    berthJsonFail(json, start, "%s %.*s is not within %" PRId64 " to %" PRId64,
                  what, BERTH_SPAN_ARGS(word), least, most);
    return 0;
  }
  json->position = end;
  return value;
}

static bool takeWord(BerthJsonReader *json, const char *word) {
  berthJsonPeek(json);
  if (json->failed || !berthSpanEquals(wordAt(json, json->position), word))
    return false;
  json->position += strlen(word);
  return true;
}

bool berthJsonBoolean(BerthJsonReader *json, const char *what) {
  if (takeWord(json, "true"))
    return true;
  if (takeWord(json, "false"))
    return false;
  BerthSpan word = wordAt(json, json->position);
  return berthJsonFail(json, json->position, "%s '%.*s' is not true or false",
                       what, BERTH_SPAN_ARGS(word));
}

//===---------------------------------------------------------------------===//
// Strings
//===---------------------------------------------------------------------===//

/// Reads four hexadecimal digits; false if they are not there.
static bool takeHex(BerthJsonReader *json, uint32_t *code) {
  *code = 0;
  for (int i = 0; i < 4; ++i) {
    char c = charAt(json->text, json->position);
    uint32_t digit;
    if (c >= '0' && c <= '9')
      digit = (uint32_t)(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      digit = (uint32_t)((c | 0x20) - 'a') + 10;
    else
      return false;
    *code = *code << 4 | digit;
    ++json->position;
  }
  return true;
}

/// Reads what follows "\u", a second half of a surrogate pair included.
static bool takeUnicode(BerthJsonReader *json, uint32_t *code) {
  if (!takeHex(json, code))
    return false;
  if (*code < 0xD800 || *code > 0xDFFF)
    return *code != 0;
  uint32_t low;
  if (*code > 0xDBFF || charAt(json->text, json->position) != '\\' ||
      charAt(json->text, json->position + 1) != 'u')
    return false;
  json->position += 2;
  if (!takeHex(json, &low) || low < 0xDC00 || low > 0xDFFF)
    return false;
  *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

static size_t encodeUtf8(uint32_t code, char *out) {
  unsigned char *bytes = (unsigned char *)out;
  if (code < 0x80) {
    bytes[0] = (unsigned char)code;
    return 1;
  }
  size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = count; i-- > 1; code >>= 6)
    bytes[i] = (unsigned char)(0x80 | (code & 0x3F));
  bytes[0] = (unsigned char)(marks[count] | code);
  return count;
}

/// Decodes the escape after a backslash into `out`; returns its length, or 0
/// if it is malformed.
static size_t takeEscape(BerthJsonReader *json, char *out) {
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  char letter = charAt(json->text, json->position++);
  uint32_t code;
  if (letter == 'u')
    return takeUnicode(json, &code) ? encodeUtf8(code, out) : 0;
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found)
    return 0;
  *out = meanings[found - letters];
  return 1;
}

const char *berthJsonString(BerthJsonReader *json, const char *what) {
  if (berthJsonPeek(json) != '"') {
    char string[80]; // of a key's value, not of what is a string anyway
    snprintf(string, sizeof string, "a string for '%.60s'", what);
    failExpected(json, strncmp(what, "a ", 2) == 0 ? what : string);
    return "";
  }
  size_t start = json->position++;
  size_t length = 0;
  for (;;) {
    if (!berthReserve(&json->string, &json->capString, length + 8)) {
      berthJsonOutOfMemory(json);
      return "";
    }
    size_t at = json->position;
    char c = charAt(json->text, json->position++);
    if (c == '"')
      break;
    if (at >= json->text.length || (unsigned char)c < 0x20) {
      berthJsonFail(json, start, "this string is not closed on its line");
      return "";
    }
    size_t count = 1;
    json->string[length] = c;
    if (c == '\\')
      count = takeEscape(json, json->string + length);
    if (count == 0) {
      berthJsonFail(json, at, "malformed escape in a string");
      return "";
    }
    length += count;
  }
  json->string[length] = '\0';
  return json->string;
}

char *berthJsonCopyString(BerthJsonReader *json, const char *what) {
  const char *string = berthJsonString(json, what);
  if (json->failed)
    return NULL;
  char *copy = berthCopyText(string, strlen(string));
  if (!copy)
    berthJsonOutOfMemory(json);
  return copy;
}

int berthJsonWord(BerthJsonReader *json, const char *what,
                  const char *(*word)(int index), int count) {
  berthJsonPeek(json);
  size_t position = json->position;
  const char *text = berthJsonString(json, "a string");
  for (int i = 0; i < count && !json->failed; ++i) {
    if (strcmp(text, word(i)) == 0)
      return i;
  }
  berthJsonFail(json, position, "unknown %s '%.60s'", what, text);
  return 0;
}

//===---------------------------------------------------------------------===//
// Skipping
//===---------------------------------------------------------------------===//

static void skipNumber(BerthJsonReader *json) {
  bool whole;
  BerthSpan word = wordAt(json, json->position);
  size_t end = numberEnd(json->text, json->position, &whole);
  if (word.length == 0 || end != json->position + word.length)
    failExpected(json, "a value");
  else
    json->position = end;
}

/// Skips one member's key and colon.
static void skipKey(BerthJsonReader *json) {
  berthJsonString(json, "a key");
  if (!json->failed && !take(json, ':'))
    failExpected(json, "':'");
}

/// Recursion is bounded by JSON_MAX_DEPTH.
void berthJsonSkip(BerthJsonReader *json) {
  switch (berthJsonPeek(json)) {
  case '{':
    enter(json, '{', "");
    while (next(json, '}', "',' or '}'")) {
      skipKey(json);
      berthJsonSkip(json);
    }
    return;
  case '[':
    enter(json, '[', "");
    while (next(json, ']', "',' or ']'"))
      berthJsonSkip(json);
    return;
  case '"':
    berthJsonString(json, "a string");
    return;
  default:
    if (!takeWord(json, "true") && !takeWord(json, "false") &&
        !takeWord(json, "null"))
      skipNumber(json);
  }
}

void berthJsonExpectEnd(BerthJsonReader *json) {
  if (berthJsonPeek(json) != '\0' && !json->failed)
    failExpected(json, "the end of the text");
}
