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

#ifndef BERTH_LIB_IO_JSON_JSONREADER_H
#define BERTH_LIB_IO_JSON_JSONREADER_H

#include "IO/Text/Span.h"

enum { BERTH_JSON_MAX_DEPTH = 64 };

typedef struct BerthJsonReader {
  BerthSpan text;
  size_t position;
  bool failed;
  bool outOfMemory; ///< why it failed, rather than for the text's sake
  unsigned depth;
  uint64_t started; ///< bit d: the container at depth d has had an element
  char *string;     ///< the last string read, decoded
  size_t capString;
  BerthError *error;
} BerthJsonReader;

void berthJsonStart(BerthJsonReader *json, BerthSpan text, BerthError *error);
/// Frees the reader's buffer. BERTH_INVALID if anything has failed, and
/// BERTH_RESOURCE if that was for lack of memory.
BerthStatus berthJsonFinish(BerthJsonReader *json);

/// Fails at a position, unless something has failed before. Returns false.
bool berthJsonFail(BerthJsonReader *json, size_t position, const char *format,
                   ...) BERTH_PRINTF(3, 4);
/// The same where memory is refused.
void berthJsonOutOfMemory(BerthJsonReader *json);

/// Skips blanks and returns the next character, or '\0' at the end.
char berthJsonPeek(BerthJsonReader *json);

bool berthJsonEnterArray(BerthJsonReader *json);
/// True before each element, false at the end of the array, which it leaves.
bool berthJsonNextElement(BerthJsonReader *json);

/// One key that an object may have, at most once.
typedef struct BerthJsonObject {
  const char *what;        ///< names the object in messages
  const char *const *keys; ///< NULL-terminated, at most 64
  uint64_t seen;           ///< bit k: keys[k] was there
  size_t position;         ///< of its brace
} BerthJsonObject;

bool berthJsonEnterObject(BerthJsonReader *json, BerthJsonObject *object,
                          const char *what, const char *const *keys);
/// The index of the next key, its value next to be read; -1 at the end of the
/// object, which it leaves.
int berthJsonNextKey(BerthJsonReader *json, BerthJsonObject *object);
/// Fails unless the object had keys[key].
bool berthJsonRequire(BerthJsonReader *json, const BerthJsonObject *object,
                      int key);

/// A whole number in [least, most]. `what` names it in messages.
int64_t berthJsonInteger(BerthJsonReader *json, int64_t least, int64_t most,
                         const char *what);
bool berthJsonBoolean(BerthJsonReader *json, const char *what);
/// Decoded and NUL-terminated, valid until the next string or key is read; ""
/// after a failure.
const char *berthJsonString(BerthJsonReader *json, const char *what);

/// The same for the caller to keep and free; NULL after a failure.
char *berthJsonCopyString(BerthJsonReader *json, const char *what);

/// A string that is one of word(0) to word(count - 1), as its number.
int berthJsonWord(BerthJsonReader *json, const char *what,
                  const char *(*word)(int index), int count);

/// Skips one value of any kind, checking that it is well-formed.
void berthJsonSkip(BerthJsonReader *json);
/// Fails if anything but blanks follows.
void berthJsonExpectEnd(BerthJsonReader *json);

#endif // BERTH_LIB_IO_JSON_JSONREADER_H
