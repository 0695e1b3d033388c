//===- Escape.c - Names inside JSON and XML ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Escape.h"
#include "IO/Text.h"

#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/// Calls `write` for each character: one of UTF-8, or the replacement.
static void forEachCharacter(FILE *stream, const char *string,
                             void (*write)(FILE *, const char *, size_t)) {
  size_t length = strlen(string);
  for (size_t i = 0; i < length;) {
    size_t count = berthUtf8Length(string + i, length - i);
    if (count > 0)
      write(stream, string + i, count);
    else
      write(stream, REPLACEMENT, strlen(REPLACEMENT));
    i += count > 0 ? count : 1;
  }
}

static void writeJsonCharacter(FILE *stream, const char *bytes, size_t count) {
  unsigned char c = (unsigned char)bytes[0];
  if (c == '"' || c == '\\')
    fprintf(stream, "\\%c", c);
  else if (c < 0x20 || c == 0x7F || c == '<')
    fprintf(stream, "\\u%04x", c);
  else
    fwrite(bytes, 1, count, stream);
}

void berthWriteJsonString(FILE *stream, const char *string) {
  fputc('"', stream);
  forEachCharacter(stream, string, writeJsonCharacter);
  fputc('"', stream);
}

static void writeXmlCharacter(FILE *stream, const char *bytes, size_t count) {
  static const struct {
    char character;
    const char *entity;
  } entities[] = {
      {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
  for (size_t i = 0; i < sizeof entities / sizeof entities[0]; ++i) {
    if (bytes[0] == entities[i].character) {
      fputs(entities[i].entity, stream);
      return;
    }
  }
  if ((unsigned char)bytes[0] < 0x20)
    fputs(REPLACEMENT, stream);
  else
    fwrite(bytes, 1, count, stream);
}

void berthWriteXml(FILE *stream, const char *string) {
  forEachCharacter(stream, string, writeXmlCharacter);
}
