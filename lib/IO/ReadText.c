//===- ReadText.c - A file as text ---------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text.h"
#include "Support/Allocate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// NULL if out of memory.
static char *readStream(FILE *stream, size_t *length) {
  char *text = NULL;
  size_t capacity = 0;
  *length = 0;
  do {
    if (!berthReserve(&text, &capacity, *length + 65536)) {
      free(text);
      return NULL;
    }
    *length += fread(text + *length, 1, capacity - *length - 1, stream);
  } while (!feof(stream) && !ferror(stream));
  text[*length] = '\0';
  return text;
}

BerthStatus berthTextRead(const char *path, char **text, size_t *length,
                          BerthError *error) {
  bool standardInput = strcmp(path, "-") == 0;
  FILE *stream = standardInput ? stdin : fopen(path, "rb");
  if (!stream)
    return berthErrorSet(error, berthStatusOfErrno(errno), "cannot open: %s",
                         strerror(errno));
  errno = 0;
  *text = readStream(stream, length);
  int failure = *text && ferror(stream) ? errno : 0;
  if (!standardInput)
    fclose(stream);
  if (failure == 0)
    return BERTH_SUCCESS;
  free(*text);
  return berthErrorSet(error, BERTH_INVALID, "cannot read: %s",
                       strerror(failure));
}
