//===- ReadInput.c - A file as text --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/ReadInput.h"
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

BerthStatus berthReadInput(const char *path, char **text, size_t *length,
                           BerthError *error) {
  *text = NULL;
  bool standardInput = strcmp(path, "-") == 0;
  FILE *stream = standardInput ? stdin : fopen(path, "rb");
  if (!stream)
    return berthErrorSet(error, berthStatusOfErrno(errno), "cannot open: %s",
                         strerror(errno));
  errno = 0;
  char *read = readStream(stream, length);
  bool failed = read && ferror(stream);
  int number = errno;
  if (!standardInput)
    fclose(stream);
  if (!read)
    return berthOutOfMemory(error);
  if (failed) {
    free(read);
    return berthErrorSet(error, berthStatusOfErrno(number), "cannot read: %s",
                         strerror(number));
  }
  *text = read;
  return BERTH_SUCCESS;
}
