//===- Text.c - Problems as lines of `key: isl text` ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // strdup, strndup

#include "berth-c/Fold.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NumKeys = 13 };

/// In the order of BerthFoldSource's fields, which errors count by.
static const char *const keys[NumKeys] = {
    "context",    "domain",  "schedule", "reads",    "writes",
    "may-writes", "live-in", "live-out", "parallel", "conflict",
    "names",      "slices",  "may-reads"};

/// A field's text and where it stood.
typedef struct Field {
  char *value;
  uint64_t line;
  uint64_t column; ///< of the value's first character
} Field;

static BerthStatus failAt(BerthError *error, uint64_t line, uint64_t column) {
  if (error) {
    error->line = line;
    error->column = column;
  }
  return BERTH_INVALID;
}

static int keyIndex(const char *name, size_t length) {
  for (int i = 0; i < NumKeys; ++i)
    if (strlen(keys[i]) == length && !strncmp(keys[i], name, length))
      return i;
  return -1;
}

/// Reads one line into its field. Blank lines and comments are nothing.
static BerthStatus readLine(const char *line, size_t length, uint64_t number,
                            Field *fields, BerthError *error) {
  size_t start = 0;
  while (start < length && isspace((unsigned char)line[start]))
    ++start;
  if (start == length || line[start] == '#')
    return BERTH_SUCCESS;
  const char *colon = memchr(line + start, ':', length - start);
  if (!colon) {
    berthErrorSet(error, BERTH_INVALID, "expected 'key: text'");
    return failAt(error, number, start + 1);
  }
  size_t nameLength = (size_t)(colon - line) - start;
  int key = keyIndex(line + start, nameLength);
  if (key < 0 || fields[key].value) {
    berthErrorSet(error, BERTH_INVALID, "%s key '%.*s'",
                  key < 0 ? "unknown" : "repeated",
                  (int)(nameLength < 60 ? nameLength : 60), line + start);
    return failAt(error, number, start + 1);
  }
  size_t value = (size_t)(colon - line) + 1;
  while (value < length && isspace((unsigned char)line[value]))
    ++value;
  fields[key] =
      (Field){strndup(line + value, length - value), number, value + 1};
  return BERTH_SUCCESS;
}

static BerthStatus readLines(const char *text, Field *fields,
                             BerthError *error) {
  BerthStatus status = BERTH_SUCCESS;
  for (uint64_t number = 1; *text && status == BERTH_SUCCESS; ++number) {
    size_t length = strcspn(text, "\n");
    status = readLine(text, length, number, fields, error);
    text += length + (text[length] == '\n');
  }
  return status;
}

/// Turns "field k, character c" into a line and a column of the text.
static void locate(const Field *fields, BerthError *error) {
  if (!error || error->line < 1 || error->line > NumKeys)
    return;
  const Field *field = &fields[error->line - 1];
  error->line = field->line;
  error->column = field->column + (error->column ? error->column - 1 : 0);
}

BerthStatus berthFoldProblemParse(const char *text, uint64_t maxOperations,
                                  BerthFoldProblem **problem,
                                  BerthError *error) {
  *problem = NULL;
  Field fields[NumKeys] = {{0}};
  BerthStatus status = readLines(text, fields, error);
  if (status == BERTH_SUCCESS) {
    BerthFoldSource source = {.context = fields[0].value,
                              .domain = fields[1].value,
                              .schedule = fields[2].value,
                              .reads = fields[3].value,
                              .writes = fields[4].value,
                              .mayWrites = fields[5].value,
                              .liveIn = fields[6].value,
                              .liveOut = fields[7].value,
                              .parallel = fields[8].value,
                              .conflict = fields[9].value,
                              .names = fields[10].value,
                              .slices = fields[11].value,
                              .mayReads = fields[12].value};
    status = berthFoldProblemCreate(&source, maxOperations, problem, error);
    if (status != BERTH_SUCCESS)
      locate(fields, error);
  }
  for (int i = 0; i < NumKeys; ++i)
    free(fields[i].value);
  return status;
}
