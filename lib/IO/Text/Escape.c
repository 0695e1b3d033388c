//===- Escape.c - Names inside JSON and XML ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Escape.h"
#include "IO/Text/Span.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/// Calls `write` for each character: one of UTF-8, or the replacement. The last
/// argument is the byte after it, 0 at the end.
static void forEachCharacter(FILE *stream, const char *text, size_t length,
                             void (*write)(FILE *, const char *, size_t,
                                           char)) {
  for (size_t i = 0; i < length;) {
    size_t count = berthUtf8Length(text + i, length - i);
    size_t next = i + (count > 0 ? count : 1);
    char after = next < length ? text[next] : '\0';
    if (count > 0)
      write(stream, text + i, count, after);
    else
      write(stream, REPLACEMENT, strlen(REPLACEMENT), after);
    i = next;
  }
}

static void writeJsonCharacter(FILE *stream, const char *bytes, size_t count,
                               char after) {
  bool endsScript = bytes[0] == '<' && (after == '/' || after == '!');
  unsigned char c = (unsigned char)bytes[0];
  if (c == '"' || c == '\\')
    fprintf(stream, "\\%c", c);
  else if (c < 0x20 || c == 0x7F || endsScript)
    fprintf(stream, "\\u%04x", c);
  else
    fwrite(bytes, 1, count, stream);
}

void berthWriteJsonText(FILE *stream, const char *text, size_t length) {
  fputc('"', stream);
  forEachCharacter(stream, text, length, writeJsonCharacter);
  fputc('"', stream);
}

void berthWriteJsonString(FILE *stream, const char *string) {
  berthWriteJsonText(stream, string, strlen(string));
}

static void writeXmlCharacter(FILE *stream, const char *bytes, size_t count,
                              char after) {
  (void)after;
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
  bool isNoCharacter = // of XML: U+FFFE and U+FFFF
      strncmp(bytes, "\xEF\xBF\xBE", count) == 0 ||
      strncmp(bytes, "\xEF\xBF\xBF", count) == 0;
  if ((unsigned char)bytes[0] < 0x20 || isNoCharacter)
    fputs(REPLACEMENT, stream);
  else
    fwrite(bytes, 1, count, stream);
}

void berthWriteXml(FILE *stream, const char *string) {
  forEachCharacter(stream, string, strlen(string), writeXmlCharacter);
}
