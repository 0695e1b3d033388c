//===- Messages.c - Messages have numbers ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Row {
  const char *tag;
  const char *phrase;
  const char *text;
} Row;

static const Row rows[] = {
#define BERTH_MESSAGE(number, phrase, text)                                    \
  {" [berth-" number "]", phrase, text},
#include "Support/Messages.def"
#undef BERTH_MESSAGE
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

const char *berthMessageNumber(const char *message) {
  if (strstr(message, " [berth-E")) // of a process that has said it
    return "";
  // The longest is the most specific one: what it says holds beyond the others.
  const char *tag = "";
  size_t longest = 0;
  for (size_t i = 0; i < NUM_ROWS; ++i) {
    size_t length = strlen(rows[i].phrase);
    if (length <= longest || !strstr(message, rows[i].phrase))
      continue;
    tag = rows[i].tag;
    longest = length;
  }
  return tag;
}

static void print(const Row *row, FILE *out) {
  fprintf(out, "%.10s: ... %s ...\n    %s\n", row->tag + 2, row->phrase,
          row->text);
}

/// What "berth-E005", "[berth-E005]", "e005", "005" or "5" is; 0: no number.
static unsigned long numberOf(const char *text) {
  text += *text == '[';
  text += strncasecmp(text, "berth-", 6) == 0 ? 6 : 0;
  text += *text == 'E' || *text == 'e';
  size_t length = strspn(text, "0123456789");
  bool isNumber = length > 0 && length < 9 &&
                  (text[length] == '\0' || strcmp(text + length, "]") == 0);
  return isNumber ? strtoul(text, NULL, 10) : 0;
}

int berthMessageExplain(const char *number, FILE *out, FILE *errors) {
  bool isAll = strcmp(number, "list") == 0;
  unsigned long asked = numberOf(number);
  int isUnknown = 1;
  for (size_t i = 0; i < NUM_ROWS; ++i) {
    if (!isAll && asked != numberOf(rows[i].tag + 1))
      continue;
    print(&rows[i], out);
    isUnknown = 0;
  }
  if (isUnknown)
    fprintf(errors,
            "error: no message has the number '%s'; they are berth-E001 to "
            "%.10s, and `list` shows them all\n",
            number, rows[NUM_ROWS - 1].tag + 2);
  return isUnknown;
}
