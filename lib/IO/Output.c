//===- Output.c - Files that are whole or not there ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Renaming within one directory is atomic. What is not a regular file, such as
// /dev/null or a pipe, must not be replaced by one and is written in place.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct BerthOutput {
  FILE *stream;
  char *path;
  char *temporary; ///< NULL: written in place
};

static BerthStatus failOn(const BerthOutput *output, const char *what,
                          int number, BerthError *error) {
  return berthErrorSet(error, berthStatusOfErrno(number), "cannot %s '%s': %s",
                       what, output->path, strerror(number));
}

static void destroy(BerthOutput *output) {
  free(output->path);
  free(output->temporary);
  free(output);
}

/// Creates a file beside the target under a name not taken yet.
static int createTemporary(BerthOutput *output) {
  size_t size = strlen(output->path) + 48;
  output->temporary = malloc(size);
  if (!output->temporary)
    return -1;
  int descriptor = -1;
  errno = EEXIST;
  for (unsigned attempt = 0; descriptor < 0 && errno == EEXIST; ++attempt) {
    snprintf(output->temporary, size, "%s.tmp-%ld-%u", output->path,
             (long)getpid(), attempt);
    descriptor =
        open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  return descriptor;
}

static FILE *openTemporary(BerthOutput *output) {
  int descriptor = createTemporary(output);
  if (descriptor < 0)
    return NULL;
  struct stat info;
  if (stat(output->path, &info) == 0) // a file replaced keeps its permissions
    (void)!fchmod(descriptor, info.st_mode & 07777);
  FILE *stream = fdopen(descriptor, "wb");
  if (!stream) {
    int number = errno;
    close(descriptor);
    unlink(output->temporary);
    errno = number;
  }
  return stream;
}

static bool isWrittenInPlace(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

BerthStatus berthOutputOpen(const char *path, BerthOutput **output,
                            BerthError *error) {
  *output = NULL;
  BerthOutput *result = berthZeroed(1, sizeof *result);
  if (!result)
    return berthOutOfMemory(error);
  result->path = berthCopyText(path, strlen(path));
  if (!result->path) {
    destroy(result);
    return berthOutOfMemory(error);
  }
  if (strcmp(path, "-") == 0)
    result->stream = stdout;
  else if (isWrittenInPlace(path))
    result->stream = fopen(path, "wb");
  else
    result->stream = openTemporary(result);
  if (!result->stream) {
    BerthStatus status = failOn(result, "write", errno, error);
    destroy(result);
    return status;
  }
  *output = result;
  return BERTH_SUCCESS;
}

FILE *berthOutputStream(const BerthOutput *output) { return output->stream; }

/// Flushes and closes (all but standard output); false with errno set if any
/// write failed.
static bool closeStream(BerthOutput *output) {
  bool whole = !ferror(output->stream) && fflush(output->stream) == 0;
  int number = errno;
  if (output->stream != stdout && fclose(output->stream) != 0 && whole) {
    whole = false;
    number = errno;
  }
  output->stream = NULL;
  errno = number;
  return whole;
}

BerthStatus berthOutputCommit(BerthOutput *output, BerthError *error) {
  BerthStatus status = BERTH_SUCCESS;
  errno = 0;
  if (!closeStream(output))
    status = failOn(output, "write", errno, error);
  else if (output->temporary && rename(output->temporary, output->path) != 0)
    status = failOn(output, "write", errno, error);
  if (status != BERTH_SUCCESS && output->temporary)
    unlink(output->temporary);
  destroy(output);
  return status;
}

void berthOutputAbandon(BerthOutput *output) {
  if (!output)
    return;
  closeStream(output);
  if (output->temporary)
    unlink(output->temporary);
  destroy(output);
}
