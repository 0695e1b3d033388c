//===- JsonReader.h - A strict pull reader for JSON ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The caller asks for what it expects and walks objects and arrays with loops;
// no tree is built, so a million buffers cost no more memory than their text:
//
//   berthJsonEnterArray(json);
//   while (berthJsonNextElement(json))
//     sum += berthJsonInteger(json, 0, INT64_MAX, "size");
//
// The first error sticks: every later call returns 0, false or NULL, so loops
// end by themselves and one look at `failed` at the end is enough. Strict
// RFC 8259: no comments, no trailing commas, no duplicate or unknown keys, no
// fractions where whole numbers are expected, nesting of at most 64.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSONREADER_H
#define BERTH_LIB_IO_JSONREADER_H

#include "IO/Text.h"

enum { JSON_MAX_DEPTH = 64 };

typedef struct JsonReader {
  TextSpan text;
  size_t position;
  bool failed;
  bool outOfMemory; ///< why it failed, rather than for the text's sake
  unsigned depth;
  uint64_t started; ///< bit d: the container at depth d has had an element
  char *string;     ///< the last string read, decoded
  size_t capString;
  BerthError *error;
} JsonReader;

void berthJsonStart(JsonReader *json, TextSpan text, BerthError *error);
/// Frees the reader's buffer. BERTH_INVALID if anything has failed, and
/// BERTH_RESOURCE if that was for lack of memory.
BerthStatus berthJsonFinish(JsonReader *json);

/// Fails at a position, unless something has failed before. Returns false.
bool berthJsonFail(JsonReader *json, size_t position, const char *format, ...)
    BERTH_PRINTF(3, 4);
/// The same where memory is refused.
void berthJsonOutOfMemory(JsonReader *json);

/// Skips blanks and returns the next character, or '\0' at the end.
char berthJsonPeek(JsonReader *json);

bool berthJsonEnterArray(JsonReader *json);
/// True before each element, false at the end of the array, which it leaves.
bool berthJsonNextElement(JsonReader *json);

/// One key that an object may have, at most once.
typedef struct JsonObject {
  const char *what;        ///< names the object in messages
  const char *const *keys; ///< NULL-terminated, at most 64
  uint64_t seen;           ///< bit k: keys[k] was there
  size_t position;         ///< of its brace
} JsonObject;

bool berthJsonEnterObject(JsonReader *json, JsonObject *object,
                          const char *what, const char *const *keys);
/// The index of the next key, its value next to be read; -1 at the end of the
/// object, which it leaves.
int berthJsonNextKey(JsonReader *json, JsonObject *object);
/// Fails unless the object had keys[key].
bool berthJsonRequire(JsonReader *json, const JsonObject *object, int key);

/// A whole number in [least, most]. `what` names it in messages.
int64_t berthJsonInteger(JsonReader *json, int64_t least, int64_t most,
                         const char *what);
bool berthJsonBoolean(JsonReader *json, const char *what);
/// Decoded and NUL-terminated, valid until the next string or key is read; ""
/// after a failure.
const char *berthJsonString(JsonReader *json, const char *what);

/// The same for the caller to keep and free; NULL after a failure.
char *berthJsonCopyString(JsonReader *json, const char *what);

/// Skips one value of any kind, checking that it is well-formed.
void berthJsonSkip(JsonReader *json);
/// Fails if anything but blanks follows.
void berthJsonExpectEnd(JsonReader *json);

#endif // BERTH_LIB_IO_JSONREADER_H
