//===- Child.h   - Child processes under limits --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The parent's side of a child: feed it, collect what it writes, wait for it,
// and kill it (with all it has started, its process group) when its time is
// up. POSIX only.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CHILD_H
#define BERTH_LIB_IO_CHILD_H

#include "IO/Text/Span.h"
#include "IO/Text/TextBuffer.h"

#include <sys/types.h>

typedef struct BerthChild {
  pid_t pid;
  int input;  ///< a socket to write to, or -1
  int output; ///< to read the answer from
  int errors; ///< to read messages from, or -1
} BerthChild;

typedef enum BerthChildEnd {
  BERTH_CHILD_EXITED,
  BERTH_CHILD_CRASHED,
  BERTH_CHILD_TIMED_OUT,
  BERTH_CHILD_TALKED_TOO_MUCH,
  BERTH_CHILD_OUT_OF_MEMORY ///< no room here for what it wrote
} BerthChildEnd;

typedef struct BerthChildResult {
  BerthChildEnd end;
  int code; ///< exit code or signal
  BerthTextBuffer output;
  BerthTextBuffer errors;
} BerthChildResult;

/// How long, and who may ask for an early end: then the child gets a SIGINT and
/// may still answer.
typedef struct BerthChildLimits {
  double seconds;
  size_t outputBytes; ///< 0: no limit
  bool (*interrupted)(void *userData);
  void *userData;
} BerthChildLimits;

/// Feeds `input`, collects until the child has ended, and closes everything.
void berthChildRun(BerthChild *child, BerthSpan input,
                   const BerthChildLimits *limits, BerthChildResult *result);

void berthChildResultFree(BerthChildResult *result);

/// Says how a child ended: "crashed (signal 11, Segmentation fault)".
typedef struct BerthChildEndText {
  char text[96];
} BerthChildEndText;
BerthChildEndText berthChildDescribe(const BerthChildResult *result,
                                     double seconds);

/// In the child: a process group of its own and limits on address space (bytes)
/// and processor time, no core file. Sanitizers need the address space, so
/// under them it is not limited.
void berthChildConfine(int64_t memory, double seconds);

#endif // BERTH_LIB_IO_CHILD_H
