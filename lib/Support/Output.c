//===- Output.c - Files that are whole or not there ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What is not a regular file, such as /dev/null or a pipe, must not be replaced
// by one and is written in place.
//
// A stream of the C library forgets why a write failed once a later one does
// not, so these write by a function that keeps the first errno.
//
//===---------------------------------------------------------------------===//

#define _GNU_SOURCE // fopencookie

#include "Support/Allocate.h"
#include "Support/Replace.h"
#include "Support/Temporaries.h"
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
  char *target;    ///< whose place the temporary file takes
  char *temporary; ///< NULL: written in place
  int descriptor;
  int failure; ///< errno of the first write that failed
};

static BerthStatus failOn(const BerthOutput *output, int number,
                          BerthError *error) {
  if (strcmp(output->path, "-") == 0)
    return berthErrorSet(error, berthStatusOfErrno(number),
                         "cannot write standard output: %s", strerror(number));
  return berthErrorSet(error, berthStatusOfErrno(number),
                       "cannot write '%s': %s", output->path, strerror(number));
}

static void destroy(BerthOutput *output) {
  // What a signal has taken is read by its handler until the process ends.
  bool isOurs = !output->temporary || berthTemporaryForget(output->temporary);
  if (isOurs)
    free(output->temporary);
  free(output->target);
  free(output->path);
  free(output);
}

//===---------------------------------------------------------------------===//
// Opening
//===---------------------------------------------------------------------===//

/// Where /dev/stdout is a file, others write to it, too, and go on behind this.
static int openInPlace(const char *path) {
  struct stat info, standard;
  if (stat(path, &info) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
      info.st_dev == standard.st_dev && info.st_ino == standard.st_ino)
    return fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
  return open(path, O_WRONLY | O_CLOEXEC | O_APPEND);
}

/// -1 with errno set if it cannot be opened.
static int openDescriptor(BerthOutput *output) {
  if (strcmp(output->path, "-") == 0)
    return fflush(stdout) == 0 ? STDOUT_FILENO : -1;
  output->target = berthReplaceTarget(output->path);
  if (output->target)
    return berthReplaceBegin(output->target, &output->temporary);
  return errno ? -1 : openInPlace(output->path);
}

static ssize_t writeCookie(void *cookie, const char *data, size_t length) {
  BerthOutput *output = cookie;
  for (size_t done = 0; done < length;) {
    ssize_t count = write(output->descriptor, data + done, length - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      if (!output->failure)
        output->failure = errno;
      return 0;
    }
    done += (size_t)count;
  }
  return (ssize_t)length;
}

static bool openStream(BerthOutput *output) {
  output->descriptor = openDescriptor(output);
  if (output->descriptor < 0)
    return false;
  output->stream =
      fopencookie(output, "w", (cookie_io_functions_t){.write = writeCookie});
  return output->stream != NULL;
}

/// Standard output stays open.
static bool closeDescriptor(const BerthOutput *output) {
  return output->descriptor == STDOUT_FILENO || close(output->descriptor) == 0;
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
  if (!openStream(result)) {
    BerthStatus status = failOn(result, errno, error);
    if (result->descriptor >= 0)
      closeDescriptor(result);
    if (result->temporary)
      unlink(result->temporary);
    destroy(result);
    return status;
  }
  *output = result;
  return BERTH_SUCCESS;
}

FILE *berthOutputStream(const BerthOutput *output) { return output->stream; }

//===---------------------------------------------------------------------===//
// Closing
//===---------------------------------------------------------------------===//

/// Flushes and closes. 0, or the errno of what failed first.
static int closeStream(BerthOutput *output) {
  bool isWhole = !ferror(output->stream);
  isWhole = fclose(output->stream) == 0 && isWhole;
  if (!closeDescriptor(output) && !output->failure)
    output->failure = errno;
  if (!isWhole && !output->failure)
    output->failure = ENOMEM; // a stream gets no buffer
  return output->failure;
}

BerthStatus berthOutputCommit(BerthOutput *output, BerthError *error) {
  int number = closeStream(output);
  if (!number && output->temporary &&
      rename(output->temporary, output->target) != 0)
    number = errno;
  BerthStatus status = number ? failOn(output, number, error) : BERTH_SUCCESS;
  if (number && output->temporary)
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

BerthStatus berthOutputClose(BerthOutput *output, BerthStatus status,
                             BerthError *error) {
  if (status == BERTH_SUCCESS || ferror(output->stream))
    return berthOutputCommit(output, error);
  berthOutputAbandon(output);
  return status;
}
